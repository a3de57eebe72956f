package transport

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"

	"mcploupe/session/jsondoc"
	"mcploupe/session/wire"
)

// logged is what the log gets of an entry.
func logged(t *testing.T, s *Secrets, e wire.Entry) wire.Entry {
	t.Helper()
	var sunk []wire.Entry
	tap := newTap()
	tap.Secrets = s
	tap.Sink = func(e wire.Entry) { sunk = append(sunk, e) }
	before := fmt.Sprintf("%+v", e)
	seq := tap.Put(e)
	if len(sunk) != 1 || sunk[0].Seq != seq || sunk[0].Frame != e.Frame || sunk[0].Lane != e.Lane || fmt.Sprintf("%+v", e) != before {
		t.Errorf("the sink got %+v, want the entry as it was", sunk)
	}
	got, ok := tap.Log.Get(seq)
	if !ok || !got.At.Equal(sunk[0].At) || got.At.IsZero() {
		t.Errorf("the log has %+v", got)
	}
	return got
}

func TestHeadersAreMaskedByTheirNames(t *testing.T) {
	for _, c := range []struct{ name, value, want string }{
		{"Authorization", "Bearer abcdefgh", "Bearer ***"},
		{"authorization", "abcdefgh", "***"},
		{"Proxy-Authorization", "Basic dTpw", "Basic ***"},
		{"Authorization", "", ""},
		{"Cookie", "a=1; sid=abc", "a=***; sid=***"},
		{"Set-Cookie", "sid=abc; Path=/; HttpOnly", "sid=***; Path=/; HttpOnly"},
		{"X-Api-Key", "abc", "***"},
		{"X-Auth-Token", "abc", "***"},
		{"X-Client-Secret", "abc", "***"},
		{"Mcp-Session-Id", "1868a90c-4f1e-77aa", "1868a90c**********"},
		{"mcp-session-id", "abcd", "ab**"},
		{"Mcp-Session-Id", "1868a90c-4f1\x01éé", "1868a90c****\x01éé"},
		{"Mcp-Param-Token", "us-west1", "us-west1"},
		{"WWW-Authenticate", `Bearer error="invalid_token"`, `Bearer error="invalid_token"`},
		{"Content-Type", "application/json", "application/json"},
		{"Location", "https://u:p@x/cb?code=123&state=4", "https://u:***@x/cb?code=***&state=4"},
		{"X-Echo", "say known-secret!", "say ************!"},
	} {
		f := &wire.Frame{Dir: wire.Sent, HTTP: &wire.Head{Header: []wire.Field{{Name: "A", Value: "b"}, {Name: c.name, Value: c.value}}}, Body: []byte("{}")}
		got := logged(t, NewSecrets("known-secret"), wire.Entry{Frame: f}).Frame
		if v := got.HTTP.Header[1]; v.Name != c.name || v.Value != c.want || got.Masked != (c.want != c.value) {
			t.Errorf("%s: %s is logged as %q, masked %v; want %q", c.name, c.value, v.Value, got.Masked, c.want)
		}
		if got.Masked == (got == f) {
			t.Error("a frame is copied when something in it is masked, and only then")
		}
		l := logged(t, nil, wire.Entry{Lane: &wire.Lane{HTTP: f.HTTP}}).Lane
		if c.name != "X-Echo" && l.HTTP.Header[1].Value != c.want {
			t.Errorf("%s in a lane: %q", c.name, l.HTTP.Header[1].Value)
		}
	}
}

func TestURLsAreMasked(t *testing.T) {
	for raw, want := range map[string]string{
		"https://example.com/mcp":                         "https://example.com/mcp",
		"https://u:s3cret@example.com/mcp":                "https://u:***@example.com/mcp",
		"https://t0ken@example.com/mcp":                   "https://***@example.com/mcp",
		"https://u:p@ss@[::1":                             "https://u:***@[::1",
		"https://x/@scope/pkg?a=b@c":                      "https://x/@scope/pkg?a=b@c",
		"https://x/?access_token=a&API_KEY=b&key=c&q=d#f": "https://x/?access_token=***&API_KEY=***&key=***&q=d#f",
		"/messages?session_id=0123456789abcdef":           "/messages?session_id=01234567********",
		"https://x/?token":                                "https://x/?token",
		"https://x/#token=a":                              "https://x/#token=a",
		"":                                                "",
	} {
		if got := MaskURL(raw); got != want {
			t.Errorf("%s: %s, want %s", raw, got, want)
		}
	}
}

