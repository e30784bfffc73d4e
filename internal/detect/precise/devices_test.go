package precise_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/precise"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// deviceOf returns the device of an event in a trace of two devices, 0 or 1: that of its cluster.
func deviceOf(ev *abi.Event) uint64 { return min(ev.Cluster, 1) }

// newDeviceTrace makes a trace one of two launches side by side, on two devices.
func newDeviceTrace(trace []abi.Event) []abi.Event {
	events := withoutChildren(trace)
	for i := range events {
		ev := &events[i]
		if ev.Proxy == abi.ProxyReadOnly || ev.Proxy == abi.ProxyTexture || ev.Proxy == abi.ProxySurface {
			ev.Proxy = abi.ProxyGeneric
		}
		ev.Site = uint32(i + 1)
	}
	return events
}

// deviceRaces is the races between two devices by the definitions.
func deviceRaces(events []abi.Event) map[race]bool {
	o := newOracleOf(events, 0, oracleLaunches{devices: true})
	out := map[race]bool{}
	for b, y := range o.ops {
		for a, x := range o.ops[:b] {
			if x.device != y.device && o.race(a, b) {
				out[race{x.site, y.site}] = true
			}
		}
	}
	return out
}

// besideRaces is the races that a detector reports between launches side by side on the devices of a trace.
func besideRaces(t testing.TB, events []abi.Event) map[race]bool {
	t.Helper()
	d := newRelated(t)
	d.Begin(detect.Launch{LaunchShape: traceShape(nil), Ranked: true})
	first := &precise.Launched{Device: 1}
	launches := []*precise.Launched{first, {Device: 2, Overlaps: []*precise.Launched{first}}}
	begin := abi.Event{Kind: abi.EventKernelBegin}
	copy(begin.Addr[:], []uint64{traceBlocks, 1, 1, 64, 1, 1, uint64(traceShape(events).Cluster[0])})
	if slices.ContainsFunc(events, func(ev abi.Event) bool { return ev.Proxy == abi.ProxyAsync }) {
		begin.Proxy = abi.ProxyAsync
	}
	for _, l := range launches {
		d.BeginLaunch(l)
		d.Event(&begin)
	}
	for _, ev := range events {
		d.Resume(launches[deviceOf(&ev)])
		abi.Deliver(d, &ev)
	}
	out := map[race]bool{}
	for _, l := range launches {
		d.Resume(l)
		d.Event(&abi.Event{Kind: abi.EventKernelEnd})
		for _, r := range d.EndLaunch() {
			out[race{r.Race.First.Site, r.Race.Second.Site}] = true
		}
	}
	d.End()
	return out
}

func disagreeOnDevices(t testing.TB, events []abi.Event) (why string) {
	want, got := deviceRaces(events), besideRaces(t, events)
	for p := range got {
		if !want[p] {
			return "no race between " + traceText([]abi.Event{events[p.first-1], events[p.second-1]})
		}
	}
	seconds := map[uint32]bool{} // of which a race is known, within a launch too
	for p := range got {
		seconds[p.second] = true
	}
	for p := range newOracleOf(events, 0, oracleLaunches{devices: true}).races() {
		if deviceOf(&events[p.first-1]) == deviceOf(&events[p.second-1]) {
			seconds[p.second] = true
		}
	}
	for p := range want {
		if !seconds[p.second] {
			return "a race between " + traceText([]abi.Event{events[p.first-1], events[p.second-1]})
		}
	}
	return ""
}

// byDevice returns the events of a trace in the order of the devices, and how many are of the first.
func byDevice(events []abi.Event) (sorted []abi.Event, first int) {
	sorted = slices.Clone(events)
	slices.SortStableFunc(sorted, func(a, b abi.Event) int { return int(deviceOf(&a)) - int(deviceOf(&b)) })
	return sorted, slices.IndexFunc(append(sorted, abi.Event{Cluster: 1}), func(ev abi.Event) bool { return deviceOf(&ev) == 1 })
}

// TestDevicesAgainstOracle: the detector says of random launches side by side on two devices what the definitions say.
func TestDevicesAgainstOracle(t *testing.T) {
	kinds := []func(seed uint64, length int) []abi.Event{
		newTrace, newTrace, newCellTrace, newLockTrace, newRowTrace, newHandoverTrace, newWalkTrace, newPollTrace, newCountTrace,
	}
	racy, clean := 0, 0
	for seed := range uint64(*traces) {
		events := newDeviceTrace(kinds[seed%uint64(len(kinds))](seed, 6+int(seed%40)))
		if hasChance(byDevice(events)) {
			continue
		}
		if len(deviceRaces(events)) > 0 {
			racy++
		} else {
			clean++
		}
		if disagreeOnDevices(t, events) == "" {
			continue
		}
		for i := len(events) - 1; i >= 0; i-- {
			less := slices.Delete(slices.Clone(events), i, i+1)
			for k := range less {
				less[k].Site = uint32(k + 1)
			}
			if whole(less) && !hasChance(byDevice(less)) && disagreeOnDevices(t, less) != "" {
				events = less
			}
		}
		t.Fatalf("seed %d: %s\n%s", seed, disagreeOnDevices(t, events), traceText(events))
	}
	if *traces > 100 && (racy < *traces/10 || clean < *traces/20) {
		t.Errorf("of %d traces, %d race between devices and %d do not: too few to tell", *traces, racy, clean)
	}
}

