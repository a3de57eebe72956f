package wire

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The child process of TestJournalIsCompleteAfterKill writes a journal until it is killed, and says on
// stdout how far it has got.
func TestMain(m *testing.M) {
	if path := os.Getenv("WIRE_TEST_JOURNAL"); path != "" {
		writeUntilKilled(path, os.Getenv("WIRE_TEST_BY"))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func writeUntilKilled(path, by string) {
	f, err := Create(path, false)
	if err != nil {
		fmt.Println(err)
		return
	}
	body := []byte(`{"jsonrpc":"2.0","method":"notifications/message","params":"` + strings.Repeat("x", 3000) + `"}`)
	entry := func(i int) Entry {
		return Entry{Seq: Seq(i), At: time.Now(), Frame: &Frame{Dir: Received, Body: body}}
	}
	if by == "record" {
		l := NewLog(LogOptions{Budget: 1 << 20})
		Record(l, f)
		go func() {
			for range 100_000 {
				l.Append(entry(0))
			}
		}()
		for last := Seq(0); ; { // a reader says what it has seen
			entries, more := l.After(last)
			if len(entries) > 0 {
				last = entries[len(entries)-1].Seq
				fmt.Println(last)
			}
			<-more
		}
	}
	for i := 1; i < 1_000_000; i++ {
		if err := f.Write(entry(i)); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(i)
	}
}

func killedJournal(t *testing.T, by string) (confirmed int, entries []Entry, faults []JournalFault) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "j.jsonl")
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "WIRE_TEST_JOURNAL="+path, "WIRE_TEST_BY="+by)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		n, err := strconv.Atoi(lines.Text())
		if err != nil {
			t.Fatalf("the child: %s", lines.Text())
		}
		if confirmed = n; n >= 200 {
			break
		}
	}
	cmd.Process.Kill()
	for lines.Scan() { // what it had said before it died
		if n, err := strconv.Atoi(lines.Text()); err == nil {
			confirmed = n
		}
	}
	cmd.Wait()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if info, _ := f.Stat(); info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	entries, faults, err = ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range entries {
		if e.Seq != Seq(i+1) || len(e.Frame.Body) < 3000 {
			t.Fatalf("entry %d: number %d, %d bytes", i, e.Seq, len(e.Frame.Body))
		}
	}
	return confirmed, entries, faults
}

func TestJournalIsCompleteAfterKill(t *testing.T) {
	confirmed, entries, faults := killedJournal(t, "write")
	if confirmed < 200 || len(entries) < confirmed {
		t.Errorf("%d entries were written, %d are in the file", confirmed, len(entries))
	}
	if len(faults) > 1 || len(faults) == 1 && !strings.Contains(faults[0].Text, "ends inside") {
		t.Errorf("faults: %v", faults)
	}
}

// Whatever a reader of a recorded log has seen is in the file.
func TestRecordedLogIsAheadOfItsReaders(t *testing.T) {
	seen, entries, faults := killedJournal(t, "record")
	if seen < 200 || len(entries) < seen {
		t.Errorf("%d entries were seen, %d are in the file", seen, len(entries))
	}
	if len(faults) > 1 {
		t.Errorf("faults: %v", faults)
	}
}

