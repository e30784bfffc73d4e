// The race suite: what a fixed kernel has and the racy one lacks is needed, because of the lines that the suite states.

package syncs

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/fix/repair"
	"github.com/ptxsan/ptxsan/internal/racesuite"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// suiteShare is the share of pairs that short tests look at: each of so many.
const suiteShare = 12

// suiteExceptions are fixed kernels whose synchronisation cannot be edited into that of the racy one.
var suiteExceptions = map[string]string{
	"async/mbarrier-arrive-too-early": "the racy kernel arrives elsewhere; without an arrival all wait for ever",
	"async/mbarrier-copy":             "the racy kernel arrives without its copies; without an arrival all wait for ever",
	"async/red-async-and-read":        "the racy kernel expects no bytes; without an arrival all wait for ever",
	"async/st-async-not-expected":     "the racy kernel expects no bytes; without an arrival all wait for ever",
	"barrier/vote-barrier":            "the barrier has a result, so that it is not left out",
}

// TestSuite: of each pair of the suite, each synchronisation that only the fixed kernel has is needed because of a pair
// of lines that race in the racy one, or all of them together are.
func TestSuite(t *testing.T) {
	racy := make(map[string]*racesuite.Case)
	for _, c := range racesuite.Micro(t) {
		if c.Variant == "racy" {
			racy[c.Category+"/"+c.Pair] = c
		}
	}
	n, asked := 0, 0
	for _, c := range racesuite.Micro(t) {
		of := racy[c.Category+"/"+c.Pair]
		if c.Variant != "fixed" || of == nil || of.File.Expect.Under("ptx").Verdict != report.Racy {
			continue
		}
		if n++; testing.Short() && n%suiteShare != 0 {
			continue
		}
		t.Run(c.Category+"/"+c.Pair, func(t *testing.T) {
			s := lacking(t, c, of)
			if len(s.sites) == 0 {
				return
			}
			asked++
			wrong, exception := s.unstated(of.File.Expect.Under("ptx").Lines), suiteExceptions[c.Category+"/"+c.Pair]
			if (wrong != "") != (exception != "") {
				t.Errorf("exception: %q; %s", exception, wrong)
			}
		})
	}
	t.Logf("%d of %d fixed kernels have synchronisation that the racy one lacks", asked, n)
}

// suitePair is a fixed kernel with the sites that the racy one lacks.
type suitePair struct {
	*judge
	t          *testing.T
	sites, all []*Site
	regions    map[int]int // lines whose code the kernels have in different forms, with the first of each region
}

// differing returns the lines of a source between #ifdef FIXED and #endif, each with the first of its region.
func differing(t *testing.T, c *racesuite.Case) map[int]int {
	t.Helper()
	text, err := os.ReadFile(c.CUDA)
	if err != nil {
		t.Fatal(err)
	}
	regions, first := make(map[int]int), 0
	for i, line := range strings.Split(string(text), "\n") {
		switch {
		case strings.HasPrefix(line, "#if"):
			first = i + 1
		case strings.HasPrefix(line, "#endif"):
			first = 0
		case first > 0:
			regions[i+1] = first
		}
	}
	return regions
}

// place returns a line, or the first one of its region.
func (p *suitePair) place(line int) int { return cmp.Or(p.regions[line], line) }

// lacking returns the sites of a fixed kernel that the racy one does not have.
func lacking(t *testing.T, fixed, racy *racesuite.Case) *suitePair {
	t.Helper()
	have := make(map[string]int)
	for _, s := range sitesOf(racy.Program(t).Module.Funcs, false) {
		have[siteText(s)]++
	}
	fixed.File.NoHost = true
	p := &suitePair{judge: judgeOf(t, fixed.Program(t), fixed.File), t: t, regions: differing(t, fixed)}
	var err error
	if p.all, err = p.judge.sites(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	for _, s := range p.all {
		if have[siteText(s)]--; have[siteText(s)] < 0 {
			p.sites = append(p.sites, s)
		}
	}
	return p
}

// siteText returns the line of a site and its opcode.
func siteText(s *Site) string { return fmt.Sprint(s.Line(), session.OpcodeText(s.First())) }

// unstated compares the answers with the pairs of lines that race in the racy kernel, and says what is needed for other
// reasons, "" if nothing is. An atomic access is not left out, so that one which may be weaker is not compared.
func (p *suitePair) unstated(want [][2]int) string {
	p.t.Helper()
	var wrong []string
	var edits []*repair.Edit
	for _, s := range p.sites {
		a, err := p.answer(p.t.Context(), s, p.all)
		if err != nil {
			p.t.Fatal(err)
		}
		if a.Verdict == Weaker && a.Because == nil && s.First().Access.Atomic() {
			continue
		}
		if why := p.unlike(a.Because, want); why != "" && !p.weakened(s, want) {
			wrong = append(wrong, fmt.Sprintf("%s %s %s: %s", a, a.To, a.Why, why))
		}
		if c, _ := s.removal(); c != nil {
			edits = append(edits, c.edit)
		}
	}
	if len(wrong) == 0 || p.shows(edits, want) {
		return ""
	}
	return fmt.Sprintf("%v are stated:\n%s", want, strings.Join(wrong, "\n"))
}

// weakened reports whether the site is left out or weakened in some way that shows a stated pair: what the racy kernel
// has in its place may be stronger than nothing.
func (p *suitePair) weakened(s *Site, want [][2]int) bool {
	list := s.weakenings()
	if c, _ := s.removal(); c != nil {
		list = append(list, c)
	}
	return slices.ContainsFunc(list, func(c *change) bool { return p.shows([]*repair.Edit{c.edit}, want) })
}

// shows reports whether runs with edits show a stated pair among others.
func (p *suitePair) shows(edits []*repair.Edit, want [][2]int) bool {
	_, plan, err := p.Edited(edits)
	if err != nil {
		return false
	}
	rep, _, err := p.usual.Explore(p.t.Context(), plan, nil, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	return slices.ContainsFunc(rep.Races, func(x *report.Race) bool {
		return slices.ContainsFunc(x.Each(), func(y *report.Race) bool { return p.unlike(&report.SyncReason{Race: y}, want) == "" })
	})
}

// unlike says how a reason differs from the pairs that the suite states, "" if it does not.
func (p *suitePair) unlike(because *report.SyncReason, want [][2]int) string {
	switch {
	case because == nil:
		return "nothing goes wrong"
	case because.Race == nil:
		return because.String()
	}
	line := func(a *report.Access) int { return p.place(session.OwnPlace(a).Line) }
	pair := racesuite.LinePair(line(&because.Race.First), line(&because.Race.Second))
	if slices.ContainsFunc(want, func(l [2]int) bool { return racesuite.LinePair(p.place(l[0]), p.place(l[1])) == pair }) {
		return ""
	}
	return because.String()
}
