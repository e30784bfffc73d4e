// What regions defer besides weak reads: strong reads, stores to elements of their own, and atomic operations, also after weak accesses.

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

// Kernels that scatter their results store to each element once, and read none of that memory in the same launch. Such stores
// race with nothing. One bit for each element shows that a store is the first: it is deferred, and the memory gets no history.

// storesElements reports whether accesses of a class are weak stores of 1, 2, 4, ... or 32 bytes.
func storesElements(x *accesses.Class) bool {
	return x.Writes() && !x.Strong && x.Size <= lineBytes/4 && x.Size&(x.Size-1) == 0
}

// isScattered reports whether the runs of consecutive lanes in mask are short on average. The lanes in follow access the element
// of the lane before, or the next one.
func isScattered(mask, follow uint32) bool {
	return bits.OnesCount32(mask) < fewLanes*bits.OnesCount32(mask&^follow)
}

// claimElements marks the elements of a region that the lanes in mask store to, and reports whether none was marked before and
// all are whole.
func (d *Detector) claimElements(r *region, size, mask uint32, at *deferred.Addresses) bool {
	if r.stored == nil {
		r.stored = deferred.NewStored(size)
	}
	before := r.stored.Bytes()
	first := r.stored.Claim(size, mask, at)
	d.uses(r.stored.Bytes() - before)
	return first
}

// Atomic operations of block scope are morally strong only with those of their own block. As long as no other block accesses the
// words that a block updates this way, the accesses of a region are deferred like those whose scope includes all threads.

// claim records that a block accesses words of a counting region by the lanes in mask, and reports whether the access is morally
// strong with all earlier ones. The lanes in next access the word after that of the lane before. Shared memory needs no owners.
func (d *Detector) claim(r *region, x *accesses.Class, block, mask, next uint32, at *deferred.Addresses) bool {
	narrow := x.Reach != accesses.ReachAll
	if r.memory != d.global || r.owners == nil && !narrow {
		return true
	}
	if r.owners == nil {
		if r.looked {
			return false
		}
		r.owners = deferred.NewOwners()
		d.claimJournal(r)
	}
	starts := mask
	if x.Size == wordBytes {
		starts &^= next
	}
	before := r.owners.Bytes()
	agrees := r.owners.ClaimAll(block, mask, starts, at, narrow)
	d.uses(r.owners.Bytes() - before)
	return agrees
}

// claimJournal claims the words in a region's journal, whose accesses all have a scope that includes all threads.
func (d *Detector) claimJournal(r *region) {
	defer func() { d.uses(r.owners.Bytes()) }()
	var at [radix]uint64
	for _, c := range r.Chunks {
		for k := range c.N {
			x := &c.Records[k]
			for n := range x.Times {
				c.AddressesOf(x, n, r.size, &at)
				for m := x.Mask; m != 0; m &= m - 1 {
					r.owners.ClaimRow(uint32(at[bits.TrailingZeros32(m)]), 1, uint32(x.Unit>>radixBits), false)
				}
			}
		}
	}
}

// counts reports whether an atomic operation is morally strong with all others like it; in memory that several blocks access, as
// long as claim agrees.
func (d *Detector) counts(x *accesses.Class) bool {
	if x.Reach == accesses.ReachBlock && x.Code == 0 && x.Strong && x.Proxy == abi.ProxyGeneric && !d.clustered {
		return x.Scalar == x.Size
	}
	return x.Code == x.Size
}

// A kernel often stores zeros to its counters, passes a barrier, and then updates the counters by relaxed atomic operations whose
// results no instruction reads. The weak stores settle the region. An atomic operation of this kind races with nothing if every
// access that the shadow has of its word precedes it in causality order. The journal takes such operations, as in a counting region,
// and the region counts as mixed. An access of any other kind to a line of the journal replays the journal and settles the region,
// which is not mixed again in the launch.

// tryMix is mix for the access of an event, and reports whether the access is of the kind that mixed regions defer and could be mixed.
func (d *Detector) tryMix(a *access, r *region, at *deferred.Addresses) bool {
	return a.Kind == abi.AccessRMW && a.ev.Wrote&a.ev.Mask == a.ev.Mask && d.mayMix(r, a.Class) && d.modeOf(a, r) == counting && d.mix(a, r, a.ev.Mask, at)
}

// mayMix reports whether a settled or mixed region may defer atomic operations of a class that mayCount.
func (d *Detector) mayMix(r *region, x *accesses.Class) bool {
	return d.tuning.takes(journals|mixedRegions) && (r.mode == mixed || r.mode == settled && !r.unmixed) && r.memory == d.global && x.Size == wordBytes && x.Reach == accesses.ReachAll &&
		d.evidence.Unheeded.Has(x.Site)
}

// mix makes a region mixed and adds the lines that the lanes in mask access to its counted lines, if all earlier accesses of their words
// precede the access. Otherwise it settles the region and returns false. The caller must add the access to the journal.
func (d *Detector) mix(a *access, r *region, mask uint32, at *deferred.Addresses) bool {
	for m := mask; m != 0; m &= m - 1 {
		if addr := at.Of(bits.TrailingZeros32(m)); !d.shadowPrecedes(a, d.line(d.global, addr), addr) {
			d.settle(r)
			r.unmixed = true
			return false
		}
	}
	if r.mode != mixed {
		r.mode, r.size, r.counted = mixed, wordBytes, new(deferred.CountedLines)
	}
	before := r.counted.Bytes()
	for m := mask; m != 0; m &= m - 1 {
		r.counted.Add(uint32(at.Of(bits.TrailingZeros32(m))))
	}
	d.uses(r.counted.Bytes() - before)
	return true
}

// shadowPrecedes reports whether every access that the shadow has of a word precedes access a in causality order. It returns false, too,
// if the line has anything but histories of weak accesses, or if a follows only some lanes of an earlier warp.
func (d *Detector) shadowPrecedes(a *access, l *line, addr uint64) bool {
	h := &l.whole
	switch {
	case l.synced != nil || l.cells != nil:
		return false
	case l.words != nil:
		h = &l.words[addr%lineBytes/wordBytes]
	}
	if m := h.more; m != nil && (m.bytes != nil || m.writes.tally != nil || m.reads.tally != nil) {
		return false
	}
	precedes := func(e *entry) bool { return e.mask == 0 || d.allPrecede(a, e, &d.classes[e.class]) }
	return h.logs(false).all(precedes) && h.logs(true).all(precedes)
}
