package precise_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/precise"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// oracleLaunches is what the oracle knows of two launches, of which the second depends on the first.
type oracleLaunches struct {
	first   int   // number of operations of the first launch, if those in progress are of the second
	visible []int // operations of the first one that are visible at the beginning of the second one
	devices bool  // the launches are on two devices, and side by side
}

// depend adds griddepcontrol.
func (o *oracle) depend(i int, ev *abi.Event) {
	for _, lane := range lanesOf(ev.Mask) {
		n, op := o.add(i, ev, lane)
		if ev.Mode == abi.BarrierArrive {
			op.lets = true
			continue
		}
		op.proxyFence = true // it counts for all proxies
		for m := range o.first {
			o.edges[n] = append(o.edges[n], m)
		}
	}
}

// lets is the operations by which the blocks of a launch let a dependent one begin: of each block those of the first
// griddepcontrol.launch_dependents, or else the last ones of its threads.
func (o *oracle) lets() (list []int) {
	byEvent := map[uint64]int{}
	for n, op := range o.ops {
		block := op.thread.block
		if event, ok := byEvent[block]; op.lets && (!ok || event == op.event) {
			byEvent[block], list = op.event, append(list, n)
		}
	}
	for t, last := range o.last {
		if _, ok := byEvent[t.block]; !ok {
			list = append(list, last...)
		}
	}
	return list
}

// dependentRaces is the races between two launches, of which the second begins with an event and depends on the first.
func dependentRaces(events []abi.Event, second int) map[race]bool {
	one := newOracle(events[:second])
	lets := one.lets()
	upTo := func(n int) bool { // what the blocks have done when they let the second launch begin
		return slices.ContainsFunc(lets, func(l int) bool { return l == n || one.precedes(n, l) })
	}
	both := oracleLaunches{first: len(one.ops)}
	for n, op := range one.ops {
		if releases := op.fence || op.memory && op.writes; releases && op.sem.Releases() && op.reach >= abi.ScopeGPU && !op.async && upTo(n) {
			both.visible = append(both.visible, n)
		}
	}
	o := newOracleOf(events, second, both)
	out := map[race]bool{}
	for a, x := range o.ops[:both.first] {
		for b := both.first; b < len(o.ops); b++ {
			if (x.writes || !upTo(a)) && o.race(a, b) {
				out[race{x.site, o.ops[b].site}] = true
			}
		}
	}
	return out
}

// newDependentTrace makes a trace one of two launches: that of the blocks of the first cluster, and that of the others,
// which begins with the returned event. Threads wait, and let the second launch begin, here and there.
func newDependentTrace(seed uint64, trace []abi.Event) (events []abi.Event, second int) {
	rnd := rand.New(rand.NewPCG(seed, 7))
	var launches [2][]abi.Event
	for _, ev := range withoutChildren(trace) {
		l := &launches[min(ev.Cluster, 1)]
		if ev.Proxy == abi.ProxyReadOnly || ev.Proxy == abi.ProxyTexture || ev.Proxy == abi.ProxySurface {
			ev.Proxy = abi.ProxyGeneric
		}
		if ev.Kind == abi.EventAccess && ev.Async == abi.Synchronous && rnd.IntN(6) == 0 {
			depend := abi.Event{
				Kind: abi.EventDepend, Mode: abi.BarrierSync, Block: ev.Block, Cluster: ev.Cluster, Warp: ev.Warp,
				Mask: ev.Mask & rnd.Uint32(), Live: ev.Live,
			}
			if ev.Cluster == 0 {
				depend.Mode = abi.BarrierArrive
			}
			if depend.Mask != 0 {
				*l = append(*l, depend)
			}
		}
		*l = append(*l, ev)
	}
	events, second = slices.Concat(launches[0], launches[1]), len(launches[0])
	for i := range events {
		events[i].Site = uint32(i + 1)
	}
	return events, second
}

