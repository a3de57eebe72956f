package kit

import (
	"mcploupe/ui/book"
	"mcploupe/ui/handout"
	"mcploupe/ui/story"
)

// Chapter is the story of an exchange as a chapter of a handout.
func (e *Env) Chapter(b *book.Book, r *book.Row) handout.Chapter {
	name, parts, rows := e.gathered(b, r)
	return handout.Chapter{Story: story.Tell(name, parts), Frames: story.Frames(name, parts), Rows: rows}
}
