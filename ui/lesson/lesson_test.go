package lesson

import (
	"io/fs"
	"strings"
	"testing"
)

const whole = `# A lesson
minutes: 7
server: http --login --fault ttl-gone --fault no-answer --serve legacy --published

The first page,
on two lines.

## A second page

- with a list

## Task: Call it twice

Do so.

when: 2 of m:tools/call tool:get_* is:ok request /params/arguments/location = "Port Amber"
and: m:prompts/get
  header Mcp-Name exists
then: response /result/ttlMs > 0 !is:err
hint: Press
  keys.
done: you did.
keys: 2 g enter "Port Amber" ~ ctrl+s

## Question: Why?

Think.

- [ ] No.
  It is wrong.
- [x] Yes.
  It is
  right.

## Take home

- All of it.
`

func TestALessonIsRead(t *testing.T) {
	l, err := Parse("dir/07-a-lesson.md", []byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	if l.Name != "a-lesson" || l.Title != "A lesson" || l.Minutes != 7 || len(l.Pages) != 5 {
		t.Errorf("name %q, title %q, %d minutes, %d pages", l.Name, l.Title, l.Minutes, len(l.Pages))
	}
	s := l.Server
	if got := strings.Join(s.Words(), " "); !s.HTTP || !s.Login || got != "--serve legacy --published" || strings.Join(s.Faults, " ") != "ttl-gone no-answer" {
		t.Errorf("the server is %+v: %q", s, got)
	}
	if got := l.Pages[0].Text; got != "The first page,\non two lines." {
		t.Errorf("the first page says %q", got)
	}
	task := l.Pages[2].Task
	if task == nil || l.Pages[2].Title != "Call it twice" || l.Pages[2].Text != "Do so." || len(task.Steps) != 2 || len(task.Steps[0]) != 2 {
		t.Fatalf("the task is %+v", task)
	}
	first, second := task.Steps[0][0], task.Steps[0][1]
	if first.Count != 2 || len(first.Words) != 3 || len(first.Tests) != 1 || first.Tests[0].Value.Text() != "Port Amber" {
		t.Errorf("the first condition is %+v", first)
	}
	if len(second.Tests) != 1 || second.Tests[0].Name != "Mcp-Name" || second.Tests[0].Op != Exists {
		t.Errorf("the second condition, on two lines, is %+v", second)
	}
	if w := task.Steps[1][0].Words; len(w) != 1 || !w[0].Not {
		t.Errorf("the third condition is %+v", task.Steps[1][0])
	}
	if task.Hint != "Press keys." || task.Done != "you did." || len(task.Keys) != 6 || task.Keys[3].Text != "Port Amber" || !task.Keys[4].Pause {
		t.Errorf("hint %q, done %q, keys %+v", task.Hint, task.Done, task.Keys)
	}
	q := l.Pages[3].Question
	if q == nil || len(q.Choices) != 2 || q.Choices[0].Right || !q.Choices[1].Right || q.Choices[1].Why != "It is right." {
		t.Fatalf("the question is %+v", q)
	}
	if !l.Pages[4].Home || len(l.Parts()) != 2 {
		t.Errorf("the last page is %+v; parts are %v", l.Pages[4], l.Parts())
	}
}

func TestWhatIsWrongIsSaidWithItsLine(t *testing.T) {
	const head = "# T\nminutes: 5\n\ntext\n\n"
	for _, c := range []struct{ text, want string }{
		{"", "line 1: the file is empty"},
		{"Title\nminutes: 5\n\nx", "line 1: a lesson begins with"},
		{"# T\n\nx", "line 1: under the title stands “minutes: 5”"},
		{"# T\nminutes: soon\n\nx", "line 2: minutes: is a number"},
		{"# T\nminutes: 5\nserver: moon\n\nx", "line 3: server: is demo, http, journal or script, not “moon”"},
		{"# T\nminutes: 5\nserver: demo --login\n\nx", "line 3: --login needs server: http"},
		{"# T\nminutes: 5\nserver: demo --rm x\n\nx", "line 3: server: does not know “--rm”"},
		{"# T\nminutes: 5\nserver: journal ../x\n\nx", "line 3: server: journal takes the name of one file beside the lesson"},
		{"# T\nminutes: 5\nserver: demo --serve tea\n\nx", "line 3: --serve takes both, modern or legacy"},
		{"# T\nminutes: 5\n", "at least one page"},
		{head + "# Again\n", "line 6: there is one title"},
		{head + "## Empty\n\n## Next\n\nx", "line 6: this page is empty"},
		{head + "```\nopen", "a ``` in this page is not closed"},
		{head + "## Task: A\n\nx\n", "line 6: a task has a line “when: …”"},
		{head + "## Task: A\n\nwhen: m:x\nwhen: m:y\n", "line 9: when: stands once"},
		{head + "## Task: A\n\nthen: m:x\n", "line 8: the first condition begins with when:"},
		{head + "## Task: A\n\nwhen: hello\n", "line 8: when: “hello” is no condition"},
		{head + "## Task: A\n\nwhen: is:odd\n", "line 8: when: is:odd is none of"},
		{head + "## Task: A\n\nwhen: is:mark\n", "leaves no trace"},
		{head + "## Task: A\n\nwhen: rsponse /x exists\n", "“rsponse” is no condition"},
		{head + "## Task: A\n\nwhen: response result exists\n", "response takes a JSON pointer"},
		{head + "## Task: A\n\nwhen: response /x is 5\n", "“is” compares nothing"},
		{head + "## Task: A\n\nwhen: response /x = Kirkwall\n", "behind = stands a JSON value"},
		{head + "## Task: A\n\nwhen: response /x > \"a\"\n", "> compares numbers"},
		{head + "## Task: A\n\nwhen: 0 of m:x\n", "is not a number from 1 to 100"},
		{head + "## Task: A\n\nwhen: m:x\nkeys: \"open\n", "line 9: keys: a text to type stands in quotes"},
		{head + "## Task: A\n\nwhen: m:x\nmore words\n", "line 9: behind when: a line begins with"},
		{head + "## Question: Q\n\n- [x] One.\n  Why.\n", "line 6: a question has two to six choices, not 1"},
		{head + "## Question: Q\n\n- [ ] One.\n  Why.\n- [ ] Two.\n  Why.\n", "line 6: one choice is right"},
		{head + "## Question: Q\n\n- [x] One.\n- [ ] Two.\n  Why.\n", "line 8: a choice says why"},
		{head + "## Question: Q\n\n- [x] One.\n  Why.\nTwo.\n", "line 10: under a choice stands, indented"},
		{head + "## Take home\n\nx\n\n## More\n\ny", "line 6: “## Take home” is the last page"},
		{head + "## A\n\nx\n\n## A\n\ny", "line 10: two pages are called “A”"},
		{"# T\nminutes: 5\n\n## Task: A\n\nwhen: m:x\n", "line 4: a lesson begins with a page of text"},
		{"# T\nminutes: 5\nserver: script x.txt\n\ny\n\n## Task: A\n\nwhen: m:x\n", "line 7: nothing can be sent to a recorded conversation"},
		{"# T\nminutes: 5\n\n\xff", "line 1: this is no UTF-8 text"},
		{"# T\nminutes: 5\n\nx \x1b[2J\n", "line 4: this line holds characters that cannot be seen: x ␛[2J"},
		{"# T\nminutes: 5\n\nx\n\n## Task: \u202eA\n\nwhen: m:x\n", "line 6: this line holds characters that cannot be seen: ## Task: ‹RLO›A"},
	} {
		l, err := Parse("x.md", []byte(c.text))
		if err == nil || l != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
}

// The lessons that come with the program are all read, have what every lesson has, and are found by number and name.
func TestTheLessonsThatComeWithTheProgram(t *testing.T) {
	names, err := fs.Glob(Files(), "*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(Files(), name)
		if err != nil {
			t.Fatal(err)
		}
		l, err := Parse(name, text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		tasks, questions := 0, 0
		for _, p := range l.Pages {
			if p.Question != nil {
				questions++
			}
			if p.Task != nil {
				tasks++
				if p.Task.Hint == "" || p.Task.Done == "" || len(p.Task.Keys) == 0 || p.Text == "" {
					t.Errorf("%s: the task %q lacks a text, hint, done or keys", name, p.Title)
				}
			}
		}
		if !l.Pages[len(l.Pages)-1].Home || tasks == 0 || questions == 0 || l.Minutes > 10 {
			t.Errorf("%s: %d tasks, %d questions, %d minutes, and ends with %q", name, tasks, questions, l.Minutes, l.Pages[len(l.Pages)-1].Title)
		}
	}
	all := All()
	if len(all) != len(names) {
		t.Fatalf("%d of %d lessons", len(all), len(names))
	}
	for i, l := range all {
		if got, err := Find(all, l.Name); err != nil || got != l {
			t.Errorf("lesson %d, %s, is not found by name: %v", i+1, l.Name, err)
		}
	}
	if l, err := Find(all, "1"); err != nil || l != all[0] {
		t.Errorf("lesson 1: %v", err)
	}
	if l, err := Find(all, "three"); err != nil || l != all[0] {
		t.Errorf("three: %v", err)
	}
	for _, words := range []string{"0", "99", "nowhere", ""} {
		if _, err := Find(all, words); err == nil {
			t.Errorf("%q is found", words)
		}
	}
}

// Whatever a file holds is read: a lesson whose pages can be turned, or errors with lines that exist.
func FuzzParse(f *testing.F) {
	f.Add(whole)
	f.Add("# T\nminutes: 5\nserver: script x.txt\n\n```\n## no page\n```\n\n##\n## Question: x\n- [x] a\n  b\n- [ ] c\n  d")
	f.Fuzz(func(t *testing.T, text string) {
		l, err := Parse("x.md", []byte(text))
		if (l == nil) == (err == nil) {
			t.Fatalf("%v and %v", l, err)
		}
		if err != nil {
			if j, ok := err.(interface{ Unwrap() []error }); ok {
				for _, one := range j.Unwrap() {
					if e := one.(*Error); e.Line < 1 || e.Line > strings.Count(text, "\n")+1 {
						t.Errorf("line %d of %q", e.Line, text)
					}
				}
			}
			return
		}
		r := Begin(l, nil, 0)
		for r.Turn(1) {
			r.Answered()
		}
		if _, at := r.Page(); at != len(l.Pages)-1 {
			t.Errorf("it ends on page %d of %d", at, len(l.Pages))
		}
	})
}
