package fields

import (
	"slices"
	"strings"

	"mcploupe/session/mcp"
)

// key is about a name that somebody chose, where MCP defines only what its value is.
func (w *walk) key() Found {
	f := Found{Name: w.member, Entry: w.c.member[w.outer]}
	switch w.keyOf {
	case "inputRequests":
		f.Note = "`" + w.member + "` is a key that the server chose for this question. MCP gives it no meaning: the client answers under the same key in `inputResponses`."
	case "inputResponses":
		f.Note = "`" + w.member + "` is the key of the server's question that this answers."
	case "extensions":
		if e := of(w.member, Value); e != nil {
			f.Entry = e
		} else {
			f.Note = "`" + w.member + "` is the identifier of an extension that this program knows nothing about. Identifiers are written like keys of `_meta`, always with a prefix that belongs to whoever defines the extension; its own documentation says what its settings mean."
		}
	case "properties":
		f.Note = "`" + w.member + "` is the name of a field of the form: the server chose it, and the answer's `content` has a member of this name."
	case "experimental":
		f.Note = "`" + w.member + "` is an experiment of whoever made this program. MCP does not define it."
	default:
		f.Note = "`" + w.member + "` is a name of somebody's own; MCP does not define it."
	}
	return f
}

// own is about a member inside a value whose inside is not MCP's. direct tells that it stands right inside.
func (w *walk) own(name string, direct bool) Found {
	f := Found{Name: name, Entry: w.c.member[w.def+"."+w.member]}
	inside := "`" + w.member + "`"
	switch w.member {
	case "arguments":
		f.Note = "`" + name + "` is the name of an argument. MCP does not define it: the tool's `inputSchema` does, or the prompt's `arguments`."
	case "input":
		f.Note = "`" + name + "` is an argument for the tool that the model wants to use. The tool's `inputSchema` defines it, not MCP."
	case "structuredContent":
		f.Note = "`" + name + "` is a member of the tool's own structured result. MCP does not define it; the tool's `outputSchema` does, where it has one."
	case "content":
		f.Note = "`" + name + "` is what a person filled in. MCP does not define it: the question's `requestedSchema` does."
	case "data":
		f.Note = "`" + name + "` stands in data of the sender's own. MCP does not define it for this code or message."
	case "metadata":
		f.Note = "`" + name + "` is meant for the provider of the language model; MCP does not define it."
	default:
		f.Note = "`" + name + "` stands inside " + inside + ", whose inside MCP does not define."
		if w.what == "" {
			f.Note = "`" + name + "` stands inside " + inside + ", where MCP expects a plain value."
			f.Foreign = true
		}
	}
	return within(f, name, direct)
}

// within says of a place further inside what name is, when it is not name itself that is asked about.
func within(f Found, name string, itself bool) Found {
	if !itself {
		f.Note = strings.Replace(f.Note, "`"+name+"`", "This is inside `"+name+"`, which", 1)
	}
	return f
}

// unknown is about a member that nobody defines at this place.
func (w *walk) unknown(name string) Found {
	f := Found{Name: name, Foreign: true}
	switch {
	case strings.HasSuffix(w.def, "MetaObject") || strings.HasSuffix(w.def, "_meta"):
		f.Foreign, f.Note, f.Entry = false, metaKey(name), w.metaEntry()
		if e := metaMember(name); e != nil {
			f.Entry = e
			f.Note = "`" + name + "` is defined for another kind of message than this: " + places(e, 3) + "."
			f.Foreign = true
		}
	case w.def == "JSONRPCRequest.params", w.def == "JSONRPCNotification.params":
		f.Foreign, f.Entry = false, of("params", Member)
		f.Note = "`" + name + "` belongs to a method that MCP does not define, so only whoever defined the method can say what it means."
	case w.def == "Result" && w.asked != "":
		f.Foreign, f.Entry = false, of("result", Member)
		f.Note = "`" + name + "` answers a method that MCP does not define, so only whoever defined the method can say what it means."
	case strings.HasSuffix(w.def, ".data"):
		f.Foreign, f.Entry = false, In("Error", "data")
		f.Note = "`" + name + "` stands in data of the sender's own. MCP does not define it for this code or message."
	case w.def == "TextContent" && w.v.Get("type").Text() != mcp.ContentText && w.v.Get("type").Text() != "":
		f.Note = "`" + name + "` stands in a piece of content whose `type` MCP does not define."
	default:
		f.Note = "`" + name + "` is not defined by MCP as a member of " + defWords(w.def) + ". Receivers ignore members that they do not know; what is one's own belongs into `_meta`, under a prefix of one's own."
		elsewhere(&f, name)
	}
	return f
}

