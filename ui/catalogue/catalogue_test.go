package catalogue

import (
	"testing"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/wire"
	"mcploupe/ui/book"
)

func TestATemplateIsFilledAndRecognised(t *testing.T) {
	const template = "weather://{place}/day{?units,days}"
	if got := variables(template); len(got) != 3 || got[0].name != "place" || got[2].name != "days" {
		t.Errorf("variables are %+v", got)
	}
	uri, err := expand(template, []byte(`{"place":"São Paulo","days":3,"units":null,"other":true}`))
	if err != nil || uri != "weather://S%C3%A3o%20Paulo/day?days=3" {
		t.Errorf("filled in it is %q, %v", uri, err)
	}
	if !comesFrom("a://{x}/z", "a://b/z") || comesFrom("a://{x}/z", "a://b/y") || !comesFrom("a://b", "a://b") {
		t.Error("a URI is not recognised by how its template begins and ends")
	}
}

func request(body string) *book.Row {
	m := wire.Read(1, time.Time{}, &wire.Frame{Dir: wire.Sent, Body: []byte(body)})
	return &book.Row{X: wire.Exchange{Request: &m}}
}

func TestWhatWasSentIsSentAgainByteForByte(t *testing.T) {
	r := request(`{"id":1,"method":"x","params":{"b":1.50e+3,"_meta":{"k":1},"a":"\u00e9","b":2}}`)
	if got := string(SentParams(r)); got != `{"b":1.50e+3,"a":"\u00e9","b":2}` {
		t.Errorf("params are %s", got)
	}
	if got := string(SentParams(request(`{"id":1,"method":"x","params":[1]}`))); got != `[1]` {
		t.Errorf("params that are no object are %s", got)
	}
	if got := string(SentArgs(request(`{"method":"tools/call","params":{"name":"t"}}`))); got != "{}" {
		t.Errorf("arguments that were left out are %s", got)
	}
}

func TestArgumentsOfPromptsAreAFormOfStrings(t *testing.T) {
	def := jsondoc.Parse([]byte(`{"name":"p","arguments":[{"name":"a\"b","required":true,"description":"d"},{"name":"c","title":"C"}]}`)).Root()
	s := arguments(&book.Item{Kind: book.Prompts, Def: def})
	if s.Get("properties").Get(`a"b`).Get("type").Text() != "string" || s.Get("properties").Get("c").Get("title").Text() != "C" {
		t.Errorf("the schema is %s", s.Raw())
	}
	if s.Get("required").Len() != 1 || s.Get("required").Index(0).Text() != `a"b` {
		t.Errorf("required are %s", s.Get("required").Raw())
	}
	if got := string(skeleton(s)); got != "{\n  \"a\\\"b\": \"\"\n}" {
		t.Errorf("it begins with %s", got)
	}
	if got := string(skeleton(jsondoc.Value{})); got != "{}" {
		t.Errorf("without a schema it begins with %s", got)
	}
}
