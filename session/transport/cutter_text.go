package transport

import (
	"bytes"
	"strconv"
)

// Questions that the cutter asks about text.

// blanks is the number of blanks that b begins with.
func blanks(b []byte) int {
	for i, c := range b {
		if c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return i
		}
	}
	return len(b)
}

func isBlank(b []byte) bool { return blanks(b) == len(b) }

// jsonrpc is what every message holds and little else does.
var jsonrpc = []byte(`"jsonrpc"`)

func isMessage(b []byte) bool { return bytes.Contains(b, jsonrpc) }

// meantAsMessage says whether text that is no JSON was meant as a message all the same (a trailing
// comma, NaN, a control character in a string). Its faults are for a rule to report.
func meantAsMessage(b []byte) bool {
	b = bytes.TrimSpace(b)
	return isMessage(b) && b[0] == '{' && b[len(b)-1] == '}'
}

// startsMessage says whether a line begins, in its first column, with a whole message.
func startsMessage(b []byte) bool {
	if len(b) == 0 || b[0] != '{' || !isMessage(b) {
		return false
	}
	var s scanner
	n, p := s.scan(b)
	return p == complete && isBlank(b[n:])
}

// onlyValues says whether b consists of whole JSON objects and arrays and blanks.
func onlyValues(b []byte) bool {
	for {
		b = b[blanks(b):]
		if len(b) == 0 {
			return true
		}
		var s scanner
		n, p := s.scan(b)
		if p != complete {
			return false
		}
		b = b[n:]
	}
}

// holdsObject says whether an array's first element is an object. Otherwise it may as well be a log
// line that begins with something in brackets.
func holdsObject(b []byte) bool {
	b = b[1:]
	b = b[blanks(b):]
	return len(b) > 0 && b[0] == '{'
}

// maxTries bounds how many opening braces of a noisy line are tried.
const maxTries = 16

// messageBehind finds a message that ends a line which begins with something else ("ready.{…}": the
// program wrote text without a newline before it). A message that text introduces ("sent: {…}") is a
// log of one: to deliver it would make up an answer that was never sent.
func messageBehind(b []byte) int {
	if !isMessage(b) {
		return -1
	}
	for i, tries := 1, 0; i < len(b) && tries < maxTries; i++ {
		j := bytes.IndexByte(b[i:], '{')
		if j < 0 {
			return -1
		}
		i += j
		tries++
		if bytes.IndexByte([]byte(" \t:=>(,'\"`[{"), b[i-1]) >= 0 {
			continue
		}
		var s scanner
		if n, p := s.scan(b[i:]); p == complete && isMessage(b[i:i+n]) {
			return i
		}
	}
	return -1
}

var contentLength = []byte("content-length:")

// lengthHeader reads the line "Content-Length: n".
func lengthHeader(b []byte) (n int, ok bool) {
	if len(b) < len(contentLength) || !bytes.EqualFold(b[:len(contentLength)], contentLength) {
		return 0, false
	}
	n, err := strconv.Atoi(string(bytes.TrimSpace(b[len(contentLength):])))
	return n, err == nil && n >= 0
}

// headerBehind finds a Content-Length header that ends a line: the message before it had no newline.
func headerBehind(b []byte) int {
	at := bytes.LastIndex(bytes.ToLower(b), contentLength)
	if at <= 0 {
		return -1
	}
	if _, ok := lengthHeader(b[at:]); !ok {
		return -1
	}
	return at
}

// isHeader says whether a line looks like a header field.
func isHeader(b []byte) bool {
	colon := bytes.IndexByte(b, ':')
	if colon <= 0 {
		return false
	}
	for _, c := range b[:colon] {
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '-') {
			return false
		}
	}
	return true
}
