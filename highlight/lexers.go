package highlight

import (
	"embed"
	"mime"
	"path"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/alecthomas/chroma/v2"
)

//go:embed lexers/*.xml
var lexerFiles embed.FS

// maxLexed bounds the text that a lexer gets: they read some megabytes a second.
const maxLexed = 256 << 10

// language is a kind of text that we have a lexer for: its file, what else it may be called by MIME
// types (without "text/", "application/", "x-") and file endings, and the lexers inside it.
type language struct {
	names string
	lexer func() chroma.Lexer
}

// languages are loaded one by one, on first use.
var languages = []language{
	{"python py text-x-python python-code", load("python")},
	{"javascript js mjs cjs ecmascript jsx", load("javascript")},
	{"typescript ts tsx mts", load("typescript")},
	{"go gosrc golang", load("go")},
	{"rust rs", load("rust")},
	{"java", load("java")},
	{"c h csrc chdr c++ cpp cc hpp c++src c++hdr", load("c")},
	{"sh bash zsh shellscript shell shell-script", load("bash")},
	{"sql", load("sql")},
	{"yaml yml", load("yaml")},
	{"toml", load("toml")},
	{"ini cfg conf properties", load("ini")},
	{"diff patch", load("diff")},
	{"css", load("css")},
	{"html htm xhtml xhtml+xml", load("html", "css", "javascript")},
	{"xml svg svg+xml rss+xml atom+xml xsd xsl", load("xml")},
}

// load makes a lexer when it is first asked for. inner are the lexers that it hands parts of a text to.
func load(name string, inner ...string) func() chroma.Lexer {
	return sync.OnceValue(func() chroma.Lexer {
		registry := chroma.NewLexerRegistry()
		lexer := parseLexer(name)
		registry.Register(lexer)
		for _, n := range inner {
			registry.Register(parseLexer(n))
		}
		return lexer
	})
}

// parseLexer reads an embedded definition. A broken one is a broken build, and a test loads them all.
func parseLexer(name string) *chroma.RegexLexer {
	l, err := chroma.NewXMLLexer(lexerFiles, "lexers/"+name+".xml")
	if err != nil {
		panic(err)
	}
	return l
}

// lexerFor finds the lexer by MIME type ("text/x-python; charset=utf-8"), else by the ending of a file
// name or URI; nil when there is none.
func lexerFor(mimeType, name string) chroma.Lexer {
	kind, _, _ := mime.ParseMediaType(mimeType)
	_, sub, _ := strings.Cut(kind, "/")
	if l := lexerNamed(strings.TrimPrefix(sub, "x-")); l != nil {
		return l
	}
	if i := strings.IndexAny(name, "?#"); i >= 0 {
		name = name[:i]
	}
	if l := lexerNamed(strings.ToLower(strings.TrimPrefix(path.Ext(name), "."))); l != nil {
		return l
	}
	if strings.HasSuffix(sub, "+xml") {
		return lexerNamed("xml")
	}
	return nil
}

func lexerNamed(word string) chroma.Lexer {
	for _, l := range languages {
		for _, n := range strings.Fields(l.names) {
			if n == word {
				return l.lexer()
			}
		}
	}
	return nil
}

// IsJSON tells that a MIME type means JSON: application/json, text/json, anything+json (RFC 6839).
func IsJSON(mimeType string) bool {
	kind, _, _ := mime.ParseMediaType(mimeType)
	_, sub, _ := strings.Cut(kind, "/")
	return sub == "json" || strings.HasSuffix(sub, "+json")
}

// IsMarkdown tells that a MIME type means Markdown.
func IsMarkdown(mimeType string) bool {
	kind, _, _ := mime.ParseMediaType(mimeType)
	return kind == "text/markdown" || kind == "text/x-markdown"
}

// tokenise gives the looks of a text, nil when there is no lexer or it fails. What lies behind the
// first 256 KiB has none.
func tokenise(t []byte, mimeType, name string) (runs []run) {
	lexer := lexerFor(mimeType, name)
	if lexer == nil || len(t) == 0 {
		return nil
	}
	if len(t) > maxLexed {
		t = t[:maxLexed]
	}
	// A lexer may give up in a panic; the text is then shown without colours.
	defer func() {
		if recover() != nil {
			runs = nil
		}
	}()
	// No change of line ends, or every offset behind them would be wrong.
	tokens, err := lexer.Tokenise(&chroma.TokeniseOptions{State: "root"}, sameLength(t))
	if err != nil {
		return nil
	}
	end := 0
	for token := tokens(); token != chroma.EOF; token = tokens() {
		end = min(end+len(token.Value), len(t)) // a lexer may add a newline at the end
		look := inkOf(token.Type)
		if n := len(runs); n > 0 && runs[n-1].ink == look {
			runs[n-1].end = int32(end)
			continue
		}
		runs = append(runs, run{int32(end), look})
	}
	if end < len(t) {
		return nil
	}
	return runs
}

// sameLength is t as valid UTF-8 with the same offsets: a bad byte becomes a question mark.
func sameLength(t []byte) string {
	if utf8.Valid(t) {
		return string(t)
	}
	var b strings.Builder
	for i := 0; i < len(t); {
		r, n := utf8.DecodeRune(t[i:])
		if r == utf8.RuneError && n == 1 {
			b.WriteByte('?')
		} else {
			b.Write(t[i : i+n])
		}
		i += n
	}
	return b.String()
}