// TestCausesBetweenDevices: the cause of a race between launches on two devices, by the scopes of what their threads
// do.
func TestCausesBetweenDevices(t *testing.T) {
	for _, c := range []struct {
		first, second string
		cause         detect.Cause // "" for no race
		missing       string       // part of it
		fence         uint32       // site of the operation that is too narrow; the second launch has those from 101 on
	}{
		{"write release.sys", "acquire.sys read", "", "", 0},
		{"write fence.sys tell.sys", "see.sys fence.sys read", "", "", 0},
		{"write release.gpu", "acquire.sys read", detect.InsufficientAtomicScope, "a scope of both accesses", 0},
		{"write release.gpu", "read", detect.InsufficientFenceScope, "system-scope fence or release", 52},
		{"write fence.gpu tell.sys", "see.sys fence.sys read", detect.InsufficientFenceScope, "the second thread is on another device", 52},
		{"write fence.sys tell.sys", "see.sys fence.gpu read", detect.InsufficientFenceScope, "a system-scope acquire: the first thread is on another device", 102},
		{"write tell.sys", "see.sys fence.sys read", detect.MissingFence, "a release", 0},
		{"write fence.sys tell.sys", "see.sys read", detect.MissingFence, "an acquire", 0},
		{"write", "read", detect.MissingStreamOrder, "", 0},
		{"tell.sys", "see.sys", "", "", 0},
		{"tell.gpu", "see.sys", detect.InsufficientAtomicScope, "the first is of scope gpu", 0},
	} {
		d := newRelated(t)
		d.Begin(detect.Launch{LaunchShape: traceShape(nil), Ranked: true})
		first := &precise.Launched{Device: 1, FirstSite: 50}
		second := &precise.Launched{Device: 2, FirstSite: 100, Overlaps: []*precise.Launched{first}}
		var races []precise.LaunchRace
		for i, l := range []*precise.Launched{first, second} {
			d.BeginLaunch(l)
			playLaunch(d, scopedLaunch([]string{c.first, c.second}[i]))
			races = append(races, d.EndLaunch()...)
		}
		d.End()
		switch {
		case c.cause == "" && len(races) > 0 || c.cause != "" && len(races) == 0:
			t.Errorf("%q, %q: %d races, want cause %q", c.first, c.second, len(races), c.cause)
		case c.cause == "":
		case races[0].Race.Cause != c.cause || !strings.Contains(races[0].Race.Missing, c.missing) || races[0].Race.Fence != c.fence:
			t.Errorf("%q, %q: %q, %q at %d, want %q, %q at %d", c.first, c.second, races[0].Race.Cause, races[0].Race.Missing,
				races[0].Race.Fence, c.cause, c.missing, c.fence)
		}
	}
}

// TestOrderWithinDevices: what threads of one device have told each other by operations of device scope, one of them
// tells a thread of another device. Block 0 is on a device of its own; thread 100 is of another warp of it.
func TestOrderWithinDevices(t *testing.T) {
	blocks := func(steps ...string) (events []abi.Event) {
		for _, s := range steps {
			number, what, _ := strings.Cut(s, ": ")
			n, err := strconv.Atoi(number)
			if err != nil {
				t.Fatal(err)
			}
			for _, ev := range scopedLaunch(what) {
				ev.Block, ev.Cluster, ev.Warp, ev.Site = uint64(n%100), uint64(n%100), uint32(n/100), uint32(len(events)+1)
				events = append(events, ev)
			}
		}
		return events
	}
	var counters []string
	for n := range 8 {
		counters = append(counters, fmt.Sprintf("%d: write%d add.gpu", n+1, n))
	}
	for name, events := range map[string][]abi.Event{
		"more releases than are kept apart": blocks(append(counters,
			"9: acquire.gpu other.sys", "0: hear.sys read0 read1 read7")...),
		"fence.sc before a fence.sc of the other device": blocks(
			"1: write0 order.gpu tell.sys other.sys", "0: hear.sys order.sys tell.sys", "2: see.sys order.gpu other.sys",
			"100: hear.sys read0"),
	} {
		if want := deviceRaces(events); len(want) > 0 {
			t.Errorf("%s: by the definitions, %v race", name, want)
		}
		if why := disagreeOnDevices(t, events); why != "" {
			t.Errorf("%s: %s", name, why)
		}
	}
}

