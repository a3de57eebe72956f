package cli

import (
	"fmt"
	"strings"

	"mcploupe/session"
	"mcploupe/session/wire"
)

// maxAside bounds what is said about the session: a server may lose it again and again.
const maxAside = 5

// happened takes a step of the connection that a person should know of beside the answer: an HTTP session that was begun anew, or
// that seems to be lost. A listen says so at once, anything else at its end. It is called with the run's lock held.
func (r *run) happened(st *wire.State) {
	if st == nil || r.flags.json || st.Session == 0 && !strings.HasPrefix(st.Text, session.SeemsLost) || len(r.aside) == maxAside {
		return
	}
	r.aside = append(r.aside, st.Text)
	if r.flags.endless {
		r.sayAside(st.Text)
	}
}

func (r *run) sayAside(text string) { fmt.Fprintf(r.io.err, "mcploupe: %s\n", safe(text)) }

// showAside prints what happened meanwhile. Call it when everything has been read.
func (r *run) showAside() {
	if r.flags.endless {
		return // it was said at once
	}
	for _, text := range r.aside {
		r.sayAside(text)
	}
}
