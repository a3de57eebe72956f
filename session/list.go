package session

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// ListKind names one of the four paginated lists of a server.
type ListKind string

// The lists.
const (
	Tools     ListKind = "tools"
	Resources ListKind = "resources"
	Templates ListKind = "templates"
	Prompts   ListKind = "prompts"
)

// ListKinds lists them in the order in which people look at them.
func ListKinds() []ListKind { return []ListKind{Tools, Resources, Templates, Prompts} }

// Method is the list's method, "" for no list.
func (k ListKind) Method() string {
	switch k {
	case Tools:
		return mcp.ToolsList
	case Resources:
		return mcp.ResourcesList
	case Templates:
		return mcp.TemplatesList
	case Prompts:
		return mcp.PromptsList
	}
	return ""
}

// Member is the member of the result that holds the items.
func (k ListKind) Member() string {
	m, _ := mcp.Lookup(k.Method())
	return m.List
}

// Capability is the server capability that the list belongs to.
func (k ListKind) Capability() string {
	m, _ := mcp.Lookup(k.Method())
	return m.Capability
}

// naming is the member of an item that names it.
func (k ListKind) naming() string {
	switch k {
	case Resources:
		return "uri"
	case Templates:
		return "uriTemplate"
	}
	return "name"
}

// ListOptions say how to walk a list.
type ListOptions struct {
	Fresh bool   // go to the server even when pages are kept and fresh
	Why   string // recorded with the frames, "" for a plain walk
}

// Listing is what the walk over a list brought. It is not changed once returned.
type Listing struct {
	Kind     ListKind
	Pages    []Page
	Items    []Item
	Complete bool   // the walk reached the end of the list
	Stopped  string // why it did not
}

// Page is one page of a list.
type Page struct {
	Cursor  string // the raw JSON token sent, "" for the first page
	Answer  Answer
	Repeats int // the earlier page (from 1) whose items it repeats exactly, 0 for none; its items are not listed twice
}

// Item is one entry of a list exactly as it came, also when it is no entry at all.
type Item struct {
	Value   jsondoc.Value
	Page    int      // from 1
	Seq     wire.Seq // the frame that it came in
	Pointer jsondoc.Pointer
	Name    string // name, uri or uriTemplate; "" when it has none that is a string
}

// MaxPages is how many pages of one list are walked.
const MaxPages = 1000

// List walks a list over all its pages, each page from the cache where that is fresh. The error is
// *ListError when the walk ended early for a reason that is the server's, *NotConnected when nothing
// could be asked; the Listing holds what did arrive (it is nil only for *NotConnected and unknown kinds).
func (s *Session) List(ctx context.Context, kind ListKind, o ListOptions) (*Listing, error) {
	if kind.Method() == "" {
		return nil, fmt.Errorf("no such list: %q", kind)
	}
	l, err := s.walk(ctx, kind, o)
	if err != nil && !o.Fresh && l.fromCache() && ctx.Err() == nil {
		// A cursor out of a kept page may have been rejected: then all pages of the chain are void.
		o.Fresh = true
		l, err = s.walk(ctx, kind, o)
	}
	if l != nil && len(l.Pages) > 0 && (err == nil || len(l.Items) > 0) {
		s.mu.Lock()
		s.listings[kind] = l
		s.mu.Unlock()
	}
	return l, err
}

func (l *Listing) fromCache() bool {
	if l == nil {
		return false
	}
	for i := range l.Pages {
		if l.Pages[i].Answer.Cached {
			return true
		}
	}
	return false
}

func (s *Session) walk(ctx context.Context, kind ListKind, o ListOptions) (*Listing, error) {
	w := walker{Listing: &Listing{Kind: kind}, cursors: map[string]int{}}
	for {
		a, err := s.cached(ctx, Request{Method: kind.Method(), Params: w.params(), Why: o.Why}, o.Fresh)
		if err != nil && a.Exchange.Request == nil {
			if len(w.Pages) == 0 {
				return nil, err
			}
			return w.Listing, w.stop(err.Error(), err)
		}
		if err != nil {
			w.Pages = append(w.Pages, Page{Cursor: w.cursor, Answer: a})
			return w.Listing, w.stop(err.Error(), err)
		}
		more, err := w.page(a)
		if err != nil || !more {
			return w.Listing, err
		}
	}
}

// walker is the pure part of the walk: pages in, the next cursor out.
type walker struct {
	*Listing
	cursor  string         // raw token of the page to ask for, "" for the first
	cursors map[string]int // decoded cursors that were sent, and for which page
	bodies  [][]byte       // items of each page, compact
}

