package kit

import (
	"mcploupe/session/jsondoc"
	"mcploupe/session/subs"
	"mcploupe/session/wire"
	"mcploupe/ui/book"
)

// Intent is what a person wants. Panes return intents; only app/effects acts on them.
type Intent any

// Several is more than one intent at once, in order.
type Several []Intent

// Use sends the request that belongs to an item: calls the tool, reads the resource, gets the prompt.
type Use struct {
	Kind book.Kind
	ID   string
	Args []byte   // raw JSON of the arguments, sent as it is spelled; for a template its variables; nil for none
	Meta *Meta    // the request's _meta, where a person changed it; nil: as a faithful client sends it
	From wire.Seq // the request that this one was made from by editing it; 0 for none
	Task bool     // declare the tasks extension with this call, whatever the session does
}

// Meta is a _meta as a person wrote it, and what he began with. Both are raw JSON objects.
type Meta struct{ Ours, Written []byte }

// Refresh lists a kind again: from the cache when it is fresh, or past it.
type Refresh struct {
	Kind book.Kind
	Past bool
}

// Complete asks the server what it would put in the place of an argument of a prompt, or of a variable of a template. The
// answer comes back under Number.
type Complete struct {
	Kind           book.Kind // Prompts or Templates
	ID             string
	Argument, Text string
	Context        map[string]string // the other arguments that are filled in
	Number         int
}

// Reread reads a resource again, past the cache.
type Reread struct{ URI string }

// FollowLink reads a resource that an answer names, and shows what came.
type FollowLink struct{ URI string }

// Answer opens what an exchange asks the person, or asked: to answer it now, later, or once more.
type Answer struct{ Ref wire.Ref }

// SendAgain sends an earlier request once more.
type SendAgain struct{ Ref wire.Ref }

// Compare shows what differs between two exchanges; without B between A and the one before it of the same call.
type Compare struct{ A, B wire.Ref }

// Cancel ends a running request.
type Cancel struct{ Seq wire.Seq }

// Restart connects anew: with a fresh process, or a fresh HTTP session. Forget detects the era as if nothing was remembered.
type Restart struct{ Forget bool }

// Copy puts a text on the clipboard. What says what it is: "path", "value".
type Copy struct{ Text, What string }

// Write writes a text into a new file in the current directory; nothing is ever written over. Name is what the file is called,
// Ext its ending (".md"), What says what it is: "the story".
type Write struct{ Name, Ext, Text, What string }

// ShowPicture shows a picture as large as the terminal can. Data is its file, as a server sent it; Title says what it is, escaped.
type ShowPicture struct {
	Data  []byte
	Title string
}

// EditOutside lets the person edit a text in an editor of their own; Done gets what was left, byte for byte, when it is another.
type EditOutside struct {
	Text []byte
	Done func([]byte)
}

// OpenCopy opens the menu of what can be copied of an exchange; Here is what is under the cursor, if anything is.
type OpenCopy struct {
	Ref  wire.Ref
	Here []Row
}

// Say puts a line into the footer for a moment.
type Say struct {
	Text string
	Bad  bool
}

// Selected says that a pane's cursor came to stand on something else.
type Selected struct{ Pane string }

// Enter moves the focus to what is selected: the call of a tool, the body of an exchange.
type Enter struct{}

// Back moves the focus to where it came from.
type Back struct{}

// Show selects an exchange and, when Frame is set, the place in it.
type Show struct {
	Row   wire.Ref
	Frame wire.Seq
	Path  jsondoc.Pointer
	Key   bool
}

// Edit puts the arguments of an earlier request into the call's editor.
type Edit struct{ Ref wire.Ref }

// Explain opens the page of a rule; with Found, what was found stands before it.
type Explain struct {
	Rule  string
	Found *book.Found
}

// Mute leaves the findings of a rule out of counts, marks and lists for as long as the program runs, or takes them back in.
type Mute struct {
	Rule string
	On   bool
}

// ExplainField opens what a thing means: what stands at a place in a message (Frame, and Path in it), or a header or the status of an
// exchange (Status -1: whatever it is). Ours says that the header is of the request. With Doc it is a place in a value of which the
// schema's definition Def is known; with Name alone it is what is known of a name.
type ExplainField struct {
	Row    wire.Ref
	Frame  wire.Seq
	Path   jsondoc.Pointer
	Header string
	Status int
	Ours   bool
	Doc    *jsondoc.Document
	Def    string
	Name   string
}

// Evidence opens what the verdict of an exchange rests on.
type Evidence struct{ Ref wire.Ref }

// OpenFindings, OpenLog, OpenHelp, OpenPalette and OpenThemes open what their names say.
type (
	OpenFindings struct{}
	OpenLog      struct{}
	OpenHelp     struct{}
	OpenPalette  struct{}
	OpenThemes   struct{}
)

// OpenLevels opens the choice of the level from which log messages are asked for.
type OpenLevels struct{}

// AskLevel asks for log messages from a level on with every later request, "" for none; of a server older than 2026-07-28
// for the whole session.
type AskLevel struct{ Level string }

// Probe sends the probes: deliberately odd requests; with Unsafe also those that may do something. StopProbing ends that.
type (
	Probe       struct{ Unsafe bool }
	StopProbing struct{}
)

// OpenSlow plays an exchange frame by frame.
type OpenSlow struct{ Ref wire.Ref }

// Spotlight lights only what is under the cursor, or everything again.
type Spotlight struct{}

// HandOut writes the story of an exchange as one HTML page into a new file.
type HandOut struct{ Ref wire.Ref }

// OpenEra opens the request at hand under two revisions of the protocol.
type OpenEra struct{}

// Theme changes the theme; Keep says that it was chosen, not only looked at.
type Theme struct {
	Name string
	Keep bool
}

// Confirm asks before something is done that a person should know about: Title and the paragraphs of Text say what, Words
// (a verb, "call it all the same") what enter does, Then is what is wanted after that.
type Confirm struct {
	Title string
	Text  []string
	Words string
	Then  func() Intent
}

// Subscribe asks for notifications; with Keep again whenever the subscription ends.
type Subscribe struct {
	Filter subs.Filter
	Keep   bool
}

// Unsubscribe ends a subscription, by the number of its request.
type Unsubscribe struct{ Seq wire.Seq }

// Watch asks to be told when a resource changes, or ends that. Anyway asks also where the server does not declare it.
type Watch struct {
	URI    string
	Anyway bool
}

// OpenSubscriptions shows what the server is subscribed to; OpenFilter puts a new subscription together.
type (
	OpenSubscriptions struct{}
	OpenFilter        struct{}
)

// Quit ends the program, after a question when something runs.
type Quit struct{}

// Suspend puts the program into the background (ctrl+z).
type Suspend struct{}

// Submit sends what an Input holds. Inputs return it from their last row; the pane around them, which knows
// whose arguments they are, turns it into a Use.
type Submit struct{}
