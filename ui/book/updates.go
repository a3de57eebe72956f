package book

import (
	"mcploupe/session/jsondoc"
	"mcploupe/session/wire"
)

// MaxUpdated is how many resources are remembered as updated one by one.
const MaxUpdated = 4096

// update notes that the server said of a resource that it changed.
func (b *Book) update(m *wire.Message) {
	uri := m.Params().Get("uri")
	if m.Method != "notifications/resources/updated" || !uri.Is(jsondoc.String) {
		return
	}
	if len(b.updated) >= MaxUpdated {
		clear(b.updated)
	}
	b.updated[uri.Text()] = m.Seq
}

// UpdatedSince is the notification that said that a resource changed after it was last asked for; 0 when there is none.
func (b *Book) UpdatedSince(uri string) wire.Seq {
	by := b.updated[uri]
	if by == 0 {
		return 0
	}
	if r := b.Timeline.Newest("resources/read", uri); r != nil && r.Ref.Seq > by {
		return 0
	}
	return by
}

// Brought are the rows of the notifications that came for a subscription, oldest first, at most the last most of
// them; earlier tells how many more there are.
func (t *Timeline) Brought(listen wire.Seq, most int) (rows []*Row, earlier int) {
	for i := len(t.Rows) - 1; i >= 0 && t.Rows[i].Ref.Seq > listen; i-- {
		if r := t.Rows[i]; r.X.Lone != nil && r.X.Of == listen {
			if len(rows) == most {
				earlier++
				continue
			}
			rows = append(rows, r)
		}
	}
	for i, j := 0, len(rows)-1; i < j; i, j = i+1, j-1 {
		rows[i], rows[j] = rows[j], rows[i]
	}
	return rows, earlier
}
