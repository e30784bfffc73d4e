// Ends of blocks whose own bulk operations may still access their shared memory.

package operations

import (
	"math/bits"
	"slices"

	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/internal/detect/precise/evidence"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// Shared memory belongs to a block until the block ends (PTX ISA, "Shared State Space"). A bulk operation is performed
// by another agent than the thread, and no rule makes the end of the block wait for it. So the end is a write to all of
// the memory, by a thread that knows what all threads of the block know.

// asyncAccesses holds accesses to the shared memory of a block by asynchronous operations, those of each lane's
// operation by one instruction together: a block knows all of them or none. If there are many, the latest are held.
type asyncAccesses []remoteAccess

// manyAsync is the number of operations from which on those are dropped that the block knows of.
const manyAsync = 64

// add adds an access. The list drops what is known if it is full.
func (l *asyncAccesses) add(x *remoteAccess, known func(*remoteAccess) bool) {
	for i := len(*l) - 1; i >= 0; i-- {
		if e := &(*l)[i]; e.thread == x.thread && e.at == x.at && e.class == x.class {
			e.more++
			return
		}
	}
	if len(*l) >= manyAsync {
		*l = slices.DeleteFunc(*l, func(e remoteAccess) bool { return known(&e) })
		*l = slices.Delete(*l, 0, max(0, len(*l)-manyAsync/2))
	}
	*l = append(*l, *x)
}

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
		d.AsyncOf(a.Warp).own.add(&remoteAccess{
			thread: thread{Unit: a.Unit, Lane: uint8(lane)}, at: d.Now, class: *a.Class,
			addr: a.Ev.Addr[lane],
		}, func(x *remoteAccess) bool { return x.knownIn(a.Warp.Home) })
	}
}

// knownIn reports whether a thread of a block knows of the access.
func (x *remoteAccess) knownIn(b *causality.Block) bool {
	return b.Knows(x.thread.Unit, int(x.thread.Lane), x.at)
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
		for i := range async.own {
			x := &async.own[i]
			if x.knownIn(b) {
				continue
			}
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
