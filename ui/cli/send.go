package cli

import (
	"bytes"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"mcploupe/session"
	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

func sendCommand(io streams) *cobra.Command {
	var f flags
	var meta metaFlags
	var params, raw string
	c := &cobra.Command{
		Use:   "send METHOD [flags] TARGET",
		Short: "Send any request, also one that is wrong on purpose",
		Long: `Send any request and print the answer. METHOD is sent as it is, known or not.

With --raw the bytes themselves are the message: the whole line on stdio, the whole body over HTTP
(with METHOD in its headers). Nothing is added or corrected.`,
		Example: `  mcploupe send server/discover https://example.com/mcp
  mcploupe send tools/list --params '{"cursor":"p2"}' -- node server.js
  mcploupe send tools/list --raw '{"jsonrpc":"1.0","id":"x","method":"tools/list"}' -- node server.js`,
		RunE: func(c *cobra.Command, args []string) error {
			own, words, command, err := split(c, args, 1, "METHOD")
			if err != nil {
				return err
			}
			method := own[0]
			o, err := meta.options()
			if err != nil {
				return err
			}
			if c.Flags().Changed("raw") && c.Flags().Changed("params") {
				return usage("", "--raw is the whole message: it has no --params")
			}
			if c.Flags().Changed("raw") && o.Why != "" {
				return usage("", "--raw is the whole message: it has no --meta and no --no-meta")
			}
			body, err := rawFlag(raw)
			if err != nil {
				return err
			}
			text, err := jsonFlag("params", params, io.in)
			if err != nil {
				return err
			}
			return f.with(c, io, words, command, func(r *run) error {
				if c.Flags().Changed("raw") {
					name := ""
					if p := jsondoc.Parse(body).Root().Get("params"); p.Exists() {
						name = p.Get("name").Text()
						if name == "" {
							name = p.Get("uri").Text()
						}
						if m, _ := mcp.Lookup(method); m.NameParam == "taskId" {
							name = p.Get("taskId").Text()
						}
					}
					a, err := r.session.Raw(c.Context(), session.Raw{Body: body, Method: method, Name: name})
					return r.answerBatch(c.Context(), body, a, err)
				}
				a, err := r.session.Do(c.Context(), session.Request{Method: method, Params: text, Why: o.Why, OmitMeta: o.OmitMeta, SetMeta: o.SetMeta})
				if f.answers != "" {
					return r.finished(c.Context(), a, err)
				}
				return r.answer(c.Context(), a, err)
			})
		},
	}
	c.Flags().StringVar(&params, "params", "", "params as `JSON`, @file, or - for standard input; sent as typed")
	c.Flags().StringVar(&raw, "raw", "", "the whole message as `bytes`, or @file")
	meta.register(c)
	f.payloadFlag(c)
	f.connection(c)
	return c
}

func rawFlag(value string) ([]byte, error) {
	if len(value) == 0 || value[0] != '@' {
		return []byte(value), nil
	}
	text, err := os.ReadFile(value[1:])
	if err != nil {
		return nil, usage("", "reading --raw: %w", err)
	}
	return bytes.TrimSuffix(text, []byte("\n")), nil
}

// with connects, does something, and closes; the summary is printed also after a failure.
func (f *flags) with(c *cobra.Command, io streams, words []string, command bool, do func(*run) error) error {
	t, err := f.resolve(io, words, command)
	if err != nil {
		return err
	}
	r, err := f.open(c.Context(), io, t)
	if r == nil {
		return err
	}
	if err == nil {
		stop := r.progress()
		err = do(r)
		stop()
	}
	r.close()
	r.showStray()
	if err == nil && c.Context().Err() != nil {
		return &failure{exitInterrupted, fmt.Errorf("interrupted"), ""}
	}
	return err
}
