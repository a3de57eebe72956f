package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mcploupe/inspect"
	"mcploupe/session"
	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/task"
	"mcploupe/session/transport"
	"mcploupe/ui/store"
)

// taskFlags are the flags of commands that may follow a task.
type taskFlags struct {
	on      bool
	longest time.Duration
}

func (t *taskFlags) register(c *cobra.Command) {
	c.Flags().BoolVar(&t.on, "task", false, "declare the tasks extension, so that the server may answer with a task, and follow the task to its end (2025-11-25: ask for one)")
	t.patience(c)
}

func (t *taskFlags) patience(c *cobra.Command) {
	c.Flags().DurationVar(&t.longest, "for", session.MaxFollow, "how long to follow a task, at most")
}

func taskCommand(io streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "task",
		Short: "Look after tasks by their id",
		Long: `Look after tasks by their id (io.modelcontextprotocol/tasks, SEP-2663; also those of 2025-11-25). A call that was
answered with a task goes on in the server: it can be taken up again from anywhere, as long as the server keeps it.`,
		Args: words(0),
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(taskGetCommand(io), taskWaitCommand(io), taskUpdateCommand(io), taskCancelCommand(io), taskListCommand(io))
	return c
}

// onTask makes a command about one task.
func onTask(io streams, f *flags, c *cobra.Command, do func(ctx context.Context, r *run, id string) error) *cobra.Command {
	c.RunE = func(c *cobra.Command, words []string) error {
		own, rest, command, err := split(c, words, 1, "ID")
		if err != nil {
			return err
		}
		return f.with(c, io, rest, command, func(r *run) error { return do(c.Context(), r, own[0]) })
	}
	f.connection(c)
	return c
}

func taskGetCommand(io streams) *cobra.Command {
	var f flags
	c := onTask(io, &f, &cobra.Command{
		Use:     "get ID [flags] TARGET",
		Short:   "Ask once how a task is (tasks/get)",
		Example: `  mcploupe task get 786512e2-9e0d-44bd-8f29-789f320fe840 https://example.com/mcp`,
	}, func(ctx context.Context, r *run, id string) error {
		a, err := r.session.Task(ctx, id, session.CallOptions{})
		return r.answerState(ctx, a, err)
	})
	f.payloadFlag(c)
	return c
}

func taskWaitCommand(io streams) *cobra.Command {
	var f flags
	var t taskFlags
	c := onTask(io, &f, &cobra.Command{
		Use:   "wait ID [flags] TARGET",
		Short: "Follow a task to its end and show the verdict on what it brings",
		Long: `Follow a task to its end: ask for it as often as the server suggests (tasks/get), answer what it asks from
--answers (tasks/update), and show the verdict on what it brings, as call would.`,
		Example: `  mcploupe task wait 786512e2-9e0d-44bd-8f29-789f320fe840 https://example.com/mcp`,
	}, func(ctx context.Context, r *run, id string) error {
		return r.followTask(ctx, session.FollowOptions{Task: task.Task{ID: id}, Resume: true, Longest: t.longest}, false)
	})
	t.patience(c)
	f.payloadFlag(c)
	return c
}

func taskUpdateCommand(io streams) *cobra.Command {
	var f flags
	var responses string
	c := onTask(io, &f, &cobra.Command{
		Use:     "update ID --responses JSON [flags] TARGET",
		Short:   "Answer what a task asks (tasks/update)",
		Example: `  mcploupe task update ID --responses '{"name": {"action": "accept", "content": {"name": "Ada"}}}' https://example.com/mcp`,
	}, func(ctx context.Context, r *run, id string) error {
		const hint = `for example --responses '{"name": {"action": "accept", "content": {"name": "Ada"}}}'`
		body, err := jsonFlag("responses", responses, io.in)
		if err != nil {
			return err
		}
		if len(body) == 0 {
			return usage(hint, "--responses says what is answered under which key")
		}
		a, err := r.session.UpdateTask(ctx, id, body, session.CallOptions{})
		return r.answer(ctx, a, err)
	})
	c.Flags().StringVar(&responses, "responses", "", "inputResponses, as `JSON`, @file, or - for standard input: from the keys asked to the answers; sent as typed")
	return c
}