func (w *walker) params() []byte {
	if w.cursor == "" {
		return nil
	}
	return appendObject(nil, []Member{{"cursor", []byte(w.cursor)}})
}

func (w *walker) stop(text string, cause error) error {
	w.Stopped = text
	return &ListError{Kind: w.Kind, Page: max(1, len(w.Pages)), Text: text, Err: cause}
}

// page takes the answer for the page asked for last, and tells whether there is another one to ask for.
func (w *walker) page(a Answer) (more bool, err error) {
	result, number := a.Result(), len(w.Pages)+1
	p := Page{Cursor: w.cursor, Answer: a}
	items := result.Get(w.Kind.Member())
	body := jsondoc.Compact(nil, items.Raw())
	if items.Len() > 0 {
		for i, earlier := range w.bodies {
			if p.Repeats == 0 && bytes.Equal(earlier, body) {
				p.Repeats = i + 1
			}
		}
	}
	w.bodies = append(w.bodies, body)
	w.Pages = append(w.Pages, p)
	if p.Repeats == 0 && items.Is(jsondoc.Array) {
		for _, v := range items.Elements() {
			w.Items = append(w.Items, Item{Value: v, Page: number, Seq: a.Exchange.Reply.Seq, Pointer: v.Pointer(), Name: v.Get(w.Kind.naming()).Text()})
		}
	}
	next := result.Get("nextCursor")
	switch {
	case a.Err().Exists() && !result.Exists():
		return false, w.stop("the answer is the error "+errorWords(a.Err()), nil)
	case a.InputRequired():
		return false, w.stop("the server asks for input before it lists", nil)
	case p.Repeats != 0:
		return false, w.stop(fmt.Sprintf("the page repeats page %d", p.Repeats), nil)
	case !items.Is(jsondoc.Array) && !next.Exists():
		return false, w.stop("the result has no array "+w.Kind.Member(), nil)
	case !next.Exists() || next.Is(jsondoc.Null):
		w.Complete = true
		return false, nil
	case !next.Is(jsondoc.String):
		return false, w.stop("nextCursor is no string: "+clip(string(next.Raw()), 60), nil)
	case number >= MaxPages:
		return false, w.stop(fmt.Sprintf("there are more than %d pages", MaxPages), nil)
	}
	if before, seen := w.cursors[next.Text()]; seen {
		return false, w.stop(fmt.Sprintf("nextCursor is the cursor that led to page %d: the list would never end", before), nil)
	}
	w.cursors[next.Text()] = number + 1
	w.cursor = string(next.Raw())
	return true, nil
}

func errorWords(e jsondoc.Value) string {
	s := clip(string(e.Get("code").Raw()), 40)
	if m := e.Get("message").Text(); m != "" {
		s += " “" + clip(m, 120) + "”"
	}
	return s
}

// Listed is the newest listing of a kind that brought anything; nil when there was none.
func (s *Session) Listed(kind ListKind) *Listing {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.listings[kind]
}

// Tool is the entry of a tool in the newest listing.
func (s *Session) Tool(name string) (jsondoc.Value, bool) {
	l := s.Listed(Tools)
	if l == nil {
		return jsondoc.Value{}, false
	}
	for i := range l.Items {
		if l.Items[i].Name == name {
			return l.Items[i].Value, true
		}
	}
	return jsondoc.Value{}, false
}

// CallOptions go with one call, read or prompt.
type CallOptions struct {
	Why        string
	Timeout    time.Duration // 0 means Options.Timeout
	LogLevel   string        // "" means Options.LogLevel
	Header     []wire.Field  // HTTP: instead of ours, or besides
	OmitHeader []string      // HTTP: headers of ours to leave out
	Fresh      bool          // Read: past the cache
	Tasks      *bool         // CallTool: declare the tasks extension, or not; nil as Session.DeclareTasks says
	OmitMeta   []string      // keys of our _meta to leave out; "*" leaves out all
	SetMeta    []Member      // members of _meta to send instead of ours, or besides
}

// altered tells that _meta is not as a faithful client sends it.
func (o CallOptions) altered() bool { return len(o.OmitMeta)+len(o.SetMeta) > 0 }

// AlteredMeta is what a request with another _meta than ours was sent as, unless its options say why.
const AlteredMeta = "altered-meta"

func (o CallOptions) request(method string, params []byte) Request {
	if o.Why == "" && o.altered() {
		o.Why = AlteredMeta
	}
	return Request{Method: method, Params: params, Why: o.Why, Timeout: o.Timeout, LogLevel: o.LogLevel, Header: o.Header, OmitHeader: o.OmitHeader,
		OmitMeta: o.OmitMeta, SetMeta: o.SetMeta}
}