func TestBodiesKeepTheirShape(t *testing.T) {
	secret := `pa/ss"wörd\9`
	s := NewSecrets("abcdefgh", "abcdefghijkl", "1234567890", secret, "a&b<cde>f", "short", `{"key":"v"}`)
	for _, c := range []struct{ name, body, want string }{
		{"a string", `{"a":"abcdefgh"}`, `{"a":"********"}`},
		{"the longest first", `{"a":"abcdefghijklm"}`, `{"a":"************m"}`},
		{"twice", `["abcdefgh","xabcdefghx"]`, `["********","x********x"]`},
		{"as a key", `{"abcdefgh":1}`, `{"********":1}`},
		{"nothing", `{"a":"abcdefg"}`, `{"a":"abcdefg"}`},
		{"too short", `{"a":"short"}`, `{"a":"short"}`},
		{"as JSON writes it", `{"a":"pa/ss\"wörd\\9"}`, `{"a":"` + strings.Repeat("*", len(`pa/ss\"wörd\\9`)) + `"}`},
		{"as PHP writes it", `{"a":"pa\/ss\"wörd\\9"}`, `{"a":"` + strings.Repeat("*", len(`pa\/ss\"wörd\\9`)) + `"}`},
		{"as Python writes it", `{"a":"pa/ss\"w\u00f6rd\\9"}`, `{"a":"` + strings.Repeat("*", len(`pa/ss\"w\u00f6rd\\9`)) + `"}`},
		{"as Go writes it", `{"a":"a\u0026b<cde>f"}`, `{"a":"a\u0026b<cde>f"}`},
		{"as Go writes it, all of it", `{"a":"a\u0026b\u003ccde\u003ef"}`, `{"a":"` + strings.Repeat("*", len(`a\u0026b\u003ccde\u003ef`)) + `"}`},
		{"in a URL", `{"a":"x?p=pa%2Fss%22w%C3%B6rd%5C9"}`, `{"a":"x?p=` + strings.Repeat("*", len(`pa%2Fss%22w%C3%B6rd%5C9`)) + `"}`},
		{"a number", `{"a":1234567890,"b":"1234567890"}`, `{"a":9999999999,"b":"**********"}`},
		{"digits and commas", `[12345678,1234567890]`, `[12345678,9999999999]`},
		{"behind an escape", `{"a":"\\abcdefgh"}`, `{"a":"\\********"}`},
		{"no JSON", "key abcdefgh", "key ********"},
		{"structure is not touched", `{"a":{"key":"v"}}`, `{"a":{"key":"v"}}`},
		{"but in plain text it is", `config={"key":"v"}`, `config=***********`},
	} {
		body := []byte(c.body)
		got := logged(t, s, wire.Entry{Frame: &wire.Frame{Dir: wire.Received, Shape: wire.ShapeCRLF, Lines: 2, Lane: 3, Why: "w", Body: body}}).Frame
		if string(got.Body) != c.want || got.Masked != (c.want != c.body) || got.Shape != wire.ShapeCRLF || got.Lines != 2 || got.Lane != 3 || got.Why != "w" {
			t.Errorf("%s: %s, masked %v", c.name, got.Body, got.Masked)
		}
		if string(body) != c.body {
			t.Errorf("%s: the session's bytes were changed", c.name)
		}
	}
}

func TestEverythingElseIsMasked(t *testing.T) {
	s := NewSecrets("abcdefgh")
	const x = "is abcdefgh!"
	frame := &wire.Frame{Dir: wire.Received, Before: []byte(x), Event: &wire.Event{Name: x, ID: x, Retry: x, Comments: []string{x}, Raw: []byte(x)}, HTTP: &wire.Head{URL: "http://h/?q=abcdefgh"}, Body: []byte(x)}
	exit := &wire.Exit{Argv: []string{x}, Dir: x, Stderr: []string{x}}
	for i, e := range []wire.Entry{
		{Frame: frame}, {Lane: &wire.Lane{Text: x, Exit: exit}}, {State: &wire.State{Text: x, Target: x, Server: `{"a":"abcdefgh"}`}},
		{Ask: &wire.Ask{Params: `["abcdefgh"]`, Answer: `["abcdefgh"]`}}, {Note: &wire.Note{Text: x}}, {Ending: &wire.Ending{Text: x}},
	} {
		got := logged(t, s, e)
		text := fmt.Sprintf("%+v %+v %+v %+v %+v %+v", got.Frame, got.Lane, got.State, got.Ask, got.Note, got.Ending)
		if got.Frame != nil {
			text += fmt.Sprintf(" %s %s %+v %s %+v", got.Frame.Body, got.Frame.Before, got.Frame.Event, got.Frame.Event.Raw, got.Frame.HTTP)
		}
		if got.Lane != nil {
			text += fmt.Sprintf(" %+v", got.Lane.Exit)
		}
		if strings.Contains(text, "abcdefgh") || !strings.Contains(text, "********") {
			t.Errorf("entry %d: %s", i, text)
		}
	}
	if exit.Argv[0] != x || frame.Event.Comments[0] != x || s.Text(x) != "is ********!" || (*Secrets)(nil).Text(x) != x {
		t.Error("the originals are not to be changed")
	}
	// Record does not tell the sink.
	tap := newTap()
	tap.Secrets = s
	tap.Sink = func(wire.Entry) { t.Error("told") }
	seq := tap.Record(wire.Entry{Note: &wire.Note{Text: x}})
	if e, _ := tap.Log.Get(seq); e.Note.Text != "is ********!" {
		t.Errorf("recorded %q", e.Note.Text)
	}
}

