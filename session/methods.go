package session

import (
	"bytes"
	"context"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// CallTool calls a tool and waits for its end. See StartTool. When the server refuses the call because its headers do not
// match (-32020), the tools are listed again, past the cache, and the call is sent once more if that changes its headers.
func (s *Session) CallTool(ctx context.Context, name string, args []byte, o CallOptions) (Answer, error) {
	c, err := s.StartTool(ctx, name, args, o)
	if err != nil {
		return Answer{}, err
	}
	a, err := c.Wait(ctx)
	return s.remirrored(ctx, a, err, o.request(mcp.ToolsCall, toolParams(name, args)))
}

// StartTool sends tools/call. args is the raw JSON of arguments, sent as typed; nil is {}. Any name is
// sent, listed or not. Over modern HTTP the tool's schema says which arguments are repeated in
// Mcp-Param-* headers; tools are listed once for that when they never were.
func (s *Session) StartTool(ctx context.Context, name string, args []byte, o CallOptions) (*Call, error) {
	d, _, err := s.ready()
	if err != nil {
		return nil, err
	}
	var listed jsondoc.Value
	if d.modern && d.http {
		if s.Listed(Tools) == nil && s.Info().Has("tools") {
			_, _ = s.List(ctx, Tools, ListOptions{}) // its failure is in the log; the call goes out all the same
		}
		listed, _ = s.Tool(name)
	}
	r := o.request(mcp.ToolsCall, toolParams(name, args))
	if r.Tasks = s.declaresTasks(o); r.Tasks && s.asTask(d, name) {
		r.Params = withMember(r.Params, Member{"task", []byte("{}")})
	}
	return s.start(ctx, r, listed, startOptions{})
}

// Prompt gets a prompt. args is the raw JSON of arguments, sent as typed; nil leaves them out.
func (s *Session) Prompt(ctx context.Context, name string, args []byte, o CallOptions) (Answer, error) {
	params := []Member{{"name", quoted(name)}}
	if len(bytes.TrimSpace(args)) > 0 {
		params = append(params, Member{"arguments", args})
	}
	return s.Do(ctx, o.request(mcp.PromptsGet, appendObject(nil, params)))
}

// Read reads a resource, from the cache when that is fresh and o does not go past it.
func (s *Session) Read(ctx context.Context, uri string, o CallOptions) (Answer, error) {
	params := appendObject(nil, []Member{{"uri", quoted(uri)}})
	return s.cached(ctx, o.request(mcp.ResourcesRead, params), o.Fresh || o.altered())
}

// Completion asks what a server would put in place of an argument's beginning.
type Completion struct {
	Ref             []byte // raw ref object: see PromptRef and TemplateRef
	Argument, Value string
	// Context is the arguments that are settled already. Revisions before 2025-06-18 know none: there it is left out.
	Context map[string]string
}

// PromptRef is the ref of a prompt's arguments.
func PromptRef(name string) []byte {
	return appendObject(nil, []Member{{"type", quoted("ref/prompt")}, {"name", quoted(name)}})
}

// TemplateRef is the ref of a resource template's variables.
func TemplateRef(uriTemplate string) []byte {
	return appendObject(nil, []Member{{"type", quoted("ref/resource")}, {"uri", quoted(uriTemplate)}})
}

// Complete asks for completions.
func (s *Session) Complete(ctx context.Context, q Completion, o CallOptions) (Answer, error) {
	params := []Member{
		{"ref", q.Ref},
		{"argument", appendObject(nil, []Member{{"name", quoted(q.Argument)}, {"value", quoted(q.Value)}})},
	}
	if len(q.Context) > 0 && mcp.AtLeast(s.Info().Version, mcp.R20250618) {
		var settled []Member
		for _, name := range sortedKeys(q.Context) {
			settled = append(settled, Member{name, quoted(q.Context[name])})
		}
		params = append(params, Member{"context", appendObject(nil, []Member{{"arguments", appendObject(nil, settled)}})})
	}
	return s.Do(ctx, o.request(mcp.Complete, appendObject(nil, params)))
}

// Discover asks server/discover, from the cache when that is fresh and past is false.
func (s *Session) Discover(ctx context.Context, past bool) (Answer, error) {
	return s.cached(ctx, Request{Method: mcp.Discover}, past)
}

func toolParams(name string, args []byte) []byte {
	if len(bytes.TrimSpace(args)) == 0 {
		args = []byte("{}")
	}
	return appendObject(nil, []Member{{"name", quoted(name)}, {"arguments", args}})
}

func quoted(s string) []byte { return jsondoc.AppendQuote(nil, s) }
