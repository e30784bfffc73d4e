package precise_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/precise"
	"github.com/ptxsan/ptxsan/internal/testgen/racegen"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/launch"
	findings "github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

var (
	attacks     = flag.Int("attack", 50, "random programs that ways into the detector are compared on")
	firstAttack = flag.Uint64("first-attack", largeEvery-49, "seed of the first of them")
)

// Of the programs, one in largeEvery has so many threads that the static analysis is run for it without being asked;
// the oracle would take too long for them.
const largeEvery = 100

// maxOracle limits the operations of single threads that the oracle compares.
const maxOracle = 2500

// attackWays are ways into the detector by which the findings must be the same: the first leaves no access out, on one
// processor. The ways from the one numbered always on are taken by turns. Those with recounts may count hazards of a
// pair otherwise (TestRecounts): accesses that are left out release nothing; where accesses come one by one, lines get
// histories of words that have one history in another way; and a cell that a shortcut makes or does not make holds
// fewer stores than a history.
var attackWays = []struct {
	name, detector string
	workers        int
	inGo           bool          // accesses come one by one
	tune           func() func() // switches shortcuts of the detector off, and on again
	recounts       bool
}{
	{"all accesses", "precise<elide=false>", 1, false, nil, false},
	{"accesses left out, two workers", "precise", 2, false, nil, true},
	{"no assembly", "precise<elide=false>", 1, true, nil, true},
	{"proofs", "precise<prove>", 1, false, nil, true},
	{"proofs, two workers", "precise<prove>", 2, false, nil, true},
	{"reads apart", "precise<elide=false>", 1, false, precise.ReadApart, false},
	{"tallies of one", "precise<elide=false>", 1, false, func() func() { return precise.LimitTallies(1) }, false},
}

const always = 3

// attackSchedules are policies for small programs. Threads of lockstep programs can wait for each other for ever.
var attackSchedules = []string{"its", "random", "its", "round-robin", "pct", "apart"}

// listening is the oracle as a detector: it reports a race for each pair of places.
type listening struct {
	events  []abi.Event
	count   int
	tooMany *bool
}

func (l *listening) Begin(detect.Launch) { l.events, l.count = nil, 0 }

func (l *listening) Event(ev *abi.Event) {
	l.count += len(lanesOf(ev.Mask)) * max(1, int(ev.Bytes/max(ev.Scalar, 1)))
	if *l.tooMany = *l.tooMany || l.count > maxOracle; !*l.tooMany {
		l.events = append(l.events, *ev)
	}
}

func (l *listening) Accesses(b *abi.Batch) { b.Each(new(abi.Event), l.Event) }
func (l *listening) Needs() abi.Needs      { return abi.Needs{Values: true, Shared: true} }

func (l *listening) End() (out []detect.Race) {
	if *l.tooMany {
		return nil
	}
	for p := range newOracle(l.events).races() {
		out = append(out, detect.Race{
			Kind: detect.InterBlock, Cause: detect.MissingBarrier, Space: abi.SpaceGlobal, Address: 1 << 20, Size: 1, Count: 1,
			First: detect.Side{Site: p.first}, Second: detect.Side{Site: p.second},
		})
	}
	slices.SortFunc(out, func(x, y detect.Race) int {
		return int(x.First.Site<<16+x.Second.Site) - int(y.First.Site<<16+y.Second.Site)
	})
	return out
}

// attacked is what a detector finds in a program: how each pair of lines races, and the class of the fault that ended
// the run.
type attacked struct {
	pairs map[[2]int]string
	fault string
}

// attackSubject is a program that is checked in several ways.
type attackSubject struct {
	plan   *session.Plan
	config session.Options
}

func newAttackSubject(seed uint64, large bool) (*attackSubject, racegen.Program, error) {
	made := racegen.Make(seed, large)
	p, err := session.Parse("k.ptx", []byte(made.PTX))
	if err != nil {
		return nil, made, err
	}
	f, err := launch.Parse("k.yaml", []byte(made.Launches), launch.Options{})
	if err != nil {
		return nil, made, err
	}
	s := &attackSubject{}
	cfg := &s.config.Emulator
	cfg.Policy, cfg.Seed, cfg.MaxSteps = session.PolicyNamed(attackSchedules[seed%uint64(len(attackSchedules))]), seed, 200_000
	if large {
		cfg.Policy, cfg.MaxSteps = session.PolicyNamed("its"), 20_000_000
	}
	s.plan, err = session.NewPlan(p, f, 0)
	return s, made, err
}

