package fields_test

import (
	"testing"

	"mcploupe/inspect"
	"mcploupe/inspect/fields"
	"mcploupe/session/wire"
)

// In the right conversations of all rules' pages every value of every message is explained, and nothing in them is foreign.
func TestRightConversationsAreExplained(t *testing.T) {
	own := map[string]bool{ // of bodies that are no messages of MCP, and of a server that adds something
		"note": true, "reason": true, "error_description": true,
	}
	seen := map[string]string{}
	values := 0
	for _, r := range inspect.Catalogue() {
		page, ok, err := inspect.Explain(r.ID)
		if !ok || err != nil {
			t.Fatal(r.ID, err)
		}
		for i := range page.Good {
			entries, _, err := page.Good[i].Entries()
			if err != nil {
				t.Fatal(r.ID, err)
			}
			fold := wire.NewFold()
			for _, e := range entries {
				for _, x := range fold.Add(e) {
					for _, m := range messages(&x) {
						if m.Kind == wire.NotJSON || m.Kind == wire.Odd {
							continue
						}
						d := m.Doc()
						for n := range d.Nodes {
							p := fields.Of(&x, m)
							p.Path = d.Pointer(int32(n))
							f := fields.At(p)
							values++
							if f.Entry == nil && f.Note == "" {
								t.Errorf("%s: nothing is said of %s", r.ID, p.Path)
							}
							if f.Foreign && !own[f.Name] {
								seen[f.Name] = r.ID + " " + string(p.Path) + ": " + f.Note
							}
						}
					}
				}
			}
		}
	}
	for name, where := range seen {
		t.Errorf("%s is foreign: %s", name, where)
	}
	if values < 10000 {
		t.Errorf("only %d values", values)
	}
}

func messages(x *wire.Exchange) []*wire.Message {
	var out []*wire.Message
	for _, m := range []*wire.Message{x.Request, x.Reply, x.Lone} {
		if m != nil {
			out = append(out, m)
		}
	}
	for i := range x.During {
		out = append(out, &x.During[i])
	}
	for i := range x.Late {
		out = append(out, &x.Late[i])
	}
	return out
}
