package inspect

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

func itemCount(w *Walk) string {
	n := 0
	for range w.Items {
		n++
	}
	return fmt.Sprintf("another list, of %d", n)
}

// publicMax is how many public results are remembered for comparing between callers.
const publicMax = 64

// publicSeen are the latest public results, for comparing what two callers got.
type publicSeen struct{ list []publicResult }

type publicResult struct {
	key, caller string
	seq         wire.Seq
	until       time.Time
	result      jsondoc.Value
}

// checkPublicVaries compares a public result with what another caller got for the same request.
func checkPublicVaries(p *Pass) {
	if p.Result().Get("cacheScope").Text() != mcp.ScopePublic {
		return
	}
	ttl, _ := p.Result().Get("ttlMs").Int()
	here := publicResult{
		key: p.Method() + " " + paramsText(p.Request()), caller: callerOf(p), seq: p.Message().Seq,
		until: p.Time().Add(time.Duration(min(max(ttl, 0), 1<<40)) * time.Millisecond), result: p.Result(),
	}
	seen := Keep[publicSeen](p)
	for _, other := range seen.list {
		if other.key != here.key || other.caller == here.caller || p.Time().After(other.until) {
			continue
		}
		if member := differs(other.result, here.result); member != "" {
			at := p.At(p.Result().Get("cacheScope"))
			p.Report(at, "", `"private": two callers got different `+member).
				Also(Place{Frame: other.seq, Path: other.result.Get("cacheScope").Pointer()})
			break
		}
	}
	seen.list = slices.DeleteFunc(seen.list, func(o publicResult) bool { return o.key == here.key && o.caller == here.caller })
	seen.list = append(seen.list, here)
	seen.list = seen.list[max(0, len(seen.list)-publicMax):]
}

// callerOf tells callers apart: by the probe that asks as another one, and by the credentials sent, as far as the
// journal shows them.
func callerOf(p *Pass) string {
	caller := ""
	if p.Why() == ProbeOtherCaller {
		caller = "other "
	}
	if head := p.SentHead(); head != nil {
		caller += head.Get("Authorization") + " " + head.Get("Cookie")
	}
	return caller
}

// paramsText is params without _meta, as text.
func paramsText(params jsondoc.Value) string {
	var b strings.Builder
	for name, v := range params.Members() {
		if name != "_meta" {
			b.WriteString(jsondoc.Quote(name) + ":" + string(jsondoc.Compact(nil, v.Raw())) + ",")
		}
	}
	return b.String()
}

// differs names the first member of two results that differs, "" when the two say the same. Lists that differ in order
// only say the same.
func differs(a, b jsondoc.Value) string {
	for name, v := range a.Members() {
		switch name {
		case "_meta", "ttlMs", "nextCursor":
			continue
		}
		w := b.Get(name)
		if v.Same(w) {
			continue
		}
		if v.Is(jsondoc.Array) && w.Is(jsondoc.Array) && slices.Equal(elementTexts(v), elementTexts(w)) {
			continue
		}
		return name
	}
	return ""
}

func elementTexts(list jsondoc.Value) []string {
	var all []string
	for _, v := range list.Elements() {
		all = append(all, string(jsondoc.Compact(nil, v.Raw())))
	}
	slices.Sort(all)
	return all
}

// checkPersonalData looks for signs that a public result is about the one who asked.
func checkPersonalData(p *Pass) {
	scope := p.Result().Get("cacheScope")
	head := p.SentHead()
	if scope.Text() != mcp.ScopePublic || head == nil || head.Get("Authorization") == "" && head.Get("Cookie") == "" {
		return
	}
	report := func(v jsondoc.Value, what string) {
		p.Report(p.At(v), what, `cacheScope "private" for what depends on the caller`).Guess().Also(p.At(scope))
	}
	if p.Method() == mcp.ResourcesRead {
		for _, c := range p.Result().Get("contents").Elements() {
			text := c.Get("text")
			switch {
			case isPersonalURI(c.Get("uri").Text()):
				report(c.Get("uri"), "")
			case hasEmail(text.Text()):
				report(text, "an e-mail address")
			case strings.Contains(text.Text(), "eyJ") && strings.Count(text.Text(), ".") > 1 && looksLikeJWT(text.Text()):
				report(text, "what looks like an access token")
			default:
				continue
			}
			return
		}
		return
	}
	for _, item := range p.Result().Get("resources").Elements() {
		if uri := item.Get("uri"); isPersonalURI(uri.Text()) {
			report(uri, "")
			return
		}
	}
}

func isPersonalURI(uri string) bool {
	low := strings.ToLower(uri) + "/"
	return contains(low, "/me/", "//me/", "/my/", "/account/", "/profile/")
}

// hasEmail tells whether a text holds an e-mail address that is not an example's.
func hasEmail(text string) bool {
	for {
		before, after, found := strings.Cut(text, "@")
		if !found {
			return false
		}
		text = after
		name := func(r rune) bool {
			return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("._%+-", r)
		}
		local := len(before) - len(strings.TrimRightFunc(before, name))
		domain := after[:len(after)-len(strings.TrimLeftFunc(after, name))]
		domain = strings.ToLower(strings.TrimRight(domain, "."))
		dot := strings.LastIndexByte(domain, '.')
		if local > 0 && dot > 0 && len(domain)-dot > 2 && !digits(domain[dot+1:]) && !contains(domain, "example.", "test.") {
			return true
		}
	}
}

// looksLikeJWT tells whether a text holds a JSON web token: three base64url parts, the first of them an object.
func looksLikeJWT(text string) bool {
	for {
		_, after, found := strings.Cut(text, "eyJ")
		if !found {
			return false
		}
		text = after
		token := func(r rune) bool {
			return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '-' || r == '_' || r == '.'
		}
		word := after[:len(after)-len(strings.TrimLeftFunc(after, token))]
		if parts := strings.Split(word, "."); len(parts) == 3 && len(parts[0]) > 10 && len(parts[1]) > 10 && len(parts[2]) > 10 {
			return true
		}
	}
}
