package kit

import (
	"mcploupe/highlight"
	"mcploupe/inspect"
	"mcploupe/session/jsondoc"
	"mcploupe/ui/book"
)

// MarkOf is a finding as a mark on the document it was made in; ok is false where the place does not exist.
func MarkOf(d *jsondoc.Document, f *inspect.Finding) (m highlight.Mark, ok bool) {
	return markAt(d, f, f.At, book.Note(f))
}

// MarksAgain are marks where the same fault is once more in the document.
func MarksAgain(d *jsondoc.Document, f *inspect.Finding) (marks []highlight.Mark) {
	for _, at := range f.Places()[1:] {
		if m, ok := markAt(d, f, at, f.Rule.ID+" here too"); ok && at.Frame == f.At.Frame && at.Part.InText() {
			marks = append(marks, m)
		}
	}
	return marks
}

func markAt(d *jsondoc.Document, f *inspect.Finding, at inspect.Place, note string) (m highlight.Mark, ok bool) {
	v := d.At(at.Path)
	if !v.Exists() {
		return highlight.Mark{}, false
	}
	return highlight.Mark{Node: v.Node(), Key: at.Part == inspect.Key, Role: RoleOf(f), Sign: SignOf(f), Note: note}, true
}

// SignOf is the sign of a finding that is not that of its level, "" for most.
func SignOf(f *inspect.Finding) string {
	if f.Profile == inspect.ProfileSEP2145 {
		return SignSEP
	}
	return ""
}