func taskCancelCommand(io streams) *cobra.Command {
	var f flags
	return onTask(io, &f, &cobra.Command{
		Use:     "cancel ID [flags] TARGET",
		Short:   "Ask the server to end a task (tasks/cancel)",
		Example: `  mcploupe task cancel 786512e2-9e0d-44bd-8f29-789f320fe840 https://example.com/mcp`,
	}, func(ctx context.Context, r *run, id string) error {
		a, err := r.session.CancelTask(ctx, id, session.CallOptions{})
		return r.answerState(ctx, a, err)
	})
}

func taskListCommand(io streams) *cobra.Command {
	var f flags
	c := &cobra.Command{
		Use:   "list [flags] TARGET",
		Short: "List the tasks of a target that were left under way",
		Long: `List the tasks of a target that went on when mcploupe left them, from its own memory (the protocol has no list of
tasks): the file tasks.json in the place for state. The server is not asked.`,
		RunE: func(c *cobra.Command, words []string) error {
			_, rest, command, err := split(c, words, 0, "")
			if err != nil {
				return err
			}
			if err := f.check(); err != nil {
				return err
			}
			t, err := f.resolve(io, rest, command)
			if err != nil {
				return err
			}
			list := keptTasks(t).List()
			if len(list) == 0 && !f.json {
				fmt.Fprintln(io.err, "mcploupe: no task of this target was left under way")
			}
			for _, k := range list {
				if f.json {
					o := object{}
					o.text("type", "task")
					o.text("taskId", k.ID)
					o.text("tool", k.Tool)
					o.text("status", k.Status)
					o.text("at", k.At.UTC().Format(time.RFC3339))
					fmt.Fprintf(io.out, "%s\n", o.end())
					continue
				}
				fmt.Fprintf(io.out, "%s  %s  %s  %s\n", safe(k.ID), safe(k.Tool), safe(k.Status), k.At.Local().Format("2006-01-02 15:04"))
			}
			return nil
		},
	}
	f.connection(c)
	return c
}

// answerState shows an answer that tells how a task is: one that goes on, or asks, is no failure of the command.
func (r *run) answerState(ctx context.Context, a session.Answer, err error) error {
	shown := r.answer(ctx, a, err)
	if code, ok := errors.AsType[silent](shown); ok && int(code) == exitFindings && err == nil && a.OK() {
		if t := task.Read(a.Result()); t.Status == task.InputRequired || t.Status == task.Cancelled || t.Legacy {
			return nil
		}
	}
	return shown
}

// call is a tool called with args, followed to its end when it is answered with a task.
func (r *run) call(ctx context.Context, tool string, args []byte, t taskFlags, o session.CallOptions) error {
	o.Tasks = &t.on
	a, err := r.session.CallTool(ctx, tool, args, o)
	if err == nil {
		a, err = r.session.Finish(ctx, a, session.CallOptions{})
	}
	made, is := r.session.TaskOf(a)
	if !t.on || err != nil || !is {
		return r.answer(ctx, a, err)
	}
	return r.followTask(ctx, session.FollowOptions{Task: made, Tool: tool, Longest: t.longest}, true)
}

