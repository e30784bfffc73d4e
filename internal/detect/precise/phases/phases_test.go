package phases_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// TestPhases: why the phases of some programs may differ in other schedules, whichever is observed, and that those of
// correct ones do not.
func TestPhases(t *testing.T) {
	for name, c := range map[string]struct {
		program
		want string // in a reason; empty if there is none
	}{
		"rounds": {program{counts: []int{2}, threads: [][]op{
			{{arrive, 0, 1}, {wait, 0, 0}, {arrive, 0, 1}, {wait, 0, 1}},
			{{arrive, 0, 1}, {wait, 0, 0}, {arrive, 0, 1}, {wait, 0, 1}},
		}}, ""},
		"second arrival without a wait": {program{counts: []int{2}, threads: [][]op{
			{{arrive, 0, 1}, {arrive, 0, 1}}, {{arrive, 0, 1}, {wait, 0, 0}, {arrive, 0, 1}},
		}}, "take its place"},
		"second arrival behind a barrier": {program{counts: []int{2}, threads: [][]op{
			{{arrive, 0, 1}, {sync, 0, 0}, {arrive, 0, 1}}, {{arrive, 0, 1}, {sync, 0, 0}, {arrive, 0, 1}},
		}}, ""},
		"ring": {program{counts: []int{1, 1}, threads: [][]op{
			{{wait, 1, 1}, {arriveExpect, 0, 64}, {startCopy, 0, 64}, {wait, 1, 0}, {arriveExpect, 0, 64}, {startCopy, 0, 64}},
			{{wait, 0, 0}, {arrive, 1, 1}, {wait, 0, 1}, {arrive, 1, 1}},
		}}, ""},
		"ring with commits": {program{counts: []int{1, 1}, threads: [][]op{
			{{wait, 1, 1}, {arriveExpect, 0, 64}, {startCopy, 0, 64}, {wait, 1, 0}, {arriveExpect, 0, 64}, {startCopy, 0, 64}},
			{{wait, 0, 0}, {commit, 1, 1}, {wait, 0, 1}, {commit, 1, 1}},
		}}, ""},
		"ring with relaxed arrivals": {program{counts: []int{1, 1}, threads: [][]op{
			{{wait, 1, 1}, {arriveExpect, 0, 64}, {startCopy, 0, 64}, {wait, 1, 0}, {arriveExpect, 0, 64}, {startCopy, 0, 64}},
			{{wait, 0, 0}, {relaxed, 1, 1}, {await, 0, 1}, {relaxed, 1, 1}},
		}}, ""},
		"ring without back-pressure": {program{counts: []int{1, 1}, threads: [][]op{
			{{arriveExpect, 0, 64}, {startCopy, 0, 64}, {arriveExpect, 0, 64}, {startCopy, 0, 64}},
			{{wait, 0, 0}, {arrive, 1, 1}, {wait, 0, 1}, {arrive, 1, 1}},
		}}, "take its place"},
		"producer that waits for the stage before the one it waited for": {program{counts: []int{1, 1}, threads: [][]op{
			{{arrive, 0, 1}, {wait, 1, 1}, {arrive, 0, 1}, {wait, 1, 0}, {arrive, 0, 1}},
			{{wait, 0, 0}, {arrive, 1, 1}, {wait, 0, 1}, {arrive, 1, 1}, {wait, 0, 0}},
		}}, "has seen its own"},
		"wait that skips a phase": {program{counts: []int{1, 1}, threads: [][]op{
			{{arrive, 0, 1}, {wait, 1, 0}, {arrive, 0, 1}}, {{wait, 0, 0}, {arrive, 1, 1}}, {{wait, 0, 1}},
		}}, "may return at once"},
		"bytes expected too late": {program{counts: []int{2}, threads: [][]op{
			{{arrive, 0, 1}}, {{arrive, 0, 1}}, {{expect, 0, 64}, {startCopy, 0, 64}, {wait, 0, 0}},
		}}, "before {seed} has taken effect"},
		"bytes expected in time": {program{counts: []int{1}, threads: [][]op{
			{{expect, 0, 64}, {startCopy, 0, 64}, {sync, 0, 0}}, {{sync, 0, 0}, {arrive, 0, 1}, {wait, 0, 0}},
		}}, ""},
		"bytes of the next phase": {program{counts: []int{1}, threads: [][]op{
			{{arriveExpect, 0, 8}, {startCopy, 0, 8}, {wait, 0, 0}, {arriveExpect, 0, 8}}, {{startCopy, 0, 8}},
		}}, "take its place"},
		"no bytes": {program{counts: []int{1}, threads: [][]op{
			{{complete, 0, 0}, {arrive, 0, 1}}, {{wait, 0, 0}},
		}}, "no bytes"},
		"drop": {program{counts: []int{2}, threads: [][]op{
			{{drop, 0, 1}}, {{arrive, 0, 1}, {wait, 0, 0}, {arrive, 0, 1}, {wait, 0, 1}},
		}}, ""},
		"drop by a thread that arrives again": {program{counts: []int{2}, threads: [][]op{
			{{drop, 0, 1}, {sync, 0, 0}}, {{arrive, 0, 1}, {sync, 0, 0}}, {{sync, 0, 0}, {arrive, 0, 1}},
		}}, ""},
		"arrival that must not be the last": {program{counts: []int{2}, threads: [][]op{
			{{incomplete, 0, 1}}, {{arrive, 0, 1}},
		}}, "before {seed} has taken effect"},
		"arrival before the last": {program{counts: []int{2}, threads: [][]op{
			{{incomplete, 0, 1}, {sync, 0, 0}}, {{sync, 0, 0}, {arrive, 0, 1}},
		}}, ""},
		"arrival of copies": {program{counts: []int{2}, threads: [][]op{
			{{copyNoinc, 0, 1}, {wait, 0, 0}}, {{copyArrive, 0, 1}, {arrive, 0, 1}, {wait, 0, 0}},
		}}, ""},
		"arrival of copies that nobody expects in time": {program{counts: []int{1}, threads: [][]op{
			{{copyArrive, 0, 1}}, {{arrive, 0, 1}, {wait, 0, 0}},
		}}, "before {seed} has taken effect"},
		"arrivals of copies of which one is too many": {program{counts: []int{1}, threads: [][]op{
			{{copyNoinc, 0, 1}, {copyNoinc, 0, 1}},
		}}, "in this phase or in the next one"},
		"arrival that must not be the last behind one of copies": {program{counts: []int{2}, threads: [][]op{
			{{copyArrive, 0, 1}, {incomplete, 0, 1}}, {{arrive, 0, 1}},
		}}, "before {seed} has taken effect"},
		"named barriers": {program{warps: true, counts: []int{1}, threads: [][]op{
			{{arriveNamed, 1, 64}, {syncNamed, 2, 64}, {arriveNamed, 1, 64}, {syncNamed, 2, 64}},
			{{syncNamed, 1, 64}, {arriveNamed, 2, 64}, {syncNamed, 1, 64}, {arriveNamed, 2, 64}},
		}}, ""},
		"second arrival at a named barrier": {program{warps: true, counts: []int{1}, threads: [][]op{
			{{arriveNamed, 1, 96}, {arriveNamed, 1, 96}},
			{{syncNamed, 1, 96}, {syncNamed, 1, 96}},
			{{syncNamed, 1, 96}, {syncNamed, 1, 96}},
		}}, "does not wait for that phase"},
		"other threads at a named barrier": {program{warps: true, counts: []int{1}, threads: [][]op{
			{{syncNamed, 1, 64}}, {{syncNamed, 1, 64}}, {{syncNamed, 1, 64}}, {{syncNamed, 1, 64}},
		}}, "does not wait for that phase"},
	} {
		all := ""
		for seed := range uint64(100) {
			m := run(&c.program, seed)
			if m.bad != "" {
				continue
			}
			why := strings.Join(reasons(t, m), "\n")
			if (why == "") != (c.want == "") {
				t.Errorf("%s: %q, expected %q", name, why, c.want)
				break
			}
			all += why
		}
		if !strings.Contains(all, c.want) {
			t.Errorf("%s: %q, expected %q", name, all, c.want)
		}
	}
}

