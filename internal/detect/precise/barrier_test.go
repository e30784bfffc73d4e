// What barriers of a block order.

package precise_test

import (
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/precise"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// TestBarrierOrders: a barrier orders the lanes that wait at it, not others of their warp that have not accessed memory
// yet, and not reads through the texture cache.
func TestBarrierOrders(t *testing.T) {
	access := func(b *tracer, warp uint64, lane uint32, kind abi.AccessKind, proxy abi.Proxy) {
		ev := abi.Event{Kind: abi.EventAccess, Mask: lane, Space: abi.SpaceGlobal, Bytes: 4, Access: kind, Sem: abi.SemWeak, Proxy: proxy, Valued: true}
		if kind == abi.AccessStore {
			ev.Wrote = lane
		}
		for i := range ev.Addr[:3] {
			ev.Addr[i] = 0x1000
		}
		b.emit([2]uint64{0, warp}, ev)
	}
	for _, c := range []struct {
		waits, lane uint32 // of warp 1
		proxy       abi.Proxy
		races       int
	}{
		{0b011, 0b001, abi.ProxyGeneric, 0},
		{0b011, 0b100, abi.ProxyGeneric, 1},
		{traceLanes, 0b001, abi.ProxyGeneric, 0},
		{traceLanes, 0b001, abi.ProxyTexture, 1},
	} {
		b := tracer{alone: newAloneTracer()}
		access(&b, 0, 1, abi.AccessStore, abi.ProxyGeneric)
		for _, ev := range []abi.Event{
			{Kind: abi.EventBarrierArrive, Warp: 0, Mask: traceLanes},
			{Kind: abi.EventBarrierArrive, Warp: 1, Mask: c.waits},
			{Kind: abi.EventBarrierComplete, Warp: 1, Mask: c.waits},
			{Kind: abi.EventBarrierPass, Warp: 0, Mask: traceLanes},
			{Kind: abi.EventBarrierPass, Warp: 1, Mask: c.waits},
		} {
			b.emit([2]uint64{0, uint64(ev.Warp)}, ev)
		}
		access(&b, 1, c.lane, abi.AccessLoad, c.proxy)
		if got := detectedBy(t, precise.ModelPTX, b.events); len(got) != c.races {
			t.Errorf("lane %b of %b, proxy %d: %d races, want %d\n%s", c.lane, c.waits, c.proxy, len(got), c.races, traceText(b.events))
		}
	}
}

// TestRelaxedClusterArrivals: a relaxed arrival at the barrier of a cluster orders nothing by the manual, and orders
// what precedes it in the papers' model, in which every barrier does.
func TestRelaxedClusterArrivals(t *testing.T) {
	store := at("A", 0, abi.Event{Kind: abi.EventAccess, Access: abi.AccessStore, Wrote: 1, Sem: abi.SemWeak, Space: abi.SpaceGlobal, Bytes: 4})
	load := at("C", 0, abi.Event{Kind: abi.EventAccess, Access: abi.AccessLoad, Sem: abi.SemWeak, Space: abi.SpaceGlobal, Bytes: 4})
	store.Addr[0], load.Addr[0], store.Site, load.Site = 0x1000, 0x1000, 1, 2
	for model, want := range map[string]int{precise.ModelPTX: 1, precise.ModelScoR: 0} {
		events := []abi.Event{store}
		for _, kind := range []abi.EventKind{abi.EventClusterArrive, abi.EventClusterPass} {
			for _, who := range []string{"A", "B", "C", "H"} {
				events = append(events, at(who, 0, abi.Event{Kind: kind, Mask: traceLanes, Sem: abi.SemRelaxed}))
			}
		}
		if got := detectedBy(t, model, append(events, load)); len(got) != want {
			t.Errorf("%s: %d races, want %d", model, len(got), want)
		}
	}
}
