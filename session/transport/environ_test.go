package transport

import (
	"fmt"
	"strings"
	"testing"
)

func TestEnvironMergesAndTellsWhatDiffers(t *testing.T) {
	inherited := []string{"PATH=/bin", "HOME=/root", "TOKEN=old", "EMPTY=", "=C:=C:\\x", "broken"}
	tell := func(list []Variable) string {
		var s []string
		for _, v := range list {
			s = append(s, fmt.Sprintf("%s=%s", v.Name, v.Value))
			if v.Given {
				s[len(s)-1] += " given"
			}
			if v.Replaces {
				s[len(s)-1] += " for " + v.Was
			}
		}
		return strings.Join(s, ", ")
	}
	for _, c := range []struct {
		name string
		o    StdioOptions
		fold bool
		want string
	}{
		{"nothing given", StdioOptions{}, false, `=C:=C:\x, EMPTY=, HOME=/root, PATH=/bin, TOKEN=old`},
		{"merged", StdioOptions{Env: []string{"TOKEN=a", "NEW=b=c", "TOKEN=x", "bad"}}, false, `=C:=C:\x, EMPTY=, HOME=/root, NEW=b=c given, PATH=/bin, TOKEN=x given for old`},
		{"case matters", StdioOptions{Env: []string{"Path=/x"}}, false, `=C:=C:\x, EMPTY=, HOME=/root, PATH=/bin, Path=/x given, TOKEN=old`},
		{"but not on Windows", StdioOptions{Env: []string{"Path=/x"}}, true, `=C:=C:\x, EMPTY=, HOME=/root, Path=/x given for /bin, TOKEN=old`},
		{"clean", StdioOptions{Env: []string{"TOKEN=x"}, CleanEnv: true}, false, `TOKEN=x given`},
	} {
		if got := tell(environ(c.o, inherited, c.fold)); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// Judged by what cmd.exe and the usual argument parsers of Windows make of it.
func TestBatchFilesGetTheirArguments(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, ``},
		{[]string{"-y", "some-server@1.0"}, ` -y some-server@1.0`},
		{[]string{"My Files", ""}, ` "My Files" ""`},
		{[]string{`say "hi"`}, ` "say ""hi"""`},
		{[]string{`back\slash`, `end\`, `q\"`}, ` back\slash "end\\" "q\\"""`},
		{[]string{"a&b", "a|b", "a>b", "a^b", "(x)"}, ` "a&b" "a|b" "a>b" "a^b" "(x)"`},
		{[]string{"%PATH%"}, ` "%%cd:~,%PATH%%cd:~,%"`},
		{[]string{"日本"}, ` 日本`},
	} {
		got, err := batchLine(`C:\Program Files\npx.cmd`, c.args)
		want := `cmd.exe /e:ON /v:OFF /d /c ""C:\Program Files\npx.cmd"` + c.want + `"`
		if err != nil || got != want {
			t.Errorf("%q:\n got %s, %v\nwant %s", c.args, got, err, want)
		}
	}
	for _, c := range [][]string{{"x.cmd", "a\nb"}, {"x.cmd", "a\x00"}, {`x".cmd`}, {`x\`}} {
		if got, err := batchLine(c[0], c[1:]); err == nil {
			t.Errorf("%q became %s", c, got)
		}
	}
}

func TestLikeness(t *testing.T) {
	for _, c := range []struct {
		want, have string
		ok         bool
	}{
		{"python", "python3", true}, {"python", "python3.12", true}, {"python3", "python", true}, {"npx", "npx", true}, {"noed", "node", true},
		{"node", "nodejs", true}, {"weather-server", "wether-servr", true}, {"npx", "nano", false}, {"ls", "df", false}, {"a", "b", false}, {"node", "node-gyp-build", false},
	} {
		if _, ok := likeness(c.want, c.have); ok != c.ok {
			t.Errorf("%s, %s: %v", c.want, c.have, ok)
		}
	}
}

func TestCommandLine(t *testing.T) {
	got := CommandLine([]string{"npx", "-y", "@x/server", "My Files", "it's", "", "$HOME", "a=b"})
	if want := `npx -y @x/server 'My Files' 'it'\''s' '' '$HOME' a=b`; got != want {
		t.Errorf("got %s", got)
	}
}
