package kit

import (
	"mcploupe/session/jsondoc"
)

// Input is a view of one JSON value that a person edits. The form and the raw JSON editor are two of
// them, shown in turn over the same text: whoever is left gives its Value, whoever comes gets it by
// SetValue. What Value gives is sent as it is spelled; only blanks between values may go.
type Input interface {
	Pane
	// SetValue replaces the whole text. The cursor may stay where it was if that still makes sense.
	SetValue(raw []byte)
	// Value is the text as it stands, valid or not. Unknown members and the spelling of numbers are as
	// they came.
	Value() []byte
	// Problem is why sending this would be wrong, in one line, escaped; "" when nothing is known to be
	// wrong. Sending all the same is one more key, for provoking errors is the job.
	Problem() string
	// Lines is how many lines the input would like to have.
	Lines() int
}

// Inputs makes the two views of a call's arguments. schema is the object schema of the arguments
// (Missing when there is none); name tells whose arguments they are, for whatever the view remembers.
type Inputs struct {
	Form func(env *Env, name string, schema jsondoc.Value) Input
	JSON func(env *Env, name string, schema jsondoc.Value) Input
}

// Arriver is an Input that wants to know when the focus comes to it.
type Arriver interface{ Arrive() }

// Pointing is an Input that can show the place of its Problem.
type Pointing interface{ ShowProblem() }

// Checked is an Input that may know of problems a little later than they are typed; Check waits until it does.
type Checked interface{ Check() }

// Placed is an Input with a cursor on a part of its value. Whoever shows another Input of the same value puts its cursor there.
type Placed interface {
	Place() jsondoc.Pointer
	Seek(at jsondoc.Pointer)
}

// Stating is an Input with a line of its own that says how things are, in w cells, styled.
type Stating interface{ Status(w int) string }

// Completing is an Input that shows suggestions below the field that is typed into.
type Completing interface {
	Input
	// Typed is the member of the value that is typed into now, and the text so far; ok is false while none is.
	Typed() (name, text string, ok bool)
	// Suggest shows suggestions for that field; nil takes them away.
	Suggest(s *Suggestions)
}

// Suggestions are what a server would put in the place of what was typed.
type Suggestions struct {
	Values []string // raw; at most MaxSuggestions
	Note   string   // how many there are, that they are awaited, or why there are none; escaped, one line
	Bad    bool     // Note tells of something wrong
}

// MaxSuggestions is how many values one answer may bring (server/utilities/completion); more are not shown.
const MaxSuggestions = 100