// withoutChildren is a trace without the grids that threads launch.
func withoutChildren(events []abi.Event) (out []abi.Event) {
	depth := 0
	for _, ev := range events {
		switch ev.Kind {
		case abi.EventKernelBegin:
			depth++
		case abi.EventKernelEnd:
			depth--
		case abi.EventLaunch, abi.EventJoin:
		default:
			if depth == 0 {
				out = append(out, ev)
			}
		}
	}
	return out
}

// relatedRaces is the pairs of sites that a detector of related launches reports for a trace.
func relatedRaces(t testing.TB, events []abi.Event, second int) map[race]bool {
	t.Helper()
	d := newRelated(t)
	d.Begin(detect.Launch{LaunchShape: traceShape(nil), Ranked: true})
	out := map[race]bool{}
	first := &precise.Launched{}
	related := &precise.Launched{
		Prerequisites: []precise.Prerequisite{{On: first}}, Overlaps: []*precise.Launched{first},
	}
	for i, part := range [][]abi.Event{events[:second], events[second:]} {
		d.BeginLaunch([]*precise.Launched{first, related}[i])
		playLaunch(d, part)
		for _, r := range d.EndLaunch() {
			out[race{r.Race.First.Site, r.Race.Second.Site}] = true
		}
	}
	d.End()
	return out
}

// unheededSite reports whether nothing uses what an atomic operation of a site returns.
func unheededSite(site uint32) bool { return site%1000 > 900 }

