package question

import (
	"fmt"
	"net/url"
	"strings"

	"mcploupe/session/visible"
	"mcploupe/ui/kit"
)

// OpenAddress is the intent to open a web page in the person's browser: he saw the whole address and said yes.
type OpenAddress struct{ URL string }

// web is the address, when it is one that may be opened: http or https, with a host, and without a character that only
// pretends to be something.
func web(text string) *url.URL {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || visible.Escape(text) != text {
		return nil
	}
	return u
}

// noOpen is why an address is not opened, "" when it may be.
func noOpen(text string) string {
	if web(text) == nil {
		return "only whole http and https addresses without hidden characters are opened"
	}
	return ""
}

// address shows the whole of an address, its host as it is spelt and as it reads, and what is odd about it. Nothing is
// opened.
func (p *Pane) address(q *Question, w int) []string {
	s := p.env.Styles
	text := q.Params.Get("url").Text()
	u, err := url.Parse(text)
	var out []string
	line := func(label, value string, style interface{ Render(...string) string }) {
		label = s.Muted.Render(kit.Fit(label, 7))
		for _, part := range chop(value, max(w-7, 8), 40) {
			out = append(out, label+style.Render(part))
			label = kit.Blank(7)
		}
	}
	warn := func(words string) {
		for _, l := range kit.Wrap(words, max(w-9, 8)) {
			out = append(out, kit.Blank(7)+s.Should.Render(kit.SignShould+" "+l))
		}
	}
	if p.sure {
		out = append(out, s.Title.Render("Open "+kit.Cut(kit.Escape(u.Host), max(w-40, 8))+" in your browser?")+"  "+
			s.Keycap.Render("enter")+" "+s.Muted.Render("yes")+"  "+s.Keycap.Render("esc")+" "+s.Muted.Render("no"), "")
	}
	if p.done {
		out = append(out, s.OK.Render(kit.SignOK+" the server says that it is done"), "")
	}
	switch {
	case err != nil || u.Host == "":
		line("host", "no address that can be read", &s.Must)
	default:
		line("host", kit.Escape(u.Host), &s.Title)
		reads, scripts, odd := visible.Host(u.Hostname())
		if odd {
			line("reads", kit.Escape(reads), &s.Title)
			if len(scripts) > 1 {
				warn("letters of " + strings.Join(scripts, " and ") + " side by side: it may pass for another name")
			} else if strings.Join(scripts, "") != "Latin" {
				warn("letters of " + strings.Join(scripts, "") + ", not of Latin")
			}
		}
		if u.User != nil {
			warn("what stands before the @ is no part of the host: " + kit.Escape(u.User.String()))
		}
		switch {
		case u.Scheme == "http":
			warn("http, not https: whoever is on the way can read and change the page")
		case u.Scheme != "https":
			warn("the scheme is " + kit.Escape(u.Scheme) + ": nothing like that is opened")
		}
	}
	line("whole", kit.Escape(text), &s.String)
	words := "Nothing is opened by itself: o opens it after one more question, y copies it."
	if why := noOpen(text); why != "" {
		words = "It is not opened from here: " + why + ". y copies it."
	}
	if p.round.Again {
		words += " ctrl+s sends the request again, which is of use once you have been there."
	} else {
		words += " ctrl+s only tells the server that you agree to go there."
	}
	out = append(out, "")
	for _, l := range kit.Wrap(words, w) {
		out = append(out, s.Muted.Render(l))
	}
	return out
}

// chop cuts a text into parts of w cells, at most most of them.
func chop(text string, w, most int) []string {
	var parts []string
	for text != "" {
		if len(parts) == most {
			return append(parts, fmt.Sprintf("… %s more", kit.Size(int64(len(text)))))
		}
		part := text
		if kit.Width(text) > w {
			part = prefix(text, w)
		}
		parts = append(parts, part)
		text = text[len(part):]
	}
	return parts
}

// prefix is the longest beginning of a text that has at most w cells, at least one character.
func prefix(text string, w int) string {
	end := 0
	for i, r := range text {
		next := i + len(string(r))
		if end > 0 && kit.Width(text[:next]) > w {
			break
		}
		if end = next; end > 8*w { // characters without width
			break
		}
	}
	return text[:end]
}
