package app

import "testing"

// One request under two revisions: of a call that is about to be made, of an exchange, of a recorded journal.
func TestOneRequestUnderTwoRevisions(t *testing.T) {
	tell(t, 120, 36, opening+lists, func(s *story) {
		s.press("enter")
		s.typed("Oslo")
		s.press("esc", ":")
		s.typed("era")
		s.press("enter")
		s.sees("One request, two revisions tools/call get_weather", "under 2026-07-28", "under 2025-11-25", "notifications/initialized", `"arguments": {"location":"Oslo"}`)
		s.seesNot("Mcp-Method")
		s.fits()
		s.press("t")
		s.sees("MCP-Protocol-Version: 2025-11-25", "Mcp-Session-Id: (as the server gave it)")
		s.press("G")
		s.sees("headers repeat method and name", "resultType")
		s.press("left", "left", "left")
		s.sees("under 2024-11-05", "GET  the stream for answers")
		s.fits()
		s.press("esc")
		s.seesNot("two revisions")
	})
	tell(t, 80, 24, opening+lists, func(s *story) {
		s.press("5", "k", ":")
		s.typed("era")
		s.press("enter")
		s.sees("resources/list", "under 2026-07-28")
		s.fits()
		s.press("G")
		s.sees("may be kept, by ttlMs and")
		s.fits()
	})
	tell(t, 120, 36, legacyOpening, func(s *story) {
		s.press("5", "g", ":")
		s.typed("era")
		s.press("enter")
		s.sees("2026-07-28 has no initialize", "under 2025-06-18")
		s.fits()
		s.press("esc", "G", ":")
		s.typed("era")
		s.press("enter")
		s.sees("no request is selected")
	})
}
