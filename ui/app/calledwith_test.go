package app

import (
	"fmt"
	"strings"
	"testing"
)

// Calls of one tool are told apart by what they were called with, as far as there is room, and nothing of it is taken for more than text.
func TestARowSaysWhatWasCalledWith(t *testing.T) {
	var calls strings.Builder
	for i, args := range []string{`{"location":"Madrid","days":3}`, `{}`, `{"location":"a\u001b[31m` + strings.Repeat("long ", 50) + `"}`, `{"deep":{"b": [1, 2]}}`} {
		fmt.Fprintf(&calls, `> {"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"erase","arguments":%s,%s}}
< {"jsonrpc":"2.0","id":%d,"result":{"resultType":"complete",%s,"content":[{"type":"text","text":"x"}]}}
`, i+10, args, meta, i+10, mine)
	}
	for _, size := range [][2]int{{200, 60}, {120, 36}, {80, 24}} {
		tell(t, size[0], size[1], opening+lists+calls.String(), func(s *story) {
			s.press("5")
			switch size[0] {
			case 120: // there is no room for names too
				s.sees("12 call erase Madrid 3 ", "18 call erase {\"b\":[1,2…", "16 call erase a␛[31mlon…")
			default:
				s.sees("12 call erase location=Madrid days=3 ", "18 call erase deep={\"b\":[1,2]} ", "16 call erase a␛[31mlong long")
			}
			s.seesNot("14 call erase {")
			s.fits()
		})
	}
}
