package session

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// Era detection is a pure function from what is known to what to do next. The shell (connect.go) does
// the moves and reports what came of them; every move carries one sentence about what was learned, and
// the frame that showed it, which become State entries.
//
// The order of moves follows the specification's versioning pages (basic/versioning: a client of both
// eras probes with server/discover and falls back to initialize; transports: how HTTP servers of old
// are told apart). A verdict never rests on one error code: -32601, -32602, -32600 and a bare 400 are
// given by servers of both eras.

// plan is what the person wants, and over which kind of channel.
type plan struct {
	kind     string // "stdio", "http", "sse"
	url      string // of the endpoint, "" on stdio
	era      string // Modern or Legacy: told, not to be detected; ""
	protocol string // version to send, never another; ""
	sse      bool   // HTTP+SSE may be tried when nothing else works

	past  Past   // what is remembered and tried first; zero for nothing
	doubt string // why what is remembered is not
	began time.Time
}

// deed is what the shell can do.
type deed uint8

const (
	doDiscover   deed = iota + 1 // send server/discover in version
	doInitialize                 // send initialize asking for version
	doRespawn                    // start the process once more, then do what then says
	doOpenSSE                    // open the event stream of HTTP+SSE
	doList                       // send tools/list in modern form
	doWait                       // go on waiting for what came of the last move
	doReopen                     // open the channel anew, as a first time
	doReady                      // the verdict: era and version
	doFail                       // no verdict
)

// move is the next thing to do.
type move struct {
	do           deed
	version      string
	capabilities string        // doDiscover: raw object to declare instead of ours; "" for ours
	pause        time.Duration // to wait before doing it
	era          string        // doReady
	brief        bool          // doInitialize: wait as for the era probe, no longer
	opened       outcome       // doReady: what decided; its reply is the discover or initialize answer, or Missing
	text         string        // what was learned and what follows, one sentence
	evidence     wire.Seq      // the frame that showed it
	auth         bool          // doFail: authorization is needed
	hint         string        // doFail: what to try
	because      outcome       // doFail: what came last
}

// detection is what is known so far. It is a value: next gives a new one.
type detection struct {
	plan
	asked     move // what was done last
	last      int  // retries of that
	tried     map[string]bool
	respawned bool
	probed    bool    // this very process has seen server/discover
	enlarged  bool    // discover was repeated with more capabilities
	discover  outcome // the answer to the probe that made us fall back
	initial   outcome // the answer to initialize that made us go on
	choice    string  // legacy version chosen from a list of the server's, "" for the newest
	trusting  bool    // what is remembered is being tried
}

// begin is the first move.
func begin(p plan) (detection, move) {
	d := detection{plan: p, tried: map[string]bool{}}
	switch {
	case p.kind == "sse":
		return d.now(move{do: doOpenSSE, text: "HTTP+SSE was asked for: opening its event stream"})
	case p.era == Legacy:
		return d.initialize("legacy was asked for: sending initialize", 0)
	case p.era == Modern:
		return d.now(move{do: doDiscover, version: d.preferred(), text: "modern was asked for: sending server/discover for what the server offers"})
	case p.past.Era != "":
		return d.recall()
	}
	text := "asking with server/discover whether the server is modern"
	if p.doubt != "" {
		text = p.doubt + ": " + text
	}
	return d.now(move{do: doDiscover, version: d.preferred(), text: text})
}

// retries of a request that met a server error or a broken connection. Short: a person waits.
func pauses() []time.Duration { return []time.Duration{200 * time.Millisecond, 500 * time.Millisecond} }

func (d detection) now(m move) (detection, move) {
	if m.do == doDiscover || m.do == doInitialize {
		tried := maps.Clone(d.tried)
		tried[m.version] = true
		d.tried = tried
	}
	if m.do == doDiscover {
		d.probed = true
	}
	d.asked, d.last = m, 0
	return d, m
}

func (d detection) again(m move) (detection, move) {
	d.last++
	d.asked = m
	return d, m
}

func (d detection) preferred() string {
	if d.protocol != "" {
		return d.protocol
	}
	return mcp.Latest
}

