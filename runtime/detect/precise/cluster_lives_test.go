package precise_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/detect/precise"
)

// livesOf returns the findings of events in a launch of one cluster about the starts and ends of its blocks, as "site event".
// Event i has site i+1. Blocks 0 and 1 end after the events, in this order.
func livesOf(t *testing.T, events []abi.Event) string {
	t.Helper()
	d, err := precise.New(precise.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	shape := detect.LaunchShape{Grid: [3]uint32{2, 1, 1}, Block: [3]uint32{64, 1, 1}, Cluster: [3]uint32{2, 1, 1}}
	d.Begin(detect.Launch{LaunchShape: shape, Ranked: true})
	d.Event(&abi.Event{Kind: abi.EventKernelBegin})
	for i := range events {
		ev := events[i]
		ev.Site = uint32(i + 1)
		abi.Deliver(d, &ev)
	}
	for block := range uint64(2) {
		d.Event(&abi.Event{Kind: abi.EventBlockEnd, Block: block})
	}
	d.Event(&abi.Event{Kind: abi.EventKernelEnd})
	var found []string
	for _, r := range d.End() {
		if s := r.Second; s.Event != "" {
			found = append(found, fmt.Sprintf("%d %s", r.First.Site, s.Event))
			if s.Block == r.First.Block || r.Kind != detect.InterBlock || r.Cause != detect.MissingBarrier || r.Missing == "" {
				t.Errorf("%+v", r)
			}
		}
	}
	return strings.Join(found, ", ")
}

// TestClusterLives: accesses to the shared memory of another block have to follow its start and to precede its end, whatever
// tells the threads.
func TestClusterLives(t *testing.T) {
	const load, store, rmw = abi.AccessLoad, abi.AccessStore, abi.AccessRMW
	const ofC, ofA, flag = 1<<24 | 0x400, 0x400, 0x500 // words of blocks 1 and 0
	arrive := func(who string, sem abi.Semantics) abi.Event {
		return at(who, 0, abi.Event{Kind: abi.EventClusterArrive, Sem: sem})
	}
	pass := func(who string) abi.Event { return at(who, 0, abi.Event{Kind: abi.EventClusterPass}) }
	sync := func(sem abi.Semantics) []abi.Event {
		return []abi.Event{arrive("A", sem), arrive("B", sem), arrive("C", sem), pass("A"), pass("B"), pass("C")}
	}
	both, relaxedSync := sync(abi.SemAcqRel), sync(abi.SemRelaxed)
	init := at("A", 0, abi.Event{Kind: abi.EventMbarrierInit})
	init.Addr[0] = 0x800
	told := func(sem abi.Semantics, scope abi.Scope) []abi.Event {
		return []abi.Event{signal("C", abi.EventMbarrierArrive, sem, scope), signal("A", abi.EventMbarrierPass, sem, scope)}
	}
	global := func(ev abi.Event) abi.Event {
		ev.Space = abi.SpaceGlobal
		return ev
	}
	block := func(kind abi.EventKind, who string) abi.Event { return at(who, 0, abi.Event{Kind: kind}) }
	for name, c := range map[string]struct {
		events [][]abi.Event
		want   string
	}{
		"nothing":                      {[][]abi.Event{{memory("A", 0, store, ofC)}}, "1 start, 1 end"},
		"own memory":                   {[][]abi.Event{{memory("A", 0, store, ofA), memory("C", 0, store, ofC)}}, ""},
		"barriers around":              {[][]abi.Event{both, {memory("A", 0, store, ofC)}, both}, ""},
		"relaxed barriers around":      {[][]abi.Event{relaxedSync, {memory("A", 0, rmw, ofC)}, relaxedSync}, ""},
		"no barrier behind":            {[][]abi.Event{both, {memory("A", 0, load, ofC)}}, "7 end"},
		"no barrier before":            {[][]abi.Event{{memory("A", 0, load, ofC)}, both}, "1 start"},
		"between arrival and wait":     {[][]abi.Event{{arrive("A", abi.SemAcqRel), memory("A", 0, load, ofC), arrive("C", abi.SemAcqRel), pass("A"), pass("C")}}, "2 start, 2 end"},
		"in another warp, not waiting": {[][]abi.Event{{arrive("A", 0), arrive("C", 0), pass("A"), memory("B", 0, load, ofC)}, both}, "4 start"},
		"in another warp, after a barrier": {[][]abi.Event{{
			arrive("A", abi.SemRelaxed), arrive("C", abi.SemRelaxed), pass("A"),
			block(abi.EventBarrierArrive, "A"), block(abi.EventBarrierArrive, "B"), block(abi.EventBarrierComplete, "A"), block(abi.EventBarrierPass, "B"),
			memory("B", 0, load, ofC),
		}, both}, ""},
		"an arrival at an mbarrier":                   {[][]abi.Event{{init}, told(abi.SemAcqRel, abi.ScopeCluster), {memory("A", 0, store, ofC)}, both}, ""},
		"an arrival of block scope":                   {[][]abi.Event{{init}, told(abi.SemRelaxed, abi.ScopeCTA), {memory("A", 0, store, ofC)}, both}, ""},
		"an arrival, and the block may end":           {[][]abi.Event{{init}, told(abi.SemAcqRel, abi.ScopeCluster), {memory("A", 0, store, ofC)}}, "4 end"},
		"an access before its arrival":                {[][]abi.Event{{init}, relaxedSync, {memory("C", 0, store, ofA)}, told(abi.SemRelaxed, abi.ScopeCTA)}, ""},
		"an access after its arrival":                 {[][]abi.Event{{init}, relaxedSync, told(abi.SemRelaxed, abi.ScopeCTA), {memory("C", 0, store, ofA)}}, "10 end"},
		"an arrival that nobody waits for":            {[][]abi.Event{{init}, both, {memory("C", 0, rmw, 0x800), signal("C", abi.EventMbarrierArrive, abi.SemAcqRel, abi.ScopeCluster)}}, "8 end"},
		"a flag":                                      {[][]abi.Event{{global(relaxed("C", 0, store, flag)), global(relaxed("A", 0, load, flag)), memory("A", 0, store, ofC)}, both}, ""},
		"another lane's flag":                         {[][]abi.Event{{global(relaxed("C", 0, store, flag)), global(relaxed("A", 1, load, flag)), memory("A", 0, store, ofC)}, both}, "3 start"},
		"a copy that the other block awaits":          {[][]abi.Event{{init}, both, {copied("C", store, abi.AsyncSignals, abi.ProxyAsync, ofA), landing("C")}, {signal("A", abi.EventMbarrierPass, abi.SemAcqRel, abi.ScopeCTA)}}, ""},
		"a copy that the other block awaits, relaxed": {[][]abi.Event{{init}, both, {copied("C", store, abi.AsyncSignals, abi.ProxyAsync, ofA), landing("C")}, {signal("A", abi.EventMbarrierPass, abi.SemRelaxed, abi.ScopeCTA)}}, ""},
		"a copy that nobody awaits":                   {[][]abi.Event{{init}, both, {copied("C", store, abi.AsyncSignals, abi.ProxyAsync, ofA), landing("C")}}, "8 end"},
		"a copy that is complete at a barrier":        {[][]abi.Event{{init}, both, {copied("C", store, abi.AsyncSignals, abi.ProxyAsync, ofA), landing("C"), signal("B", abi.EventMbarrierPass, abi.SemAcqRel, abi.ScopeCTA)}, relaxedSync}, ""},
		"a copy to a block that may not live":         {[][]abi.Event{{init}, {copied("C", store, abi.AsyncSignals, abi.ProxyAsync, ofA)}, both, both}, "2 start, 2 end"},
	} {
		if got := livesOf(t, slices.Concat(c.events...)); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// landing is the completion of the asynchronous operation of copied on the mbarrier at 0x800.
func landing(who string) abi.Event {
	return at(who, 0, abi.Event{Kind: abi.EventAsyncDone, Async: abi.AsyncSignals, Op: 7, Signal: 0x800})
}

// TestManyRemoteCopies: of many asynchronous copies, those that the block knows of are dropped, and others reported.
func TestManyRemoteCopies(t *testing.T) {
	for last, want := range map[bool]string{true: "", false: "1 end"} {
		events := []abi.Event{at("A", 0, abi.Event{Kind: abi.EventMbarrierInit})}
		events[0].Addr[0] = 0x800
		for _, who := range []string{"A", "C"} {
			events = append(events, at(who, 0, abi.Event{Kind: abi.EventClusterArrive, Sem: abi.SemAcqRel}))
		}
		events = append(events, at("C", 0, abi.Event{Kind: abi.EventClusterPass}))
		for op := range uint64(300) {
			copy, done := copied("C", abi.AccessStore, abi.AsyncSignals, abi.ProxyAsync, 0x400+16*op), landing("C")
			copy.Op, done.Op = op+1, op+1
			events = append(events, copy, done)
			if op < 299 || last {
				events = append(events, signal("A", abi.EventMbarrierPass, abi.SemAcqRel, abi.ScopeCTA))
			}
		}
		if got := livesOf(t, events); (got != "") != (want != "") {
			t.Errorf("waits for the last: %v: got %q", last, got)
		}
	}
}
