package mcp

// Methods lists every method and notification of every revision and of the tasks extension: first what
// clients send, then what servers send, then notifications.
func Methods() []Method {
	names := []string{
		Discover, Initialize, Ping,
		ToolsList, ToolsCall,
		ResourcesList, TemplatesList, ResourcesRead, ResourcesSubscribe, ResourcesUnsubscribe,
		PromptsList, PromptsGet, Complete, SetLevel, Listen,
		TasksGet, TasksResult, TasksList, TasksUpdate, TasksCancel,
		SamplingCreate, ElicitationCreate, RootsList,
		Cancelled, Initialized, RootsChanged,
		Progress, LogMessage, Acknowledged,
		ToolsChanged, PromptsChanged, ResourcesChanged, ResourcesUpdated,
		ElicitationComplete, TaskStatus, TasksNotification,
	}
	all := make([]Method, len(names))
	for i, name := range names {
		all[i], _ = Lookup(name)
	}
	return all
}

// Lookup finds a method or notification by its exact name. It does not allocate but for More.
func Lookup(method string) (Method, bool) {
	m := lookup(method)
	if m.Since == "" && m.Extension == "" {
		return Method{}, false
	}
	m.Name = method
	return m, true
}

func lookup(method string) Method {
	if IsNotification(method) {
		return lookupNotification(method)
	}
	switch method {
	case Discover:
		return Method{Since: R20260728, From: Client, Cacheable: true,
			ResultMember: "supportedVersions", ResultKind: Array, More: []Member{{"capabilities", Object}}}
	case Initialize:
		return Method{Since: R20241105, Until: R20251125, From: Client,
			ResultMember: "protocolVersion", ResultKind: String, More: []Member{{"capabilities", Object}, {"serverInfo", Object}},
			Instead: Discover + " and _meta on every request"}
	case Ping:
		return Method{Since: R20241105, Until: R20251125, From: Both, Instead: "any request; the transport's own means"}

	case ToolsList:
		return Method{Since: R20241105, From: Client, Cacheable: true, Capability: "tools",
			ResultMember: "tools", ResultKind: Array, List: "tools", Changed: ToolsChanged}
	case ToolsCall:
		return Method{Since: R20241105, From: Client, Capability: "tools", NameParam: "name",
			ResultMember: "content", ResultKind: Array}

	case ResourcesList:
		return Method{Since: R20241105, From: Client, Cacheable: true, Capability: "resources",
			ResultMember: "resources", ResultKind: Array, List: "resources", Changed: ResourcesChanged}
	case TemplatesList:
		return Method{Since: R20241105, From: Client, Cacheable: true, Capability: "resources",
			ResultMember: "resourceTemplates", ResultKind: Array, List: "resourceTemplates", Changed: ResourcesChanged}
	case ResourcesRead:
		return Method{Since: R20241105, From: Client, Cacheable: true, Capability: "resources", NameParam: "uri",
			ResultMember: "contents", ResultKind: Array, Changed: ResourcesUpdated}
	case ResourcesSubscribe, ResourcesUnsubscribe:
		return Method{Since: R20241105, Until: R20251125, From: Client, Capability: "resources.subscribe",
			Instead: Listen + " with resourceSubscriptions"}

	case PromptsList:
		return Method{Since: R20241105, From: Client, Cacheable: true, Capability: "prompts",
			ResultMember: "prompts", ResultKind: Array, List: "prompts", Changed: PromptsChanged}
	case PromptsGet:
		return Method{Since: R20241105, From: Client, Capability: "prompts", NameParam: "name",
			ResultMember: "messages", ResultKind: Array}

	case Complete: // 2024-11-05 had the method, but no capability to declare it with
		return Method{Since: R20241105, From: Client, Capability: "completions",
			ResultMember: "completion", ResultKind: Object}
	case SetLevel:
		return Method{Since: R20241105, Until: R20251125, From: Client, Capability: "logging",
			Instead: MetaLogLevel + " in _meta of each request"}
	case Listen:
		return Method{Since: R20260728, From: Client}

	case SamplingCreate:
		return Method{Since: R20241105, Until: R20251125, From: Server, Input: true, Capability: "sampling",
			ResultMember: "role", ResultKind: String, More: []Member{{"content", ""}, {"model", String}},
			Instead: "an entry of inputRequests"}
	case ElicitationCreate:
		return Method{Since: R20250618, Until: R20251125, From: Server, Input: true, Capability: "elicitation",
			ResultMember: "action", ResultKind: String,
			Instead: "an entry of inputRequests"}
	case RootsList:
		return Method{Since: R20241105, Until: R20251125, From: Server, Input: true, Capability: "roots",
			ResultMember: "roots", ResultKind: Array,
			Instead: "an entry of inputRequests"}
	}
	return lookupTask(method)
}

// lookupTask knows the methods about tasks: in the core of 2025-11-25, where either side could have
// tasks, and in an extension since.
func lookupTask(method string) Method {
	status := Method{Since: R20251125, Until: R20251125, From: Both, Capability: "tasks",
		ResultMember: "taskId", ResultKind: String, More: []Member{{"status", String}}}
	switch method {
	case TasksGet:
		status.Extension, status.ExtensionSince, status.NameParam = ExtensionTasks, R20260728, "taskId"
		return status
	case TasksCancel: // the extension's answer is an empty acknowledgement, the core's was the task
		status.Capability = "tasks.cancel"
		status.Extension, status.ExtensionSince, status.NameParam = ExtensionTasks, R20260728, "taskId"
		return status
	case TasksUpdate:
		return Method{From: Client, Extension: ExtensionTasks, ExtensionSince: R20260728, NameParam: "taskId"}
	case TasksResult:
		return Method{Since: R20251125, Until: R20251125, From: Both, Capability: "tasks",
			Instead: TasksGet + ", which carries the result"}
	case TasksList:
		return Method{Since: R20251125, Until: R20251125, From: Both, Capability: "tasks.list",
			ResultMember: "tasks", ResultKind: Array, List: "tasks"}
	}
	return Method{}
}

func lookupNotification(method string) Method {
	m := Method{Since: R20241105, From: Server, Notification: true}
	switch method {
	case Cancelled:
		m.From = Both
	case Initialized:
		m.From, m.Until = Client, R20251125
	case RootsChanged:
		m.From, m.Until, m.Capability = Client, R20251125, "roots.listChanged"
	case Progress:
	case LogMessage:
		m.Capability = "logging"
	case Acknowledged:
		m.Since = R20260728
	case ToolsChanged:
		m.Capability = "tools.listChanged"
	case PromptsChanged:
		m.Capability = "prompts.listChanged"
	case ResourcesChanged:
		m.Capability = "resources.listChanged"
	case ResourcesUpdated:
		m.Capability = "resources.subscribe"
	case ElicitationComplete:
		m.Since, m.Until = R20251125, R20251125
	case TaskStatus:
		m.Since, m.Until, m.From, m.Capability = R20251125, R20251125, Both, "tasks"
		m.Instead = TasksNotification
	case TasksNotification:
		m.Since, m.Extension, m.ExtensionSince = "", ExtensionTasks, R20260728
	default:
		return Method{}
	}
	return m
}