func journalOf(t testing.TB, entries []Entry) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "j.jsonl")
	f, err := Create(path, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if err := f.Write(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestJournalKeepsEverything(t *testing.T) {
	entries := mustParse(t, strings.Replace(wholeScript, "~ timeout \"a gave up\n", "~ timeout #100 gave up\n", 1))
	odd := []Entry{
		{Frame: &Frame{Dir: Received, Lane: 4, Shape: ShapeCut | ShapeLSP, Dropped: 1 << 40, Lines: 2, Masked: true, Before: []byte("\xef\xbb\xbf"),
			Event: &Event{Comments: []string{"ok", "\xff"}, Raw: []byte("data\x00\r\r"), NoData: true, Name: "n", ID: "\x80", Retry: "x"}, Body: []byte("\x00\xff\u2028\"\\")}},
		{Lane: &Lane{ID: 4, Kind: LaneOpen, Text: "GET /mcp", Resumes: 2, HTTP: &Head{Method: "GET", URL: "/mcp"}}},
		{Lane: &Lane{ID: 3, Kind: LaneExit, Text: "\xfe", Exit: &Exit{Code: -1, Signal: "killed", Ours: true, Late: true, Dir: "d", Argv: []string{"", "a"}, Stderr: []string{"\x1b[1m"}}}},
		{Frame: &Frame{Dir: Sent, HTTP: &Head{Proto: "p", Waited: 1500 * time.Microsecond, Dialed: time.Hour, Header: []Field{{"", ""}, {"A", "\xff"}}}, Body: []byte{}}},
		{Fetch: &Fetch{For: ForToken, Request: &Head{Method: "POST", URL: "https://as.example/token", Header: []Field{{"A", "b"}}}, Sent: []byte("grant_type=\xff"),
			Response: &Head{Status: 400, Proto: "HTTP/1.1"}, Body: []byte("{\"error\":\"x\"}"), Text: "no", Failed: true}},
		{Fetch: &Fetch{For: ForServer, Request: &Head{Method: "GET", URL: "https://as.example/"}, Text: "no answer in time"}},
	}
	for i := range odd {
		odd[i].Seq, odd[i].At = Seq(200+i), ScriptStart().Add(time.Duration(i))
	}
	entries = append(entries, odd...)
	got, faults, err := ReadAll(bytes.NewReader(journalOf(t, entries)))
	if err != nil || len(faults) > 0 {
		t.Fatal(err, faults)
	}
	sameEntries(t, got, entries)
}

func TestJournalLinesAreJSONForOtherTools(t *testing.T) {
	text := string(journalOf(t, mustParse(t, "> +why=raw {\"id\":1.50}\n<< \\xff")))
	_, lines, _ := strings.Cut(text, "\n")
	want := `{"seq":1,"at":"2026-08-01T12:00:00Z","frame":{"dir":"sent","why":"raw","body":"{\"id\":1.50}"}}
{"seq":2,"at":"2026-08-01T12:00:00.01Z","frame":{"dir":"received","shape":["noise"],"body64":"/w=="}}
`
	if lines != want {
		t.Errorf("got:\n%s", lines)
	}
}

func TestJournalToleratesDamage(t *testing.T) {
	text := journalOf(t, mustParse(t, "> {\"a\":1}\n< {\"b\":2}\n! three\n"))
	lines := bytes.SplitAfter(text, []byte("\n"))
	join := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	for name, c := range map[string]struct {
		text    []byte
		entries int
		fault   string
	}{
		"cut inside the last line": {text[:len(text)-20], 2, "line 4: the file ends inside this line"},
		"last line without end":    {text[:len(text)-1], 3, ""},
		"a line of something else": {join(lines[0], lines[1], []byte("oops\n"), lines[2]), 2, "line 3: no JSON"},
		"a blank line":             {join(lines[0], []byte("\n"), lines[1]), 1, ""},
		"twice":                    {join(lines[0], lines[1], lines[1], lines[2]), 2, "line 3: number 1 comes after number 1"},
		"an entry of the future":   {join(lines[0], []byte(`{"seq":1,"at":"2026-08-01T12:00:00Z","dream":{}}`+"\n"), lines[2]), 1, "line 2: no entry of a known kind"},
		"a member of the future":   {join(lines[0], []byte(`{"seq":1,"at":"2026-08-01T12:00:00Z","note":{"text":"x","mood":1}}`+"\n")), 1, ""},
		"without a number":         {join(lines[0], []byte(`{"at":"2026-08-01T12:00:00Z","note":{}}`+"\n")), 0, "line 2: no number"},
		"without a time":           {join(lines[0], []byte(`{"seq":1,"at":"noon","note":{}}`+"\n")), 0, "line 2: no time"},
		"only the header":          {lines[0], 0, ""},
	} {
		entries, faults, err := ReadAll(bytes.NewReader(c.text))
		got := ""
		if len(faults) > 0 {
			got = faults[0].String()
		}
		if err != nil || len(entries) != c.entries || !strings.HasPrefix(got, c.fault) || (c.fault == "") != (got == "") {
			t.Errorf("%s: %d entries, %q, %v", name, len(entries), got, err)
		}
	}
}

func TestOpenJournalRefusesOtherFiles(t *testing.T) {
	for _, text := range []string{"", "\n", "{}", `{"mcploupe":"script"}`, `{"mcploupe":"journal"}`, `{"mcploupe":"journal","version":"1"}`,
		"\x7fELF", strings.Repeat("x", 1<<20)} {
		if _, err := OpenJournal(strings.NewReader(text)); !errors.Is(err, ErrNotJournal) {
			t.Errorf("%.20q: %v", text, err)
		}
	}
	_, err := OpenJournal(strings.NewReader(`{"mcploupe":"journal","version":2}` + "\n"))
	if err == nil || errors.Is(err, ErrNotJournal) || !strings.Contains(err.Error(), "version 2") {
		t.Errorf("a newer one: %v", err)
	}
	broken := errors.New("disk on fire")
	if _, err := OpenJournal(io.MultiReader(strings.NewReader("{"), failing{broken})); !errors.Is(err, broken) {
		t.Errorf("unreadable header: %v", err)
	}
	text := journalOf(t, mustParse(t, "! x"))
	entries, _, err := ReadAll(io.MultiReader(bytes.NewReader(text), failing{broken}))
	if len(entries) != 1 || !errors.Is(err, broken) {
		t.Errorf("unreadable later: %d entries, %v", len(entries), err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func TestCreateDoesNotOverwriteUnasked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j.jsonl")
	if err := os.WriteFile(path, []byte("precious"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(path, false); !errors.Is(err, fs.ErrExist) {
		t.Errorf("without force: %v", err)
	}
	if text, _ := os.ReadFile(path); string(text) != "precious" {
		t.Errorf("overwritten: %q", text)
	}
	f, err := Create(path, true)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	if _, err := Create(filepath.Join(path, "below"), false); err == nil || !strings.HasPrefix(err.Error(), "creating the journal: ") {
		t.Errorf("in a file: %v", err)
	}
}

func TestRecordWritesWhatWasAppendedBeforeStop(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j.jsonl")
	f, err := Create(path, false)
	if err != nil {
		t.Fatal(err)
	}
	l := NewLog(LogOptions{})
	for range 3 {
		l.Append(Entry{Note: &Note{Text: "before"}})
	}
	stop := Record(l, f)
	for range 20_000 {
		l.Append(Entry{Note: &Note{Text: "during"}})
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	if err := stop(); err != nil {
		t.Errorf("stopping twice: %v", err)
	}
	text, _ := os.ReadFile(path)
	entries, faults, err := ReadAll(bytes.NewReader(text))
	if len(entries) != 20_003 || len(faults) > 0 || err != nil {
		t.Errorf("%d entries, %v, %v", len(entries), faults, err)
	}
}

func TestRecordSaysWhenItCannotWrite(t *testing.T) {
	f, err := Create(filepath.Join(t.TempDir(), "j.jsonl"), false)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	l := NewLog(LogOptions{})
	l.Append(Entry{Note: &Note{Text: "x"}})
	stop := Record(l, f)
	for entries, more := l.After(1); len(entries) == 0; entries, more = l.After(1) { // the note may be there already
		<-more
	}
	if e, ok := l.Get(2); !ok || e.Note == nil || !strings.Contains(e.Note.Text, "the recording has ended") {
		t.Errorf("no note: %+v", e)
	}
	if err := stop(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("stop: %v", err)
	}
}

// A disk that is full for a moment leaves half a line; what is written later can still be read.
func TestJournalGoesOnAfterAHalfLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j.jsonl")
	w, err := Create(path, false)
	if err != nil {
		t.Fatal(err)
	}
	w.f.WriteString(`{"seq":1,"at":"2026-`)
	w.broken = true
	if err := w.Write(mustParse(t, "@ seq=2\n! two")[0]); err != nil {
		t.Fatal(err)
	}
	w.Close()
	text, _ := os.ReadFile(path)
	entries, faults, err := ReadAll(bytes.NewReader(text))
	if len(entries) != 1 || entries[0].Note.Text != "two" || len(faults) != 1 || err != nil {
		t.Errorf("%v %v %v", entries, faults, err)
	}
}

func FuzzOpenJournal(f *testing.F) {
	f.Add([]byte(`{"mcploupe":"journal","version":1}` + "\n" + `{"seq":1,"at":"2026-08-01T12:00:00Z","frame":{"dir":"received","body64":"/w==","event":{"comments":["a",{"text64":"/w=="}]}}}` + "\n"))
	f.Add([]byte(`{"mcploupe":"journal","version":1}` + "\n" + `{"seq":4,"at":"2026-08-01T12:00:00Z","lane":{"id":99999999999,"kind":"exit","exit":{"code":1e3}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		entries, _, err := ReadAll(bytes.NewReader(text))
		if err != nil {
			return
		}
		// What was read can be written and read again, and is the same.
		var b []byte
		b = append(b, `{"mcploupe":"journal","version":1}`+"\n"...)
		for _, e := range entries {
			b = append(appendEntry(b, e), '\n')
		}
		again, faults, err := ReadAll(bytes.NewReader(b))
		if err != nil || len(faults) > 0 {
			t.Fatal(err, faults, string(b))
		}
		for i := range entries {
			if f := entries[i].Frame; f != nil && f.Body == nil {
				f.Body = []byte{}
			}
		}
		sameEntries(t, again, entries)
		fold := NewFold()
		for _, e := range entries {
			fold.Add(e)
		}
	})
}
