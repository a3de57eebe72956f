package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mcploupe/session"
	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// The plain mode prints instead of drawing: one line is read, what came of it is printed below, nothing that stands there ever
// changes. It suits screen readers, dumb terminals and transcripts.

// onPaper are the client capabilities of plain mode.
const onPaper = `{"elicitation":{"form":{},"url":{}}}`

const plainHelp = `tools, resources, templates, prompts   list them
call NAME [JSON | name=value …]         call a tool
read URI                                read a resource
prompt NAME [name=value …]              get a prompt
send METHOD [JSON]                      send any request
again                                   the last of these once more
findings                                everything found so far, by rule
explain RULE or FIELD                   why a rule matters, or what a field means
server                                  who the other side says it is
help, quit`

// plain is one conversation in plain mode.
type plain struct {
	r     *run
	io    streams
	lines <-chan string
	last  string
	told  int // findings that were counted aloud
}

// printing adds the flag for it.
func (f *flags) printing(c *cobra.Command) {
	c.Flags().BoolVar(&f.plain, "plain", false, "print instead of drawing: type what to ask, read what came; for screen readers and transcripts")
}

// dumb is plain mode on a terminal that cannot be drawn on. It says so where it was not asked for.
func (f *flags) dumb(io streams) bool {
	if !f.plain && atTerminal(io) && os.Getenv("TERM") == "dumb" {
		fmt.Fprintln(io.err, "mcploupe: TERM=dumb cannot be drawn on: printing instead (--plain)")
		f.plain = true
	}
	return f.plain
}

// plainly opens a target in plain mode.
func (f *flags) plainly(c *cobra.Command, io streams, t session.Target) error {
	if f.json {
		return usage("check, list, call, read, prompt and send take --json", "--plain is for people")
	}
	ctx := c.Context()
	p := &plain{io: io, lines: readLines(ctx, io)}
	if f.answers == "" {
		f.asker = p.ask
	}
	r, err := f.open(ctx, io, t)
	if r == nil {
		return err
	}
	p.r = r
	if err == nil {
		p.server()
		fmt.Fprintln(io.out, "help lists what can be typed.")
		err = p.loop(ctx)
	}
	r.close()
	r.showStray()
	return err
}

// readLines hands over what is typed, a line at a time; the channel is closed at the end of the input.
func readLines(ctx context.Context, io streams) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		s := bufio.NewScanner(io.in)
		s.Buffer(nil, 64<<20)
		for s.Scan() {
			select {
			case lines <- strings.TrimSpace(s.Text()):
			case <-ctx.Done():
				return
			}
		}
	}()
	return lines
}

func (p *plain) loop(ctx context.Context) error {
	for {
		fmt.Fprint(p.io.err, "> ")
		select {
		case line, more := <-p.lines:
			if !more || line == "quit" || line == "exit" || line == "q" {
				if !more {
					fmt.Fprintln(p.io.err)
				}
				return nil
			}
			if err := p.do(ctx, line); err != nil {
				if errors.Is(err, context.Canceled) && ctx.Err() != nil {
					return &failure{exitInterrupted, errors.New("interrupted"), ""}
				}
				p.say(err)
			}
		case <-ctx.Done():
			return &failure{exitInterrupted, errors.New("interrupted"), ""}
		}
	}
}

// say tells an error; exit codes that say nothing more have been told already.
func (p *plain) say(err error) {
	if _, ok := errors.AsType[silent](err); ok {
		return
	}
	fmt.Fprintf(p.io.out, "%s\n", safe(err.Error()))
	if f, ok := errors.AsType[*failure](err); ok && f.hint != "" {
		fmt.Fprintf(p.io.out, "hint: %s\n", safe(f.hint))
	}
}

// do does what a line says.
func (p *plain) do(ctx context.Context, line string) error {
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case "":
		return nil
	case "help", "?":
		fmt.Fprintln(p.io.out, plainHelp)
		return nil
	case "server":
		p.server()
		return nil
	case "findings":
		p.r.mu.Lock()
		defer p.r.mu.Unlock()
		p.r.report()
		return nil
	case "explain":
		return explain(p.io, rest, &flags{looks: looks{noColour: true}})
	case "again":
		if p.last == "" {
			return errors.New("nothing was asked yet")
		}
		return p.do(ctx, p.last)
	}
	err := p.request(ctx, word, rest)
	if errors.Is(err, errUnknownWord) {
		return fmt.Errorf("%q is not known here; help lists what is", clip(word, 40))
	}
	p.last = line
	p.count()
	return err
}

var errUnknownWord = errors.New("unknown word")