func (d detection) initialize(text string, evidence wire.Seq) (detection, move) {
	version := d.choice
	if version == "" {
		version = mcp.LatestLegacy
	}
	if d.protocol != "" {
		version = d.protocol
	}
	return d.now(move{do: doInitialize, version: version, text: text, evidence: evidence})
}

func (d detection) ready(era, version, text string, o outcome) (detection, move) {
	return d.now(move{do: doReady, era: era, version: version, opened: o, text: text, evidence: o.frame})
}

func (d detection) fail(text, hint string, o outcome) (detection, move) {
	return d.now(move{do: doFail, text: text, hint: hint, evidence: o.frame, because: o})
}

// next is the next move after what came of the last one.
func (d detection) next(o outcome) (detection, move) {
	if o.late {
		return d.afterDiscover(o)
	}
	if d.kind != "stdio" {
		if d, m, ok := d.channel(o); ok {
			return d, m
		}
	}
	switch d.asked.do {
	case doDiscover:
		return d.afterDiscover(o)
	case doInitialize:
		return d.afterInitialize(o)
	case doOpenSSE:
		return d.afterOpenSSE(o)
	case doList:
		return d.afterList(o)
	case doReopen:
		return d.reopened(o)
	case doRespawn:
		if o.refused || o.died() {
			return d.fail("the process could not be started again: "+o.say(), "", o)
		}
		d.probed = false
		return d.initialize("a fresh process: sending initialize at once", 0)
	}
	return d.fail("nothing left to try", "", o)
}

// channel deals with what HTTP says before any JSON-RPC: log in first, come back later, go elsewhere.
func (d detection) channel(o outcome) (detection, move, bool) {
	switch {
	case o.status == http.StatusUnauthorized, o.status == http.StatusForbidden && strings.Contains(strings.ToLower(o.challenge), "bearer"):
		d, m := d.fail(fmt.Sprintf("authorization is needed (HTTP %d); the era stays unknown", o.status),
			"log in: --login; or give a token: --header 'Authorization: Bearer …'", o)
		m.auth = true
		return d, m, true
	case o.err().Exists(), o.result().Exists():
		return d, move{}, false // the body speaks, whatever the status
	case o.status >= 300 && o.status < 400 && o.location != "":
		d, m := d.fail(fmt.Sprintf("the server redirects (HTTP %d) to %s, which was not followed: %s", o.status, o.location, elsewhere(d.url, o.location)),
			"give that address as the target, if you trust it", o)
		return d, m, true
	}
	busy := o.status >= 500 || o.status == http.StatusTooManyRequests
	broken := o.refused || o.cut
	if d.asked.do == doOpenSSE || !busy && !broken {
		return d, move{}, false
	}
	if p := pauses(); d.last < len(p) {
		m := d.asked
		m.pause = p[d.last]
		m.text = fmt.Sprintf("%s came: no verdict; trying again in %s", o.say(), m.pause)
		m.evidence = o.frame
		d, m = d.again(m)
		return d, m, true
	}
	if broken {
		d, m := d.fail("could not reach the server: "+o.say(), "", o)
		return d, m, true
	}
	return d, move{}, false // a server error that stays: what it says about the era is what any other failure says
}

func (d detection) afterDiscover(o outcome) (detection, move) {
	if isDiscoverResult(o.result()) {
		return d.discovered(o)
	}
	if d, m, ok := d.modernError(o); ok {
		return d, m
	}
	if d.era == Modern {
		if o.message.Exists() {
			return d.ready(Modern, d.preferred(), "server/discover got "+o.say()+"; speaking "+d.preferred()+" as asked", o)
		}
		return d.fail("no answer to server/discover: "+o.say(), "", o)
	}
	d.discover = o
	if o.died() {
		return d.respawn(o)
	}
	return d.initialize("server/discover got "+o.say()+", which is no modern answer: sending initialize", o.frame)
}

func (d detection) respawn(o outcome) (detection, move) {
	if d.respawned || o.refused {
		return d.fail("the process ended: "+o.deathWords(), "", o)
	}
	d.respawned = true
	return d.now(move{do: doRespawn, text: "the process ended on server/discover (" + o.deathWords() + "): starting it once more, straight to initialize", evidence: o.frame})
}

