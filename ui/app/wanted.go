package app

import (
	"slices"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"mcploupe/ui/kit"
)

// wantedPane asks for a value that a server needs before it can be opened. What is secret is never drawn.
type wantedPane struct {
	env    *kit.Env
	w      *wanted
	text   []rune
	chosen int // of the choices
}

func newWantedPane(env *kit.Env, w *wanted) *wantedPane {
	p := &wantedPane{env: env, w: w}
	if !w.Secret {
		p.text = []rune(w.Default)
	}
	p.chosen = max(slices.Index(w.Choices, w.Default), 0)
	return p
}

// Head implements kit.Framed.
func (p *wantedPane) Head(bool) (string, string) {
	s := p.env.Styles
	right := ""
	if p.w.Secret {
		right = "not shown, not kept"
	}
	return s.Title.Render(kit.Escape(p.w.Title)), s.Muted.Render(right)
}

// Scroll implements kit.Framed.
func (p *wantedPane) Scroll() kit.Scroll { return kit.Scroll{} }

// Typing implements kit.Pane.
func (p *wantedPane) Typing() bool { return true }

// Rows implements kit.Pane.
func (p *wantedPane) Rows() []kit.Row {
	words, off := "take it", ""
	if p.value() == "" {
		words = "go without it"
		if !p.w.Empty {
			off = "a value is needed"
		}
	}
	rows := []kit.Row{{Keys: []string{"enter"}, Words: words, Group: "window", Off: off, Do: func() kit.Intent { return answerWanted{p.w, p.value(), true} }}}
	if len(p.w.Choices) > 1 {
		rows = append(rows, kit.Row{Keys: []string{"down"}, Words: "next choice", Group: "window", Do: func() kit.Intent { p.choose(1); return nil }},
			kit.Row{Keys: []string{"up"}, Words: "choice before", Group: "window", Do: func() kit.Intent { p.choose(-1); return nil }})
	}
	return append(rows, kit.Row{Keys: []string{"esc"}, Words: "do not open it", Group: "window", Do: func() kit.Intent { return answerWanted{w: p.w} }})
}

func (p *wantedPane) choose(by int) {
	p.chosen = kit.Step(p.chosen, by, len(p.w.Choices))
}

func (p *wantedPane) value() string {
	if len(p.w.Choices) > 0 {
		return p.w.Choices[p.chosen]
	}
	if len(p.text) == 0 {
		return p.w.Default
	}
	return string(p.text)
}

// Text implements kit.Pane.
func (p *wantedPane) Text(msg tea.Msg) (kit.Intent, bool) {
	if len(p.w.Choices) > 0 {
		return nil, false
	}
	typed := ""
	switch msg := msg.(type) {
	case tea.PasteMsg:
		typed = msg.Content
	case tea.KeyPressMsg:
		switch msg.String() {
		case "backspace":
			p.text = p.text[:max(len(p.text)-1, 0)]
			return nil, true
		case "ctrl+u":
			p.text = nil
			return nil, true
		}
		if msg.Text == "" {
			return nil, false
		}
		typed = msg.Text
	default:
		return nil, false
	}
	for _, r := range typed {
		if len(p.text) < mostWanted && !unicode.IsControl(r) { // a pasted line break is no part of a key
			p.text = append(p.text, r)
		}
	}
	return nil, true
}

// mostWanted bounds a value, in characters.
const mostWanted = 8192

// Click implements kit.Pane.
func (p *wantedPane) Click(int, int, tea.MouseMsg) kit.Intent { return nil }

// Draw implements kit.Pane.
func (p *wantedPane) Draw(w, h int, _ bool) string { return kit.Block(p.all(w), w, h) }

// lines is how many lines there are at a width.
func (p *wantedPane) lines(w int) int { return len(p.all(w)) }

func (p *wantedPane) all(w int) []string {
	s := p.env.Styles
	var out []string
	if p.w.Text != "" {
		out = append(out, "")
		for _, l := range kit.Wrap(kit.Escape(p.w.Text), w) {
			out = append(out, s.Muted.Render(l))
		}
	}
	out = append(out, "")
	if len(p.w.Choices) > 0 {
		for i, c := range p.w.Choices {
			line := "  " + s.Text.Render(kit.Escape(c))
			if i == p.chosen {
				line = kit.Under(kit.SignPointer+" "+kit.Escape(c), s.Selected, w)
			}
			out = append(out, kit.Cut(line, w))
		}
		return append(out, "")
	}
	shown := kit.Escape(string(p.text))
	if p.w.Secret {
		shown = strings.Repeat("*", min(len(p.text), 24)) // how long it is, is nobody's business beyond that
	}
	return append(out, s.Input.Render(kit.CutLeft(shown, w-2))+kit.Caret(s.Input, " "), "")
}
