package highlight

import (
	"errors"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"mcploupe/session/jsondoc"
	"mcploupe/themes"
)

func TestWritePutsCaretsUnderValues(t *testing.T) {
	d := parse(`{"resultType":"complete","ttlMs":-5,"structuredContent":{"temp":"22","hum":[]},"bad":}`)
	marks := []Mark{
		{Node: d.At("/structuredContent/temp").Node(), Role: themes.Must, Note: "must be a number"},
		{Node: d.At("/ttlMs").Node(), Role: themes.Must, Note: "cache-ttl-negative (MUST): want an integer of at least 0\nand more \x1b[2J"},
		{Node: d.At("/ttlMs").Node(), Role: themes.Advice, Note: "second note"},
		{Node: d.At("/structuredContent").Node(), Key: true, Role: themes.Should, Note: "the name"},
		{Node: d.At("/structuredContent").Node(), Role: themes.Should},
		{Node: 0, Role: themes.Must, Note: "something is missing"},
		{Node: 99, Role: themes.Must, Note: "nowhere"},
	}
	var b strings.Builder
	if err := Write(&b, jsondoc.NewLayout(d), themes.Plain(), marks, 0); err != nil {
		t.Fatal(err)
	}
	compare(t, b.String(), `
{
^
└ something is missing
  "resultType": "complete",
  "ttlMs": -5,
           ^^
           └ cache-ttl-negative (MUST): want an integer of at least 0␊and more ␛[2J
           └ second note
  "structuredContent": {
  ^^^^^^^^^^^^^^^^^^^
  └ the name
                       ^
    "temp": "22",
            ^^^^
            └ must be a number
    "hum": []
  },
  "bad": ‹no value›
}
`)
	theme, err := themes.Load("light", "")
	if err != nil {
		t.Fatal(err)
	}
	var coloured strings.Builder
	if err := Write(&coloured, jsondoc.NewLayout(d), theme.Styles(colorprofile.TrueColor), marks, 0); err != nil {
		t.Fatal(err)
	}
	if ansi.Strip(coloured.String()) != b.String() || coloured.String() == b.String() {
		t.Error("colours change the text, or there are none")
	}
}

type full struct{}

var errFull = errors.New("no space left")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestWriteReportsFailure(t *testing.T) {
	if err := Write(full{}, jsondoc.NewLayout(parse(answer)), themes.Plain(), nil, 80); !errors.Is(err, errFull) {
		t.Errorf("got %v", err)
	}
}