// discovered picks the version after a DiscoverResult.
func (d detection) discovered(o outcome) (detection, move) {
	what := "server/discover was answered"
	if o.late {
		what = "server/discover was answered late"
	}
	listed := texts(o.result().Get("supportedVersions"))
	modern, legacy := common(listed)
	switch {
	case d.protocol != "":
		return d.ready(Modern, d.protocol, what+": modern; speaking "+d.protocol+" as asked", o)
	case len(listed) == 0:
		return d.ready(Modern, mcp.Latest, what+" without a list of versions: modern; speaking our own "+mcp.Latest, o)
	case modern != "":
		return d.ready(Modern, modern, what+" with supportedVersions "+enumerate(listed)+": modern, "+modern, o)
	case legacy != "" && d.era == "" && d.asked.do == doInitialize: // on its way already
		return d, move{do: doWait, text: what + " with only legacy versions in common (" + enumerate(listed) + "): waiting for initialize", evidence: o.frame}
	case legacy != "" && d.era == "":
		d.discover, d.choice = o, legacy
		return d.initialize(what+" with only legacy versions in common ("+enumerate(listed)+"): sending initialize with "+legacy, o.frame)
	}
	return d.ready(Modern, mcp.Latest, what+" with supportedVersions "+enumerate(listed)+", none of which we can speak here: modern; speaking our own "+mcp.Latest, o)
}

// modernError recognises the errors that only a modern server gives, and repairs what can be repaired.
func (d detection) modernError(o outcome) (detection, move, bool) {
	data := o.err().Get("data")
	supported := texts(data.Get("supported"))
	switch {
	case o.code() == mcp.CodeUnsupportedVersion && data.Get("supported").Is(jsondoc.Array):
		d, m := d.otherVersion(supported, "the error -32022 lists", o)
		return d, m, true
	case prerelease(o.code()) && hasModern(supported):
		d, m := d.otherVersion(supported, fmt.Sprintf("a pre-release modern server: its error %d lists", o.code()), o)
		return d, m, true
	case o.code() == mcp.CodeMissingClientCapability && data.Get("requiredCapabilities").Exists():
		need := data.Get("requiredCapabilities")
		if d.asked.do == doDiscover && !d.enlarged && need.Is(jsondoc.Object) {
			d.enlarged = true
			m := move{do: doDiscover, version: d.asked.version, capabilities: string(need.Raw()), evidence: o.frame,
				text: "the error -32021 asks for capabilities: modern; asking again with " + clip(string(need.Raw()), 120) + " declared"}
			d, m = d.now(m)
			return d, m, true
		}
		d, m := d.ready(Modern, d.spoken(), "the error -32021 asks for capabilities: modern, "+d.spoken(), o)
		return d, m, true
	case o.code() == mcp.CodeHeaderMismatch && d.kind == "http":
		d, m := d.ready(Modern, d.spoken(), "the error -32020 speaks of mirrored headers: modern, "+d.spoken(), o)
		return d, m, true
	}
	return d, move{}, false
}

// otherVersion goes on after an error that lists the versions that the server supports.
func (d detection) otherVersion(listed []string, lead string, o outcome) (detection, move) {
	lead += " " + enumerate(listed)
	modern, legacy := common(without(listed, d.tried))
	switch {
	case d.protocol != "":
		return d.ready(Modern, d.protocol, lead+": modern; speaking "+d.protocol+" as asked", o)
	case modern != "":
		return d.now(move{do: doDiscover, version: modern, text: lead + ": modern; asking again with " + modern, evidence: o.frame})
	case hasModern(listed) && commonModern(listed) != "":
		v := commonModern(listed)
		return d.ready(Modern, v, lead+", yet "+v+" was refused: modern; going on with it", o)
	case legacy != "" && d.era == "":
		d.discover, d.choice = o, legacy
		return d.initialize(lead+", of which only legacy versions are ours too: sending initialize with "+legacy, o.frame)
	case d.asked.do == doInitialize:
		return d.fail(lead+": no version in common", "send one of them all the same with --protocol", o)
	}
	return d.fail(lead+": modern, but no version in common with ours ("+enumerate(mcp.Revisions())+")", "send one of them all the same with --protocol", o)
}

