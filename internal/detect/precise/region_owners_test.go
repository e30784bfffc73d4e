package precise_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// TestOwners: which instructions race is the same whether atomic operations of block scope are
// deferred or not.
func TestOwners(t *testing.T) {
	racy, clean := 0, 0
	for seed := range uint64(*traces) * 3 / 4 {
		r := rand.New(rand.NewPCG(seed, 1))
		var events []abi.Event
		lanes := []int{2, 4, 32}[seed%3]
		for range 5 + r.IntN(40) {
			events = append(events, scopedCount(r, lanes))
		}
		want, _ := racingSites(t, events, 0)
		for _, journals := range []uintptr{300, 1 << 20} {
			if got, _ := racingSites(t, events, journals); !slices.Equal(got, want) {
				t.Fatalf("seed %d, journals of %d bytes: got %v, want %v", seed, journals, got, want)
			}
		}
		if len(want) == 0 {
			clean++
		} else {
			racy++
		}
	}
	if racy < *traces/40 || clean < *traces/40 {
		t.Errorf("%d traces race, %d do not", racy, clean)
	}
}

// scopedCount is an atomic operation by the first lanes of a warp of one of three blocks: mostly of device scope on
// shared words and of block scope on words of the block, side by side; seldom it is the other way round, or a weak
// read.
func scopedCount(r *rand.Rand, lanes int) abi.Event {
	block, own := r.Uint64N(3), r.IntN(2) == 0
	ev := abi.Event{
		Kind: abi.EventAccess, Block: block, Cluster: block, Site: 1 + r.Uint32N(2), Access: abi.AccessRMW, Sem: abi.SemRelaxed, Scope: abi.ScopeGPU,
		Space: abi.SpaceGlobal, Bytes: 4, Valued: true, Live: 1<<lanes - 1, Mask: 1<<lanes - 1, Wrote: 1<<lanes - 1,
	}
	row := r.Uint64N(2)
	if own {
		ev.Scope, ev.Site, row = abi.ScopeCTA, ev.Site+2, row+2*(1+block)
	}
	word := 0x1000 + 4*row*uint64(lanes)
	switch r.IntN(60) {
	case 0:
		ev.Scope = abi.ScopeCTA
	case 1:
		ev.Block, ev.Cluster = 1, 1
	case 2:
		ev.Access, ev.Sem, ev.Scope, ev.Site, ev.Wrote = abi.AccessLoad, abi.SemWeak, abi.ScopeNone, 5, 0
	}
	for lane := range lanes {
		ev.Addr[lane], ev.New[lane] = word+4*uint64(lane), 1
	}
	ev.Next = ev.Mask &^ 1
	return ev
}
