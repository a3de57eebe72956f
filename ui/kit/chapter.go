package kit

import (
	"mcploupe/ui/book"
	"mcploupe/ui/handout"
)

// Chapter is the story of an exchange as a chapter of a handout.
func (e *Env) Chapter(b *book.Book, r *book.Row) handout.Chapter {
	c := handout.Chapter{}
	c.Story, c.Rows = e.Story(b, r)
	c.Frames, _ = e.Frames(b, r)
	return c
}
