package visible

import (
	"slices"
	"strings"
	"unicode"
)

// Host reads the name of a host as browsers may show it: labels in punycode (xn--…, RFC 3492) as the letters they stand
// for. scripts are the scripts that its letters are of, by Unicode's names, sorted; more than one is a warning, for letters
// of one script pass for those of another. ok is false when the name holds no punycode that can be read and no letter
// beyond ASCII: then it already says what it is.
func Host(name string) (reads string, scripts []string, ok bool) {
	labels := strings.Split(name, ".")
	for i, label := range labels {
		if rest, puny := cutPrefixFold(label, "xn--"); puny {
			if plain, fine := punycode(rest); fine {
				labels[i], ok = plain, true
			}
		}
	}
	reads = strings.Join(labels, ".")
	for _, r := range reads {
		if !unicode.IsLetter(r) {
			continue
		}
		ok = ok || r > unicode.MaxASCII
		if script := scriptOf(r); !slices.Contains(scripts, script) {
			scripts = append(scripts, script)
		}
	}
	slices.Sort(scripts)
	return reads, scripts, ok
}

func cutPrefixFold(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

// scriptOf is the script of a letter. The common ones are looked at first; Unicode has some hundred and sixty.
func scriptOf(r rune) string {
	for _, name := range []string{"Latin", "Cyrillic", "Greek", "Han", "Hiragana", "Katakana", "Hangul", "Arabic", "Hebrew"} {
		if unicode.Is(unicode.Scripts[name], r) {
			return name
		}
	}
	for name, table := range unicode.Scripts {
		if unicode.Is(table, r) {
			return name
		}
	}
	return "unknown"
}

// punycode decodes a label without its xn-- (RFC 3492 section 6.2). ok is false for what is none. A label has at most
// 63 characters; longer ones are not read.
func punycode(label string) (string, bool) {
	const base, tmin, tmax, skew, damp = 36, 1, 26, 38, 700
	if len(label) == 0 || len(label) > 63 {
		return "", false
	}
	var out []rune
	rest := label
	if i := strings.LastIndexByte(label, '-'); i >= 0 {
		for _, r := range label[:i] {
			if r > unicode.MaxASCII {
				return "", false
			}
			out = append(out, r)
		}
		rest = label[i+1:]
	}
	n, bias, i := rune(128), int32(72), int32(0)
	for at := 0; at < len(rest); {
		old, weight := i, int32(1)
		for k := int32(base); ; k += base {
			if at == len(rest) {
				return "", false
			}
			digit, ok := punyDigit(rest[at])
			at++
			if !ok || digit > (1<<31-1-i)/weight {
				return "", false
			}
			i += digit * weight
			t := min(max(k-bias, tmin), tmax)
			if digit < t {
				break
			}
			if weight > (1<<31-1)/(base-t) {
				return "", false
			}
			weight *= base - t
		}
		count := int32(len(out) + 1)
		delta := (i - old) / 2
		if old == 0 {
			delta = (i - old) / damp
		}
		delta += delta / count
		k := int32(0)
		for ; delta > (base-tmin)*tmax/2; k += base {
			delta /= base - tmin
		}
		bias = k + (base-tmin+1)*delta/(delta+skew)
		if n += i / count; n > unicode.MaxRune || n >= 0xd800 && n < 0xe000 {
			return "", false
		}
		i %= count
		out = slices.Insert(out, int(i), n)
		i++
	}
	return string(out), true
}

func punyDigit(b byte) (int32, bool) {
	switch {
	case 'a' <= b && b <= 'z':
		return int32(b - 'a'), true
	case 'A' <= b && b <= 'Z':
		return int32(b - 'A'), true
	case '0' <= b && b <= '9':
		return int32(b-'0') + 26, true
	}
	return 0, false
}