func newRelated(t testing.TB) *precise.Detector {
	d, err := precise.New(precise.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	d.RelateLaunches(unheededSite)
	return d
}

// dependentPair is two launches, of which the second depends on the first and has sites from 101 on.
func dependentPair() (first, second *precise.Launched) {
	first = &precise.Launched{}
	return first, &precise.Launched{
		FirstSite: 100, Overlaps: []*precise.Launched{first}, Prerequisites: []precise.Prerequisite{{On: first}},
	}
}

// playLaunch gives a detector the events of a launch.
func playLaunch(d *precise.Detector, events []abi.Event) {
	begin := abi.Event{Kind: abi.EventKernelBegin}
	copy(begin.Addr[:], []uint64{traceBlocks, 1, 1, 64, 1, 1, 2})
	if slices.ContainsFunc(events, func(ev abi.Event) bool { return ev.Proxy == abi.ProxyAsync }) {
		begin.Proxy = abi.ProxyAsync
	}
	d.Event(&begin)
	b := newBatcher(d)
	for _, ev := range events {
		if !b.add(&ev) {
			b.flush()
			abi.Deliver(d, &ev)
		}
	}
	b.flush()
	d.Event(&abi.Event{Kind: abi.EventKernelEnd})
}

// TestLaunchesAgainstOracle: the detector says of random launches of which one depends on the other what the
// definitions say. It need not report a pair if the second access also races within its launch.
func TestLaunchesAgainstOracle(t *testing.T) {
	kinds := []func(seed uint64, length int) []abi.Event{
		newTrace, newTrace, newCellTrace, newLockTrace, newRowTrace, newHandoverTrace, newWalkTrace, newPollTrace, newCountTrace,
	}
	racy := 0
	for seed := range uint64(*traces) {
		events, second := newDependentTrace(seed, kinds[seed%uint64(len(kinds))](seed, 6+int(seed%40)))
		if hasChance(events, second) {
			continue
		}
		if len(dependentRaces(events, second)) > 0 {
			racy++
		}
		if why := disagreeOnLaunches(t, events, second); why != "" {
			events, second = shrinkLaunches(t, events, second)
			t.Fatalf("seed %d: %s; the second launch begins with event %d\n%s", seed, disagreeOnLaunches(t, events, second), second, traceText(events))
		}
	}
	if *traces > 100 && (racy < *traces/10 || racy > *traces*95/100) {
		t.Errorf("%d of %d traces race between launches: the others, or they, are too rare to tell", racy, *traces)
	}
}

// hasChance reports whether a thread of the second launch stores strongly to a location that the first one has written
// strongly: their order is by chance, which the oracle does not know of.
func hasChance(events []abi.Event, second int) bool {
	strong := func(ev *abi.Event) bool {
		return ev.Kind == abi.EventAccess && ev.Access.Writes() && ev.Sem > abi.SemWeak
	}
	return slices.ContainsFunc(events[second:], func(ev abi.Event) bool {
		return strong(&ev) && ev.Access == abi.AccessStore && slices.ContainsFunc(events[:second], func(first abi.Event) bool {
			return strong(&first) && slices.ContainsFunc(lanesOf(ev.Mask), func(lane int) bool {
				return slices.ContainsFunc(lanesOf(first.Mask), func(other int) bool {
					return ev.Addr[lane] < first.Addr[other]+16 && first.Addr[other] < ev.Addr[lane]+16
				})
			})
		})
	})
}

// shrinkLaunches drops events as long as detector and oracle disagree.
func shrinkLaunches(t testing.TB, events []abi.Event, second int) ([]abi.Event, int) {
	for i := len(events) - 1; i >= 0; i-- {
		less, at := slices.Delete(slices.Clone(events), i, i+1), second
		if i < second {
			at--
		}
		if whole(less) && disagreeOnLaunches(t, less, at) != "" {
			events, second = less, at
		}
	}
	return events, second
}

func disagreeOnLaunches(t testing.TB, events []abi.Event, second int) string {
	want, got := dependentRaces(events, second), relatedRaces(t, events, second)
	seconds := map[uint32]bool{}
	for p := range got {
		if !want[p] {
			return fmt.Sprintf("no race between %d and %d", p.first, p.second)
		}
		seconds[p.second] = true
	}
	for p := range newOracle(events[second:]).races() {
		seconds[p.second] = true
	}
	for p := range want {
		if !seconds[p.second] {
			return fmt.Sprintf("%d races with %d", p.second, p.first)
		}
	}
	return ""
}

// TestLaunchesInChains: launches of one thread, each of which depends on the one before, and the launch whose wait is
// missing where two of them race.
func TestLaunchesInChains(t *testing.T) {
	for _, c := range []struct {
		launches []string
		missing  int // number of the launch, 0 for no race
	}{
		{[]string{"write", "read"}, 2},
		{[]string{"write", "wait read"}, 0},
		{[]string{"write fence let", "read"}, 0},
		{[]string{"write fence", "read"}, 0}, // lets at its end
		{[]string{"write let fence", "read"}, 2},
		{[]string{"let write fence", "read"}, 2},
		{[]string{"read let", "write"}, 0},
		{[]string{"let read", "write"}, 2},
		{[]string{"bulk let", "write"}, 2}, // the copy still reads
		{[]string{"write", "nothing", "wait read"}, 2},
		{[]string{"write", "wait", "wait read"}, 0},
		{[]string{"write", "wait let", "read"}, 0},
		{[]string{"write", "let wait", "read"}, 3},
		{[]string{"write", "let wait", "nothing", "wait read"}, 3},
		{[]string{"write", "wait", "nothing", "wait read"}, 0},
		{[]string{"write", "wait", "nothing", "nothing"}, 0},
		{[]string{"let write fence add", "add fence read"}, 0}, // it may have waited for the value
		{[]string{"let write fence add", "count fence read"}, 2},
		{[]string{"let write fence add", "wait count fence read"}, 0},
		{[]string{"let write fence tell", "tell fence read"}, 2}, // the stores might have come the other way round
		{[]string{"let write fence tell", "see fence read"}, 0},
		{[]string{"write fence at start", "read"}, 2},
		{[]string{"write fence at start", "wait read"}, 0},
	} {
		d := newRelated(t)
		d.Begin(detect.Launch{LaunchShape: traceShape(nil), Ranked: true})
		var launches []*precise.Launched
		missing := 0
		for n, steps := range c.launches {
			l := &precise.Launched{Overlaps: slices.Clone(launches)}
			if n > 0 {
				atStart := strings.HasSuffix(c.launches[n-1], "at start")
				l.Prerequisites = []precise.Prerequisite{{On: launches[n-1], AtStart: atStart}}
			}
			launches = append(launches, l)
			d.BeginLaunch(l)
			playLaunch(d, launchOf(steps))
			for _, r := range d.EndLaunch() {
				missing = slices.Index(launches, r.Missing) + 1
			}
		}
		if d.End(); missing != c.missing {
			t.Errorf("%q: the wait of launch %d is missing, want %d", c.launches, missing, c.missing)
		}
	}
}

// launchOf is the events of a launch of one thread.
func launchOf(steps string) (events []abi.Event) {
	for i, step := range strings.Fields(steps) {
		ev := at("A", 0, abi.Event{Kind: abi.EventDepend})
		switch step {
		case "let":
			ev.Mode = abi.BarrierArrive
		case "fence":
			ev.Kind, ev.Sem, ev.Scope = abi.EventFence, abi.SemSC, abi.ScopeGPU
		case "read", "bulk":
			ev = memory("A", 0, abi.AccessLoad, 0x1000)
		case "write":
			ev = memory("A", 0, abi.AccessStore, 0x1000)
		case "tell":
			ev = relaxed("A", 0, abi.AccessStore, 0x2000)
		case "see":
			ev = relaxed("A", 0, abi.AccessLoad, 0x2000)
		case "add", "count":
			ev = relaxed("A", 0, abi.AccessRMW, 0x2000)
		case "wait":
		default:
			continue
		}
		if ev.Space = abi.SpaceGlobal; step == "bulk" {
			ev.Async, ev.Proxy, ev.Op = abi.AsyncBulk, abi.ProxyAsync, 1
		}
		if ev.Site = uint32(i + 1); step == "count" { // an add whose result nothing uses
			ev.Site += 900
		}
		events = append(events, ev)
	}
	return events
}

// TestLaunchesBesideOthers: a launch that waits while another one begins and ends goes on as the launch that it was.
func TestLaunchesBesideOthers(t *testing.T) {
	for _, c := range []struct {
		steps string // of the launch that depends on the one which waits
		races int
	}{{"read", 1}, {"wait read", 0}} {
		d := newRelated(t)
		d.Begin(detect.Launch{LaunchShape: traceShape(nil), Ranked: true})
		begin, end := abi.Event{Kind: abi.EventKernelBegin}, abi.Event{Kind: abi.EventKernelEnd}
		first, beside := &precise.Launched{}, &precise.Launched{FirstSite: 100}
		d.BeginLaunch(first)
		d.Event(&begin)
		abi.Deliver(d, &launchOf("let")[0])
		d.BeginLaunch(beside)
		playLaunch(d, launchOf("write fence"))
		races := len(d.EndLaunch())
		d.Resume(first)
		abi.Deliver(d, &launchOf("write")[0])
		d.Event(&end)
		races += len(d.EndLaunch())
		d.BeginLaunch(&precise.Launched{Overlaps: []*precise.Launched{first}, Prerequisites: []precise.Prerequisite{{On: first}}})
		playLaunch(d, launchOf(c.steps))
		found := d.EndLaunch()
		if d.End(); races > 0 || len(found) != c.races || c.races > 0 && found[0].First != first {
			t.Errorf("%s: %d races beside others, and %+v, want %d with the first launch", c.steps, races, found, c.races)
		}
	}
}

// TestFlags: what is wrong with the flag by which a launch tells a dependent one that it has written.
func TestFlags(t *testing.T) {
	for _, c := range []struct {
		first, second string
		want          detect.FlagFault
	}{
		{"let write fence tell", "see read", detect.FlagAcquire},
		{"let write tell", "see fence read", detect.FlagRelease},
		{"let write tell", "see read", detect.FlagBoth},
		{"let fence tell write", "see fence read", detect.FlagEarly},
		{"let write", "read", ""},
	} {
		d := newRelated(t)
		d.Begin(detect.Launch{LaunchShape: traceShape(nil), Ranked: true})
		first, second := dependentPair()
		d.BeginLaunch(first)
		playLaunch(d, launchOf(c.first))
		d.EndLaunch()
		d.BeginLaunch(second)
		playLaunch(d, launchOf(c.second))
		races := d.EndLaunch()
		d.End()
		if len(races) != 1 || races[0].Race.Flag != c.want || (c.want != "") != (races[0].Race.Observe == 101) {
			t.Errorf("%q, %q: %+v, want %q", c.first, c.second, races, c.want)
		}
	}
}

// TestClusterBarrierAfterEnd: what a block has known at the barrier of its cluster passes on to a block that continues
// after the end of the first one.
func TestClusterBarrierAfterEnd(t *testing.T) {
	d := newRelated(t)
	d.Begin(detect.Launch{LaunchShape: traceShape(nil), Ranked: true})
	first, second := dependentPair()
	d.BeginLaunch(first)
	playLaunch(d, launchOf("let write"))
	d.EndLaunch()
	var events []abi.Event
	in := func(block uint64, ev abi.Event) {
		ev.Block, ev.Cluster, ev.Mask, ev.Live, ev.Site = block, 0, 1, 1, uint32(len(events)+1)
		events = append(events, ev)
	}
	in(0, abi.Event{Kind: abi.EventDepend})
	in(0, abi.Event{Kind: abi.EventClusterArrive})
	in(1, abi.Event{Kind: abi.EventClusterArrive})
	in(0, abi.Event{Kind: abi.EventClusterPass})
	in(0, abi.Event{Kind: abi.EventBlockEnd})
	in(1, abi.Event{Kind: abi.EventClusterPass})
	in(1, launchOf("read")[0])
	d.BeginLaunch(second)
	playLaunch(d, events)
	races := d.EndLaunch()
	if d.End(); len(races) > 0 {
		t.Errorf("%+v, want none", races)
	}
}

// TestEndedLanesKnew: what a lane has waited for is known at the end of its block, also if the lane has ended before
// others have learned more.
func TestEndedLanesKnew(t *testing.T) {
	group := func(kind abi.EventKind) abi.Event { return at("A", 0, abi.Event{Kind: kind, Async: abi.AsyncBulk}) }
	copies := memory("A", 0, abi.AccessLoad, 0x100)
	copies.Async, copies.Proxy, copies.Op = abi.AsyncBulk, abi.ProxyAsync, 1
	tells, hears := relaxed("B", 0, abi.AccessStore, 0x200), relaxed("A", 1, abi.AccessLoad, 0x200)
	tells.Sem, hears.Sem, hears.Live = abi.SemRelease, abi.SemAcquire, 1<<1
	own := memory("A", 0, abi.AccessLoad, 0x300)
	end := abi.Event{Kind: abi.EventBlockEnd, Block: copies.Block}
	events := []abi.Event{copies, group(abi.EventAsyncCommit), group(abi.EventAsyncWait), own, tells, hears, end}
	for i := range events {
		events[i].Site = uint32(i + 1)
	}
	if races := report(t, events); len(races) > 0 {
		t.Errorf("%+v, want none", races)
	}
}

// TestWordsBetweenLaunches: a race between launches has as its count the number of words that race.
func TestWordsBetweenLaunches(t *testing.T) {
	d := newRelated(t)
	d.Begin(detect.Launch{LaunchShape: traceShape(nil), Ranked: true})
	first, second := dependentPair()
	access := func(kind abi.AccessKind, bytes uint32) []abi.Event {
		ev := row("A", kind, 0x1000)
		ev.Site, ev.Space, ev.Sem, ev.Bytes = uint32(kind)+1, abi.SpaceGlobal, abi.SemWeak, bytes
		for lane := range uint64(3) {
			ev.Addr[lane] = 0x1000 + uint64(bytes)*lane
		}
		neighbours(&ev)
		return []abi.Event{ev, ev}
	}
	d.BeginLaunch(first)
	playLaunch(d, access(abi.AccessStore, 4))
	d.EndLaunch()
	d.BeginLaunch(second)
	playLaunch(d, access(abi.AccessLoad, 8))
	races := d.EndLaunch()
	if d.End(); len(races) != 1 || races[0].Race.Count != 3 || races[0].Race.First.Site != 2 || races[0].Race.Second.Site != 101 {
		t.Errorf("%+v, want one race of 3 words", races)
	}
}
