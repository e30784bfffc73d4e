package precise_test

import (
	"math/rand/v2"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// TestScattered: of a line that many threads read word by word, with writes of some
// words among the reads, the detector says what the definitions say.
func TestScattered(t *testing.T) {
	for seed := range uint64(20) {
		events := scatteredTrace(rand.New(rand.NewPCG(seed, 2)), 300)
		if why := disagree(t, events); why != "" {
			t.Errorf("seed %d: %s", seed, why)
		}
	}
}

// scatteredTrace makes a trace of reads of words of one line, of strong writes
// elsewhere, which let time pass, and of writes of the line at the end.
func scatteredTrace(r *rand.Rand, length int) []abi.Event {
	const line, elsewhere = 0x1000, 0x8000
	events := make([]abi.Event, length)
	for i := range events {
		ev := &events[i]
		*ev = abi.Event{
			Kind: abi.EventAccess, Block: r.Uint64N(traceBlocks), Warp: r.Uint32N(traceWarps), Mask: 1 + r.Uint32N(traceLanes), Live: traceLanes,
			Site: uint32(1 + i%23), Space: abi.SpaceGlobal, Sem: abi.SemWeak, Bytes: 4,
		}
		ev.Cluster = clusterOf(ev.Block)
		for lane := range 3 {
			ev.Addr[lane] = line + 4*r.Uint64N(12)
		}
		if ev.Site%8 == 0 { // a byte
			ev.Bytes = 1
			for lane := range ev.Addr {
				ev.Addr[lane] += uint64(i % 3)
			}
		}
		if i%9 == 4 { // parts of words side by side
			ev.Bytes, ev.Mask = uint32(1+i%2), traceLanes
			first := line + 4*r.Uint64N(34) - 12 + uint64(i%2*2)
			for lane := range uint64(3) {
				ev.Addr[lane] = first + 4*lane
			}
		}
		switch {
		case i%40 == 39:
			ev.Access, ev.Sem, ev.Scope, ev.Mask, ev.Bytes = abi.AccessStore, abi.SemRelaxed, abi.ScopeGPU, 1, 4
			ev.Addr[0], ev.Wrote = elsewhere, 1
		case i > length-8:
			ev.Access, ev.Site, ev.Mask, ev.Bytes = abi.AccessStore, uint32(24+i%8), 1+r.Uint32N(2), 4
			ev.Wrote = ev.Mask
			for lane := range uint64(3) {
				ev.Addr[lane] = line + 4*(uint64(i)%8+lane)
			}
		}
		neighbours(ev)
	}
	return events
}
