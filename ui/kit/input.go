package kit

import (
	"mcploupe/session/jsondoc"
)

// Input is a view of one JSON value that a person edits. The form and the raw JSON editor are two of
// them, shown in turn over the same text: whoever is left gives its Value, whoever comes gets it by
// SetValue. What Value gives is sent byte for byte.
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