// request asks the server for something.
func (p *plain) request(ctx context.Context, word, rest string) error {
	r := p.r
	stop := func() {}
	if slices.Contains([]string{"call", "read", "prompt", "send"}, word) {
		stop = r.progress()
	}
	defer stop()
	name, rest, _ := strings.Cut(rest, " ")
	rest = strings.TrimSpace(rest)
	if name == "" && session.ListKind(word).Method() == "" {
		switch word {
		case "call", "read", "prompt", "send":
			return errors.New(word + " what? help shows how")
		}
		return errUnknownWord
	}
	switch word {
	case "tools", "resources", "templates", "prompts":
		l, err := r.session.List(ctx, session.ListKind(word), session.ListOptions{})
		return r.listed(ctx, l, err)
	case "call":
		if _, err := r.session.List(ctx, session.Tools, session.ListOptions{}); fatal(err) {
			return r.lost(ctx, err)
		}
		tool, _ := r.session.Tool(name)
		if err := r.refuse(name, tool); err != nil {
			return err
		}
		args, err := typedArguments(rest, tool.Get("inputSchema"))
		if err != nil {
			return err
		}
		a, err := r.session.CallTool(ctx, name, args, session.CallOptions{})
		return r.finished(ctx, a, err)
	case "read":
		a, err := r.session.Read(ctx, name, session.CallOptions{Fresh: true})
		return r.finished(ctx, a, err)
	case "prompt":
		args, err := typedArguments(rest, jsondoc.Value{})
		if err != nil {
			return err
		}
		if rest == "" {
			args = nil
		}
		a, err := r.session.Prompt(ctx, name, args, session.CallOptions{})
		return r.finished(ctx, a, err)
	case "send":
		params := []byte(rest)
		if rest == "" {
			params = nil
		}
		a, err := r.session.Do(ctx, session.Request{Method: name, Params: params})
		return r.finished(ctx, a, err)
	}
	return errUnknownWord
}

// typedArguments are JSON, or name=value pairs parted by blanks.
func typedArguments(text string, inputSchema jsondoc.Value) ([]byte, error) {
	if strings.HasPrefix(text, "{") {
		return []byte(text), nil
	}
	return arguments(nil, strings.Fields(text), inputSchema)
}

// count says how many findings came since it last said so.
func (p *plain) count() {
	p.r.mu.Lock()
	c := p.r.count
	p.r.mu.Unlock()
	if n := c.Total(); n > p.told {
		fmt.Fprintf(p.io.out, "%s so far; findings lists them\n", plural(n, "finding"))
		p.told = n
	}
}

// server tells who the other side says it is.
func (p *plain) server() {
	info := p.r.session.Info()
	name := strings.TrimSpace(info.Server.Get("name").Text() + " " + info.Server.Get("version").Text())
	if title := info.Server.Get("title").Text(); title != "" {
		name = title + " (" + name + ")"
	}
	if name == "" {
		name = "a server that does not say its name"
	}
	fmt.Fprintf(p.io.out, "%s, %s %s, over %s\n", safe(p.r.mask(clip(name, 200))), safe(info.Version), info.Era, info.Kind)
	var has []string
	for member := range info.Capabilities.Members() {
		has = append(has, clip(safe(member), 40))
	}
	if len(has) > 0 {
		fmt.Fprintf(p.io.out, "declares %s\n", clip(strings.Join(has, ", "), 400))
	}
	if text := strings.TrimSpace(info.Instructions.Text()); text != "" {
		fmt.Fprintf(p.io.out, "instructions: %s\n", safe(p.r.mask(clip(text, 2000))))
	}
}

// ask is a session.Asker: the question is printed, an answer is typed. An empty line, and the end of the input, decline.
func (p *plain) ask(ctx context.Context, round session.Round) (session.Replies, error) {
	var out session.Replies
	for _, q := range round.Questions {
		if q.Method != mcp.ElicitationCreate {
			out.Stop = "plain mode answers no " + q.Method
			return out, nil
		}
		fmt.Fprintf(p.io.out, "the server asks: %s\n", safe(clip(q.Params.Get("message").Text(), 2000)))
		reply := session.Reply{Key: q.Key, Result: session.Decline()}
		if q.Mode() == "url" {
			fmt.Fprintf(p.io.out, "it wants this address to be opened, which is not done here: %s\nyes to agree, an empty line to decline\n", safe(clip(q.Params.Get("url").Text(), 2000)))
		} else {
			for name, field := range q.Params.Get("requestedSchema").Get("properties").Members() {
				about := field.Get("type").Text()
				if text := field.Get("description").Text(); text != "" {
					about += ", " + text
				}
				fmt.Fprintf(p.io.out, "  %s: %s\n", safe(clip(name, 80)), safe(clip(about, 200)))
			}
			fmt.Fprintln(p.io.out, `name=value … or a JSON object to accept, "defaults" for what it suggests, an empty line to decline`)
		}
		for {
			fmt.Fprint(p.io.err, "? ")
			var line string
			var more bool
			select {
			case line, more = <-p.lines:
			case <-ctx.Done():
				return out, ctx.Err()
			}
			if !more || line == "" {
				break
			}
			if q.Mode() == "url" {
				if line != "yes" {
					continue
				}
				reply.Result = session.Accept(nil)
				break
			}
			schema := q.Params.Get("requestedSchema")
			if line == "defaults" {
				reply.Result = session.Accept(session.Defaults(schema))
				break
			}
			content, err := typedArguments(line, schema)
			if err != nil || !jsondoc.Parse(content).Root().Is(jsondoc.Object) {
				fmt.Fprintln(p.io.out, "that is neither name=value nor a JSON object")
				continue
			}
			reply.Result = session.Accept(content)
			break
		}
		out.List = append(out.List, reply)
	}
	return out, nil
}
