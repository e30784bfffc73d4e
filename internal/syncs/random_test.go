// Random programs: what an answer says to stand is applied, and the edited program runs under other schedules.

package syncs_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/fix/repair"
	"github.com/ptxsan/ptxsan/internal/fix/trial"
	"github.com/ptxsan/ptxsan/internal/syncs"
	"github.com/ptxsan/ptxsan/internal/testgen/racegen"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

var (
	randomPrograms  = flag.Int("programs", 6, "random programs that answers about synchronisation are given for")
	firstProgram    = flag.Uint64("first-program", 1, "seed of the first of them")
	randomSchedules = flag.Int("program-schedules", 60, "schedules under which each change runs")
)

// Limits of the programs whose answers are tested, and of their runs.
const (
	askedThreads = 64
	randomSteps  = 100_000
	askedRuns    = 3000
)

// randomSubject is a random program, and what it shows.
type randomSubject struct {
	made  racegen.Program
	trial *trial.Subject
	shown map[string]bool // findings of the original
	// memory has the contents of each buffer at the end of the original's runs, nil for a buffer whose contents differ
	// between them.
	memory map[string][]byte
}

// uninitialised matches the line of a buffer that a launch file does not fill.
var uninitialised = regexp.MustCompile(`(?m)^(  \w+: \{type: \w+, count: \d+)\}$`)

// newRandomSubject returns the subject of a seed.
func newRandomSubject(seed uint64) (*randomSubject, error) {
	s := &randomSubject{made: racegen.Idioms(seed), shown: make(map[string]bool)}
	p, err := session.Parse("k.ptx", []byte(s.made.PTX))
	if err != nil {
		return nil, err
	}
	s.made.Launches = uninitialised.ReplaceAllString(s.made.Launches, "$1, init: 0}")
	f, err := launch.Parse("k.yaml", []byte(s.made.Launches), launch.Options{})
	if err != nil {
		return nil, err
	}
	s.trial = &trial.Subject{Workers: 1}
	if s.trial.Session.Detectors, err = session.ParseDetectors("precise"); err != nil {
		return nil, err
	}
	s.trial.Plan, err = session.NewPlan(p, f, 0)
	return s, err
}

// way is a way to run a program: a policy with its seed, and checks.
func (s *randomSubject) way(i int) session.Options {
	policies := []string{"random", "pct", "apart", "random", "pct", "round-robin"}
	o := session.Options{Detectors: s.trial.Session.Detectors, Strict: true}
	c := &o.Emulator
	c.Policy, c.Seed = session.PolicyNamed(policies[i%len(policies)]), uint64(i)
	c.Depth, c.Length = emu.DefaultDepth, emu.DefaultLength
	c.MaxSteps, c.LateAsync, c.Synccheck, c.Uninitialised = randomSteps, i%3 == 0, i%2 == 0, i%2 == 0
	if i%4 == 3 {
		c.Memory = emu.PTX
	}
	return o
}

// under runs a plan, of the original or of the edited module m, and returns its findings and its memory.
func (s *randomSubject) under(i int, m *rewrite.Module, plan *session.Plan) (shown map[string]bool,
	memory map[string][]byte, err error,
) {
	run, err := session.Open(s.way(i))
	if err != nil {
		return nil, nil, err
	}
	defer run.Close()
	rep, err := plan.Check(context.Background(), run)
	if err != nil {
		return nil, nil, err
	}
	memory = make(map[string][]byte)
	for k := range plan.File.Buffers {
		b := &plan.File.Buffers[k]
		p := make([]byte, b.Size())
		if err = run.Object(b.Name).Read(0, p); err != nil && rep.Verdict != report.Fault {
			return nil, nil, err
		}
		if len(rep.Faults) == 0 {
			memory[b.Name] = p
		}
	}
	return s.findings(m, rep), memory, nil
}

// findings returns the findings of a report as texts about instructions of the original.
func (s *randomSubject) findings(m *rewrite.Module, rep *report.Report) map[string]bool {
	list := make(map[string]bool)
	for _, x := range rep.Races {
		for _, y := range x.Each() {
			a, b := lineOf(s.trial.AccessOf(m, &y.First)), lineOf(s.trial.AccessOf(m, &y.Second))
			list[fmt.Sprintf("%s of %d and %d", y.Severity, min(a, b), max(a, b))] = true
		}
	}
	for _, f := range rep.Faults {
		at := m.Origin(f.PTX.Line)
		list[fmt.Sprintf("%s at %d", f.Class, max(at.Line, at.For))] = true
	}
	return list
}

// lineOf returns the line of an instruction, 0 for nil.
func lineOf(in *rewrite.Inst) int {
	if in == nil {
		return 0
	}
	return in.Line
}

// original runs the original.
func (s *randomSubject) original(schedules int) error {
	for i := range schedules {
		shown, memory, err := s.under(i, s.trial.Original(), s.trial.Plan)
		if err != nil {
			return err
		}
		maps.Copy(s.shown, shown)
		if len(s.memory) == 0 {
			s.memory = memory
		}
		for name, p := range memory {
			if !bytes.Equal(s.memory[name], p) {
				s.memory[name] = nil
			}
		}
	}
	return nil
}

