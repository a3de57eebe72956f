package book

import (
	"math"
	"strconv"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/visible"
	"mcploupe/session/wire"
)

// Progress is the newest notifications/progress of an exchange, and what the earlier ones say about its speed. Numbers
// stand as the server spelled them: an inspector shows 0.30 as 0.30.
type Progress struct {
	Any                 bool
	Done, Total         float64   // 0 where there is no usable number
	DoneText, TotalText string    // as spelled, escaped, at most spelled runes; TotalText is "" when no total came
	Message             string    // escaped
	Odd                 string    // why the numbers are shown as they are and nothing is made of them; "" when all is well
	At                  time.Time // when it came

	past [pastReports]report // some reports before this one, oldest first; what rates are made of
	n    int                 // of past
}

// report is one number and when it came.
type report struct {
	at   time.Time
	done float64
}

const (
	pastReports = 6
	spacing     = 400 * time.Millisecond // between two kept reports: a flood must not narrow the view to a moment
	spelled     = 18                     // runes of a number that are shown
)

// Part is how much is done, 0 to 1; ok is false without a usable total.
func (p Progress) Part() (part float64, ok bool) {
	if !p.Any || p.Odd != "" || p.TotalText == "" || p.Total <= 0 {
		return 0, false
	}
	return p.Done / p.Total, true
}

// Rate is units a second over the last reports; ok is false as long as too little is known: fewer than three reports, or
// less than a second of them.
func (p Progress) Rate() (perSecond float64, ok bool) {
	if p.Odd != "" || p.n < 2 {
		return 0, false
	}
	span := p.At.Sub(p.past[0].at)
	gain := p.Done - p.past[0].done
	if span < time.Second || gain <= 0 {
		return 0, false
	}
	return gain / span.Seconds(), true
}

// Rest is how long the rest takes if it goes on as it did. ok is false without total or rate, for more than a day, and
// when the next report is long overdue: whoever stands still has no estimate.
func (p Progress) Rest(now time.Time) (d time.Duration, ok bool) {
	rate, known := p.Rate()
	part, whole := p.Part()
	if !known || !whole || part >= 1 {
		return 0, false
	}
	quiet := now.Sub(p.At)
	usual := p.At.Sub(p.past[0].at) / time.Duration(p.n)
	if quiet > 3*usual+2*time.Second {
		return 0, false
	}
	seconds := (p.Total-p.Done)/rate - quiet.Seconds()
	if seconds > (24 * time.Hour).Seconds() {
		return 0, false
	}
	return time.Duration(max(seconds, 0) * float64(time.Second)), true
}

// Next is the progress after one more report, a notifications/progress (basic/utilities/progress).
func (p Progress) Next(m *wire.Message) Progress {
	params := m.Params()
	done, total := params.Get("progress"), params.Get("total")
	q := Progress{Any: true, At: m.At, DoneText: spell(done), TotalText: spell(total), Message: visible.Escape(params.Get("message").Text())}
	var isNumber, hasTotal bool
	q.Done, isNumber = number(done)
	q.Total, hasTotal = number(total)
	switch {
	case !done.Exists():
		q.Odd, q.DoneText = "names no progress", ""
	case !isNumber:
		q.Odd = "is no number"
	case p.Any && p.Odd != "is no number" && q.Done < p.Done:
		q.Odd = "went back from " + p.DoneText
	case p.Any && p.Odd != "is no number" && q.Done == p.Done:
		q.Odd = "did not grow"
	case q.Done < 0:
		q.Odd = "is less than nothing"
	case total.Exists() && !hasTotal:
		q.Odd = "has a total that is no number"
	case total.Exists() && q.Total <= 0:
		q.Odd = "has a total of nothing"
	case total.Exists() && q.Done > q.Total:
		q.Odd = "is beyond its total"
	}
	if q.Odd != "" || p.Odd != "" || !p.Any || q.Total != p.Total {
		return q // what was measured before means nothing any more
	}
	q.past, q.n = p.past, p.n
	if q.n == 0 || p.At.Sub(q.past[q.n-1].at) >= spacing {
		if q.n == pastReports {
			copy(q.past[:], q.past[1:])
			q.n--
		}
		q.past[q.n] = report{p.At, p.Done}
		q.n++
	}
	return q
}

// number is a finite number; ok is false for anything else, 1e999 included.
func number(v jsondoc.Value) (f float64, ok bool) {
	f, ok = v.Float()
	if !ok || math.IsInf(f, 0) || math.IsNaN(f) {
		return 0, false
	}
	return f, true
}

// spell is a value as it stands in the text, cut to a few runes.
func spell(v jsondoc.Value) string {
	if !v.Exists() {
		return ""
	}
	raw := v.Raw()
	text := []rune(visible.Escape(string(raw[:min(len(raw), 4*spelled)])))
	if len(text) > spelled {
		return string(text[:spelled-1]) + "…"
	}
	return string(text)
}

// RateText is a rate in few cells: "3.1/s", "40/s", "0.2/s", "12k/s".
func RateText(perSecond float64) string {
	switch {
	case perSecond >= 1e6:
		return strconv.FormatFloat(perSecond/1e6, 'f', 1, 64) + "M/s"
	case perSecond >= 10_000:
		return strconv.FormatFloat(perSecond/1e3, 'f', 0, 64) + "k/s"
	case perSecond >= 10:
		return strconv.FormatFloat(perSecond, 'f', 0, 64) + "/s"
	case perSecond >= 0.1:
		return strconv.FormatFloat(perSecond, 'f', 1, 64) + "/s"
	}
	return strconv.FormatFloat(perSecond*60, 'f', 1, 64) + "/min"
}

// Beat lets the screen see the newest progress of what runs. Between two beats it sees that of the last one, however
// often a server reports.
func (t *Timeline) Beat() {
	for _, r := range t.Open {
		r.Shown = r.Progress
	}
}

// Count is the numbers as spelled: "2 of 5", "17"; "" when there are none.
func (p Progress) Count() string {
	if p.TotalText == "" || p.DoneText == "" {
		return p.DoneText
	}
	return p.DoneText + " of " + p.TotalText
}