func TestWhatIsMadeKnown(t *testing.T) {
	s := NewSecrets()
	s.AddHeader("Authorization", "Bearer tokentoken")
	s.AddHeader("Cookie", "a=cookie-value; b=2")
	s.AddHeader("X-Api-Key", "apikey-apikey")
	s.AddHeader("Accept", "application/json")
	s.AddHeader("Mcp-Session-Id", "session-session")
	s.AddEnv([]string{"TOKEN=env-value-1", "PATH=/usr/bin:/bin", "NODE_ENV=production", "X", "LC_ALL=en_US.UTF-8"})
	in := "tokentoken cookie-value apikey-apikey application/json session-session env-value-1 /usr/bin:/bin production en_US.UTF-8"
	want := "********** ************ ************* application/json session-session *********** /usr/bin:/bin production en_US.UTF-8"
	if got := s.Text(in); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestSecretsForManyGoroutines(t *testing.T) {
	s := NewSecrets("abcdefgh")
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			for j := range 50 {
				s.Add(fmt.Sprintf("secret-%d-%d-", i, j))
				if got := s.Text("abcdefgh"); got != "********" {
					t.Errorf("got %s", got)
				}
			}
		})
	}
	wait.Wait()
}

// The sink hears of everything in the order of the log, whoever reports it.
func TestTapKeepsTheOrder(t *testing.T) {
	tap := newTap()
	var last wire.Seq
	tap.Sink = func(e wire.Entry) {
		if e.Seq != last+1 {
			t.Errorf("%d after %d", e.Seq, last)
		}
		last = e.Seq
	}
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 200 {
				tap.Frame(&wire.Frame{Dir: wire.Received, Body: []byte("{}")})
				tap.NextLane()
			}
		})
	}
	wait.Wait()
	if last != 1600 || tap.NextLane() != 1601 {
		t.Errorf("%d entries", last)
	}
}

// A masked body has the length and, when it was JSON, the structure of the original.
func FuzzMask(f *testing.F) {
	f.Add([]byte(`{"a":"sec/ret\"x1"}`), `sec/ret"x1`)
	f.Add([]byte(`{"a":[12345678,"\\n2345678"]}`), "12345678")
	f.Add([]byte(`{"a":"\nbcdefgh"}`), "nbcdefgh")
	f.Add([]byte(`{"a":"\u00e9abcdefg"}`), "9abcdefg")
	f.Fuzz(func(t *testing.T, body []byte, secret string) {
		s := NewSecrets(secret)
		got, hit := s.bytes(body, looksJSON(body))
		if len(got) != len(body) || hit == bytes.Equal(got, body) && !strings.Contains(secret, "*") && !strings.Contains(secret, "9") {
			t.Fatalf("%q became %q, hit %v", body, got, hit)
		}
		if len(secret) >= MinSecret && !strings.Contains(secret, "*") {
			if text := s.Text(string(body)); strings.Contains(text, secret) || (text != string(body)) != containsAny(body, patternsOf(secret)) {
				t.Fatalf("%q became the text %q", body, text)
			}
		}
		was, is := jsondoc.Parse(body), jsondoc.Parse(got)
		if was.Valid() && looksJSON(body) && !strings.ContainsAny(secret, "tfn") && (len(was.Nodes) != len(is.Nodes) || !is.Valid()) {
			t.Fatalf("%q became %q", body, got)
		}
	})
}

func containsAny(b []byte, list []pattern) bool {
	for _, p := range list {
		if bytes.Contains(b, []byte(p.text)) {
			return true
		}
	}
	return false
}

// What it costs to look for ten secrets in a message of 5 MB that holds none, and in one of 2 KB.
func BenchmarkMask(b *testing.B) {
	s := NewSecrets()
	for i := range 10 {
		s.Add(fmt.Sprintf("%d-secret/value+%d", i*7919, i))
	}
	for name, body := range map[string][]byte{
		"2KB": []byte(`{"a":"` + strings.Repeat("words and words 1234 ", 100) + `"}`),
		"5MB": []byte(`{"a":[` + strings.Repeat(`{"id":12345,"name":"row 1","ok":true},`, 140_000) + `1]}`),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if _, hit := s.bytes(body, true); hit {
					b.Fatal("hit")
				}
			}
		})
	}
}

