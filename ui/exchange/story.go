package exchange

import (
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
	"mcploupe/ui/story"
)

// tale is the story of the exchange that is shown, made anew when the journal has grown.
type tale struct {
	of      *book.Row
	version int // of the timeline
	story   story.Story
}

// told brings the story up to date.
func (p *Pane) told() {
	if v := p.book.Timeline.Version(); p.tale.of != p.row || p.tale.version != v {
		p.tale.of, p.tale.version = p.row, v
		p.tale.story, _ = p.env.Story(p.book, p.row)
	}
}

// follows tells that the page grows at its end while it is looked at.
func (p *Pane) follows() bool {
	return p.listens() && p.tab != tabStory || p.tab == tabStory && p.tale.story.Open
}

// storyRows are the keys of the page with the story.
func (p *Pane) storyRows() []kit.Row {
	slow := kit.Row{Keys: []string{"P"}, Words: "play it slowly", Group: "story", Quiet: p.tab != tabStory, Do: func() kit.Intent { return kit.OpenSlow{Ref: p.ref} }}
	if p.tab != tabStory {
		return []kit.Row{slow}
	}
	return []kit.Row{slow, {Keys: []string{"W"}, Words: "write it as Markdown", Group: "story", Do: func() kit.Intent {
		p.told()
		return kit.WriteStory(p.ref, &p.tale.story)
	}}, {Keys: []string{"H"}, Words: "write it as HTML", Group: "story", Do: func() kit.Intent { return kit.HandOut{Ref: p.ref} }}}
}
