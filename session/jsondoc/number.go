package jsondoc

import (
	"bytes"
	"math/big"
	"strconv"
)

// strictNumber is the offset behind the number of the RFC 8259 grammar at i, or i when there is none.
func strictNumber(t []byte, i int) int {
	start := i
	if i < len(t) && t[i] == '-' {
		i++
	}
	switch {
	case i >= len(t) || t[i] < '0' || t[i] > '9':
		return start
	case t[i] == '0':
		i++
	default:
		i = digits(t, i)
	}
	if i < len(t) && t[i] == '.' {
		if end := digits(t, i+1); end > i+1 {
			i = end
		} else {
			return start
		}
	}
	if i < len(t) && t[i]|0x20 == 'e' {
		i++
		if i < len(t) && (t[i] == '+' || t[i] == '-') {
			i++
		}
		end := digits(t, i)
		if end == i {
			return start
		}
		i = end
	}
	return i
}

func digits(t []byte, i int) int {
	for i < len(t) && '0' <= t[i] && t[i] <= '9' {
		i++
	}
	return i
}

// number is a decimal taken apart, without ever being computed: ±whole.frac × 10^exp.
type number struct {
	minus, plus bool
	point       bool
	whole, frac []byte
	exp         []byte // digits with sign; empty when there is no exponent
}

// readNumber takes a number apart. Beyond the grammar it reads a leading plus, leading zeros, and a
// missing whole or fraction part (not both), which is what a person would read there.
func readNumber(t []byte) (n number, ok bool) {
	i := 0
	if i < len(t) && (t[i] == '-' || t[i] == '+') {
		n.minus, n.plus = t[i] == '-', t[i] == '+'
		i++
	}
	end := digits(t, i)
	n.whole, i = t[i:end], end
	if i < len(t) && t[i] == '.' {
		n.point = true
		end = digits(t, i+1)
		n.frac, i = t[i+1:end], end
	}
	if len(n.whole)+len(n.frac) == 0 {
		return n, false
	}
	if i < len(t) && t[i]|0x20 == 'e' {
		from := i + 1
		i = from
		if i < len(t) && (t[i] == '-' || t[i] == '+') {
			i++
		}
		if end = digits(t, i); end == i {
			return n, false
		}
		n.exp, i = t[from:end], end
	}
	return n, i == len(t)
}

// fault says what is wrong with the spelling.
func (n number) fault() string {
	switch {
	case n.plus:
		return "number with a plus sign"
	case len(n.whole) == 0:
		return "number without a digit before its point"
	case n.point && len(n.frac) == 0:
		return "number without a digit behind its point"
	case len(n.whole) > 1 && n.whole[0] == '0':
		return "number with leading zeros"
	}
	return "not a number"
}

// digit is the i-th digit of whole and fraction taken together.
func (n number) digit(i int) byte {
	if i < len(n.whole) {
		return n.whole[i]
	}
	return n.frac[i-len(n.whole)]
}

// significant gives the range of digits without zeros at either end; from = to for zero.
func (n number) significant() (from, to int) {
	to = len(n.whole) + len(n.frac)
	for to > 0 && n.digit(to-1) == '0' {
		to--
	}
	for from < to && n.digit(from) == '0' {
		from++
	}
	return from, to
}

// smallExp is the exponent when it has few enough digits to compute with.
func (n number) smallExp() (exp int64, ok bool) {
	e := n.exp
	if len(e) == 0 {
		return 0, true
	}
	minus := e[0] == '-'
	if minus || e[0] == '+' {
		e = e[1:]
	}
	e = bytes.TrimLeft(e, "0")
	if len(e) > 17 {
		return 0, false
	}
	for _, c := range e {
		exp = exp*10 + int64(c-'0')
	}
	if minus {
		exp = -exp
	}
	return exp, true
}

// scale is the power of ten that the significant digits, read as a whole number, are multiplied with.
func (n number) scale(to int) (scale int64, ok bool) {
	exp, ok := n.smallExp()
	return exp + int64(len(n.whole)-to), ok
}

func (n number) same(m number) bool {
	from, to := n.significant()
	mfrom, mto := m.significant()
	if to-from != mto-mfrom {
		return false
	}
	if from == to {
		return true
	}
	if n.minus != m.minus {
		return false
	}
	for i := range to - from {
		if n.digit(from+i) != m.digit(mfrom+i) {
			return false
		}
	}
	s, ok := n.scale(to)
	r, rok := m.scale(mto)
	if ok && rok {
		return s == r
	}
	return n.bigScale(to).Cmp(m.bigScale(mto)) == 0
}

// bigScale is scale for exponents with more digits than an int64 holds.
func (n number) bigScale(to int) *big.Int {
	exp := new(big.Int)
	if len(n.exp) > 0 {
		exp.SetString(string(n.exp), 10)
	}
	return exp.Add(exp, big.NewInt(int64(len(n.whole)-to)))
}

func (v Value) number() (number, bool) {
	if v.Kind() != Number {
		return number{}, false
	}
	return readNumber(v.Raw())
}

// IsInteger tells that the number is integral, whatever its size and spelling: 60000.0 and 6e4 are.
// It never computes the number, so that 1e999999999 costs nothing.
func (v Value) IsInteger() bool {
	n, ok := v.number()
	if !ok {
		return false
	}
	from, to := n.significant()
	if from == to {
		return true
	}
	if scale, ok := n.scale(to); ok {
		return scale >= 0
	}
	return n.exp[0] != '-'
}

// Int is the number when it is integral and fits int64.
func (v Value) Int() (n int64, ok bool) {
	m, ok := v.number()
	if !ok {
		return 0, false
	}
	from, to := m.significant()
	if from == to {
		return 0, true
	}
	scale, ok := m.scale(to)
	if !ok || scale < 0 || int64(to-from)+scale > 19 {
		return 0, false
	}
	var u uint64 // 19 digits always fit
	for i := from; i < to; i++ {
		u = u*10 + uint64(m.digit(i)-'0')
	}
	for ; scale > 0; scale-- {
		u *= 10
	}
	if m.minus {
		return -int64(u), u <= 1<<63
	}
	return int64(u), u < 1<<63
}

// Float is the number as the nearest float64; ok is false when it is out of range or no number.
func (v Value) Float() (float64, bool) {
	if _, ok := v.number(); !ok {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(v.Raw()), 64)
	return f, err == nil
}
