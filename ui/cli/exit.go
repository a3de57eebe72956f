package cli

import (
	"errors"
	"fmt"
	"io"
)

// The exit codes are a contract: scripts depend on them.
const (
	exitOK          = 0   // fine
	exitFindings    = 1   // findings at or above --fail-on, or the answer is an error
	exitUsage       = 2   // wrong usage, unreadable file
	exitTransport   = 3   // could not connect, or the transport failed
	exitAuth        = 4   // authorization needed
	exitInterrupted = 130 // ended by ^C while a request was under way
)

// failure is an error with its exit code and, where there is one, advice on a line of its own.
type failure struct {
	code int
	err  error
	hint string
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

func usage(hint, format string, a ...any) error {
	return &failure{exitUsage, fmt.Errorf(format, a...), hint}
}

// silent ends the program with a code when everything has been said already.
type silent int

func (s silent) Error() string { return fmt.Sprintf("exit %d", int(s)) }

// tellError prints an error for a person, escaped, and gives the exit code for it. Errors that no
// command made into a failure come from the flag parser: wrong usage.
func tellError(w io.Writer, err error) int {
	if err == nil {
		return exitOK
	}
	if s, ok := errors.AsType[silent](err); ok {
		return int(s)
	}
	code, hint := exitUsage, ""
	if f, ok := errors.AsType[*failure](err); ok {
		code, hint = f.code, f.hint
	}
	fmt.Fprintf(w, "mcploupe: %s\n", safe(err.Error()))
	if hint != "" {
		fmt.Fprintf(w, "  hint: %s\n", safe(hint))
	}
	return code
}
