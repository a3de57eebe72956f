package app

import (
	"testing"
	"time"
)

// A server may want a login while one works: what to open stands in the last line until it is done.
func TestALoginInTheMidstOfWork(t *testing.T) {
	tell(t, 120, 36, opening+lists+ask, func(s *story) {
		s.say("= ready +era=modern +version=2026-07-28 authorization: open http://127.0.0.1:4711/abcdefghijkl in a browser on this machine. It leads to https://as.example/authorize")
		s.settle()
		s.sees("open http://127.0.0.1:4711/abcdefghijkl in a browser", "● ready")
		time.Sleep(loginPatience / 2)
		s.settle()
		s.sees("http://127.0.0.1:4711/abcdefghijkl")
		s.fits()
		s.say("= ready +era=modern +version=2026-07-28 logged in again")
		s.settle()
		s.sees("logged in again")
		s.seesNot("127.0.0.1:4711")
		time.Sleep(loginPatience) // its timer ends
	})
}
