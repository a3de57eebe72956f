package secret

import (
	"slices"
	"strings"
	"unicode"
)

// Named tells that a flag, a variable, a header, a parameter or a member of this name holds a secret: one of its words says so,
// and none beside it says otherwise. "max-tokens", "key-file", "public_key" and "Access-Control-Allow-Credentials" hold none.
func Named(name string) bool {
	words := wordsOf(name)
	for i, w := range words {
		if !says(w) || i > 0 && has(switches, words[i-1]) || len(words) > 1 && has(switches, words[0]) {
			continue
		}
		before, after := words[:i], words[i+1:]
		switch {
		case slices.ContainsFunc(after, func(w string) bool { return has(about, w) }):
		case (w == "auth" || w == "pass" || w == "pat" || w == "sig" || w == "pwd") && len(after) > 0: // short words are also others
		case w == "pwd" && (len(before) == 0 || before[0] == "old"): // a directory
		case (w == "key" || w == "keys") && i > 0 && has(lookups, before[i-1]):
		case w == "token" && slices.ContainsFunc(before, func(w string) bool { return has(places, w) || has(amounts, w) }):
		case w == "tokens" && slices.ContainsFunc(words, func(w string) bool { return has(amounts, w) || has(rates, w) }):
		default:
			return true
		}
	}
	return false
}

// Tells says of the name of a header that its value is known to be no secret: an id, a version, a trace.
func Tells(name string) bool {
	return slices.ContainsFunc(wordsOf(name), func(w string) bool {
		return has(about, w) || has(" traceparent tracestate baggage trace etag match agent origin referer date since ", w)
	})
}

// says tells that a word is one for a secret, alone or as the end of what somebody wrote as one word.
func says(w string) bool {
	if has(strong, w) {
		return true
	}
	for _, end := range []string{"token", "secret", "password", "passwd", "passphrase", "apikey", "accesskey", "secretkey", "privatekey", "authkey", "appkey", "accountkey"} {
		if strings.HasSuffix(w, end) {
			return true
		}
	}
	return false
}

const (
	strong = " key keys apikey apikeys token tokens secret secrets password passwords passwd pwd pass passphrase passcode credential credentials creds" +
		" bearer auth authorization cookie cookies signature sig jwt pat mnemonic "
	// about follows what it is about: a token's file is no token.
	about = " file files filename path paths dir directory folder url uri endpoint env var variable id ids name names type types mode method methods kind format" +
		" length len size limit limits count max min ttl age expiry expires expire expiration expiring timeout lifetime rotation manager store storage provider" +
		" backend source ring chain stdin prompt policy field fields header headers param params parameter scope scopes audience issuer server service host port" +
		" version algorithm alg schema usage budget window per required enabled disabled optional pins bits flow plugin cache strategy prefix suffix index" +
		" arn ref hash fingerprint callback exchange link "
	// switches go before a name to say whether something is done.
	switches = " no skip disable enable without require requires required allow use with show print hide is has ignore "
	// lookups are kinds of keys that open nothing.
	lookups = " public pub sort primary foreign partition cache group row range index object routing idempotency surrogate websocket socket map by hot short json" +
		" column unique dedup dedupe message event record shard "
	// places are tokens that say where somebody is.
	places = " page paging continuation progress next previous prev sync cursor resume "
	// amounts are of tokens that are counted.
	amounts = " max min num number n total count top stop eos bos pad unk sep cls special per thinking budget "
	rates   = " ratelimit rate limit remaining reset used output input prompt completion context cached reasoning generated "
)

// has tells that a list of words with blanks around each has one.
func has(list, word string) bool { return strings.Contains(list, " "+word+" ") }

// wordsOf takes a name apart into small words: at dashes, dots and underlines, and where a capital letter begins one. Digits at the
// end of a word are left out.
func wordsOf(name string) []string {
	var words []string
	var b strings.Builder
	end := func() {
		if w := strings.TrimRight(b.String(), "0123456789"); w != "" {
			words = append(words, w)
		}
		b.Reset()
	}
	var last rune
	for i, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end()
		default:
			next := rune(0)
			if rest := name[i:]; len(rest) > 1 {
				next = rune(rest[1]) // of ASCII names; another is one word
			}
			if unicode.IsUpper(r) && (unicode.IsLower(last) || unicode.IsUpper(last) && unicode.IsLower(next)) {
				end()
			}
			b.WriteRune(unicode.ToLower(r))
		}
		last = r
	}
	end()
	return words
}
