package session

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// A server that refuses a tools/call with HeaderMismatch (-32020) may have changed which arguments are repeated in headers
// since we listed its tools (2026-07-28, transports/streamable-http, Custom Headers; SEP-2243). Then the list is read again,
// past the cache, and the call is sent once more if that changes its headers: one list, one retry, never more.

const (
	whyRelist = wire.Retry + ": a header did not match, the list may have changed"
	whyResend = wire.Retry + ": with the headers of the list read again"
)

// remirrored is the answer to a tools/call that was sent again with other headers, else a and err as they are. r is the
// request that brought them.
func (s *Session) remirrored(ctx context.Context, a Answer, err error, r Request) (Answer, error) {
	if err != nil || !mismatched(a) || r.Method != mcp.ToolsCall || altered(r) {
		return a, err
	}
	d, _, problem := s.ready()
	if problem != nil || !d.modern || !d.http {
		return a, nil
	}
	name, seq := a.Exchange.Name(), a.Seq()
	if _, problem := s.List(ctx, Tools, ListOptions{Fresh: true, Why: whyRelist}); problem != nil {
		s.note("warning", fmt.Sprintf("#%d was refused for its headers, and the list of tools could not be read again: %s", seq, problem))
		return a, nil
	}
	tool, listed := s.Tool(name)
	if before, now := params(a.Exchange.Request), d.build(r, 0, tool).header; !listed || slices.Equal(before, onlyParams(now)) {
		s.note("info", fmt.Sprintf("#%d was refused for its headers; the list of tools, read again, asks for the same ones, so the call is not sent again", seq))
		return a, nil
	}
	r.Why = whyResend
	c, problem := s.start(ctx, r, tool, startOptions{})
	if problem != nil {
		s.note("warning", fmt.Sprintf("sending #%d again with other headers: %s", seq, problem))
		return a, nil
	}
	return c.Wait(ctx)
}

// mismatched tells that the answer is the error HeaderMismatch.
func mismatched(a Answer) bool {
	code, ok := a.Err().Get("code").Int()
	return ok && code == mcp.CodeHeaderMismatch && !a.Result().Exists()
}

// altered tells that a person or a probe chose the headers: what is refused then is refused on purpose.
func altered(r Request) bool {
	mine := func(name string) bool { return len(name) > 4 && strings.EqualFold(name[:4], "mcp-") }
	return r.Why != "" && r.Why != wire.Retry && !edited(r) || slices.ContainsFunc(r.OmitHeader, mine) ||
		slices.ContainsFunc(r.Header, func(f wire.Field) bool { return mine(f.Name) })
}

// edited tells that a request was made from an earlier one by a person, who chose its arguments but not its headers.
func edited(r Request) bool {
	_, ok := (&wire.Frame{Why: r.Why}).EditedFrom()
	return ok
}

// params are the headers of a sent request that repeat arguments.
func params(m *wire.Message) []wire.Field {
	if m == nil || m.HTTP == nil {
		return nil
	}
	return onlyParams(m.HTTP.Header)
}

func onlyParams(fields []wire.Field) []wire.Field {
	var out []wire.Field
	for _, f := range fields {
		if n := len(mcp.HeaderParamPrefix); len(f.Name) > n && strings.EqualFold(f.Name[:n], mcp.HeaderParamPrefix) {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b wire.Field) int { return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	return out
}
