package kit

import (
	"mcploupe/highlight"
	"mcploupe/inspect"
	"mcploupe/session/jsondoc"
	"mcploupe/ui/book"
)

// MarkOf is a finding as a mark on the document it was made in; ok is false where the place does not exist.
func MarkOf(d *jsondoc.Document, f *inspect.Finding) (m highlight.Mark, ok bool) {
	v := d.At(f.At.Path)
	if !v.Exists() {
		return highlight.Mark{}, false
	}
	return highlight.Mark{Node: v.Node(), Key: f.At.Part == inspect.Key, Role: RoleOf(f), Sign: SignOf(f), Note: book.Note(f)}, true
}

// SignOf is the sign of a finding that is not that of its level, "" for most.
func SignOf(f *inspect.Finding) string {
	if f.Profile == inspect.ProfileSEP2145 {
		return SignSEP
	}
	return ""
}
