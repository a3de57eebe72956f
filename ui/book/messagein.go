package book

import "mcploupe/session/wire"

// MessageIn is the message with this number among exchanges, and its exchange; nil for both when none has it, or when frame is 0.
func MessageIn(rows []*Row, frame wire.Seq) (*Row, *wire.Message) {
	if frame == 0 {
		return nil, nil
	}
	for _, r := range rows {
		if m := r.X.Message(frame); m != nil {
			return r, m
		}
	}
	return nil, nil
}
