package demo

import (
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"sync"
	"time"
)

// station is the world behind the server: weather that follows from place and time, so that nothing has
// to be stored for it, and a log book that is the only thing a tool can change.
type station struct {
	now func() time.Time

	mu   sync.Mutex
	log  []observation
	last int
}

type observation struct {
	number     int
	at         time.Time
	sky        string
	visibility float64
	remark     string
}

func skies() []string {
	return []string{"clear", "scattered clouds", "overcast", "drizzle", "rain", "fog", "gale"}
}

func compass() []string { return []string{"N", "NE", "E", "SE", "S", "SW", "W", "NW"} }

func places() []string {
	return []string{"Amber Bay", "Fairhaven", "Gannet Rock", "Mussel Quay", "Nine Isles", "North Sound", "Port Amber", "Skerry Light", "The Narrows"}
}

func regions() []string {
	return []string{"North Sound", "Outer Skerries", "Amber Bay", "The Narrows"}
}

func instruments() []string {
	return []string{"anemometer", "barometer", "rain-gauge", "thermometer"}
}

func tones() []string { return []string{"plain", "poetic", "terse"} }

type ship struct{ callsign, name, kind, seen string }

func ships() []ship {
	return []ship{
		{"GANN", "Gannet", "pilot boat", "every morning, westbound"},
		{"LRK7", "Lark", "mail boat", "Tuesdays and Fridays"},
		{"PUFN2", "Puffin II", "trawler", "off the Outer Skerries at dusk"},
		{"SEAL", "Seal of Fairhaven", "ferry", "twice a day, when there is no fog"},
	}
}

func newStation(now func() time.Time) *station {
	s := &station{now: now}
	morning := now().UTC().Truncate(24 * time.Hour)
	for i, o := range []observation{
		{sky: "fog", visibility: 0.4, remark: "Fog signal sounding."},
		{sky: "scattered clouds", visibility: 18, remark: "Two gannets on the gallery rail."},
		{sky: "clear", visibility: 42, remark: "Mail boat Lark passed, waved."},
	} {
		o.number, o.at = i+1, morning.Add(time.Duration(4+3*i)*time.Hour)
		s.log = append(s.log, o)
	}
	s.last = len(s.log)
	return s
}

func (s *station) write(sky string, visibility float64, remark string) observation {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	o := observation{s.last, s.now().UTC(), sky, visibility, remark}
	s.log = append(s.log, o)
	if len(s.log) > maxLog {
		s.log = slices.Delete(s.log, 0, len(s.log)-maxLog)
	}
	return o
}

// maxLog keeps a server that runs for weeks small: the oldest observations give way.
const maxLog = 500

func (s *station) strike(number int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.log, func(o observation) bool { return o.number == number })
	if i < 0 {
		return false
	}
	s.log = slices.Delete(s.log, i, i+1)
	return true
}

func (s *station) logbook() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b strings.Builder
	b.WriteString("Log book of Skerry Light\n\n")
	for _, o := range s.log {
		fmt.Fprintf(&b, "%3d  %s  %-16s  %4.1f km  %s\n", o.number, o.at.Format("15:04"), o.sky, o.visibility, o.remark)
	}
	return b.String()
}

// weather follows from the place and the time in steps of five seconds: the same question gives the same
// answer for a moment, and another one soon after, so that watching it is worth while.
type weather struct {
	at          time.Time
	temperature float64 // °C
	wind        float64 // m/s
	from        string
	pressure    float64 // hPa
	sky         string
	rain        float64 // mm
	reading     int64
}

// step is how often the instruments give a new reading.
const step = 5 * time.Second

func (s *station) weather(place string) weather { return weatherAt(place, s.now()) }

func weatherAt(place string, t time.Time) weather {
	t = t.UTC().Truncate(step)
	seed := float64(seedOf(place) % 1000)
	hours := float64(t.Unix()) / 3600
	slow := math.Sin(hours/31 + seed)
	quick := math.Sin(hours*40 + seed*3)
	w := weather{
		at:          t,
		temperature: round(11 + 6*slow + 4*math.Sin((hours-9)*math.Pi/12) + 0.4*quick),
		wind:        round(7 + 5*math.Cos(hours/17+seed) + 0.8*quick),
		pressure:    round(1011 + 9*math.Sin(hours/19+seed/7) + 4*math.Sin(hours/4.3+seed) + 1.5*math.Sin(hours/1.3) + 0.2*quick),
		reading:     t.Unix()/int64(step/time.Second) - 340_000_000,
	}
	w.wind = max(w.wind, 0)
	w.from = compass()[int(hours/6+seed)%8]
	w.sky = skies()[int(math.Abs(hours/9+seed))%len(skies())]
	if w.sky == "rain" || w.sky == "drizzle" {
		w.rain = round(2 + quick)
	}
	return w
}

func seedOf(s string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(strings.ToLower(strings.TrimSpace(s))))
	return h.Sum32()
}

// round keeps one decimal, as the instruments do.
func round(v float64) float64 { return math.Round(v*10) / 10 }

func (w weather) value(instrument string) (float64, string) {
	switch instrument {
	case "anemometer":
		return w.wind, "m/s"
	case "barometer":
		return w.pressure, "hPa"
	case "rain-gauge":
		return w.rain, "mm"
	}
	return w.temperature, "°C"
}

func forecast(region string, days int, from time.Time) []string {
	lines := make([]string, 0, days)
	for d := range days {
		day := from.UTC().AddDate(0, 0, d+1)
		w := weatherAt(region, day.Truncate(24*time.Hour).Add(12*time.Hour))
		lines = append(lines, fmt.Sprintf("%s: %s, wind %s %.0f m/s, %.0f hPa.", day.Format("Mon 2 January"), w.sky, w.from, w.wind, w.pressure))
	}
	return lines
}

// tides are not a model of the sea, only a table that moves on by 50 minutes a day as real ones do.
func tides(day time.Time) string {
	minutes := (day.YearDay()*50 + 192) % 745
	at := func(m int) string { return fmt.Sprintf("%02d:%02d", m/60%24, m%60) }
	return fmt.Sprintf("Tides at the landing stage, %s\n\nhigh  %s  3.9 m\nlow   %s  0.8 m\nhigh  %s  3.7 m\nlow   %s  0.9 m\n",
		day.Format("2 January 2006"), at(minutes), at(minutes+371), at(minutes+745), at(minutes+1116))
}
