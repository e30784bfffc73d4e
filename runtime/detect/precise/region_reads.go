// Strong reads in the journals of regions that are only read.

package precise

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/runtime/detect/precise/deferred"
)

// Programs that declare all their arrays volatile read most of them in a launch and write few. As long as nothing has been written
// there, a strong read observes nothing, races with nothing and deserves no warning. What the location needs of it when a write
// comes are the clocks and fences of its lanes at that time: the contexts of the threads have them (strong_cell_context.go), found
// by the stamp of the read. Reads that acquire, and those by which threads wait, are not deferred: a write is likely to come.

// defersStrong reports whether a region may defer strong accesses of a class.
func (d *Detector) defersStrong(x *accesses.Class, access abi.AccessKind) bool {
	return d.tuning.takes(journals|strongReads) && access == abi.AccessLoad && !x.Shared && !x.Sem.Acquires() && d.journals != 0 && !d.model.fencesOrder && !d.model.lockSets && !d.evidence.IsDecision(x.Site)
}

// tryBatchRead defers a strong read of a batch, and reports whether it could.
func (d *Detector) tryBatchRead(w *warp, r *region, x *abi.Access, index uint32, at *deferred.Addresses) bool {
	if r.mode == untouched {
		r.mode = reading
	}
	if r.mode != reading {
		return false
	}
	d.noteRead(w, r, x, index, at, true)
	return true
}

// noteRead adds a read of a batch to the journal of a region.
func (d *Detector) noteRead(w *warp, r *region, x *abi.Access, index uint32, at *deferred.Addresses, strong bool) {
	d.countAccess(w, x.Mask)
	if strong {
		d.noteContexts(w, x.Mask)
	}
	d.note(r, &deferred.Record{
		Unit: w.unit, Mask: x.Mask, Next: x.Next & x.Mask, Same: x.Same & x.Mask, Access: abi.AccessLoad, Strong: strong,
		At: w.since, Class: index, Event: d.events, Times: 1,
	}, at, nil)
}

// useContexts marks the contexts that the strong reads of a journal need, and returns the number of those reads.
func (r *region) useContexts(d *Detector) (held int) {
	for _, c := range r.Chunks {
		for i := range c.Records[:c.N] {
			x := &c.Records[i]
			if !x.Strong {
				continue
			}
			held++
			for m := x.Mask; m != 0; m &= m - 1 {
				list := d.contextsOf(false, x.Unit, uint8(bits.TrailingZeros32(m)))
				if k := contextAt(list, x.At); k >= 0 {
					list[k].used = true
				}
			}
		}
	}
	return held
}
