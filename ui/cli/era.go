package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mcploupe/session"
	"mcploupe/session/mcp"
	"mcploupe/ui/era"
)

func eraCommand(io streams) *cobra.Command {
	var f flags
	var against, level string
	var stdio bool
	c := &cobra.Command{
		Use:   "era METHOD [PARAMS]",
		Short: "Show one request under two revisions, and why they differ",
		Long: `Spell a request under 2026-07-28 and under an older revision, with headers and handshake, side by side; each difference
has a number and, below, a reason. Nothing is sent, and no server is needed.`,
		Example: `  mcploupe era tools/call '{"name":"echo","arguments":{"message":"hi"}}'
  mcploupe era subscriptions/listen --against 2025-06-18 --stdio`,
		Args: words(1, "METHOD", "PARAMS"),
		RunE: func(_ *cobra.Command, words []string) error {
			var params []byte
			if len(words) > 1 {
				text, err := jsonFlag("params", words[1], io.in)
				if err != nil {
					return err
				}
				params = text
			}
			if mcp.Modern(against) || !mcp.Known(against) {
				older := slices.DeleteFunc(mcp.Revisions(), mcp.Modern)
				return usage(strings.Join(older, ", "), "--against takes an older revision, not %q", against)
			}
			if _, known := mcp.LogRank(level); level != "" && !known {
				return usage(strings.Join(mcp.LogLevels(), ", "), "there is no log level %q", level)
			}
			side := func(version string) era.Side {
				o := session.Spelling{Version: version, HTTP: !stdio, LogLevel: level}
				s := era.Side{Version: version}
				for _, m := range session.Spell(session.Request{Method: words[0], Params: params}, o) {
					s.Messages = append(s.Messages, era.Message(m))
				}
				return s
			}
			shown := era.Compare(words[0], side(mcp.Latest), side(against))
			p := f.printer(io.out)
			for _, l := range shown.Draw(p.styles, max(p.width, 100)) {
				fmt.Fprintln(io.out, strings.TrimRight(l, " "))
			}
			return nil
		},
	}
	s := c.Flags()
	s.StringVar(&against, "against", mcp.LatestLegacy, "the older `revision`")
	s.BoolVar(&stdio, "stdio", false, "over stdio, without headers")
	s.StringVar(&level, "log-level", "", "with log messages asked for from this `level` on")
	s.StringVar(&f.theme, "theme", "", "`name` of a theme: dark, light, high-contrast, mono, or a file of yours")
	s.BoolVar(&f.noColour, "no-color", false, "no colours (also with NO_COLOR set, or when the output is no terminal)")
	return c
}
