package lesson

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"mcploupe/session/visible"
)

// MaxBytes is the longest file that is read.
const MaxBytes = 256 << 10

const mostPages = 100

// Error is something that is wrong in a lesson's file.
type Error struct {
	Line int // from 1
	What string
}

// Error implements error.
func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.What) }

// Parse reads a lesson. file is the name of the file, for Name; every error is an *Error with its line, several are joined.
func Parse(file string, text []byte) (*Lesson, error) {
	p := parser{lesson: &Lesson{Name: nameOf(file)}}
	if len(text) > MaxBytes {
		return nil, &Error{1, "a lesson is at most 256 KiB long"}
	}
	if !utf8.Valid(text) {
		return nil, &Error{1, "this is no UTF-8 text"}
	}
	lines := strings.Split(strings.ReplaceAll(strings.ReplaceAll(string(text), "\r\n", "\n"), "\t", "    "), "\n")
	for i, line := range lines {
		if shown := visible.Escape(line); shown != line { // lessons of strangers are drawn on a terminal
			p.wrong(i, "this line holds characters that cannot be seen: %s", shown)
		}
	}
	if len(p.errs) > 0 { // what else is wrong would be told in their words
		return nil, errors.Join(p.errs...)
	}
	i := p.head(lines)
	for i < len(lines) && len(p.lesson.Pages) < mostPages {
		i = p.page(lines, i)
	}
	if i < len(lines) {
		p.wrong(i, "a lesson has at most 100 pages")
	}
	p.whole(len(lines))
	if len(p.errs) > 0 {
		return nil, errors.Join(p.errs...)
	}
	return p.lesson, nil
}

// nameOf is the name of a lesson in a file: "06-freshness.md" is freshness.
func nameOf(file string) string {
	name := strings.TrimSuffix(path.Base(strings.ReplaceAll(file, "\\", "/")), ".md")
	number, rest, ok := strings.Cut(name, "-")
	if _, err := strconv.Atoi(number); err == nil && ok && rest != "" {
		return rest
	}
	return name
}

type parser struct {
	lesson *Lesson
	errs   []error
}

// wrong notes what is wrong with the i-th line, counted from 0.
func (p *parser) wrong(i int, format string, a ...any) {
	if len(p.errs) < 20 {
		p.errs = append(p.errs, &Error{i + 1, fmt.Sprintf(format, a...)})
	}
}

// head reads the title and what stands under it, and gives the line behind.
func (p *parser) head(lines []string) int {
	l := p.lesson
	i := 0
	for i < len(lines) && strings.TrimSpace(lines[i]) == "" {
		i++
	}
	if i == len(lines) {
		p.wrong(0, "the file is empty; a lesson begins with “# Title”")
		return i
	}
	title, ok := strings.CutPrefix(lines[i], "# ")
	if l.Title = strings.TrimSpace(title); !ok || l.Title == "" {
		p.wrong(i, "a lesson begins with “# Title”")
	}
	titleLine := i
	for i++; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		if line == "" {
			continue
		}
		key, value, ok := strings.Cut(line, ":")
		if value = strings.TrimSpace(value); !ok || key != "minutes" && key != "server" {
			break
		}
		if key == "server" {
			p.server(i, value)
			continue
		}
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 || n > 600 {
			p.wrong(i, "minutes: is a number from 1 to 600, not “%s”", value)
		}
		l.Minutes = n
	}
	if l.Minutes == 0 && len(p.errs) == 0 {
		p.wrong(titleLine, "under the title stands “minutes: 5”, how long the lesson takes")
	}
	return i
}

