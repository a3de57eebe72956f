package schema

import (
	"net/mail"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"

	"mcploupe/session/jsondoc"
)

// FormatExample is how text in a format looks, for people who have never read its specification; "" for a format that
// is not known here.
func FormatExample(format string) string {
	switch format {
	case "date":
		return "2026-01-31"
	case "time":
		return "13:45:00Z"
	case "date-time":
		return "2026-01-31T13:45:00Z"
	case "duration":
		return "P1DT12H"
	case "email", "idn-email":
		return "ada@example.com"
	case "hostname", "idn-hostname":
		return "example.com"
	case "ipv4":
		return "192.0.2.1"
	case "ipv6":
		return "2001:db8::1"
	case "uri", "iri":
		return "https://example.com/page"
	case "uri-reference", "iri-reference":
		return "/page"
	case "uuid":
		return "123e4567-e89b-12d3-a456-426614174000"
	case "json-pointer":
		return "/a/0"
	}
	return ""
}

// FormatFault says why text does not look like its format, in a few words; "" when it does, or when the format is not
// known here. A format is an annotation (see the package): this is a word of advice for who fills a form in, no verdict.
func FormatFault(format, text string) string {
	bad := false
	switch format {
	case "date":
		_, err := time.Parse(time.DateOnly, text)
		bad = err != nil
	case "time":
		_, err := time.Parse("15:04:05Z07:00", strings.ToUpper(text))
		bad = err != nil
	case "date-time":
		_, err := time.Parse(time.RFC3339, strings.ToUpper(text))
		bad = err != nil
	case "duration":
		bad = !duration(text)
	case "email", "idn-email":
		a, err := mail.ParseAddress(text)
		bad = err != nil || a.Address != text || a.Name != ""
	case "hostname":
		bad = len(text) > 253 || !hostnames().MatchString(text)
	case "ipv4":
		a, err := netip.ParseAddr(text)
		bad = err != nil || !a.Is4()
	case "ipv6":
		a, err := netip.ParseAddr(text)
		bad = err != nil || !a.Is6() || a.Zone() != ""
	case "uri", "iri":
		u, err := url.Parse(text)
		bad = err != nil || u.Scheme == "" || strings.ContainsAny(text, " \t\r\n")
	case "uri-reference", "iri-reference":
		_, err := url.Parse(text)
		bad = err != nil || strings.ContainsAny(text, " \t\r\n")
	case "uuid":
		bad = !uuids().MatchString(text)
	case "json-pointer":
		bad = text != "" && !pointers().MatchString(text)
	case "regex":
		_, err := newPattern(text, &meter{})
		bad = err != nil
	}
	if !bad {
		return ""
	}
	if example := FormatExample(format); example != "" {
		return "does not look like " + formatWords(format) + ", as " + example
	}
	return "does not look like " + formatWords(format)
}

// formatWords is a format with its article.
func formatWords(format string) string {
	switch format {
	case "email", "idn-email":
		return "an e-mail address"
	case "date-time":
		return "a date with its time"
	case "ipv4":
		return "an IPv4 address"
	case "ipv6":
		return "an IPv6 address"
	case "uri", "iri":
		return "an absolute URI"
	case "uuid":
		return "a UUID"
	case "json-pointer":
		return "a JSON pointer"
	case "regex":
		return "a regular expression"
	}
	return "a " + format
}

// duration is ISO 8601 as RFC 3339 appendix A has it: at least one part, T only before hours, minutes or seconds.
func duration(text string) bool {
	return durations().MatchString(text) &&
		!strings.HasSuffix(text, "P") && !strings.HasSuffix(text, "T")
}

// The patterns of formats are compiled once: a form asks about each of its fields with each key.
var (
	hostnames = sync.OnceValue(func() *regexp.Regexp {
		const label = `[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?`
		return regexp.MustCompile(`^(` + label + `\.)*` + label + `$`)
	})
	uuids = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$`)
	})
	pointers  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(/([^~]|~[01])*)*$`) })
	durations = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^P(\d+W|(\d+Y)?(\d+M)?(\d+D)?(T(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?)$`)
	})
)

// TextFault says what speaks against a value by its format, "" for nothing: only text can have one.
func TextFault(f Field, v jsondoc.Value) string {
	if f.Format == "" || !v.Is(jsondoc.String) || v.Text() == "" {
		return ""
	}
	return FormatFault(f.Format, v.Text())
}