// followTask follows a task to its end and shows the verdict on that. What happens on the way is told on stderr, or (--json)
// as lines of type task.
func (r *run) followTask(ctx context.Context, o session.FollowOptions, made bool) error {
	told := taskTeller{r: r, kept: keptTasks(r.target)}
	o.See = told.see
	if made {
		told.made(o)
	}
	a, err := r.session.Follow(ctx, o)
	if code, _ := a.Err().Get("code").Int(); err == nil && code == mcp.CodeInvalidParams {
		told.kept.Drop(o.Task.ID) // there is no such task (any more)
	}
	left, ok := errors.AsType[*session.TaskLeft](err)
	if !ok {
		return r.answer(ctx, a, err)
	}
	id := o.Task.ID
	code, hint := exitTransport, "take it up again: "+r.resume(id)
	switch {
	case ctx.Err() != nil:
		return &failure{exitInterrupted, fmt.Errorf("interrupted; the task %s goes on in the server", id), hint}
	case id == "":
		return &failure{exitFindings, errors.New(r.mask(left.Error())), ""}
	case errors.As(err, new(*session.Unanswered)), a.Seq() != 0 && a.Err().Exists():
		code = exitFindings
	}
	r.deathOf(err)
	return &failure{code, errors.New(r.mask(left.Error())), hint}
}

// resume is the command that takes a task up again.
func (r *run) resume(id string) string {
	target := transport.MaskURL(r.target.URL)
	if target == "" {
		var words []string
		for _, w := range r.target.Words(r.flags.secrets...) {
			words = append(words, shellWord(w))
		}
		target = "-- " + strings.Join(words, " ")
	}
	return r.mask("mcploupe task wait " + shellWord(id) + " " + target)
}

// shellWord is a word as a shell reads it as one.
func shellWord(s string) string {
	plain := s != ""
	for _, c := range s {
		plain = plain && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("-_./:=@%+,", c))
	}
	if plain {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// taskTeller tells the steps of a task, each once.
type taskTeller struct {
	r    *run
	kept *store.Tasks
	last string
}

func (t *taskTeller) made(o session.FollowOptions) {
	if !t.r.flags.json {
		fmt.Fprintf(t.r.io.err, "mcploupe: %s was answered with the task %s\n", t.text(o.Tool), t.text(o.Task.ID))
	}
}

func (t *taskTeller) text(s string) string {
	return clip(safe(strings.Join(strings.Fields(t.r.mask(s)), " ")), 120)
}

func (t *taskTeller) see(st session.TaskState) {
	if st.Task.Status != "" {
		keep(t.kept, st)
	}
	if t.r.flags.json {
		if !st.Next.IsZero() || st.Task.Over() {
			t.r.mu.Lock()
			defer t.r.mu.Unlock()
			t.r.line(taskLine(t.r.mask, st))
		}
		return
	}
	status := st.Task.Status
	if status == "" {
		return
	}
	words := t.text(status)
	if m := t.text(st.Task.Message); m != "" {
		words += ": " + m
	}
	if st.Cancelling {
		words += " (its end was asked for)"
	}
	if words == t.last {
		return
	}
	t.last = words
	fmt.Fprintf(t.r.io.err, "mcploupe: task %s\n", words)
}

// taskLine is a step of a followed task as a line of --json.
func taskLine(mask func(string) string, st session.TaskState) []byte {
	o := object{}
	o.text("type", "task")
	o.text("taskId", mask(st.Task.ID))
	o.text("tool", mask(st.Tool))
	o.text("status", mask(st.Task.Status))
	o.text("statusMessage", mask(st.Task.Message))
	o.number("polls", int64(st.Polls))
	next := "null"
	if !st.Next.IsZero() {
		next = fmt.Sprint(max(0, time.Until(st.Next).Milliseconds()))
	}
	o.raw("nextPollMs", next)
	o.any("asking", st.Asking)
	return o.end()
}

// brought is what an answer brings as the answer to a call: the result itself, or that inside of a finished task.
func brought(result jsondoc.Value) jsondoc.Value {
	if name, v := task.Read(result).Payload(); name == "result" && v.Is(jsondoc.Object) && result.Get("taskId").Exists() {
		return v
	}
	return result
}

// taskEnded tells that a verdict is that of a task which was cancelled.
func taskEnded(o inspect.Outcome) bool {
	return o.Class == inspect.TaskCreated && o.Kind == task.Cancelled
}