// server reads "demo --fault ttl-gone --serve modern", "http --login", "journal FILE" or "script FILE".
func (p *parser) server(i int, value string) {
	s := &p.lesson.Server
	words := strings.Fields(value)
	if len(words) == 0 {
		p.wrong(i, "server: is demo, http, journal or script")
		return
	}
	switch kind, rest := words[0], words[1:]; kind {
	case "journal", "script":
		if len(rest) != 1 || strings.ContainsAny(rest[0], `/\`) || strings.HasPrefix(rest[0], ".") {
			p.wrong(i, "server: %s takes the name of one file beside the lesson", kind)
			return
		}
		if kind == "journal" {
			s.Journal = rest[0]
		} else {
			s.Script = rest[0]
		}
	case "demo", "http":
		s.HTTP = kind == "http"
		p.words(i, rest)
	default:
		p.wrong(i, "server: is demo, http, journal or script, not “%s”", kind)
	}
}

func (p *parser) words(i int, words []string) {
	s := &p.lesson.Server
	for k := 0; k < len(words); k++ {
		next := ""
		if k+1 < len(words) {
			next = words[k+1]
		}
		switch w := words[k]; {
		case w == "--published":
			s.Published = true
		case w == "--login" && s.HTTP:
			s.Login = true
		case w == "--login":
			p.wrong(i, "--login needs server: http")
		case w == "--serve" && slices.Contains([]string{"both", "modern", "legacy"}, next):
			s.Serve, k = next, k+1
		case w == "--serve":
			p.wrong(i, "--serve takes both, modern or legacy")
			k++
		case w == "--fault" && next != "":
			s.Faults, k = append(s.Faults, next), k+1
		case w == "--fault":
			p.wrong(i, "--fault takes a name; mcploupe demo --faults lists them")
		default:
			p.wrong(i, "server: does not know “%s”; it takes --fault NAME, --serve ERA, --published and --login", w)
		}
	}
}

// page reads a page that begins at line i, and gives the line behind it. The first one may have no heading.
func (p *parser) page(lines []string, i int) int {
	page := Page{Title: p.lesson.Title, Line: i + 1}
	begin, kind := i, ""
	if heading, ok := strings.CutPrefix(lines[i], "## "); ok {
		i++
		page.Title = strings.TrimSpace(heading)
		for _, k := range []string{"Task", "Question"} {
			if rest, ok := strings.CutPrefix(page.Title, k+":"); ok {
				kind, page.Title = k, strings.TrimSpace(rest)
			}
		}
		if page.Title == "" {
			p.wrong(begin, "a page has a title: “## Title”")
		}
		page.Home = page.Title == "Take home"
	}
	end, fenced := i, false
	for ; end < len(lines); end++ {
		if strings.HasPrefix(lines[end], "```") {
			fenced = !fenced
		}
		if !fenced && (strings.HasPrefix(lines[end], "## ") || lines[end] == "##") {
			break
		}
		if !fenced && strings.HasPrefix(lines[end], "# ") {
			p.wrong(end, "there is one title; pages begin with “## ”")
		}
	}
	if fenced {
		p.wrong(begin, "a ``` in this page is not closed")
	}
	if end < len(lines) && lines[end] == "##" {
		p.wrong(end, "a page has a title: “## Title”")
		end++
	}
	switch kind {
	case "Task":
		page.Text, page.Task = p.task(lines, begin, i, end)
	case "Question":
		page.Text, page.Question = p.question(lines, begin, i, end)
	default:
		page.Text = strings.TrimSpace(strings.Join(lines[i:end], "\n"))
		if page.Text == "" {
			if begin == i { // nothing but blank lines before the first heading
				return end
			}
			p.wrong(begin, "this page is empty")
		}
	}
	p.lesson.Pages = append(p.lesson.Pages, page)
	return end
}

// whole checks what can be told of the whole only.
func (p *parser) whole(last int) {
	l := p.lesson
	if len(p.errs) > 0 {
		return
	}
	if len(l.Pages) == 0 {
		p.wrong(last-1, "a lesson has at least one page")
		return
	}
	if l.Pages[0].Task != nil || l.Pages[0].Question != nil {
		p.wrong(l.Pages[0].Line-1, "a lesson begins with a page of text, not with a task or a question")
	}
	titles := map[string]bool{}
	for i := range l.Pages {
		if titles[l.Pages[i].Title] {
			p.wrong(l.Pages[i].Line-1, "two pages are called “%s”; progress is kept by the titles", l.Pages[i].Title)
		}
		titles[l.Pages[i].Title] = true
		if l.Pages[i].Home && i != len(l.Pages)-1 {
			p.wrong(l.Pages[i].Line-1, "“## Take home” is the last page")
		}
		if l.Pages[i].Task != nil && l.Server.Recorded() {
			p.wrong(l.Pages[i].Line-1, "nothing can be sent to a recorded conversation, so this lesson can have no task")
		}
	}
}
