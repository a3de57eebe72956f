// Package lesson is what can be learned with the program: lessons as text files (docs/lessons.md), the conditions by which a
// task is noticed to be done, and how far somebody has come. A lesson is data: a teacher writes one without writing Go.
//
// It is pure: files and exchanges in, pages and "done" out. It must never know: the screen, sessions, processes, the clock.
package lesson

// Lesson is one lesson: what stands in one file.
type Lesson struct {
	Name    string // of the file, without its number and ending: "three-exchanges"
	Title   string
	Minutes int // that it takes
	Server  Server
	Pages   []Page // at least one
}

// Server is what a lesson looks at: the built-in server, or a recorded conversation.
type Server struct {
	HTTP      bool     // over Streamable HTTP, instead of stdio
	Login     bool     // HTTP only: the server wants a login
	Published bool     // tool failures as the published text asks
	Serve     string   // "both", "modern" or "legacy"; "" is both
	Faults    []string // names of ways to misbehave
	Journal   string   // a recorded journal beside the lesson, instead of the server
	Script    string   // a conversation in script notation beside the lesson, instead of the server
}

// Recorded tells that nothing can be sent.
func (s *Server) Recorded() bool { return s.Journal != "" || s.Script != "" }

// Words are the words of "mcploupe demo" that start the server, without those of the transport and the faults: no command line
// tells of faults that are to be found.
func (s *Server) Words() []string {
	serve := s.Serve
	if serve == "" {
		serve = "both"
	}
	words := []string{"--serve", serve}
	if s.Published {
		words = append(words, "--published")
	}
	return words
}

// Page is what is read at one time. At most one of Task and Question is set.
type Page struct {
	Title    string
	Text     string // Markdown: paragraphs, lists, `code`
	Task     *Task
	Question *Question
	Home     bool // what to take home: the last page
	Line     int  // where it begins in the file, from 1
}

// Task is something to do. It is done when its steps have happened, one after the other, in exchanges that began after the
// lesson was opened and the server's lists were read.
type Task struct {
	Steps []Step // at least one
	Hint  string // Markdown
	Done  string // what is said when it is done; "" for plain words
	Keys  []Key  // that solve it, for the test
}

// Step is conditions that hold in any order.
type Step []Condition

// Question is a choice of one.
type Question struct{ Choices []Choice }

// Choice is one answer, and why it is right or wrong.
type Choice struct {
	Text  string
	Why   string
	Right bool
}

// Key is one key by its name ("ctrl+s"), text to be typed, or a pause.
type Key struct {
	Name  string // "" for the others
	Text  string
	Pause bool // wait a second
}

// Parts are the pages that can be done: tasks and questions, as indices of Pages.
func (l *Lesson) Parts() []int {
	var parts []int
	for i := range l.Pages {
		if l.Pages[i].Task != nil || l.Pages[i].Question != nil {
			parts = append(parts, i)
		}
	}
	return parts
}
