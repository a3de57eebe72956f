package themes

import (
	"fmt"
	"strconv"
	"strings"
)

// Parse reads a theme file:
//
//	# a comment                      only on lines of their own
//	base = dark                      first, optional: begin with a theme that comes along
//	kind = dark                      dark or light
//	background = #16181d             the background it was made for
//	foreground = #d4d8e3             plain text of the terminal that it expects
//	$red = #ff7a85                   a colour with a name, usable below
//	must = $red bold                 ROLE = [COLOUR] [on COLOUR] [bold] [faint] [italic] [underline] [strike] [reverse]
//	selected = on #283246 / reverse  behind the stroke: the same for terminals of 16 colours
//
// A colour is #rrggbb, a terminal colour 0 to 255, or a name given above. Every role must get a look,
// from the file or its base; "-" alone is the terminal's plain text.
func Parse(name, text string) (*Theme, error) {
	t := &Theme{Name: name, Roles: map[Role]Look{}, Few: map[Role]Look{}}
	p := parser{theme: t, colours: map[string]string{}, known: map[Role]bool{}}
	for _, r := range Roles() {
		p.known[r] = true
	}
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := p.line(line); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	for _, r := range Roles() {
		if _, ok := t.Roles[r]; !ok {
			return nil, fmt.Errorf("role %q has no look, and there is no base to take it from", r)
		}
	}
	if t.Background == "" || t.Foreground == "" {
		return nil, fmt.Errorf("background and foreground are missing: the colours of the terminal that the theme was made for")
	}
	return t, nil
}

type parser struct {
	theme   *Theme
	colours map[string]string
	known   map[Role]bool
}

func (p *parser) line(line string) error {
	key, value, ok := strings.Cut(line, "=")
	if !ok {
		return fmt.Errorf("%q is not of the form ROLE = LOOK", line)
	}
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	switch {
	case key == "base":
		if len(p.theme.Roles) > 0 {
			return fmt.Errorf("base must come first")
		}
		base, err := files.ReadFile("files/" + value + suffix)
		if err != nil {
			return fmt.Errorf("base %q is no theme that comes along", value)
		}
		b, err := Parse(value, string(base))
		if err != nil {
			return fmt.Errorf("base %q: %w", value, err)
		}
		name := p.theme.Name
		*p.theme = *b
		p.theme.Name = name
	case key == "kind":
		if value != "dark" && value != "light" {
			return fmt.Errorf("kind is dark or light, not %q", value)
		}
		p.theme.Dark = value == "dark"
	case key == "background" || key == "foreground":
		c, err := p.colour(value)
		if err != nil {
			return err
		}
		if !strings.HasPrefix(c, "#") {
			return fmt.Errorf("%s is written #rrggbb", key)
		}
		if key == "background" {
			p.theme.Background = c
		} else {
			p.theme.Foreground = c
		}
	case strings.HasPrefix(key, "$"):
		c, err := p.colour(value)
		if err != nil {
			return err
		}
		p.colours[key] = c
	case p.known[Role(key)]:
		full, few, has := strings.Cut(value, "/")
		look, err := p.look(full)
		if err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		p.theme.Roles[Role(key)] = look
		delete(p.theme.Few, Role(key)) // a base's substitute does not fit a new look
		if has {
			if look, err = p.look(few); err != nil {
				return fmt.Errorf("%s: %w", key, err)
			}
			p.theme.Few[Role(key)] = look
		}
	default:
		return unknownRole(key)
	}
	return nil
}

func (p *parser) look(text string) (Look, error) {
	var l Look
	words := strings.Fields(text)
	if len(words) == 0 {
		return l, fmt.Errorf("the look is missing; - is plain text")
	}
	attributes := map[string]*bool{"bold": &l.Bold, "faint": &l.Faint, "italic": &l.Italic, "underline": &l.Underline, "strike": &l.Strike, "reverse": &l.Reverse}
	for i := 0; i < len(words); i++ {
		w := words[i]
		if w == "-" {
			continue
		}
		if a := attributes[w]; a != nil {
			*a = true
			continue
		}
		into := &l.Fg
		if w == "on" && i+1 < len(words) {
			i++
			w, into = words[i], &l.Bg
		}
		c, err := p.colour(w)
		if err != nil {
			return l, err
		}
		if *into != "" {
			return l, fmt.Errorf("%q is a second colour", w)
		}
		*into = c
	}
	return l, nil
}

func (p *parser) colour(word string) (string, error) {
	if strings.HasPrefix(word, "$") {
		if c, ok := p.colours[word]; ok {
			return c, nil
		}
		return "", fmt.Errorf("colour %s is not given above", word)
	}
	if hex, ok := strings.CutPrefix(word, "#"); ok {
		if _, err := strconv.ParseUint(hex, 16, 32); err == nil && len(hex) == 6 {
			return strings.ToLower(word), nil
		}
	} else if n, err := strconv.Atoi(word); err == nil && 0 <= n && n <= 255 {
		return strconv.Itoa(n), nil
	}
	return "", fmt.Errorf("%q is neither a colour (#rrggbb, 0 to 255, or a $name given above) nor an attribute (bold, faint, italic, underline, strike, reverse)", word)
}

// unknownRole says which roles there are, the likeliest first.
func unknownRole(key string) error {
	best, least := "", 3
	for _, r := range Roles() {
		if d := distance(key, string(r)); d < least {
			best, least = string(r), d
		}
	}
	if best != "" {
		return fmt.Errorf("%q is no role: %s is", key, best)
	}
	all := make([]string, 0, len(fields))
	for _, r := range Roles() {
		all = append(all, string(r))
	}
	return fmt.Errorf("%q is no role: base, kind, background, foreground and $names are given, and the roles are %s", key, strings.Join(all, ", "))
}

// distance is how many letters have to be added, left out or changed to make one word of the other.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			next := diagonal
			if a[i] != b[j] {
				next = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], next
		}
	}
	return row[len(b)]
}
