package mcp

import "strings"

// Side is who sends a message.
type Side uint8

// Sides. Both is Client|Server.
const (
	Client Side = 1 << iota
	Server
	Both = Client | Server
)

// String is "client", "server", "client or server" or "nobody".
func (s Side) String() string {
	switch s {
	case Client:
		return "client"
	case Server:
		return "server"
	case Both:
		return "client or server"
	}
	return "nobody"
}

// Kind is the JSON kind that a member has to have. The names are JSON Schema's.
type Kind string

// Kinds of members.
const (
	String  Kind = "string"
	Integer Kind = "integer"
	Bool    Kind = "boolean"
	Array   Kind = "array"
	Object  Kind = "object"
)

// Member is a required member of an object and its kind.
type Member struct {
	Name string
	Kind Kind
}

// Method is one method or notification of the protocol.
type Method struct {
	Name         string
	Since, Until string // first and last revision that has it; Until "" when the latest still has it
	From         Side   // who may send it, in the last revision that has it
	Notification bool

	// Extension is the extension that has it from ExtensionSince on, "" for none. A method may have
	// been in the core before (tasks/get); then Until is the last revision of that.
	Extension      string
	ExtensionSince string

	// Input says that from 2026-07-28 on the method is no message any more but the method of an entry
	// in an input_required result's inputRequests.
	Input bool

	Cacheable bool   // its complete result carries ttlMs and cacheScope from 2026-07-28 on
	NameParam string // member of params that Mcp-Name repeats: "name", "uri" or "taskId"; "" for none

	// ResultMember is the required member by which a complete result is known, with its kind; "" when
	// the result is empty. More are further required members; Kind "" there means more than one kind.
	// resultType, ttlMs and cacheScope are not among them, they follow from the revision and Cacheable;
	// nor is the _meta with MetaSubscriptionID that the result of subscriptions/listen carries.
	ResultMember string
	ResultKind   Kind
	More         []Member

	List    string // paginated: the member of the result that holds the items
	Changed string // notification that makes an earlier result out of date
	Instead string // what took its place where it is gone; for people

	// Capability is the path in the capabilities of the side that has to declare it: of the server
	// for what a client sends and for a server's notifications, of the client for a server's requests.
	Capability string
}

// Names of methods that code compares with.
const (
	Initialize            = "initialize"
	Initialized           = "notifications/initialized"
	Ping                  = "ping"
	Discover              = "server/discover"
	ToolsList             = "tools/list"
	ToolsCall             = "tools/call"
	ResourcesList         = "resources/list"
	TemplatesList         = "resources/templates/list"
	ResourcesRead         = "resources/read"
	ResourcesSubscribe    = "resources/subscribe"
	ResourcesUnsubscribe  = "resources/unsubscribe"
	PromptsList           = "prompts/list"
	PromptsGet            = "prompts/get"
	Complete              = "completion/complete"
	SetLevel              = "logging/setLevel"
	Listen                = "subscriptions/listen"
	SamplingCreate        = "sampling/createMessage"
	ElicitationCreate     = "elicitation/create"
	RootsList             = "roots/list"
	TasksGet              = "tasks/get"
	TasksResult           = "tasks/result"
	TasksList             = "tasks/list"
	TasksUpdate           = "tasks/update"
	TasksCancel           = "tasks/cancel"
	Cancelled             = "notifications/cancelled"
	Progress              = "notifications/progress"
	LogMessage            = "notifications/message"
	Acknowledged          = "notifications/subscriptions/acknowledged"
	ToolsChanged          = "notifications/tools/list_changed"
	PromptsChanged        = "notifications/prompts/list_changed"
	ResourcesChanged      = "notifications/resources/list_changed"
	ResourcesUpdated      = "notifications/resources/updated"
	RootsChanged          = "notifications/roots/list_changed"
	ElicitationComplete   = "notifications/elicitation/complete"
	TaskStatus            = "notifications/tasks/status" // 2025-11-25
	TasksNotification     = "notifications/tasks"        // ExtensionTasks
	notificationNamespace = "notifications/"
)

// IsNotification says whether a method's name says that it is a notification.
func IsNotification(method string) bool { return strings.HasPrefix(method, notificationNamespace) }

// In says whether the method exists as a message of its own in the core of a revision. A date that is
// not a known revision counts by its place in the calendar; text that is no date has no methods.
func (m Method) In(rev string) bool {
	return m.Since != "" && AtLeast(rev, m.Since) && (m.Until == "" || rev <= m.Until)
}

// InExtension says whether an extension has the method in a revision.
func (m Method) InExtension(rev string) bool {
	return m.Extension != "" && AtLeast(rev, m.ExtensionSince)
}

// Sender says who may send the method in a revision, extensions included; 0 when nobody may.
func (m Method) Sender(rev string) Side {
	switch {
	case !m.In(rev) && !m.InExtension(rev):
		return 0
	case m.Name == Progress && !Modern(rev):
		return Both // a server's requests had progress too
	case m.InExtension(rev) && !m.Notification:
		return Client
	}
	return m.From
}

// Required lists the required members of a complete result, without those that every result has.
func (m Method) Required() []Member {
	if m.ResultMember == "" {
		return nil
	}
	return append([]Member{{m.ResultMember, m.ResultKind}}, m.More...)
}