// warpEvent returns an event of lanes of the first warp, about an mbarrier or barrier 1 of the block.
func warpEvent(kind abi.EventKind, lanes, phases, count uint32) abi.Event {
	ev := abi.Event{
		Kind: kind, Mask: lanes, Live: 3, Phases: phases, Sem: abi.SemRelease, Barrier: 1, Expected: count, Site: lanes,
	}
	for i := range ev.Addr {
		ev.Addr[i], ev.Pending[i] = sharedBase, count
	}
	return ev
}

// TestLanes: lanes that act together know only of their own earlier steps, and lanes that have exited count at a
// barrier with a count, which is not decided unless the sum is right.
func TestLanes(t *testing.T) {
	for name, c := range map[string]struct {
		trace []abi.Event
		want  string
	}{
		"two lanes behind one": {[]abi.Event{
			warpEvent(abi.EventMbarrierInit, 1, 0, 2), warpEvent(abi.EventMbarrierArrive, 1, 0, 2),
			warpEvent(abi.EventMbarrierArrive, 3, 3, 1),
		}, "take its place"},
		"one lane behind itself": {[]abi.Event{
			warpEvent(abi.EventMbarrierInit, 1, 0, 2), warpEvent(abi.EventMbarrierArrive, 1, 0, 2),
			warpEvent(abi.EventMbarrierArrive, 1, 3, 2),
		}, ""},
		"all lanes of a warp": {[]abi.Event{
			warpEvent(abi.EventBarrierArrive, 3, 0, 32), warpEvent(abi.EventBarrierComplete, 3, 0, 32),
		}, ""},
		"another count": {[]abi.Event{
			warpEvent(abi.EventBarrierArrive, 3, 0, 32), warpEvent(abi.EventBarrierComplete, 3, 0, 64),
		}, "different counts"},
	} {
		if all := strings.Join(reasons(t, &machine{trace: c.trace}), "\n"); !strings.Contains(all, c.want) ||
			c.want == "" && all != "" {
			t.Errorf("%s: %q, expected %q", name, all, c.want)
		}
	}
}

