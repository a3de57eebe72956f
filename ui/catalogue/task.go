package catalogue

import (
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// taskRow is the key that sends the call with the tasks extension declared, whatever the other calls do: the server may then
// answer with a task.
func (c *Call) taskRow() kit.Row {
	off := ""
	switch {
	case c.kind != book.Tools:
		off = "only calls of tools can be tasks"
	case c.env.Tasks:
		off = "every call declares the tasks extension already"
	}
	return kit.Row{Keys: []string{"ctrl+b"}, Words: "send as a task", Group: "call", Quiet: true, Off: off, Do: func() kit.Intent { return asTask(c.Send(false)) }}
}

// asTask makes the use of a tool one that declares the tasks extension, also behind a question.
func asTask(i kit.Intent) kit.Intent {
	switch i := i.(type) {
	case kit.Use:
		i.Task = true
		return i
	case kit.Confirm:
		then := i.Then
		i.Then = func() kit.Intent { return asTask(then()) }
		return i
	}
	return i
}