// scopedLaunch is the events of a launch of one thread, in which strong operations have a scope. A digit selects the
// word.
func scopedLaunch(steps string) (events []abi.Event) {
	for i, step := range strings.Fields(steps) {
		what, scope, _ := strings.Cut(step, ".")
		word := uint64(0x1000)
		if name := strings.TrimRight(what, "0123456789"); name != what {
			n, _ := strconv.Atoi(what[len(name):])
			what, word = name, word+4*uint64(n)
		}
		var ev abi.Event
		switch what {
		case "read":
			ev = memory("A", 0, abi.AccessLoad, word)
		case "write":
			ev = memory("A", 0, abi.AccessStore, word)
		case "fence":
			ev = at("A", 0, abi.Event{Kind: abi.EventFence, Sem: abi.SemAcqRel})
		case "order":
			ev = at("A", 0, abi.Event{Kind: abi.EventFence, Sem: abi.SemSC})
		case "add":
			ev = relaxed("A", 0, abi.AccessRMW, 0x2000)
		case "other":
			ev = relaxed("A", 0, abi.AccessStore, 0x3000)
		case "hear":
			ev = relaxed("A", 0, abi.AccessLoad, 0x3000)
		case "tell", "release":
			ev = relaxed("A", 0, abi.AccessStore, 0x2000)
		case "see", "acquire":
			ev = relaxed("A", 0, abi.AccessLoad, 0x2000)
		case "nothing":
			continue
		}
		switch what {
		case "release", "add", "other":
			ev.Sem = abi.SemRelease
		case "acquire", "hear":
			ev.Sem = abi.SemAcquire
		}
		if ev.Space = abi.SpaceGlobal; scope != "" {
			ev.Scope = map[string]abi.Scope{"gpu": abi.ScopeGPU, "sys": abi.ScopeSys}[scope]
		}
		ev.Site = uint32(i + 1)
		events = append(events, ev)
	}
	return events
}

// TestEndKnowsWhatThreadsHaveAcquired: what a launch has acquired from another device is known to the launch after it.
func TestEndKnowsWhatThreadsHaveAcquired(t *testing.T) {
	for _, c := range []struct {
		steps string // of the launch between
		races int
	}{{"hear.sys acquire.sys", 0}, {"hear.sys see.sys", 1}} {
		d := newRelated(t)
		d.Begin(detect.Launch{LaunchShape: traceShape(nil), Ranked: true})
		first := &precise.Launched{Device: 1}
		other := &precise.Launched{Device: 1, FirstSite: 100}
		second := &precise.Launched{Device: 2, FirstSite: 200, Overlaps: []*precise.Launched{first, other}}
		third := &precise.Launched{Device: 2, FirstSite: 300, Overlaps: second.Overlaps, After: []*precise.Launched{second}}
		races := 0
		for i, l := range []*precise.Launched{first, other, second, third} {
			d.BeginLaunch(l)
			playLaunch(d, scopedLaunch([]string{"write release.sys", "write1 other.sys", c.steps, "read read1"}[i]))
			races += len(d.EndLaunch())
		}
		if d.End(); races != c.races {
			t.Errorf("%s: %d races, want %d", c.steps, races, c.races)
		}
	}
}

// TestFlagOfLaterLaunch: a launch tells another device, by a flag, what the launch before it has done.
func TestFlagOfLaterLaunch(t *testing.T) {
	for _, c := range []struct {
		tell, see string
		cause     detect.Cause // "" for no race
	}{
		{"fence.sys tell.sys", "see.sys fence.sys read", ""},
		{"tell.sys", "see.sys read", detect.MissingFence},
		{"fence.gpu tell.sys", "see.sys fence.sys read", detect.InsufficientFenceScope},
		{"nothing", "read", detect.MissingStreamOrder},
	} {
		d := newRelated(t)
		d.Begin(detect.Launch{LaunchShape: traceShape(nil), Ranked: true})
		first := &precise.Launched{Device: 1}
		second := &precise.Launched{Device: 1, FirstSite: 100, After: []*precise.Launched{first}}
		other := &precise.Launched{Device: 2, FirstSite: 200, Overlaps: []*precise.Launched{first, second}}
		var causes []detect.Cause
		for i, l := range []*precise.Launched{first, second, other} {
			d.BeginLaunch(l)
			playLaunch(d, scopedLaunch([]string{"write", c.tell, c.see}[i]))
			for _, r := range d.EndLaunch() {
				if causes = append(causes, r.Race.Cause); r.First != first || r.Second != other {
					t.Errorf("%s, %s: a race of other launches", c.tell, c.see)
				}
			}
		}
		d.End()
		if want := slices.DeleteFunc([]detect.Cause{c.cause}, func(c detect.Cause) bool { return c == "" }); !slices.Equal(causes, want) {
			t.Errorf("%s, %s: causes %q, want %q", c.tell, c.see, causes, want)
		}
	}
}
