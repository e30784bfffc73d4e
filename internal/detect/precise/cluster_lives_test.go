package precise_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/precise"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// livesOf returns the findings of events in a launch of one cluster about the starts and ends of its blocks, as "site
// event". Event i has site i+1; the loads of consumed are those whose value their thread uses at once. Blocks 0 and 1
// end after the events, in this order.
func livesOf(t *testing.T, events []abi.Event, consumed map[uint32]bool) string {
	t.Helper()
	d, err := precise.New(precise.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	shape := detect.LaunchShape{Grid: [3]uint32{2, 1, 1}, Block: [3]uint32{64, 1, 1}, Cluster: [3]uint32{2, 1, 1}}
	d.SetConsumed(consumed)
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
			found = append(found, strings.TrimSpace(fmt.Sprintf("%d %s %s", r.First.Site, s.Event, r.Severity)))
			if s.Block == r.First.Block || r.Kind != detect.InterBlock || (r.Cause != detect.MissingBarrier) != strings.Contains(r.Missing, "a release") || r.Missing == "" {
				t.Errorf("%+v", r)
			}
		}
	}
	return strings.Join(found, ", ")
}

// TestClusterLives: accesses to the shared memory of another block have to follow its start and to precede its end,
// whatever tells the threads.
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
		"nothing":                                 {[][]abi.Event{{memory("A", 0, store, ofC)}}, "1 start, 1 end"},
		"own memory":                              {[][]abi.Event{{memory("A", 0, store, ofA), memory("C", 0, store, ofC)}}, ""},
		"barriers around":                         {[][]abi.Event{both, {memory("A", 0, store, ofC)}, both}, ""},
		"relaxed barriers around":                 {[][]abi.Event{relaxedSync, {memory("A", 0, rmw, ofC)}, relaxedSync}, "7 end"},
		"a relaxed barrier before":                {[][]abi.Event{relaxedSync, {memory("A", 0, rmw, ofC)}, both}, ""},
		"a relaxed barrier, another behind":       {[][]abi.Event{both, {memory("A", 0, rmw, ofC)}, relaxedSync, both}, ""},
		"a fence before a relaxed barrier":        {[][]abi.Event{both, {memory("A", 0, rmw, ofC), at("A", 0, abi.Event{Kind: abi.EventFence, Sem: abi.SemAcqRel, Scope: abi.ScopeCluster})}, relaxedSync}, ""},
		"a narrow fence before a relaxed barrier": {[][]abi.Event{both, {memory("A", 0, rmw, ofC), at("A", 0, abi.Event{Kind: abi.EventFence, Sem: abi.SemAcqRel, Scope: abi.ScopeCTA})}, relaxedSync}, "7 end"},
		"no barrier behind":                       {[][]abi.Event{both, {memory("A", 0, load, ofC)}}, "7 end"},
		"no barrier before":                       {[][]abi.Event{{memory("A", 0, load, ofC)}, both}, "1 start"},
		"between arrival and wait":                {[][]abi.Event{{arrive("A", abi.SemAcqRel), memory("A", 0, load, ofC), arrive("C", abi.SemAcqRel), pass("A"), pass("C")}}, "2 start, 2 end"},
		"in another warp, not waiting":            {[][]abi.Event{{arrive("A", 0), arrive("B", 0), arrive("C", 0), pass("A"), memory("B", 0, load, ofC), pass("B")}, both}, "5 start"},
		"in another warp, after a barrier": {[][]abi.Event{{
			arrive("A", abi.SemRelaxed), arrive("B", abi.SemRelaxed), arrive("C", abi.SemRelaxed), pass("A"),
			block(abi.EventBarrierArrive, "A"), block(abi.EventBarrierArrive, "B"), block(abi.EventBarrierComplete, "A"), block(abi.EventBarrierPass, "B"),
			memory("B", 0, load, ofC), pass("B"),
		}, both}, ""},
		"an arrival at an mbarrier":                     {[][]abi.Event{{init}, told(abi.SemAcqRel, abi.ScopeCluster), {memory("A", 0, store, ofC)}, both}, ""},
		"an arrival of block scope":                     {[][]abi.Event{{init}, told(abi.SemRelaxed, abi.ScopeCTA), {memory("A", 0, store, ofC)}, both}, ""},
		"an arrival, and the block may end":             {[][]abi.Event{{init}, told(abi.SemAcqRel, abi.ScopeCluster), {memory("A", 0, store, ofC)}}, "4 end"},
		"an access before its arrival":                  {[][]abi.Event{{init}, relaxedSync, {memory("C", 0, store, ofA)}, told(abi.SemRelaxed, abi.ScopeCTA)}, "8 end"},
		"an access before its arrival of cluster scope": {[][]abi.Event{{init}, relaxedSync, {memory("C", 0, store, ofA)}, told(abi.SemAcqRel, abi.ScopeCluster)}, ""},
		"an arrival that is waited for":                 {[][]abi.Event{{init}, both, {memory("C", 0, rmw, 0x800)}, told(abi.SemRelaxed, abi.ScopeCTA)}, ""},
		"a store before an arrival that is waited for":  {[][]abi.Event{{init}, both, {memory("C", 0, store, ofA), memory("C", 0, rmw, 0x800)}, told(abi.SemRelaxed, abi.ScopeCTA)}, "8 end"},
		"an access after its arrival":                   {[][]abi.Event{{init}, relaxedSync, told(abi.SemRelaxed, abi.ScopeCTA), {memory("C", 0, store, ofA)}}, "10 end"},
		"an arrival that nobody waits for":              {[][]abi.Event{{init}, both, {memory("C", 0, rmw, 0x800), signal("C", abi.EventMbarrierArrive, abi.SemAcqRel, abi.ScopeCluster)}}, "8 end"},
		"a flag":                                        {[][]abi.Event{{global(relaxed("C", 0, store, flag)), global(relaxed("A", 0, load, flag)), memory("A", 0, store, ofC)}, both}, ""},
		"another lane's flag":                           {[][]abi.Event{{global(relaxed("C", 0, store, flag)), global(relaxed("A", 1, load, flag)), memory("A", 0, store, ofC)}, both}, "3 start"},
		"a copy that the other block awaits":            {[][]abi.Event{{init}, both, {copied("C", store, abi.AsyncSignals, abi.ProxyAsync, ofA), landing("C")}, {signal("A", abi.EventMbarrierPass, abi.SemAcqRel, abi.ScopeCTA)}}, ""},
		"a copy that the other block awaits, relaxed":   {[][]abi.Event{{init}, both, {copied("C", store, abi.AsyncSignals, abi.ProxyAsync, ofA), landing("C")}, {signal("A", abi.EventMbarrierPass, abi.SemRelaxed, abi.ScopeCTA)}}, ""},
		"a copy that nobody awaits":                     {[][]abi.Event{{init}, both, {copied("C", store, abi.AsyncSignals, abi.ProxyAsync, ofA), landing("C")}}, "8 end"},
		"a copy that is complete at a barrier":          {[][]abi.Event{{init}, both, {copied("C", store, abi.AsyncSignals, abi.ProxyAsync, ofA), landing("C"), signal("B", abi.EventMbarrierPass, abi.SemAcqRel, abi.ScopeCTA)}, relaxedSync}, ""},
		"a copy to a block that may not live":           {[][]abi.Event{{init}, {copied("C", store, abi.AsyncSignals, abi.ProxyAsync, ofA)}, both, both}, "2 start, 2 end"},
	} {
		if got := livesOf(t, slices.Concat(c.events...), nil); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// TestConsumed: behind a relaxed arrival, loads whose value was used before have been performed, which is a warning,
// and other accesses not.
func TestConsumed(t *testing.T) {
	const load, store, ofC = abi.AccessLoad, abi.AccessStore, 1<<24 | 0x400
	sync := func(sem abi.Semantics) (list []abi.Event) {
		for _, kind := range []abi.EventKind{abi.EventClusterArrive, abi.EventClusterPass} {
			for _, who := range []string{"A", "B", "C"} {
				list = append(list, at(who, 0, abi.Event{Kind: kind, Sem: sem}))
			}
		}
		return list
	}
	both, relaxed := sync(abi.SemAcqRel), sync(abi.SemRelaxed)
	read, write := []abi.Event{memory("A", 0, load, ofC)}, []abi.Event{memory("A", 0, store, ofC)}
	for name, c := range map[string]struct {
		events [][]abi.Event
		want   string
	}{
		"a load":                  {[][]abi.Event{both, read, relaxed}, "7 end warning"},
		"no arrival":              {[][]abi.Event{both, read}, "7 end"},
		"a store":                 {[][]abi.Event{both, write, relaxed}, "7 end"},
		"a store before a load":   {[][]abi.Event{both, write, read, relaxed}, "7 end, 8 end warning"},
		"a release":               {[][]abi.Event{both, read, both}, ""},
		"a load behind a barrier": {[][]abi.Event{both, relaxed, relaxed, read}, "19 end"},
	} {
		consumed := make(map[uint32]bool)
		for i, ev := range slices.Concat(c.events...) {
			consumed[uint32(i+1)] = ev.Access == load && ev.Kind == abi.EventAccess
		}
		if got := livesOf(t, slices.Concat(c.events...), consumed); got != c.want {
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
		if got := livesOf(t, events, nil); (got != "") != (want != "") {
			t.Errorf("waits for the last: %v: got %q", last, got)
		}
	}
}
