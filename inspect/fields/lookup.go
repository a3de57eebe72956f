package fields

import (
	"slices"
	"strconv"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// Place is a place in a message (or in a value alone), with what has to be known of the message to tell what stands there.
type Place struct {
	Message *wire.Message
	Asked   string          // the method of the request that the message answers, "" for none or unknown
	For     string          // what a document was fetched for: one of wire's For… words
	Path    jsondoc.Pointer // "" is the message itself

	// A value that stands alone, outside a message: Doc is it, Def its definition. Message is not looked at then.
	Doc *jsondoc.Document
	Def string
}

// Found is what is known of a place.
type Found struct {
	Name    string   // the name that stands there, or what the thing is called: "ttlMs", "result"
	Place   string   // where that is in the schema: "Tool.inputSchema", "" where the schema does not reach
	Entry   *Entry   // what the thing is; nil when no page is about it
	Here    []*Entry // what the value that stands here means: a method's name, an error code, a resultType
	Note    string   // what is to be said beside or instead of the entry, in words of ours
	Foreign bool     // nobody defines such a member here
}

// Of is the place of a message in its exchange; the path is the caller's to set.
func Of(x *wire.Exchange, m *wire.Message) Place {
	p := Place{Message: m}
	if x.Fetch != nil {
		p.For = x.Fetch.For
	}
	if m.Kind != wire.Request && m.Kind != wire.Notification && x.Request != nil && x.Request.Seq != m.Seq {
		p.Asked = x.Request.Method
	}
	return p
}

// What the value of a member is, beside the definitions of shapes.txt.
const (
	isMessage = "message"
	isResult  = "result"
	isOwn     = "own"
	isSchema  = "schema"
)

// At finds what is known of a place. It reads no more than the way to it.
func At(p Place) Found {
	if p.Message == nil && p.Doc == nil {
		return Found{}
	}
	f := p.at()
	if f.Entry == nil && f.Note == "" && f.Here == nil {
		f.Note = "MCP does not define what stands here."
		f.Foreign = true
	}
	return f
}

func (p Place) at() Found {
	c := load()
	what, v := p.Def, jsondoc.Value{}
	tokens := p.Path.Tokens()
	switch {
	case p.Doc != nil:
		if v = p.Doc.Root(); len(tokens) == 0 {
			return Found{Name: p.Def, Place: p.Def, Note: "This is " + defWords(p.Def) + ". Each of its members has a meaning of its own."}
		}
	case p.Message.Kind == wire.Document:
		v = p.Message.Root()
		what = document(p.For, v)
	default:
		what, v = isMessage, p.Message.Root()
	}
	if len(tokens) == 0 {
		return p.whole(c, what, v)
	}
	w := walk{c: c, asked: p.Asked, what: what, v: v}
	for i, t := range tokens {
		if w.v.Is(jsondoc.Array) {
			n, err := strconv.Atoi(t)
			if err != nil {
				return Found{Name: t}
			}
			w.v, w.index = w.v.Index(n), t
			continue
		}
		w.index = ""
		def := w.resolve()
		switch {
		case def == isSchema:
			return w.schema(tokens[i:])
		case def == isOwn || def == "":
			return w.own(t, len(tokens)-i == 1)
		case strings.HasPrefix(def, "{"):
			w.outer = w.def + "." + w.member
			w.keyOf, w.member, w.def = w.member, t, ""
			w.what, w.v = strings.Trim(def, "{}"), w.v.Get(t)
			continue
		}
		what, known := c.shapes.defs[def][t]
		if w.keyOf == "" {
			w.outer = w.def + "." + w.member
		}
		w.keyOf = ""
		w.path = append(w.path, t)
		w.def, w.member = def, t
		if !known {
			return within(w.unknown(t), t, len(tokens)-i == 1)
		}
		if what == "" && def == "JSONRPCResultResponse" && t == "result" {
			what = isResult
		}
		w.what, w.v = what, w.v.Get(t)
	}
	return w.found()
}

// walk is a way through a message that has come to some value.
type walk struct {
	c             *catalogue
	asked         string
	what          string        // what v is
	v             jsondoc.Value // the value
	def           string        // the definition that has member
	member, index string
	keyOf         string   // member is a name of somebody's own among those of this member
	outer         string   // where the object stands that has member: "Tool._meta"
	path          []string // members on the way
}

// resolve is the definition of w.v, where what it is depends on what stands in it.
func (w *walk) resolve() string {
	v := w.v
	switch w.what {
	case isMessage:
		return w.message()
	case isResult:
		return w.c.result(w.asked, v)
	case "Content":
		switch v.Get("type").Text() {
		case mcp.ContentImage:
			return "ImageContent"
		case mcp.ContentAudio:
			return "AudioContent"
		case mcp.ContentResource:
			return "EmbeddedResource"
		case mcp.ContentResourceLink:
			return "ResourceLink"
		case mcp.ContentToolUse:
			return "ToolUseContent"
		case mcp.ContentToolResult:
			return "ToolResultContent"
		}
		return "TextContent"
	case "Contents":
		if v.Get("blob").Exists() {
			return "BlobResourceContents"
		}
		return "TextResourceContents"
	case "InputRequest":
		if d := w.c.shapes.methods[v.Get("method").Text()][0]; d != "" {
			return d
		}
		return "JSONRPCRequest"
	case "InputResponse":
		return w.c.result("", v)
	case "ElicitParams":
		if v.Get("mode").Text() == "url" {
			return "ElicitRequestURLParams"
		}
		return "ElicitRequestFormParams"
	case "FormField":
		return formField(v)
	case "Reference":
		if v.Get("type").Text() == "ref/resource" || v.Get("uri").Exists() {
			return "ResourceTemplateReference"
		}
		return "PromptReference"
	case "TaskOutcome":
		return w.c.result(mcp.ToolsCall, v)
	case "ErrorData":
		return w.errorData()
	}
	return w.what
}

func (w *walk) message() string {
	v := w.v
	method := v.Get("method").Text()
	switch {
	case v.Get("result").Exists():
		return "JSONRPCResultResponse"
	case v.Get("error").Exists():
		return "JSONRPCErrorResponse"
	case w.c.shapes.methods[method][0] != "":
		return w.c.shapes.methods[method][0]
	case mcp.IsNotification(method):
		return "JSONRPCNotification"
	}
	return "JSONRPCRequest"
}

// result is the definition of a result: what it says of itself comes first, then what was asked, then what stands in it.
func (c *catalogue) result(asked string, v jsondoc.Value) string {
	switch t := v.Get("resultType").Text(); {
	case t == mcp.ResultInputRequired:
		return "InputRequiredResult"
	case t == mcp.ResultTask, v.Get("task").Is(jsondoc.Object) && v.Get("task").Get("taskId").Exists():
		return "CreateTaskResult"
	}
	if d := c.shapes.methods[asked][1]; d != "" {
		return d
	}
	if asked != "" {
		return "Result" // of a method that MCP does not define: what stands in it is not ours to guess
	}
	switch { // answers of ours, and those of a batch, whose request is not known here
	case v.Get("action").Exists():
		return "ElicitResult"
	case v.Get("roots").Exists():
		return "ListRootsResult"
	case v.Get("role").Exists() && v.Get("content").Exists():
		return "CreateMessageResult"
	case v.Get("taskId").Exists():
		return "GetTaskResult"
	}
	for _, m := range mcp.Methods() {
		if m.ResultMember != "" && v.Get(m.ResultMember).Exists() && c.shapes.methods[m.Name][1] != "" {
			return c.shapes.methods[m.Name][1]
		}
	}
	return "Result"
}

// errorData is the definition of an error's data, which the code decides.
func (w *walk) errorData() string {
	code, _ := w.v.Parent().Get("code").Int()
	switch code {
	case mcp.CodeMissingClientCapability:
		return "MissingRequiredClientCapabilityError.error.data"
	case mcp.CodeUnsupportedVersion:
		return "UnsupportedProtocolVersionError.error.data"
	case mcp.CodeURLElicitationRequired:
		return "URLElicitationRequiredError.error.data"
	case mcp.CodeResourceNotFound:
		return "ResourceNotFoundError.data"
	case mcp.CodeInvalidParams:
		if w.v.Get("uri").Exists() {
			return "InvalidParamsError.data"
		}
	}
	return isOwn
}

// formField is the definition of one field of an elicitation's form.
func formField(v jsondoc.Value) string {
	switch v.Get("type").Text() {
	case "number", "integer":
		return "NumberSchema"
	case "boolean":
		return "BooleanSchema"
	case "array":
		if v.Get("items").Get("anyOf").Exists() {
			return "TitledMultiSelectEnumSchema"
		}
		return "UntitledMultiSelectEnumSchema"
	}
	switch {
	case v.Get("oneOf").Exists():
		return "TitledSingleSelectEnumSchema"
	case v.Get("enumNames").Exists():
		return "LegacyTitledEnumSchema"
	case v.Get("enum").Exists():
		return "UntitledSingleSelectEnumSchema"
	}
	return "StringSchema"
}

// document is the definition of something that was fetched on the way to a token.
func document(what string, v jsondoc.Value) string {
	switch {
	case v.Get("error").Is(jsondoc.String):
		return "OAuthError"
	case what == wire.ForResource:
		return "ProtectedResourceMetadata"
	case what == wire.ForServer:
		return "AuthorizationServerMetadata"
	case what == wire.ForRegister:
		return "ClientMetadata"
	case what == wire.ForToken, what == wire.ForRefresh:
		return "TokenResponse"
	}
	return isMessage
}

// whole is what is said of a message as a whole.
func (p Place) whole(c *catalogue, what string, v jsondoc.Value) Found {
	w := walk{c: c, asked: p.Asked, what: what, v: v}
	def := w.resolve()
	f := Found{Name: "message", Place: def}
	switch p.Message.Kind {
	case wire.Request, wire.Notification:
		f.Name, f.Entry = p.Message.Method, ForMethod(p.Message.Method)
		if f.Entry == nil {
			f.Note = unknownMethod(p.Message.Method)
		}
	case wire.Result:
		f.Name, f.Place, f.Entry = "result", c.result(p.Asked, p.Message.Result()), of("result", Member)
		f.Here = some(of(p.Asked, Method), of(p.Message.Result().Get("resultType").Text(), Value))
	case wire.Error:
		f.Name, f.Entry = "error", of("error", Member)
		if code, ok := p.Message.Err().Get("code").Int(); ok {
			f.Here = some(ForCode(code), of(p.Asked, Method))
		}
	case wire.Batch:
		f.Name, f.Entry = "batch", of("batch", Member, Value)
	case wire.Document:
		f.Name, f.Entry = p.For, of(def, Value)
	default:
		f.Foreign = true
		f.Note = "This text is no JSON-RPC message: MCP says nothing about it. On stdio only messages may stand on standard output; whatever else a server has to tell belongs on standard error."
	}
	return f
}

// found is what is known of the value that the walk has come to.
func (w *walk) found() Found {
	f := Found{Name: w.member}
	if w.keyOf != "" {
		f = w.key()
	} else if w.def != "" {
		f.Place = w.def + "." + w.member
		f.Entry = w.c.member[f.Place]
	}
	if w.index != "" && w.what == isMessage {
		f.Name, f.Entry, f.Here = "batch["+w.index+"]", of("batch", Value), some(ForMethod(w.v.Get("method").Text()))
	} else if w.index != "" {
		f.Name = w.member + "[" + w.index + "]"
		if t := w.v.Get("type").Text(); t != "" && w.what == "Content" {
			f.Here = some(value("type", t))
		}
	}
	switch {
	case w.v.Is(jsondoc.String) && w.member == "method":
		if f.Here = some(ForMethod(w.v.Text())); f.Here == nil {
			f.Note = unknownMethod(w.v.Text())
		}
	case w.member == "code" && w.v.Is(jsondoc.Number):
		if code, ok := w.v.Int(); ok {
			f.Here = some(ForCode(code))
		}
	case w.v.Is(jsondoc.String):
		f.Here = append(f.Here, some(value(w.member, w.v.Text()))...)
	}
	return f
}

// value is the entry about a value of a member, nil when there is none.
func value(member, text string) *Entry {
	for _, e := range named(text) {
		if e.Kind == Value && e.Name == text && slices.Contains(e.In, member) {
			return e
		}
	}
	return nil
}

func some(entries ...*Entry) []*Entry {
	var out []*Entry
	for _, e := range entries {
		if e != nil {
			out = append(out, e)
		}
	}
	return out
}
