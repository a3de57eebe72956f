package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"mcploupe/session"
	"mcploupe/session/jsondoc"
)

// connectFailure turns why a server could not be reached into the text and the exit code for it.
func (r *run) connectFailure(ctx context.Context, err error) error {
	if interrupted(ctx, err) {
		return &failure{exitInterrupted, errors.New("interrupted"), ""}
	}
	e, ok := errors.AsType[*session.ConnectError](err)
	if !ok {
		return &failure{exitTransport, err, ""}
	}
	code := exitTransport
	if e.Auth {
		code = exitAuth
	}
	describe(r.io.err, e)
	return &failure{code, errors.New(r.mask(e.Error())), e.Hint}
}

// describe shows what is known of a child that would not serve: how it was started, how it ended, its last words.
func describe(w io.Writer, e *session.ConnectError) {
	stderr := e.Stderr
	if x := e.Exit; x != nil {
		fmt.Fprintf(w, "command    %s\n", safe(argvText(x.Argv)))
		if x.Dir != "" {
			fmt.Fprintf(w, "directory  %s\n", safe(x.Dir))
		}
		end := fmt.Sprintf("exit code %d", x.Code)
		if x.Signal != "" {
			end = "signal " + x.Signal
		}
		fmt.Fprintf(w, "ended by   %s\n", end)
		stderr = x.Stderr
	}
	if len(stderr) > 0 {
		fmt.Fprintln(w, "last lines of its stderr:")
		for _, line := range stderr {
			fmt.Fprintf(w, "  │ %s\n", safe(line))
		}
	}
}

// argvText shows a command so that it is clear where each argument begins and ends.
func argvText(argv []string) string {
	out := []byte{'['}
	for i, a := range argv {
		if i > 0 {
			out = append(out, ", "...)
		}
		out = jsondoc.AppendQuote(out, a)
	}
	return string(append(out, ']'))
}
