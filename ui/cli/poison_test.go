package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"mcploupe/session/demo"
	"mcploupe/session/jsondoc"
)

// poison is what is hidden in every text; poisonJSON is how it crosses the wire. It stands behind the text, so that lists can be read.
const (
	poison     = "\x1b[8;31mPZN\x1b]0;PZN\x07\x1b]52;c;UFpO\x07\x1bP+q\x1b\\\x1b_G\x1b\\\u009b2J\u0090q\u202e\u2066\u200b\U000e0041\x7f\b\ufeff"
	poisonJSON = `\u001b[8;31mPZN\u001b]0;PZN\u0007\u001b]52;c;UFpO\u0007\u001bP+q\u001b\\\u001b_G\u001b\\\u009b2J\u0090q\u202e\u2066\u200b\udb40\udc41\u007f\b\ufeff`
)

// poisonedChild is the built-in server behind somebody who poisons what it says and cleans what it is told.
func poisonedChild(args []string) {
	toServer, fromUs := io.Pipe()
	fromServer, toUs := io.Pipe()
	go func() {
		fmt.Fprintln(os.Stderr, "starting "+poison)
		err := demo.ServeStdio(context.Background(), toServer, toUs, io.Discard, demo.Options{Faults: args})
		toUs.CloseWithError(err)
	}()
	go func() {
		in := bufio.NewReader(os.Stdin)
		for {
			line, err := in.ReadBytes('\n')
			if len(line) > 0 {
				_, _ = fromUs.Write(cleaned(line))
			}
			if err != nil {
				fromUs.Close()
				return
			}
		}
	}()
	out := bufio.NewReader(fromServer)
	for n := 0; ; n++ {
		line, err := out.ReadBytes('\n')
		if len(line) > 0 {
			_, _ = os.Stdout.Write(poisoned(line))
		}
		if n == 4 {
			fmt.Fprintln(os.Stderr, "going on "+poison)
		}
		if err != nil {
			return
		}
	}
}

// clean are the members whose texts the protocol itself reads, and those that are data; what is in required names properties.
var clean = []string{"jsonrpc", "id", "resultType", "method", "cacheScope", "role", "action", "mode", "status", "level", "progressToken",
	"requestState", "protocolVersion", "supportedVersions", "required", "type", "blob", "data", "format", "pattern", "$schema", "$ref", "nextCursor", "x-mcp-header"}

// poisoned puts poison behind every text of a message, and a poisoned name into its result.
func poisoned(line []byte) []byte {
	d := jsondoc.Parse(line)
	var out []byte
	at := int32(0)
	for i := range d.Nodes {
		v := d.Value(int32(i))
		name := v.Name()
		if name == "" {
			name = v.Parent().Name()
		}
		if v.Is(jsondoc.Object) && v.Pointer() == "/result" {
			from := d.Nodes[i].Value.From + 1
			out = append(append(out, line[at:from]...), `"x`+poisonJSON+`":{"y`+poisonJSON+`":"z`+poisonJSON+`"},`...)
			at = from
		}
		inMeta := strings.Contains(string(v.Pointer()), "_meta")
		if !v.Is(jsondoc.String) || slices.Contains(clean, name) || inMeta && name != "name" && name != "title" && name != "version" {
			continue
		}
		to := d.Nodes[i].Value.To - 1
		out = append(append(out, line[at:to]...), poisonJSON...)
		at = to
	}
	return append(out, line[at:]...)
}

// cleaned takes the poison out of what the client gives back.
func cleaned(line []byte) []byte {
	d := jsondoc.Parse(line)
	var out []byte
	at := int32(0)
	for i := range d.Nodes {
		v := d.Value(int32(i))
		if !v.Is(jsondoc.String) || !strings.Contains(v.Text(), poison) {
			continue
		}
		span := d.Nodes[i].Value
		out = append(out, line[at:span.From]...)
		out = jsondoc.AppendQuote(out, strings.ReplaceAll(v.Text(), poison, ""))
		at = span.To
	}
	return append(out, line[at:]...)
}