// under runs the program under detectors. It runs again if an access is not where it was proved to be, as check does.
func (a *attackSubject) under(dets []*session.Detector, workers int, inGo bool) (*attacked, error) {
	o := a.config
	o.Detectors, o.Emulator.Workers, o.Emulator.NoVector = dets, workers, inGo
	var rep *findings.Report
	for {
		s, err := session.Open(o)
		if err != nil {
			return nil, err
		}
		if err = a.plan.Play(context.Background(), s); err != nil {
			return nil, err
		}
		rep = s.Report()
		if s.Strayed() == nil || o.Refuted {
			break
		}
		o.Refuted = true
	}
	out := &attacked{pairs: make(map[[2]int]string)}
	for _, r := range rep.Races {
		if r.Severity == findings.Warning {
			continue
		}
		k := [2]int{r.First.PTX.Line, r.Second.PTX.Line}
		slices.Sort(k[:])
		out.pairs[k] = fmt.Sprint(r.Kind, " ", r.Severity, " ", r.Count)
	}
	if len(rep.Faults) > 0 {
		out.fault = rep.Faults[0].Class
	}
	return out, nil
}

// wrong says what a detector reports beyond the oracle, or fails to: no pair that does not race, and for each access
// that races with an earlier one a pair, unless a fault has ended the run. It need not report all pairs. The oracle
// does not know of the ends of blocks, which have no line.
func (a *attacked) wrong(want *attacked) string {
	lines := make(map[int]bool)
	for _, k := range slices.SortedFunc(maps.Keys(a.pairs), func(x, y [2]int) int { return slices.Compare(x[:], y[:]) }) {
		if want.pairs[k] == "" && k[0] > 0 {
			return fmt.Sprintf("lines %d and %d do not race", k[0], k[1])
		}
		lines[k[0]], lines[k[1]] = true, true
	}
	for k := range want.pairs {
		if a.fault == "" && !lines[k[0]] && !lines[k[1]] {
			return fmt.Sprintf("lines %d and %d race", k[0], k[1])
		}
	}
	return ""
}

// differs says how the findings differ from those of another way, with their counts or without.
func (a *attacked) differs(from *attacked, counts bool) string {
	same := func(x, y string) bool {
		if !counts && x != "" && y != "" {
			x, y = x[:strings.LastIndexByte(x, ' ')], y[:strings.LastIndexByte(y, ' ')]
		}
		return x == y
	}
	var b strings.Builder
	if a.fault != from.fault {
		fmt.Fprintf(&b, "fault %q in place of %q; ", a.fault, from.fault)
	}
	for k, how := range a.pairs {
		if !same(from.pairs[k], how) {
			fmt.Fprintf(&b, "lines %d and %d: %q in place of %q; ", k[0], k[1], how, from.pairs[k])
		}
	}
	for k, how := range from.pairs {
		if a.pairs[k] == "" {
			fmt.Fprintf(&b, "lines %d and %d: nothing in place of %q; ", k[0], k[1], how)
		}
	}
	return b.String()
}

// attackTotals counts what the programs of a run have.
type attackTotals struct{ programs, racy, faults, large, tooMany int }

// TestAttack compares the findings in random programs with the races that the oracle finds in the same operations, and
// the ways into the detector with each other: accesses that are left out, proofs, several workers, batches, and
// shortcuts.
func TestAttack(t *testing.T) {
	var total attackTotals
	for i := range *attacks {
		seed := *firstAttack + uint64(i)
		if err := total.attack(seed, seed%largeEvery == 0); err != nil {
			made := racegen.Make(seed, seed%largeEvery == 0)
			t.Fatalf("seed %d: %v\n%s\n%s", seed, err, made.PTX, made.Launches)
		}
	}
	t.Logf("%d programs: %d with races, %d with faults, %d large, %d with too many operations for the oracle", total.programs, total.racy, total.faults, total.large, total.tooMany)
}

