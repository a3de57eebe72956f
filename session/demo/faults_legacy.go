package demo

import (
	"net/http"

	"mcploupe/session/mcp"
)

// Faults that only older revisions know: of sessions, of the streams that a GET opens, of the handshake, of the first kind of tasks.
func legacyFaults() []fault {
	const check, probe = "check --era legacy", "check --era legacy --probe"
	return []fault{
		{Fault: Fault{"session-lost-400", "legacy-session-terminated-status", "Says with 400 that a session is gone, which is for bad requests.", "http", probe}},
		{Fault: Fault{"session-id-blank", "legacy-session-id-chars", "Hands out session ids with a blank in them.", "http", check}},
		{Fault: Fault{"stream-406", "legacy-get-response", "Refuses the stream of a GET with 406.", "http", check}},
		{Fault: Fault{"event-id-again", "legacy-event-id-duplicate", "Numbers the events of each stream anew.", "http", "call calibrate --era legacy"}},
		{Fault: Fault{"broadcast", "legacy-broadcast", "Asks the user on every open stream at once.", "http", "call log_observation --era legacy"}},
		{Fault: Fault{"answer-on-stream", "legacy-response-on-get-stream", "Answers a call on the stream of a GET.", "http", "call get_weather --era legacy"}},
		{Fault: Fault{"version-header-unread", "legacy-version-header-invalid", "Does not look at the revision in the header.", "http", probe}},
		{Fault: Fault{"version-lower", "legacy-version-negotiation", "Agrees to an older revision than was asked for, though it speaks that one.", "http", probe}},
		{Fault: Fault{"ping-chatty", "legacy-ping", "Answers ping with more than an empty result.", "", probe},
			result: func(c *call, r *object) {
				if c.is(mcp.Ping) {
					r.set("light", "on")
				}
			}},
		{Fault: Fault{"init-nameless", "legacy-init-shape", "Opens a session without saying who it is.", "", check},
			result: func(c *call, r *object) {
				if c.is(mcp.Initialize) {
					r.drop("serverInfo")
				}
			}},
		{Fault: Fault{"not-found-internal", "legacy-not-found-code", "Says -32603 for a resource that does not exist.", "", probe},
			failure: func(c *call, f *failure) {
				if c.is(mcp.ResourcesRead) && c.legacy != nil && f.code == mcp.CodeResourceNotFound {
					f.code = mcp.CodeInternalError
				}
			}},
		{Fault: Fault{"task-result-unrelated", "legacy-task-shape", "Brings the result of a task without saying whose it is.", "", "call survey_coast --era legacy --task"},
			result: func(c *call, r *object) {
				if c.is(mcp.TasksResult) {
					r.drop("_meta")
				}
			}},
	}
}

// spoilLegacy does what a fault does instead of running a call of an older revision. done: that was all.
func (c *call) spoilLegacy(out *stream) (done bool) {
	if c.legacy == nil || !c.has("answer-on-stream") || !c.is(mcp.ToolsCall) {
		return false
	}
	if reply, _ := c.peer.run(c); reply != nil {
		c.legacy.events.say(reply)
	}
	if !out.isOpen() { // it told of its progress where the answer belongs
		out.w.WriteHeader(http.StatusAccepted)
	}
	return true
}

// say queues a whole message for whoever listens.
func (l *listener) say(text []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.queue = append(l.queue, event{text: string(text)})
	select {
	case l.wake <- struct{}{}:
	default:
	}
}
