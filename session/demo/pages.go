package demo

import (
	"encoding/base64"
	"fmt"
	"hash/crc32"
	"slices"
	"strconv"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// A cursor is opaque to clients: method, place and direction with a checksum, so that what was not given
// out here, or for another list, is refused rather than read as some page.

func (s *Server) cursorFor(method string, at int, turned bool) string {
	body := fmt.Sprintf("%s|%d|%t", method, at, turned)
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%s|%08x", body, crc32.ChecksumIEEE([]byte(body))))
}

// cursor is where the page that was asked for begins. turned is only ever true while the fault
// order-unstable is on: then every second walk runs backwards.
func (c *call) cursor() (from int, turned bool, f *failure) {
	v := c.params.Get("cursor")
	if !v.Exists() {
		if c.has("order-unstable") {
			c.s.walkMu.Lock()
			defer c.s.walkMu.Unlock()
			c.s.walks[c.method]++
			turned = c.s.walks[c.method]%2 == 0
		}
		return 0, turned, nil
	}
	refused := func() (int, bool, *failure) {
		if c.has("cursor-accepted") {
			return 0, false, nil
		}
		return 0, false, invalidParams("Invalid params: unknown cursor").with(obj("cursor", raw(v.Raw())))
	}
	if !v.Is(jsondoc.String) {
		return refused()
	}
	if v.Text() == "" && c.has("cursor-empty") {
		return c.s.opt.PageSize, false, nil
	}
	text, err := base64.RawURLEncoding.DecodeString(v.Text())
	if err != nil {
		return refused()
	}
	body, sum, ok := cutLast(string(text), "|")
	part := strings.Split(body, "|")
	if !ok || len(part) != 3 || sum != fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(body))) || part[0] != c.method {
		return refused()
	}
	from, err = strconv.Atoi(part[1])
	if err != nil {
		return refused()
	}
	return from, part[2] == "true", nil
}

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// list gives one page of a list under its name, with the cursor of the next one.
func (c *call) list(member string, entries []any) (*object, *failure) {
	if c.has("capability-unserved") && c.is(mcp.PromptsList) {
		return nil, fail(mcp.CodeMethodNotFound, "Method not found: "+c.method)
	}
	from, turned, f := c.cursor()
	if f != nil {
		return nil, f
	}
	if turned {
		entries = slices.Clone(entries)
		slices.Reverse(entries)
	}
	if from > len(entries) {
		return nil, invalidParams("Invalid params: the cursor leads past the end of the list")
	}
	to := min(from+c.s.opt.PageSize, len(entries))
	page := make([]any, 0, to-from)
	for _, e := range entries[from:to] {
		page = append(page, copyOf(e))
	}
	r := obj(member, page)
	if to < len(entries) {
		r.set("nextCursor", c.s.cursorFor(c.method, to, turned))
	}
	return r, nil
}
