package demo

import (
	"bytes"
	"context"
	"net/http"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// isBatch says whether a message is a batch that the session takes: JSON arrays of messages were part of 2025-03-26 alone.
func (p *peer) isBatch(body []byte) bool {
	s := p.legacySession()
	return s != nil && s.rev == mcp.R20250326 && bytes.HasPrefix(bytes.TrimSpace(body), []byte("["))
}

// batch answers the messages of a batch one after the other; nil where nothing is to be answered.
func (p *peer) batch(ctx context.Context, body []byte, header http.Header, send func([]byte)) (replies [][]byte) {
	doc := jsondoc.Parse(body)
	if !doc.Valid() || doc.Root().Len() == 0 {
		_, reply, _ := p.receive(ctx, body, header, send)
		return [][]byte{reply}
	}
	for _, v := range doc.Root().Elements() {
		c, reply, _ := p.receive(ctx, v.Raw(), header, send)
		if c != nil {
			reply, _ = p.run(c)
		}
		if reply != nil {
			replies = append(replies, reply)
		}
	}
	return replies
}

// joined is a batch of replies.
func joined(replies [][]byte) []byte {
	return append(append([]byte{'['}, bytes.Join(replies, []byte{','})...), ']')
}

// serveBatch answers a batch over HTTP: with an event stream when a tool is called, which may have more to say, else with
// a batch of replies.
func (p *peer) serveBatch(ctx context.Context, body []byte, header http.Header, out *stream) {
	if !out.sse || !bytes.Contains(body, []byte(mcp.ToolsCall)) {
		replies := p.batch(ctx, body, header, func([]byte) {})
		if len(replies) == 0 {
			out.w.WriteHeader(http.StatusAccepted)
			return
		}
		out.reply(joined(replies), http.StatusOK)
		return
	}
	out.open()
	for _, reply := range p.batch(ctx, body, header, out.send) {
		out.send(reply)
	}
}
