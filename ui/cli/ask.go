package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"mcploupe/inspect"
	"mcploupe/session"
	"mcploupe/session/jsondoc"
	"mcploupe/session/wire"
	"mcploupe/ui/calls"
)

func callCommand(io streams) *cobra.Command {
	var f flags
	var meta metaFlags
	var args argumentFlags
	var task taskFlags
	var excluded bool
	var saved savedFlag
	c := &cobra.Command{
		Use:   "call TOOL [flags] TARGET",
		Short: "Call a tool and show the verdict on its answer",
		Long: `Call a tool. --arg name=value is typed by the tool's schema (digits are sent as typed, a string stays a
string); --arg name:=JSON passes JSON as it is. --args gives the whole object; --arg wins over it.
A tool that the server does not list is called all the same. One that clients over HTTP must leave out, because
its x-mcp-header is invalid, is called with --excluded.`,
		Example: `  mcploupe call echo --arg message=hello -- node server.js
  mcploupe call add --args '{"a": 1, "b": 2}' https://example.com/mcp
  mcploupe call --saved .mcploupe/calls/first.json -- node server.js`,
		RunE: func(c *cobra.Command, words []string) error {
			call, rest, command, err := saved.split(c, words, "TOOL", calls.Tool)
			if err != nil {
				return err
			}
			o, err := meta.options()
			if err != nil {
				return err
			}
			base, err := args.read(io)
			if err != nil {
				return err
			}
			if base, err = saved.arguments(base, call); err != nil {
				return err
			}
			return f.with(c, io, rest, command, func(r *run) error {
				ctx := c.Context()
				// All pages first: the schema types the arguments, says what is mirrored into headers, and lets us judge the answer.
				if _, err := r.session.List(ctx, session.Tools, session.ListOptions{}); fatal(err) {
					return r.lost(ctx, err)
				}
				tool, _ := r.session.Tool(call.Name)
				if err := r.refuse(call.Name, tool); err != nil && !excluded {
					return err
				}
				body, err := arguments(base, args.pairs, tool.Get("inputSchema"))
				if err != nil {
					return err
				}
				return r.call(ctx, call.Name, body, task, o)
			})
		},
	}
	args.register(c, "one argument, `name=value` or name:=JSON")
	saved.register(c, "tool and arguments")
	task.register(c)
	c.Flags().BoolVar(&excluded, "excluded", false, "call the tool also when clients must leave it out for its invalid x-mcp-header")
	meta.register(c)
	f.payloadFlag(c)
	f.connection(c)
	return c
}

func readCommand(io streams) *cobra.Command {
	var f flags
	var meta metaFlags
	var saved savedFlag
	c := &cobra.Command{
		Use:     "read URI [flags] TARGET",
		Short:   "Read a resource and show the verdict on the answer",
		Example: `  mcploupe read file:///notes.md -- node server.js`,
		RunE: func(c *cobra.Command, words []string) error {
			call, rest, command, err := saved.split(c, words, "URI", calls.Resource)
			if err != nil {
				return err
			}
			o, err := meta.options()
			if err != nil {
				return err
			}
			return f.with(c, io, rest, command, func(r *run) error {
				a, err := r.session.Read(c.Context(), call.Name, o)
				return r.finished(c.Context(), a, err)
			})
		},
	}
	saved.register(c, "the URI")
	meta.register(c)
	f.payloadFlag(c)
	f.connection(c)
	return c
}

func promptCommand(io streams) *cobra.Command {
	var f flags
	var meta metaFlags
	var args argumentFlags
	var saved savedFlag
	c := &cobra.Command{
		Use:     "prompt NAME [flags] TARGET",
		Short:   "Get a prompt and show the verdict on the answer",
		Example: `  mcploupe prompt greeting --arg name=Ada -- node server.js`,
		RunE: func(c *cobra.Command, words []string) error {
			call, rest, command, err := saved.split(c, words, "NAME", calls.Prompt)
			if err != nil {
				return err
			}
			o, err := meta.options()
			if err != nil {
				return err
			}
			base, err := args.read(io)
			if err != nil {
				return err
			}
			if base, err = saved.arguments(base, call); err != nil {
				return err
			}
			// Arguments of prompts are strings, whatever they look like.
			body, err := arguments(base, args.pairs, jsondoc.Value{})
			if err != nil {
				return err
			}
			if len(base) == 0 && len(args.pairs) == 0 {
				body = nil
			}
			return f.with(c, io, rest, command, func(r *run) error {
				ctx := c.Context()
				if _, err := r.session.List(ctx, session.Prompts, session.ListOptions{}); fatal(err) {
					return r.lost(ctx, err)
				}
				a, err := r.session.Prompt(ctx, call.Name, body, o)
				return r.finished(ctx, a, err)
			})
		},
	}
	args.register(c, "one argument, `name=value`")
	saved.register(c, "prompt and arguments")
	meta.register(c)
	f.payloadFlag(c)
	f.connection(c)
	return c
}

