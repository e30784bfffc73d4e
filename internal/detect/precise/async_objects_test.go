package precise_test

import (
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// TestObjectLives: an operation that completes on an mbarrier follows its initialisation, and precedes its invalidation
// only if the thread has waited for it. A proxy fence makes no difference. Event i has site i+1.
func TestObjectLives(t *testing.T) {
	const store, d = abi.AccessStore, 0x400
	object := func(who string, kind abi.EventKind) abi.Event {
		ev := at(who, 0, abi.Event{Kind: kind})
		ev.Addr[0] = 0x800
		return ev
	}
	init, inval := object("A", abi.EventMbarrierInit), object("A", abi.EventMbarrierInval)
	copyBy := func(who string) []abi.Event {
		return []abi.Event{copied(who, store, abi.AsyncSignals, abi.ProxyAsync, d), landing(who)}
	}
	block := func(kind abi.EventKind, who string) abi.Event { return at(who, 0, abi.Event{Kind: kind}) }
	sync := []abi.Event{block(abi.EventBarrierArrive, "A"), block(abi.EventBarrierArrive, "B"), block(abi.EventBarrierComplete, "A"), block(abi.EventBarrierPass, "A"), block(abi.EventBarrierPass, "B")}
	wait := signal("A", abi.EventMbarrierPass, abi.SemAcqRel, abi.ScopeCTA)
	relaxedSync := []abi.Event{
		at("A", 0, abi.Event{Kind: abi.EventClusterArrive, Sem: abi.SemRelaxed}), at("C", 0, abi.Event{Kind: abi.EventClusterArrive, Sem: abi.SemRelaxed}),
		at("C", 0, abi.Event{Kind: abi.EventClusterPass}),
	}
	fence := at("A", 0, abi.Event{Kind: abi.EventFence, Sem: abi.SemRelease, Scope: abi.ScopeCluster})
	for name, c := range map[string]struct {
		events        [][]abi.Event
		first, second uint32 // sites; 0 for no race
	}{
		"of the same thread":               {[][]abi.Event{{init}, copyBy("A")}, 0, 0},
		"of another thread":                {[][]abi.Event{{init}, copyBy("B")}, 1, 3},
		"after a barrier":                  {[][]abi.Event{{init}, sync, copyBy("B")}, 0, 0},
		"by another block":                 {[][]abi.Event{{init}, relaxedSync, copyBy("C")}, 1, 6},
		"by another block, after a fence":  {[][]abi.Event{{init, fence}, relaxedSync, copyBy("C")}, 0, 0},
		"invalidated too early":            {[][]abi.Event{{init}, copyBy("A"), {inval}}, 3, 4},
		"invalidated after a wait":         {[][]abi.Event{{init}, copyBy("A"), {wait, inval}}, 0, 0},
		"invalidated, used again":          {[][]abi.Event{{init}, copyBy("A"), {wait, inval, init}, copyBy("A")}, 0, 0},
		"invalidated by another thread":    {[][]abi.Event{{init}, copyBy("A"), {wait, object("B", abi.EventMbarrierInval)}}, 3, 5},
		"invalidated after a wait, synced": {[][]abi.Event{{init}, copyBy("A"), {wait}, sync, {object("B", abi.EventMbarrierInval)}}, 0, 0},
	} {
		events := slices.Concat(c.events...)
		for i := range events {
			events[i].Site = uint32(i + 1)
		}
		races := report(t, events)
		switch {
		case c.first == 0 && len(races) > 0, c.first != 0 && len(races) != 1:
			t.Errorf("%s: %+v", name, races)
		case c.first != 0 && (races[0].First.Site != c.first || races[0].Second.Site != c.second || races[0].Address != 0x800):
			t.Errorf("%s: %+v, want sites %d and %d", name, races[0], c.first, c.second)
		}
	}
}