// spoken is the modern version that was used last.
func (d detection) spoken() string {
	if mcp.Modern(d.asked.version) {
		return d.asked.version
	}
	return d.preferred()
}

func (d detection) afterInitialize(o outcome) (detection, move) {
	r := o.result()
	if r.Is(jsondoc.Object) {
		version := r.Get("protocolVersion").Text()
		switch {
		case version == "" && r.Get("resultType").Exists() && d.era == "":
			return d.ready(Modern, mcp.Latest, "initialize got a result with a resultType and no protocolVersion: a modern server without server/discover, "+mcp.Latest, o)
		case version == "":
			return d.ready(Legacy, d.asked.version, "initialize was answered without a protocolVersion: legacy; speaking "+d.asked.version, o)
		case d.protocol != "" && version != d.protocol:
			return d.ready(Legacy, version, "initialize was answered: legacy; "+d.protocol+" was asked for, the server chose "+version, o)
		}
		return d.ready(Legacy, version, "initialize was answered with protocolVersion "+version+": legacy", o)
	}
	if d.trusting {
		return d.distrust(o)
	}
	if o.died() {
		if d.probed {
			return d.respawn(o)
		}
		return d.fail("the process ended on initialize: "+o.deathWords(), "", o)
	}
	if d.era == "" {
		if d, m, ok := d.modernError(o); ok {
			return d, m
		}
	}
	if listed := texts(o.err().Get("data").Get("supported")); d.protocol == "" {
		if _, legacy := common(without(listed, d.tried)); legacy != "" {
			d.choice = legacy
			return d.initialize("initialize was refused, "+enumerate(listed)+" are supported: sending it with "+legacy, o.frame)
		}
	}
	d.initial = o
	switch {
	case d.kind == "http" && d.sse && (o.status == 400 || o.status == 404 || o.status == 405):
		return d.now(move{do: doOpenSSE, text: "initialize got " + o.say() + ": trying the event stream of HTTP+SSE (2024-11-05)", evidence: o.frame})
	case d.era == "" && !o.silent() && d.kind != "sse":
		return d.lastTry(o)
	}
	return d.unknown(o)
}

func (d detection) afterOpenSSE(o outcome) (detection, move) {
	if o.opened {
		d.kind = "sse"
		return d.initialize("the event stream began with an endpoint: HTTP+SSE; sending initialize there", o.frame)
	}
	if d.trusting {
		return d.distrust(o)
	}
	if d.kind == "sse" {
		return d.fail("no HTTP+SSE event stream here: "+o.say(), "", o)
	}
	if d.era == "" {
		return d.lastTry(o)
	}
	return d.unknown(d.initial)
}

// lastTry asks a server that refuses both openings for its tools. A resultType in the answer still
// shows a modern server, one that lacks server/discover.
func (d detection) lastTry(o outcome) (detection, move) {
	return d.now(move{do: doList, version: d.preferred(), evidence: o.frame,
		text: "neither opening was accepted (" + o.say() + "): asking for tools/list in modern form"})
}

func (d detection) afterList(o outcome) (detection, move) {
	if o.result().Get("resultType").Exists() {
		return d.ready(Modern, d.spoken(), "tools/list was answered with a resultType: a modern server without server/discover, "+d.spoken(), o)
	}
	if d, m, ok := d.modernError(o); ok {
		return d, m
	}
	return d.unknown(o)
}

// unknown is the end without a verdict: both answers are told.
func (d detection) unknown(o outcome) (detection, move) {
	told := []string{}
	if d.discover.say() != "nothing" {
		told = append(told, "server/discover got "+d.discover.say())
	}
	if d.initial.say() != "nothing" {
		told = append(told, "initialize got "+d.initial.say())
	}
	text := "era unknown"
	if d.discover.silent() && d.initial.silent() {
		text = "the server answers nothing"
	}
	if d.era != "" {
		text = "the server did not accept the " + d.era + " opening"
	}
	hint := ""
	if strings.HasSuffix(d.discover.mediaType, "html") || strings.HasSuffix(d.initial.mediaType, "html") {
		hint = "this answers like a web page; the address of an MCP endpoint often ends in /mcp"
	}
	return d.fail(text+": "+strings.Join(told, "; "), hint, o)
}