// fatal tells whether an error leaves nothing to go on with: the channel is gone, or the person ended it.
// A list that could not be had is not: it is shown, and what was asked for is sent all the same.
func fatal(err error) bool {
	if err == nil {
		return false
	}
	if _, gone := errors.AsType[*session.NotConnected](err); gone {
		return true
	}
	if n, lost := errors.AsType[*session.NoReply](err); lost {
		return n.Exit != nil || n.End == wire.Cancelled
	}
	return errors.Is(err, context.Canceled)
}

// lost turns the end of the channel into text and exit code.
func (r *run) lost(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return &failure{exitInterrupted, errors.New("interrupted"), ""}
	}
	if err == nil {
		err = errors.New("the journal ended before the answer")
	}
	r.deathOf(err)
	return &failure{exitTransport, errors.New(r.mask(err.Error())), ""}
}

// deathOf describes the end of the child, when that is why something could not be had.
func (r *run) deathOf(err error) {
	var exit *wire.Exit
	if e, ok := errors.AsType[*session.NoReply](err); ok {
		exit = e.Exit
	} else if e, ok := errors.AsType[*session.NotConnected](err); ok {
		exit = e.Exit
	}
	if exit != nil {
		describe(r.io.err, &session.ConnectError{Exit: exit})
	}
}

// answer shows how a request ended and gives the exit code for it.
func (r *run) answer(ctx context.Context, a session.Answer, err error) error {
	if a.Seq() == 0 {
		if err != nil {
			return r.lost(ctx, err)
		}
		return nil // a message that nothing answers
	}
	if err == nil && a.Exchange.End == wire.Alone {
		return nil // nothing answers it on this transport: there is no verdict to wait for
	}
	j, ok := r.judged(context.WithoutCancel(ctx), a.Seq())
	if !ok {
		return r.lost(ctx, err)
	}
	v := j.v
	switch {
	case r.flags.payload != "":
		p := r.flags.printer(r.io.err)
		fmt.Fprintln(p.out, p.strip(&j.x, &v))
		if err := writePayload(payloadOut(r.io.out), r.flags.payload, j.x.Reply); err != nil {
			return &failure{exitTransport, err, ""}
		}
	case !r.flags.json:
		r.show(&j.x, &v)
	}
	if ctx.Err() != nil {
		return &failure{exitInterrupted, errors.New("interrupted"), ""}
	}
	switch v.Outcome.Class {
	case inspect.TaskCreated:
		if taskEnded(v.Outcome) {
			return silent(exitFindings)
		}
		return nil
	case inspect.Success:
		return nil
	case inspect.TransportFailure:
		r.deathOf(err)
		if v.Outcome.Kind == "auth" {
			if r.flags.login.on && err != nil {
				return &failure{exitAuth, errors.New(r.mask(err.Error())), ""}
			}
			return authNeeded()
		}
		return &failure{exitTransport, errors.New("no answer: " + r.mask(orClass(err, &v).Error())), ""}
	}
	if un, ok := errors.AsType[*session.Unanswered](err); ok {
		return &failure{exitFindings, errors.New(r.mask(un.Error())), ""}
	}
	return silent(exitFindings)
}

// authNeeded is the end of a command that the server wants a login for.
func authNeeded() error {
	return &failure{exitAuth, errors.New("authorization needed"), `--login logs in; --header 'Authorization: Bearer …' sends a token`}
}

// finished answers what the answer asks back, and shows how that ended.
func (r *run) finished(ctx context.Context, a session.Answer, err error) error {
	if err == nil {
		a, err = r.session.Finish(ctx, a, session.CallOptions{})
	}
	return r.answer(ctx, a, err)
}

func orClass(err error, v *inspect.Verdict) error {
	if err != nil {
		return err
	}
	return errors.New(v.Outcome.Kind)
}
