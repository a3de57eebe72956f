package demo

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A requestState is what the server has to know when the client comes back with answers: which call it
// was about, and when. It is signed, so that a client cannot make one up or carry it to another call
// (basic/patterns/mrtr, Server Requirements 4 and 5).

const stateLife = 15 * time.Minute

func (s *Server) stateFor(c *call) string {
	body := fmt.Sprintf("%d:%x", s.opt.Now().Unix(), c.digest())
	return base64.RawURLEncoding.EncodeToString([]byte(body)) + "." + base64.RawURLEncoding.EncodeToString(s.sign(body))
}

// ours says whether this server made the state, for this very call, not too long ago.
func (s *Server) ours(state string, c *call) bool {
	first, second, ok := strings.Cut(state, ".")
	strict := base64.RawURLEncoding.Strict() // else the last character has bits that nobody looks at
	body, err1 := strict.DecodeString(first)
	mac, err2 := strict.DecodeString(second)
	if !ok || err1 != nil || err2 != nil || !hmac.Equal(mac, s.sign(string(body))) {
		return false
	}
	at, digest, _ := strings.Cut(string(body), ":")
	seconds, err := strconv.ParseInt(at, 10, 64)
	age := s.opt.Now().Sub(time.Unix(seconds, 0))
	return err == nil && digest == fmt.Sprintf("%x", c.digest()) && age < stateLife
}

func (s *Server) sign(body string) []byte {
	h := hmac.New(sha256.New, s.secret[:])
	h.Write([]byte(body))
	return h.Sum(nil)
}

// digest names the call that the state belongs to: the tool and its arguments.
func (c *call) digest() []byte {
	h := sha256.New()
	h.Write([]byte(c.method + "\x00" + c.name + "\x00"))
	h.Write(appendJSON(nil, treeOf(c.args)))
	return h.Sum(nil)[:12]
}
