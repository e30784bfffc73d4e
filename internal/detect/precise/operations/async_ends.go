// Ends of blocks whose own bulk operations may still access their shared memory.

package operations

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/internal/detect/precise/evidence"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// Shared memory belongs to a block until the block ends (PTX ISA, "Shared State Space"). A bulk operation is performed
// by another agent than the thread, and no rule makes the end of the block wait for it. So the end is a write to all of
// the memory, by a thread that knows what all threads of the block know.

// ownAccesses holds accesses to the shared memory of its own block by the bulk operations of a warp, the latest ones if
// there are many.
type ownAccesses []remoteAccess

// OwnAsync records an access by asynchronous operations of lanes for the end of their block.
func (d *State) OwnAsync(a *causality.Access, mask uint32) {
	if !a.Shared || a.Ev.Async != abi.AsyncBulk && a.Ev.Async != abi.AsyncSignals ||
		d.Launch.Clustered() && !d.TracksLives() {
		return
	}
	rank := uint32(0)
	if d.TracksLives() {
		rank = d.Launch.RankOf(a.Warp.At.Block)
	}
	for ; mask != 0; mask &= mask - 1 {
		lane := bits.TrailingZeros32(mask)
		if abi.SharedRank(a.Ev.Addr[lane]) != rank {
			continue // cluster_lives.go
		}
		own := &d.AsyncOf(a.Warp).own
		if len(*own) >= manyAsync {
			*own = own.unknown(a.Warp.Home)
			*own = (*own)[max(0, len(*own)-manyAsync/2):]
		}
		*own = append(*own, remoteAccess{
			thread: thread{Unit: a.Unit, Lane: uint8(lane)}, at: d.Now, class: *a.Class,
			addr: a.Ev.Addr[lane],
		})
	}
}

// unknown returns the accesses that no thread of a block knows of.
func (o ownAccesses) unknown(b *causality.Block) ownAccesses {
	left := o[:0]
	for i := range o {
		if x := &o[i]; !b.Knows(x.thread.Unit, int(x.thread.Lane), x.at) {
			left = append(left, *x)
		}
	}
	return left
}

// EndAsync reports the accesses that a block leaves in flight when it ends.
func (d *State) EndAsync(b *causality.Block) {
	for _, w := range b.Warps {
		if w == nil {
			continue
		}
		async := d.AsyncOf(w)
		if async == nil || len(async.own) == 0 {
			continue
		}
		own := async.own.unknown(b)
		for i := range own {
			x := &own[i]
			missing := "a wait for {first} before the block ends: it may access the shared memory of the block until then"
			if !x.class.Writes() {
				missing = "a wait until {first} has read its source, before the block ends: the shared memory is that of another block then"
			}
			d.reportEnd(x, b, detect.OwnEnd, &evidence.Finding{
				Relation: evidence.IntraBlock,
				Cause:    detect.MissingAsyncWait, Missing: missing,
			})
		}
	}
}
