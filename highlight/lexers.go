package highlight

import (
	"bytes"
	"embed"
	"math"
	"mime"
	"path"
	"sort"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/alecthomas/chroma/v2"
)

//go:embed lexers/*.xml
var lexerFiles embed.FS

// Bounds of lexers, which read some megabytes a second, or far less when a text is made to be slow:
// the text that one gets, and the time that it may take in all. What is left stays without colours.
const (
	maxLexed  = 128 << 10
	maxLexing = time.Second
)

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

// LooksLikeJSON tells that a text, of whatever type, begins as an object or array of JSON does.
func LooksLikeJSON(text []byte) bool {
	t := bytes.TrimLeft(text[:min(len(text), 64)], " \t\r\n\ufeff")
	return len(t) > 0 && (t[0] == '{' || t[0] == '[')
}

// IsMarkdown tells that a MIME type means Markdown.
func IsMarkdown(mimeType string) bool {
	kind, _, _ := mime.ParseMediaType(mimeType)
	return kind == "text/markdown" || kind == "text/x-markdown"
}

// lexing is a text that is being read by a lexer, as far as its looks have been asked for.
type lexing struct {
	next  chroma.Iterator // nil when there is nothing more to read
	runs  []run
	end   int // of the last run
	size  int // of the text that the lexer got
	spent time.Duration
}

// run is a stretch of one look that ends before the offset.
type run struct {
	end int32
	ink ink
}

// lex finds the lexer for a text; without one the text has no looks.
func lex(t []byte, mimeType, name string) *lexing {
	l := &lexing{}
	lexer := lexerFor(mimeType, name)
	if lexer == nil {
		return l
	}
	t = t[:min(len(t), maxLexed)]
	l.size = len(t)
	l.guard(func() {
		// No change of line ends, or every offset behind them would be wrong.
		next, err := lexer.Tokenise(&chroma.TokeniseOptions{State: "root"}, sameLength(t))
		if err == nil {
			l.next = next
		}
	})
	return l
}

// guard runs a step of the lexer, which may give up in a panic, and takes its time.
func (l *lexing) guard(step func()) {
	start := time.Now()
	defer func() {
		if recover() != nil {
			l.next = nil
		}
		if l.spent += time.Since(start); l.spent > maxLexing {
			l.next = nil
		}
	}()
	step()
}

// look is the ink at an offset, and where it ends.
func (l *lexing) look(off int32) (ink, int32) {
	if l.next != nil && l.end <= int(off) && int(off) < l.size {
		l.guard(func() { l.reach(int(off)) })
	}
	k := sort.Search(len(l.runs), func(k int) bool { return l.runs[k].end > off })
	if k == len(l.runs) {
		return inkText, math.MaxInt32
	}
	return l.runs[k].ink, l.runs[k].end
}

// reach reads on until the offset is known, or the time is over.
func (l *lexing) reach(off int) {
	start := time.Now()
	for n := 0; l.end <= off; n++ {
		token := l.next()
		if token == chroma.EOF || n%64 == 63 && l.spent+time.Since(start) > maxLexing {
			l.next = nil
			return
		}
		l.end = min(l.end+len(token.Value), l.size) // a lexer may add a newline at the end
		look := inkOf(token.Type)
		if n := len(l.runs); n > 0 && l.runs[n-1].ink == look {
			l.runs[n-1].end = int32(l.end)
			continue
		}
		l.runs = append(l.runs, run{int32(l.end), look})
	}
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