// attack compares the ways for one program.
func (total *attackTotals) attack(seed uint64, large bool) error {
	a, _, err := newAttackSubject(seed, large)
	if err != nil {
		return err
	}
	want := &attacked{}
	tooMany := large
	if !large {
		oracle, err := session.NewDetector("oracle", func() (detect.Detector, error) { return &listening{tooMany: &tooMany}, nil })
		if err != nil {
			return err
		}
		if want, err = a.under([]*session.Detector{oracle}, 1, false); err != nil {
			return err
		}
	}
	var first *attacked
	for i, way := range attackWays {
		if i >= always && i != always+int(seed)%(len(attackWays)-always) {
			continue
		}
		dets, err := session.ParseDetectors(way.detector)
		if err != nil {
			return err
		}
		undo := func() {}
		if way.tune != nil {
			undo = way.tune()
		}
		got, err := a.under(dets, way.workers, way.inGo)
		undo()
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", way.name, err)
		case first == nil:
			first = got
			if text := got.wrong(want); text != "" && !tooMany {
				return errors.New(text)
			}
		case got.differs(first, !way.recounts) != "":
			return fmt.Errorf("%s: %s", way.name, got.differs(first, !way.recounts))
		}
	}
	total.count(first, large, tooMany && !large)
	return nil
}

func (total *attackTotals) count(found *attacked, large, tooMany bool) {
	total.programs++
	for _, c := range []struct {
		is bool
		n  *int
	}{{len(found.pairs) > 0, &total.racy}, {found.fault != "", &total.faults}, {large, &total.large}, {tooMany, &total.tooMany}} {
		if c.is {
			*c.n++
		}
	}
}

// TestRecounts: two lanes that race count once where a line has one history, and once for each word where words have
// their own; of a thread's strong stores to a word, a cell holds the latest two and a history all; and where there are
// many loads, two of one thread are one unless their warp has released something in between, by an access that may be
// left out.
func TestRecounts(t *testing.T) {
	store := func(site uint32, block uint64, sem abi.Semantics, size, lanes uint32, addr uint64) *abi.Event {
		ev := hotStore(block)
		ev.Site, ev.Sem, ev.Bytes, ev.Mask, ev.Wrote = site, sem, size, 1<<lanes-1, 1<<lanes-1
		if sem != abi.SemWeak {
			ev.Scope = abi.ScopeGPU
		}
		for lane := range ev.Addr {
			ev.Addr[lane] = addr + uint64(uint32(lane)*size)
		}
		neighbours(ev)
		return ev
	}
	row := func(site uint32, block uint64) *abi.Event { return store(site, block, abi.SemWeak, 8, 4, 0x1000) }
	load := func(site uint32, block uint64) *abi.Event {
		ev := store(site, block, abi.SemRelaxed, 4, 1, 0x1000)
		ev.Access, ev.Wrote, ev.Scope = abi.AccessLoad, 0, abi.ScopeCTA
		return ev
	}
	var loads []*abi.Event
	for block := range uint64(20) {
		loads = append(loads, load(3, block+2))
	}
	release := store(3, 0, abi.SemRelease, 4, 1, 0x2000)
	strong, weak := store(1, 0, abi.SemRelaxed, 4, 1, 0x1000), store(2, 1, abi.SemWeak, 4, 1, 0x1000)
	for name, c := range map[string]struct {
		events []*abi.Event
		want   uint64
	}{
		"rows":    {[]*abi.Event{row(1, 0), row(2, 1)}, 4},
		"words":   {[]*abi.Event{store(3, 0, abi.SemWeak, 2, 1, 0x1040), row(1, 0), row(2, 1)}, 8},
		"cell":    {[]*abi.Event{strong, strong, strong, weak}, 2},
		"history": {[]*abi.Event{store(3, 0, abi.SemWeak, 4, 1, 0x1000), strong, strong, strong, weak}, 3},
		"loads":   {append(slices.Clone(loads), load(1, 0), load(1, 0), weak), 1},
		"release": {append(slices.Clone(loads), load(1, 0), release, load(1, 0), weak), 2},
	} {
		d := newDetector(t)
		d.Begin(detect.Launch{LaunchShape: detect.LaunchShape{Grid: [3]uint32{22, 1, 1}, Block: [3]uint32{32, 1, 1}}})
		d.Event(&abi.Event{Kind: abi.EventKernelBegin})
		for _, ev := range c.events {
			abi.Deliver(d, ev)
		}
		count := uint64(0)
		for _, r := range d.End() {
			if r.First.Site == 1 && r.Second.Site == 2 {
				count += r.Count
			}
		}
		if count != c.want {
			t.Errorf("%s: %d hazards, want %d", name, count, c.want)
		}
	}
}
