package lesson

import (
	"slices"

	"mcploupe/session/wire"
	"mcploupe/ui/query"
)

// Run is somebody's way through a lesson. It belongs to one goroutine.
type Run struct {
	Lesson *Lesson
	page   int
	done   map[int]bool // pages whose task is done or whose question was answered
	steps  int          // of the task on the page, so far
	start  wire.Seq     // exchanges behind it count
}

// Begin goes on where somebody was: done are titles of pages, those that are not there any more are left out. now is the newest
// entry of the journal. The page that is opened is the one that was done last, so that nobody begins in the midst of a task.
func Begin(l *Lesson, done []string, now wire.Seq) *Run {
	r := &Run{Lesson: l, done: map[int]bool{}, start: now}
	for _, i := range l.Parts() {
		if slices.Contains(done, l.Pages[i].Title) {
			r.done[i], r.page = true, i
		}
	}
	if r.Finished() {
		r.page = 0
	}
	return r
}

// Page is the page that is open, and its index.
func (r *Run) Page() (*Page, int) { return &r.Lesson.Pages[r.page], r.page }

// Opened says that the program has asked for what it asks by itself when a conversation begins; now is the newest entry of the journal.
// What was up to it is nobody's doing and counts for no task. What comes behind it counts on whatever page it was done: somebody who
// reads ahead, or tries what a text only mentions, has done it.
func (r *Run) Opened(now wire.Seq) { r.start = now }

// Turn goes d pages on or back; false when there is none.
func (r *Run) Turn(d int) bool {
	to := r.page + d
	if to < 0 || to >= len(r.Lesson.Pages) {
		return false
	}
	r.page, r.steps = to, 0
	return true
}

// Look looks whether the task on the page is done by now, and tells whether that is news.
func (r *Run) Look(f *query.Facts) bool {
	t := r.Lesson.Pages[r.page].Task
	if t == nil || r.done[r.page] {
		return false
	}
	r.steps, _ = t.Happened(f, r.start)
	if r.steps < len(t.Steps) {
		return false
	}
	r.done[r.page] = true
	return true
}

// Steps is how many steps of the task on the page have happened.
func (r *Run) Steps() int { return r.steps }

// Answered notes that the question on the page was answered rightly, and tells whether that is news.
func (r *Run) Answered() bool {
	if r.Lesson.Pages[r.page].Question == nil || r.done[r.page] {
		return false
	}
	r.done[r.page] = true
	return true
}

// Done tells that the task or question of a page is done.
func (r *Run) Done(page int) bool { return r.done[page] }

// Count is how many of the tasks and questions are done, and how many there are.
func (r *Run) Count() (done, all int) { return len(r.done), len(r.Lesson.Parts()) }

// Finished tells that all of them are.
func (r *Run) Finished() bool {
	done, all := r.Count()
	return done == all
}

// Titles are the titles of the pages that are done, to be kept.
func (r *Run) Titles() []string {
	var out []string
	for i := range r.Lesson.Pages {
		if r.done[i] {
			out = append(out, r.Lesson.Pages[i].Title)
		}
	}
	return out
}

// Open is the first page that is not done, -1 when all are.
func (r *Run) Open() int {
	for _, i := range r.Lesson.Parts() {
		if !r.done[i] {
			return i
		}
	}
	return -1
}
