package cli

import (
	"encoding/base64"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"mcploupe/session/jsondoc"
	"mcploupe/session/wire"
)

// payloadFlag registers --output, for pipes: only what was asked for goes to standard output, the verdict to stderr.
func (f *flags) payloadFlag(c *cobra.Command) {
	c.Flags().StringVar(&f.payload, "output", "", "print only this `part` of the answer: content (its text and data), structured (structuredContent), result, or raw (the message as it came); the verdict goes to stderr")
}

func (f *flags) checkPayload() error {
	if f.payload == "" {
		return nil
	}
	if f.json {
		return usage("", "--output and --json exclude each other")
	}
	return oneOf("output", f.payload, "content", "structured", "result", "raw")
}

// payloadOut is where a payload goes: to another program byte for byte, to a terminal with everything escaped that
// would command it.
func payloadOut(out io.Writer) io.Writer {
	if isTerminal(out) {
		return escaping{out}
	}
	return out
}

// escaping makes what is written through it fit for a terminal. Each Write must hold whole characters.
type escaping struct{ out io.Writer }

func (e escaping) Write(p []byte) (int, error) {
	if _, err := io.WriteString(e.out, safe(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// writePayload writes the chosen part of an answer, byte for byte.
func writePayload(w io.Writer, part string, m *wire.Message) error {
	if m == nil {
		return nil
	}
	result := m.Result()
	if part != "raw" {
		result = brought(result)
	}
	var out []byte
	switch part {
	case "raw":
		out = append(out, m.Body...)
	case "result":
		out = append(out, result.Raw()...)
	case "structured":
		out = append(out, result.Get("structuredContent").Raw()...)
	case "content":
		return writeContent(w, result)
	}
	if len(out) == 0 {
		return nil
	}
	_, err := w.Write(append(out, '\n'))
	return err
}

// writeContent writes the texts of a tool result, of resource contents or of prompt messages, a line end behind each,
// and binary data decoded.
func writeContent(w io.Writer, result jsondoc.Value) error {
	for _, list := range []string{"content", "contents"} {
		for _, block := range result.Get(list).Elements() {
			if err := writeBlock(w, block); err != nil {
				return err
			}
		}
	}
	for _, message := range result.Get("messages").Elements() {
		if err := writeBlock(w, message.Get("content")); err != nil {
			return err
		}
	}
	return nil
}

func writeBlock(w io.Writer, block jsondoc.Value) error {
	if r := block.Get("resource"); r.Exists() {
		block = r
	}
	if text := block.Get("text"); text.Is(jsondoc.String) {
		_, err := fmt.Fprintln(w, text.Text())
		return err
	}
	for _, member := range []string{"blob", "data"} {
		if v := block.Get(member); v.Is(jsondoc.String) {
			data, err := base64.StdEncoding.DecodeString(v.Text())
			if err != nil {
				return fmt.Errorf("decoding %s: %w", v.Pointer(), err)
			}
			if _, err := w.Write(data); err != nil {
				return err
			}
		}
	}
	return nil
}
