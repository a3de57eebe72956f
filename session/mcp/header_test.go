package mcp

import (
	"testing"
	"unicode/utf8"
)

func TestEncodeHeader(t *testing.T) {
	for value, want := range map[string]string{
		"us-west1":           "us-west1",
		"us west 1":          "us west 1",
		"":                   "=?base64??=",
		"~!{}|":              "~!{}|",
		" padded ":           "=?base64?IHBhZGRlZCA=?=",
		" ":                  "=?base64?IA==?=",
		"Hello, 世界":          "=?base64?SGVsbG8sIOS4lueVjA==?=",
		"line1\nline2":       "=?base64?bGluZTEKbGluZTI=?=",
		"\tindented":         "=?base64?CWluZGVudGVk?=",
		"a\tb":               "=?base64?YQli?=",
		"\x7f":               "=?base64?fw==?=",
		"=?base64?literal?=": "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=",
		"=?base64??=":        "=?base64?PT9iYXNlNjQ/Pz0=?=",
		"=?BASE64?abc?=":     "=?BASE64?abc?=",
		"=?base64?=":         "=?base64?PT9iYXNlNjQ/PQ==?=",
		"=?base64?abc":       "=?base64?abc",
	} {
		if got := EncodeHeader(value); got != want {
			t.Errorf("EncodeHeader(%q) = %q, want %q", value, got, want)
		}
	}
}

func TestDecodeHeader(t *testing.T) {
	for _, c := range []struct {
		in, want string
		ok       bool
	}{
		{"us-west1", "us-west1", true},
		{"", "", true},
		{"=?base64?SGVsbG8=?=", "Hello", true},
		{"=?base64??=", "", true},
		{"=?base64?5pel5pys6Kqe?=", "日本語", true},
		{"=?BASE64?SGVsbG8=?=", "=?BASE64?SGVsbG8=?=", true},
		{"=?base64?=", "=?base64?=", true}, // the two markers do not share a character
		{"=?base64?SGVsbG8=", "=?base64?SGVsbG8=", true},
		{"=?base64?SGVs!!!bG8=?=", "", false}, // alphabet
		{"=?base64?SGVsbG8?=", "", false},     // padding
		{"=?base64?SGVsbG9=?=", "", false},    // bits behind the end
		{"=?base64?SGVs\nbG8=?=", "", false},
		{"=?base64?__4=?=", "", false}, // URL alphabet
		{"=?base64?//4=?=", "", false}, // no UTF-8
	} {
		got, ok := DecodeHeader(c.in)
		if got != c.want || ok != c.ok {
			t.Errorf("DecodeHeader(%q) = %q, %v; want %q, %v", c.in, got, ok, c.want, c.ok)
		}
	}
}

func TestIsToken(t *testing.T) {
	for s, want := range map[string]bool{
		"Region": true, "x-1_~|": true, "": false, "My Region": false, "a:b": false, "é": false, "a\r\nb": false, "a/b": false, "\"": false,
	} {
		if IsToken(s) != want {
			t.Errorf("IsToken(%q) = %v", s, !want)
		}
	}
}

func FuzzHeader(f *testing.F) {
	for _, s := range []string{"", "a", " a", "é", "=?base64?x?=", "=?base64?SGVsbG8=?=", "\r\nSet-Cookie: x", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		e := EncodeHeader(s)
		for i := range len(e) {
			if e[i] < 0x20 || e[i] > 0x7E {
				t.Fatalf("EncodeHeader(%q) = %q: no header value", s, e)
			}
		}
		got, ok := DecodeHeader(e)
		if ok != utf8.ValidString(s) && e != s {
			t.Fatalf("DecodeHeader(%q): ok %v for %q", e, ok, s)
		}
		if ok && got != s {
			t.Fatalf("%q went to %q and came back as %q", s, e, got)
		}
		DecodeHeader(s)
	})
}
