// Package booktest makes books of recorded conversations for tests of what shows them. It is for tests alone and never part of the
// program.
package booktest

import (
	"context"
	"errors"
	"io"
	"testing"

	"mcploupe/inspect"
	"mcploupe/session/wire"
	"mcploupe/ui/book"
	"mcploupe/ui/feed"
)

// Script is the entries of a conversation as wire.ParseScript reads it.
func Script(t testing.TB, script string) []wire.Entry {
	t.Helper()
	entries, err := wire.ParseScript(script)
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

// Of is the book of a conversation that is over: its entries numbered from 1, judged as the program does by default.
func Of(t testing.TB, entries []wire.Entry) *book.Book {
	t.Helper()
	log := wire.NewLog(wire.LogOptions{})
	for _, e := range entries {
		e.Seq = 0
		log.Append(e)
	}
	log.Close()
	b, in := book.New(), feed.New(log, inspect.New(inspect.Options{}))
	for {
		page, err := in.Next(context.Background())
		if errors.Is(err, io.EOF) {
			return b
		}
		if err != nil {
			t.Fatal(err)
		}
		b.Take(&page)
	}
}
