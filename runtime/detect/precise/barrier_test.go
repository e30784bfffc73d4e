// What barriers of a block order.

package precise_test

import (
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect/precise"
)

// TestBarrierOrders: a barrier orders the lanes that wait at it, not others of their warp that have not accessed memory yet, and not reads
// through the texture cache.
func TestBarrierOrders(t *testing.T) {
	for _, c := range []struct {
		waits, lane uint32 // of warp 1
		proxy       abi.Proxy
		races       int
	}{
		{0b011, 0b001, abi.ProxyGeneric, 0}, {0b011, 0b100, abi.ProxyGeneric, 1},
		{traceLanes, 0b001, abi.ProxyGeneric, 0}, {traceLanes, 0b001, abi.ProxyTexture, 1},
	} {
		var b fenceTrace
		b.alone = newAloneTracer()
		b.access([2]uint64{0, 0}, 1, abi.AccessStore, abi.SemWeak, 0)
		for _, ev := range []abi.Event{
			{Kind: abi.EventBarrierArrive, Warp: 0, Mask: traceLanes}, {Kind: abi.EventBarrierArrive, Warp: 1, Mask: c.waits},
			{Kind: abi.EventBarrierComplete, Warp: 1, Mask: c.waits},
			{Kind: abi.EventBarrierPass, Warp: 0, Mask: traceLanes}, {Kind: abi.EventBarrierPass, Warp: 1, Mask: c.waits},
		} {
			b.emit([2]uint64{0, uint64(ev.Warp)}, ev)
		}
		b.access([2]uint64{0, 1}, c.lane, abi.AccessLoad, abi.SemWeak, 0)
		b.events[len(b.events)-1].Proxy = c.proxy
		if got := detectedBy(t, precise.ModelPTX, b.events); len(got) != c.races {
			t.Errorf("lane %b of %b, proxy %d: %d races, want %d\n%s", c.lane, c.waits, c.proxy, len(got), c.races, traceText(b.events))
		}
	}
}
