package inspect

import "mcploupe/session/mcp"

// Names of probes that rules, or whoever sends them, must know.
const (
	ProbeTaskUnknown    = "task-unknown"
	ProbeTaskUndeclared = "task-undeclared"
	ProbeTaskRemoved    = "task-removed-methods"
	ProbeTaskKey        = "task-answer-extra"
	ProbeTaskParam      = "task-param"

	ProbeGet           = "http-get"
	ProbeDelete        = "http-delete"
	ProbeBindAll       = "other-addresses"
	ProbeConnection    = "other-connection"
	ProbeCancelUnknown = "cancel-unknown"
	ProbeTraversal     = "path-traversal"
	ProbeNotification  = "notification"
	ProbeForeignHost   = "foreign-host"
	ProbeNarrow        = "listen-narrow"
	ProbeNoArgument    = "prompt-without-argument"
	ProbeParamMismatch = "header-param-mismatch"
	ProbeTwoAtOnce     = "two-at-once"
	ProbeCancelCall    = "cancel-call"

	ProbeAnswerMalformed = "answer-malformed"
	ProbeAnswerMissing   = "answer-missing"
	ProbeAnswerExtra     = "answer-extra"
	ProbeStateTampered   = "state-tampered"
	ProbeStateReplayed   = "state-replayed"
)

// What a probe saw that is no message stands in the journal as a wire.Note from NoteProbe; ReachText begins the note of an
// address, like "192.168.1.5:3000", at which a server of this machine can be reached from others.
const (
	NoteProbe = "probe"
	ReachText = "also reachable at "
)

// withTasks declares the tasks extension beside what is declared by default.
const withTasks = `{"elicitation":{"form":{}},"extensions":{"` + mcp.ExtensionTasks + `":{}}}`

// taskProbes are about tasks that do not exist, and clients that do not know of tasks.
func taskProbes() []Probe {
	task := func(method, params, client string) ProbeRequest {
		return ProbeRequest{Method: method, Params: params, Extension: mcp.ExtensionTasks, Client: client}
	}
	const without = `{"elicitation":{"form":{}}}`
	const id, responses = `"taskId":"` + ProbeTask + `"`, `"inputResponses":{"` + ProbeKey + `":{"action":"decline"}}`
	return []Probe{
		{Name: ProbeTaskUnknown, Safe: true, Modern: true, Requests: []ProbeRequest{
			task(mcp.TasksGet, "{"+id+"}", withTasks), task(mcp.TasksUpdate, "{"+id+","+responses+"}", withTasks), task(mcp.TasksCancel, "{"+id+"}", withTasks),
		}, Why: "Asks for a task that does not exist, answers it and cancels it: a client that has waited for a task learns only from the error that it is gone."},
		{Name: ProbeTaskUndeclared, Safe: true, Modern: true, Requests: []ProbeRequest{
			task(mcp.TasksGet, "{"+id+"}", without), task(mcp.Listen, `{"notifications":{"taskIds":["`+ProbeTask+`"]}}`, without),
		}, Why: "Asks about tasks without saying that it knows of tasks: the server has to name the extension that is missing."},
		{Name: ProbeTaskRemoved, Safe: true, Modern: true, Requests: []ProbeRequest{
			task(mcp.TasksResult, "{"+id+"}", withTasks), task(mcp.TasksList, "{}", withTasks),
		}, Why: "Calls tasks/result and tasks/list of 2025-11-25, which the extension does not have."},
		{Name: ProbeTaskKey, Safe: true, Modern: true, Built: true,
			Why: "Answers a question that a task did not ask, where a tool named by --call became a task: such answers are to be passed over."},
	}
}

// endpointProbes are about the channel rather than about messages.
func endpointProbes() []Probe {
	return []Probe{
		{Name: ProbeCancelUnknown, Safe: true, Stdio: true, Built: true,
			Why: "Cancels a request that was never made, and asks for something behind it: the server has to pass over the first and answer the second."},
		{Name: ProbeGet, Safe: true, Modern: true, HTTP: true, Built: true,
			Why: "Sends an HTTP GET, by which older clients open a stream: a server without sessions says 405, so that they understand."},
		{Name: ProbeConnection, Safe: true, Modern: true, HTTP: true, Built: true,
			Why: "Asks for each list on the usual connection, twice, on one of its own, and on the usual one again: what is offered must not depend on the connection."},
		{Name: ProbeNotification, Safe: true, HTTP: true, Built: true,
			Why: "Sends a notification, here the cancellation of a request that was never made: it asks for no answer, and 202 is due."},
		{Name: ProbeForeignHost, Safe: true, Modern: true, HTTP: true, Built: true,
			Why: "Calls a server of this machine by a foreign name (Host), as a page in a browser does whose name was made to lead here: it should answer to localhost only."},
		{Name: ProbeNarrow, Safe: true, Modern: true, Built: true,
			Why: "Subscribes to changes of one kind only: nothing else may be granted, nor sent."},
		{Name: ProbeNoArgument, Safe: true, Built: true,
			Why: "Gets a prompt without the arguments that it requires: the error -32602 is due, rather than a prompt with holes."},
		{Name: ProbeTwoAtOnce, Safe: true, Modern: true, Stdio: true, Built: true,
			Why: "Asks what the server can do while a slow tool named by --call is running: one slow call should not stop everything else."},
		{Name: ProbeBindAll, Safe: true, HTTP: true, Built: true,
			Why: "Tries to connect to a server of this machine by this machine's other addresses: a server for one person should not be open to the whole network."},
	}
}

// answerProbes call tools that a person named and that asked back, and give answers that no faithful client would.
func answerProbes() []Probe {
	const only = " (Only for tools named by --call that ask back.)"
	return []Probe{
		{Name: ProbeAnswerMalformed, Safe: true, Modern: true, Built: true,
			Why: "Answers a question with an array, and with an action that does not exist: a server that takes that for an answer acts on what nobody said." + only},
		{Name: ProbeAnswerMissing, Safe: true, Modern: true, Built: true,
			Why: "Comes back without the answers: the server should ask again rather than fail." + only},
		{Name: ProbeAnswerExtra, Safe: true, Modern: true, Built: true,
			Why: "Gives one answer more than was asked: the server should pass over it." + only},
		{Name: ProbeStateTampered, Safe: true, Modern: true, Built: true,
			Why: "Changes one character of the requestState: a server that does not notice believes whatever a client writes there." + only},
		{Name: ProbeStateReplayed, Safe: true, Modern: true, Built: true,
			Why: "Comes back to one tool with the requestState of another: what was agreed to for one must not count for the other." + only},
	}
}

// unsafeProbes may do something when the server is at fault, so they are sent only with --unsafe.
func unsafeProbes() []Probe {
	return []Probe{
		{Name: ProbeTaskParam, Modern: true, Built: true,
			Why: "Calls the tools named by --call once more, with the member task of 2025-11-25, which means nothing any more."},
		{Name: ProbeParamMismatch, Modern: true, HTTP: true, Built: true,
			Why: "Calls the tools named by --call once more, where an argument is repeated in a header, with another value in the header: a gateway would have let through what the server then does not do."},
		{Name: ProbeCancelCall, Stdio: true, Built: true,
			Why: "Calls slow tools named by --call once more and cancels in the middle: no answer may come any more."},
		{Name: ProbeDelete, Modern: true, HTTP: true, Built: true,
			Why: "Sends an HTTP DELETE, by which older clients end their session: a server without sessions says 405."},
		{Name: ProbeTraversal, Built: true,
			Why: "Reads a file outside the folders that are listed, by an address with dot-dot segments."},
	}
}
