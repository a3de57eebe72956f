package book

import "mcploupe/session/wire"

// Message is the message of the exchange with this number; nil when it holds none.
func (r *Row) Message(frame wire.Seq) *wire.Message {
	for _, m := range []*wire.Message{r.X.Request, r.X.Reply, r.X.Lone} {
		if m != nil && m.Seq == frame {
			return m
		}
	}
	for _, more := range [2][]wire.Message{r.X.During, r.X.Late} {
		for i := range more {
			if more[i].Seq == frame {
				return &more[i]
			}
		}
	}
	return nil
}
