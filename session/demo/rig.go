package demo

import (
	"fmt"
	"slices"
	"sync"

	"mcploupe/session/jsondoc"
)

// rig is the instruments that hang outside: each is one more tool, so that a person can see a list of tools change.
type rig struct {
	mu    sync.Mutex
	names []string
}

// set hangs an instrument outside or takes it in; false when it was so already.
func (r *rig) set(name string, out bool) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if slices.Contains(r.names, name) == out {
		return false
	}
	if out {
		r.names = append(r.names, name)
	} else {
		r.names = slices.DeleteFunc(r.names, func(n string) bool { return n == name })
	}
	return true
}

// tools are the catalogue's, and one for each instrument that hangs outside.
func (s *Server) tools() []tool {
	s.rig.mu.Lock()
	defer s.rig.mu.Unlock()
	all := slices.Clone(s.cat.tools)
	for _, name := range s.rig.names {
		schema := obj("type", "object", "additionalProperties", false)
		all = append(all, tool{
			name: rigged + name,
			def: obj("name", rigged+name, "title", "Read the "+name, "description", "Reads the "+name+" that hangs outside.", "inputSchema", schema,
				"annotations", obj("readOnlyHint", true, "destructiveHint", false, "idempotentHint", true, "openWorldHint", false)),
			input: jsondoc.Parse(appendJSON(nil, schema)).Root(),
		})
	}
	return all
}

// rigged is what the names of such tools begin with.
const rigged = "outside_"

// tool is the tool with this name as of now.
func (s *Server) tool(name string) (tool, bool) {
	for _, t := range s.tools() {
		if t.name == name {
			return t, true
		}
	}
	return tool{}, false
}

func hangInstrument(c *call) (*object, *failure) {
	name := c.text("instrument", "hygrometer")
	in, _ := c.args.Get("takeIn").Bool()
	where := "hangs outside"
	if in {
		where = "is inside"
	}
	if !c.s.rig.set(name, !in) {
		return toolText(fmt.Sprintf("The %s %s already.", name, where)), nil
	}
	c.s.Announce("tools")
	return toolText(fmt.Sprintf("The %s %s now: the list of tools is another.", name, where)), nil
}

func readRigged(c *call) (*object, *failure) {
	value, _ := c.s.station.weather(c.name).value("barometer")
	return toolText(fmt.Sprintf("%s: %.1f", c.name[len(rigged):], value/10)), nil
}
