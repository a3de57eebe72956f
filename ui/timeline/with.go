package timeline

import (
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// What a row was called with, where there is room for it: it tells apart a hundred calls of one tool.

const (
	leastWith = 5       // cells below which nothing of it is shown
	mostWith  = 8 << 10 // bytes of a request that are looked at: rows are drawn with every key
)

// with is the arguments of a call in at most w cells, "" for what has none; without their names where there is no room for both.
// Escaped.
func with(r *book.Row, w int) string {
	m := r.X.Request
	if m == nil || w < leastWith || len(m.Body) > mostWith || m.Method != mcp.ToolsCall && m.Method != mcp.PromptsGet {
		return ""
	}
	var named, values []string
	for name, v := range m.Params().Get("arguments").Members() {
		text := v.Text()
		if !v.Is(jsondoc.String) {
			text = string(jsondoc.Compact(nil, v.Raw()))
		}
		named, values = append(named, name+"="+text), append(values, text)
	}
	text := kit.Escape(strings.Join(named, " "))
	if kit.Width(text) > w {
		text = kit.Escape(strings.Join(values, " "))
	}
	return kit.Cut(text, w)
}
