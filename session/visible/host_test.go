package visible

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestHost(t *testing.T) {
	for name, want := range map[string]string{
		"example.com":             "",
		"127.0.0.1":               "",
		"xn--pple-43d.example":    "\u0430pple.example Cyrillic+Latin",
		"XN--MNCHEN-3YA.de":       "MüNCHEN.de Latin",
		"xn--80ak6aa92e.com":      "\u0430\u0440\u0440\u04cf\u0435.com Cyrillic+Latin",
		"xn--fiqs8s.xn--fiqs8s":   "中国.中国 Han",
		"münchen.de":              "münchen.de Latin",
		"xn--.example":            "",
		"xn--a-b-99999999999.com": "",
		"xn--\u00e9-a.com":        "xn--é-a.com Latin",
	} {
		reads, scripts, ok := Host(name)
		got := ""
		if ok {
			got = reads + " " + strings.Join(scripts, "+")
		}
		if got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func FuzzHost(f *testing.F) {
	for _, s := range []string{"xn--pple-43d.example", "xn--", "xn--a-", "xn--zzzzzzzzzzzzzzzzzzzz", "."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		reads, _, ok := Host(s)
		if utf8.ValidString(s) && !utf8.ValidString(reads) {
			t.Errorf("%q reads %q", s, reads)
		}
		if !ok && reads != s {
			t.Errorf("%q became %q although nothing was read", s, reads)
		}
	})
}