// contradiction runs the program with edits under schedules, and returns what it shows that the original does not show.
// What may differ between schedules of a right program is compared only if every schedule is said to do the same.
func (s *randomSubject) contradiction(edits []*repair.Edit, schedules int, every bool) (string, error) {
	m, plan, err := s.trial.Edited(edits)
	if err != nil {
		return "", err
	}
	for i := range schedules {
		shown, memory, err := s.under(i, m, plan)
		if err != nil {
			return "", err
		}
		for _, text := range slices.Sorted(maps.Keys(shown)) {
			if !s.shown[text] {
				return fmt.Sprintf("schedule %d: %s", i, text), nil
			}
		}
		for _, name := range slices.Sorted(maps.Keys(memory)) {
			fixed := every || !s.made.Loose && name != "sums" && name != "strays"
			if old := s.memory[name]; old != nil && fixed && !bytes.Equal(old, memory[name]) {
				return fmt.Sprintf("schedule %d: other contents of %s", i, name), nil
			}
		}
	}
	return "", nil
}

// refilled returns the subject with other contents of buffers.
func (s *randomSubject) refilled(buffers []string, seed uint64) (*randomSubject, error) {
	f, err := launch.Parse("k.yaml", []byte(s.made.Refilled(buffers, seed)), launch.Options{})
	if err != nil {
		return nil, err
	}
	other := &randomSubject{made: s.made, trial: &trial.Subject{}, shown: make(map[string]bool)}
	*other.trial = *s.trial
	other.trial.Plan, err = session.NewPlan(s.trial.Plan.Program, f, 0)
	return other, err
}

// randomTotals counts answers about random programs.
type randomTotals struct {
	programs, needed, weaker, here, always, every, contents, sets int
	reasons                                                       int // of those needed, those that are races or faults
}

// TestRandomPrograms: where an answer about a random program says that a change stands, the changed program has no
// race, no fault and no other result under other schedules, with other contents if the answer speaks of every content;
// what a needed synchronisation prevents is seen without it.
func TestRandomPrograms(t *testing.T) {
	var total randomTotals
	n := *randomPrograms
	if testing.Short() {
		n = min(n, 3)
	}
	for seed := *firstProgram; total.programs < n; seed++ {
		s, err := newRandomSubject(seed)
		if err != nil {
			t.Fatal(seed, err)
		}
		if s.made.Threads > askedThreads {
			continue
		}
		for _, err := range total.check(s, seed) {
			t.Errorf("seed %d: %v\n%s\n%s", seed, err, s.made.PTX, s.made.Launches)
		}
	}
	t.Logf("%+v", total)
	if total.needed == 0 || total.here == 0 || total.every == 0 {
		t.Error("too few answers")
	}
}

// check compares the answers about a program with other runs.
func (total *randomTotals) check(s *randomSubject, seed uint64) (wrong []error) {
	subject := *s.trial
	r, err := syncs.Run(context.Background(), syncs.Options{
		Subject: subject, Sets: 12, Budget: trial.Budget{Runs: askedRuns, Instructions: 200_000_000},
	})
	if err != nil {
		return []error{err}
	}
	if r.Refused != "" {
		return nil
	}
	if err := s.original(*randomSchedules); err != nil {
		return []error{err}
	}
	total.programs++
	for _, a := range r.Answers {
		if err := total.answer(s, a, seed); err != nil {
			wrong = append(wrong, fmt.Errorf("%s %s (%s, %v): %w", a, a.To, a.Holds.Schedules, a.Holds.Contents, err))
		}
	}
	if len(r.Set) > 0 {
		total.sets++
		if err := s.stands(r.Set, r.Holds, seed); err != nil {
			wrong = append(wrong, fmt.Errorf("set of %d (%s): %w", len(r.Set), r.Verified, err))
		}
	}
	return wrong
}

// answer tests one answer.
func (total *randomTotals) answer(s *randomSubject, a *syncs.Answer, seed uint64) error {
	edits := a.Changed()
	for _, c := range []struct {
		is bool
		n  *int
	}{
		{a.Verdict == syncs.Needed, &total.needed},
		{a.Verdict == syncs.Weaker, &total.weaker},
		{a.Verdict == syncs.NotNeededHere, &total.here},
		{a.Verdict == syncs.NotNeeded, &total.always},
		{edits != nil && a.Holds.Schedules == report.EverySchedule, &total.every},
		{edits != nil && len(a.Holds.Contents) > 0, &total.contents},
	} {
		if c.is {
			*c.n++
		}
	}
	if edits != nil {
		return s.stands(edits, a.Holds, seed)
	}
	if a.Verdict == syncs.Needed && a.Because.Result == "" {
		total.reasons++
		return s.reason(a)
	}
	return nil
}

// stands tests that a change stands, and for what an answer says that it holds.
func (s *randomSubject) stands(edits []*repair.Edit, h report.Holds, seed uint64) error {
	every := h.Schedules == report.EverySchedule
	text, err := s.contradiction(edits, *randomSchedules, every)
	if err != nil {
		return err
	}
	if text != "" {
		return errors.New(text)
	}
	if len(h.Contents) == 0 {
		return nil
	}
	n := 1
	if h.Schedules == report.EverySchedule {
		n = 6
	}
	for i := range uint64(3) {
		other, err := s.refilled(h.Contents, seed<<8+i<<4)
		if err != nil {
			return err
		}
		if err := other.original(12); err != nil {
			return err
		}
		switch text, err := other.contradiction(edits, n, every); {
		case err != nil:
			return err
		case text != "":
			return errors.New("other contents: " + text)
		}
	}
	return nil
}

// reason tests that something goes wrong without a site that is needed.
func (s *randomSubject) reason(a *syncs.Answer) error {
	edits := a.Without()
	if edits == nil || len(s.shown) > 0 { // schedules that the search has not run show races of the original, too
		return nil
	}
	text, err := s.contradiction(edits, *randomSchedules, true)
	if err == nil && text == "" {
		err = errors.New("needed, and nothing goes wrong without it: " + a.Because.String())
	}
	return err
}