// elsewhere says where members of this name are defined. The text about one follows only where there is no other that could be meant.
func elsewhere(f *Found, name string) {
	var all []*Entry
	for _, e := range named(name) {
		if e.Kind == Member && e.Name == name {
			all = append(all, e)
		}
	}
	switch len(all) {
	case 0:
	case 1:
		f.Note += " There is a member of this name elsewhere: " + places(all[0], 3) + ". What follows is about that one."
		f.Entry = all[0]
	default:
		var where []string
		for _, e := range all {
			where = append(where, e.Places()[:min(1, len(e.Places()))]...)
		}
		f.Note += " Members of this name stand elsewhere, each with a meaning of its own: " + listed(where, 3) + "."
	}
}

// metaMember is the entry about a key of some _meta, nil when none has this key.
func metaMember(name string) *Entry {
	for _, e := range named(name) {
		if e.Kind == Member && e.Name == name && slices.ContainsFunc(e.In, func(def string) bool { return strings.HasSuffix(def, "MetaObject") }) {
			return e
		}
	}
	return nil
}

func (w *walk) metaEntry() *Entry {
	return w.c.member[w.outer]
}

// places names the first few places of an entry.
func places(e *Entry, n int) string { return listed(e.Places(), n) }

func listed(all []string, n int) string {
	if len(all) > n {
		return strings.Join(all[:n], ", ") + " and others"
	}
	return strings.Join(all, ", ")
}

// defWords is a definition in words: "Tool", "the object at CompleteResult.completion".
func defWords(def string) string {
	if strings.Contains(def, ".") {
		return "the object at " + def
	}
	return def
}

// metaKey says what the form of a key of _meta tells about who it belongs to.
func metaKey(key string) string {
	prefix, _, has := strings.Cut(key, "/")
	if !has {
		return "`" + key + "` is a key without a prefix, which nobody owns: whoever reads it cannot know whose meaning it has. MCP itself reserves only `progressToken`, `traceparent`, `tracestate` and `baggage` in this form. A key of one's own had better begin with a domain name turned round and a slash, as in com.example/name."
	}
	labels := strings.Split(prefix, ".")
	if len(labels) > 1 && (labels[1] == "modelcontextprotocol" || labels[1] == "mcp") {
		return "`" + key + "` has a prefix that is reserved for MCP, since its second label is " + labels[1] + "; but no revision that this program knows defines this key. Only the specification and its official extensions may use such a prefix. Nobody may assume what a value under it means."
	}
	return "`" + key + "` belongs to whoever owns the prefix " + prefix + "/. MCP leaves such keys to their owners: receivers that do not know one ignore it, and pass it on where they pass the object on. Its owner's documentation says what the value means."
}

func unknownMethod(name string) string {
	if name == "" {
		return "There is no method here."
	}
	if mcp.IsNotification(name) {
		return "`" + name + "` is no notification of any revision of MCP that this program knows, nor of the tasks extension. An extension may define one; whoever does not know it ignores it."
	}
	return "`" + name + "` is no method of any revision of MCP that this program knows, nor of the tasks extension. A server that does not have it answers with -32601."
}