// A server may say what it knows in many ways.
func TestSpellingsOfASecret(t *testing.T) {
	const secret = "pä/ss\"wo\\rd+9\n"
	s := NewSecrets(secret)
	quote := func(s string) string { return strings.Trim(jsondoc.Quote(s), `"`) }
	ascii := strings.NewReplacer("ä", `\u00e4`).Replace
	for name, text := range map[string]string{
		"as it is":                    secret,
		"without its end":             strings.TrimSpace(secret),
		"JSON in a log":               `{"key":"` + quote(secret) + `"}`,
		"JSON of Python in JSON":      `{"text":"` + quote(`{"key":"`+ascii(quote(secret))+`"}`) + `"}`,
		"JSON in JSON":                `{"text":"` + quote(`{"key":"`+quote(secret)+`"}`) + `"}`,
		"JSON in JSON in JSON":        `{"text":"` + quote(`{"key":"`+quote(`{"key":"`+quote(secret)+`"}`)+`"}`) + `"}`,
		"no JSON behind a bracket":    `[info] using ` + secret,
		"broken JSON":                 `{"key":` + secret,
		"a parameter":                 "q=" + url.QueryEscape(secret) + "&x",
		"a parameter, small":          "q=" + strings.ToLower(url.QueryEscape(secret)) + "&x",
		"a path":                      "/" + url.PathEscape(secret) + "/x",
		"Base64":                      base64.StdEncoding.EncodeToString([]byte(secret)),
		"Base64 of user and password": "Basic " + base64.StdEncoding.EncodeToString([]byte("me:"+secret)),
		"Base64 for URLs":             base64.RawURLEncoding.EncodeToString([]byte("x:" + secret + "?")),
	} {
		got := s.Text(text)
		if looksJSON([]byte(text)) {
			got = s.json(text)
		}
		for _, part := range []string{"ss", "wo", "rd", "d29", "3b1", "NzIn", "ed3Jk"} {
			if strings.Contains(got, part) {
				t.Errorf("%s: %s is told as %s", name, text, got)
			}
		}
		if jsondoc.Parse([]byte(text)).Valid() != jsondoc.Parse([]byte(got)).Valid() || len(got) != len(text) {
			t.Errorf("%s: %s has another shape: %s", name, text, got)
		}
	}
}

// What is secret within a value is known by itself: the key in a file of JSON, line by line, and the password in an address or header.
func TestSecretsWithinSecrets(t *testing.T) {
	s := NewSecrets()
	s.AddEnv([]string{
		`GOOGLE=` + `{"type":"service_account","private_key":"-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG\nAASCBKcwggSjAgEA\n-----END KEY-----"}`,
		"DB=postgres://me:pg-pass-word@h/db", "FILES=/home/me/documents", "API_KEY=/home/me/no-path", "HOST_NAME=localhost", "MODE=production", "PIN_TOKEN=abcd",
	})
	s.AddHeader("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte("me:basic-pass-word")))
	s.AddHeader("X-Upstream", "https://u:up-pass-word@h/")
	s.AddURL("https://me:url-pass-word@h/mcp?api_key=url-key-word&lang=en-and-more")
	s.AddWords([]string{"x", "--api-key", "arg-key-word", "--max-tokens", "12345678"})
	for text, want := range map[string]string{
		"MIIEvQIBADANBgkqhkiG":  "********************",
		"-----BEGIN KEY-----":   "-----BEGIN KEY-----",
		"pg-pass-word":          "************",
		"/home/me/documents/a":  "/home/me/documents/a",
		"/home/me/no-path":      "****************",
		"localhost production":  "localhost production",
		"basic-pass-word":       "***************",
		"up-pass-word":          "************",
		"url-pass-word":         "*************",
		"url-key-word":          "************",
		"en-and-more":           "en-and-more",
		"arg-key-word 12345678": "************ 12345678",
		"Basic " + base64.StdEncoding.EncodeToString([]byte("me:url-pass-word")): "Basic " + strings.Repeat("*", 24),
	} {
		if got := s.Text(text); got != want {
			t.Errorf("%s is told as %s, want %s", text, got, want)
		}
	}
	if got := s.Words([]string{"x", "abcd", "--like=url-key-word", "--token", "short"}); strings.Join(got, " ") != "x *** --like=*** --token ***" {
		t.Errorf("the words are %q", got)
	}
}
