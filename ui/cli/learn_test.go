package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"mcploupe/session/demo"
	"mcploupe/session/jsondoc"
	"mcploupe/ui/lesson"
)

// What a lesson tells to type into a shell exists: the command, and its flags. So do its server's faults.
func TestCommandsAndFaultsInLessonsExist(t *testing.T) {
	root := command(streams{})
	code := regexp.MustCompile("`(mcploupe[^`]*)`")
	found := 0
	for _, l := range lesson.All() {
		if err := (demo.Options{Faults: l.Server.Faults}).Check(); err != nil {
			t.Errorf("%s: %v", l.Name, err)
		}
		for i := range l.Pages {
			p := &l.Pages[i]
			text := p.Text
			if p.Task != nil {
				text += "\n" + p.Task.Hint + "\n" + p.Task.Done
			}
			if p.Question != nil {
				for _, c := range p.Question.Choices {
					text += "\n" + c.Text + "\n" + c.Why
				}
			}
			for _, m := range code.FindAllStringSubmatch(text, -1) {
				found++
				words := strings.Fields(m[1])[1:]
				c := root
				if len(words) > 0 && !strings.HasPrefix(words[0], "-") {
					var err error
					if c, _, err = root.Find(words[:1]); err != nil || c == root {
						t.Errorf("%s: there is no command %q", l.Name, m[1])
						continue
					}
				}
				for _, w := range words {
					if name, ok := strings.CutPrefix(w, "--"); ok && name != "" && c.Flags().Lookup(name) == nil {
						t.Errorf("%s: %q has no flag %s", l.Name, m[1], w)
					}
				}
			}
		}
	}
	if found < 5 {
		t.Errorf("only %d commands are named", found)
	}
}

func TestLearnListsAllLessons(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	r := program(t, "learn", "--list")
	all := lesson.All()
	if r.code != 0 || strings.Count(r.out, "\n") != len(all) || !strings.Contains(r.out, " 1  three-exchanges") || !strings.Contains(r.out, "(0 of 3)") {
		t.Errorf("%s", r)
	}
	r = program(t, "learn", "--list", "--json")
	first, _, _ := strings.Cut(r.out, "\n")
	v := jsondoc.Parse([]byte(first)).Root()
	if n, _ := v.Get("of").Int(); r.code != 0 || v.Get("lesson").Text() != "three-exchanges" || n != 3 {
		t.Errorf("%s", r)
	}
}

func TestNamesOfLessonsAreCompleted(t *testing.T) {
	if r := program(t, "__complete", "learn", "fr"); r.code != 0 || !strings.Contains(r.out, "freshness\tFreshness") {
		t.Errorf("%s", r)
	}
}

func TestLearnSaysWhatIsWrong(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	bad := filepath.Join(t.TempDir(), "bad.md")
	if err := os.WriteFile(bad, []byte("# T\nminutes: 5\n\nx\n\n## Task: A\n\nwhen: rsponse /x exists\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	odd := filepath.Join(t.TempDir(), "odd.md")
	if err := os.WriteFile(odd, []byte("# T\nminutes: 5\nserver: demo --fault no-such\n\nx\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		word, want string
		code       int
	}{
		{"99", "there are 23", 2},
		{"nowhere", "there is none of that name", 2},
		{bad, "line 8: when: “rsponse” is no condition", 2},
		{odd, `there is no fault named "no-such"`, 2},
		{filepath.Dir(bad), "is no text file of at most 256 KiB", 2},
		{"1", "needs a terminal", 2},
	} {
		if r := program(t, "learn", c.word); r.code != c.code || !strings.Contains(r.err, c.want) {
			t.Errorf("learn %s: %s", c.word, r)
		}
	}
}

// The lessons go on where somebody was: with the one that was begun, then with the next one.
func TestWhichLessonComesNext(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	k := newCourse()
	if got := current(); got != k.all()[0].Name {
		t.Errorf("it begins with %s", got)
	}
	titles := func(l *lesson.Lesson) (out []string) {
		for _, i := range l.Parts() {
			out = append(out, l.Pages[i].Title)
		}
		return out
	}
	k.store.Keep(k.all()[2].Name, titles(k.all()[2])[:1])
	if got := current(); got != k.all()[2].Name {
		t.Errorf("one was begun, and it goes on with %s", got)
	}
	k.store.Keep(k.all()[2].Name, titles(k.all()[2]))
	if got := current(); got != k.all()[3].Name {
		t.Errorf("one was finished, and it goes on with %s", got)
	}
	for _, l := range k.all() {
		k.store.Keep(l.Name, titles(l))
	}
	if got := current(); got != k.all()[0].Name {
		t.Errorf("all are finished, and it goes on with %s", got)
	}
	for _, e := range newCourse().entries(newCourse().progress()) {
		if e.Done != e.All || e.All == 0 {
			t.Errorf("%s: %d of %d", e.Key, e.Done, e.All)
		}
	}
}

// A lesson may be about a conversation that was recorded, or written down, beside it.
func TestALessonAboutARecordedConversation(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const ping = "> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n< {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n"
	write("said.txt", ping)
	write("broken.txt", "> {\"jsonrpc\"\nneither sent nor received")
	write("said.jsonl", program(t, "version").out)
	for _, c := range []struct {
		server  string
		entries int
		want    string // of the error
	}{
		{"script said.txt", 2, ""},
		{"script broken.txt", 0, "reading the conversation broken.txt"},
		{"script nowhere.txt", 0, "opening what the lesson is about"},
		{"journal said.jsonl", 0, "reading said.jsonl"},
	} {
		k := newCourse()
		key, err := k.wanted([]string{write("l.md", "# T\nminutes: 5\nserver: "+c.server+"\n\nRead it.\n")})
		if err != nil {
			t.Fatal(err)
		}
		l, number := k.lesson(key)
		if l == nil || number != 0 || l != k.own {
			t.Fatalf("the lesson is not the one of the file")
		}
		log, title, err := k.recorded(streams{err: &locked{}}, l)
		switch {
		case c.want != "":
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %q", c.server, err, c.want)
			}
		case err != nil || log.Len() != c.entries || title != "said.txt":
			t.Errorf("%s: %v, %q", c.server, err, title)
		}
	}
}

// current is the lesson that "mcploupe learn" goes on with.
func current() string {
	k := newCourse()
	return k.current(k.progress())
}
