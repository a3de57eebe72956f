package report

import (
	"encoding/xml"
	"fmt"
	"strings"

	"mcploupe/inspect"
)

type suites struct {
	XMLName  xml.Name `xml:"testsuites"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Skipped  int      `xml:"skipped,attr"`
	Suites   []suite  `xml:"testsuite"`
}

type suite struct {
	Name     string     `xml:"name,attr"`
	Tests    int        `xml:"tests,attr"`
	Failures int        `xml:"failures,attr"`
	Skipped  int        `xml:"skipped,attr"`
	Cases    []testcase `xml:"testcase"`
}

type testcase struct {
	Class   string   `xml:"classname,attr"`
	Name    string   `xml:"name,attr"`
	Failure *failure `xml:"failure"`
	Skipped *skipped `xml:"skipped"`
	Out     string   `xml:"system-out,omitempty"`
}

type failure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

type skipped struct {
	Message string `xml:"message,attr"`
}

// JUnit is the report as JUnit XML: a suite for each area, a case for each rule that holds for the revision in use. A case fails
// when one of its findings lets the check fail; other findings stand in its output. Rules that need --probe are skipped without it.
// That a case passes says that nothing was found, not that there was an occasion.
func (r *Report) JUnit() []byte {
	found := map[string]group{}
	for _, g := range r.groups() {
		found[g.Rule.ID] = g
	}
	all := suites{Name: "mcploupe " + r.Server}
	for _, rule := range inspect.Catalogue() {
		g, some := found[rule.ID]
		if !some && !rule.Holds(r.Revision, r.Profile != inspect.ProfilePublished) {
			continue
		}
		if n := len(all.Suites); n == 0 || all.Suites[n-1].Name != rule.Area {
			all.Suites = append(all.Suites, suite{Name: rule.Area})
		}
		s := &all.Suites[len(all.Suites)-1]
		c := testcase{Class: "mcploupe." + rule.Area, Name: rule.ID}
		var bad, rest []string
		for _, i := range g.Items {
			text := sentence(i)
			if i.Fails {
				bad = append(bad, text)
			} else {
				rest = append(rest, text)
			}
		}
		switch {
		case len(bad) > 0:
			title, _, fix := pageOf(rule)
			c.Failure = &failure{Message: plain(title), Type: g.Level(), Text: plain(strings.Join(bad, "\n") + "\n\nHow to fix it\n" + fix + "\n" + rule.Source)}
			s.Failures++
			all.Failures++
		case !some && rule.Probe != "" && !r.Probed:
			c.Skipped = &skipped{Message: "needs --probe"}
			s.Skipped++
			all.Skipped++
		}
		if len(rest) > 0 {
			c.Out = plain(fmt.Sprintf("%s, not failing:\n%s", g.Level(), strings.Join(rest, "\n")))
		}
		s.Tests++
		all.Tests++
		s.Cases = append(s.Cases, c)
	}
	out, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return nil // only channels, functions and the like cannot be written
	}
	return append([]byte(xml.Header), append(out, '\n')...)
}

// plain leaves out what XML 1.0 has no way to write.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || r >= ' ' && r != 0xFFFE && r != 0xFFFF {
			return r
		}
		return -1
	}, s)
}
