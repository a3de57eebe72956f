package kit

import (
	"github.com/charmbracelet/x/ansi"

	"mcploupe/highlight"
)

// Dim is a finished line stepped back: its text in the faintest style, and faint for the terminal too, since a theme of high
// contrast has no colour that steps back.
func (e *Env) Dim(line string) string {
	return e.Styles.Faint.Faint(true).Render(Steady(ansi.Strip(line)))
}

// lit tells whether the spotlight leaves a row of the document alone: the value under the cursor with all that is in it, and what
// is around it.
func (v *View) lit(r *highlight.Row) bool {
	if r.Node < 0 || v.node < 0 || int(v.node) >= len(v.doc.Nodes) {
		return false
	}
	if r.Node >= v.node && r.Node < v.doc.Nodes[v.node].Next {
		return true
	}
	return r.Node < v.node && v.node < v.doc.Nodes[r.Node].Next
}
