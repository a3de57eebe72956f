package kit

// SignShadow stands at a tool that can be taken for a tool of another open server, or that one of them speaks of.
const SignShadow = "≈"

// Shadows are the tools of one server that can be taken for those of other open servers: for each by its name, in what way, a line
// each; escaped. It is not changed once it is made, so that whoever keeps what he drew can tell by its address that it is another.
type Shadows struct{ Of map[string][]string }

// About is the lines about a tool; none for nil.
func (s *Shadows) About(tool string) []string {
	if s == nil {
		return nil
	}
	return s.Of[tool]
}