// TestNarrowArrival: an arrival that orders no accesses of another block orders what the threads do nevertheless.
func TestNarrowArrival(t *testing.T) {
	const full, empty = sharedBase, sharedBase + 8
	event := func(block uint64, kind abi.EventKind, addr uint64, phase uint32) abi.Event {
		ev := warpEvent(kind, 1, phase, 1)
		ev.Block, ev.Addr[0], ev.Sem, ev.Scope, ev.Form = block, addr, abi.SemRelease, abi.ScopeCTA, abi.FormUncounted
		return ev
	}
	trace := []abi.Event{
		event(0, abi.EventMbarrierInit, full, 0), event(0, abi.EventMbarrierInit, empty, 0),
		event(0, abi.EventMbarrierCopyArrive, full, 0), event(1, abi.EventMbarrierPass, full, 0),
		event(1, abi.EventMbarrierArrive, empty, 0), event(0, abi.EventMbarrierPass, empty, 0),
		event(0, abi.EventMbarrierCopyArrive, full, 1),
	}
	for i := range trace {
		if trace[i].Kind != abi.EventMbarrierCopyArrive {
			trace[i].Form = 0
		}
	}
	if all := strings.Join(reasons(t, &machine{trace: trace}), "\n"); all != "" {
		t.Errorf("%s", all)
	}
	trace = slices.Delete(trace, 5, 6) // nobody waits for the arrival
	if all := strings.Join(reasons(t, &machine{trace: trace}), "\n"); !strings.Contains(all, "take its place") {
		t.Errorf("without a wait: %s", all)
	}
}
