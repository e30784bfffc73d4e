// Fast path of accesses in batches: weak loads and stores that need no event.

package precise

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/internal/detect/precise/compare"
	"github.com/ptxsan/ptxsan/internal/detect/precise/deferred"
	"github.com/ptxsan/ptxsan/internal/detect/precise/options"
	"github.com/ptxsan/ptxsan/internal/detect/precise/shadow"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Accesses implements detect.Detector.
func (d *Detector) Accesses(b *abi.Batch) {
	if d.Overflowed {
		return
	}
	if d.replicas.sites != nil {
		d.replicas.observe(b)
	}
	w, from := d.UnsplitWarpIn(b.Block, b.Cluster, b.Warp), 0
	if b.Async != abi.AsyncMatrices { // the lanes of an operation on matrices are compared together, with their parts
		w.Split()
	}
	for i := range b.Loops {
		l := &b.Loops[i]
		d.sequence(b, w, b.List[from:l.At], 0)
		d.sequence(b, w, d.walk.all(b, l), l.Period)
		from = l.At + l.Listed
	}
	d.sequence(b, w, b.List[from:], 0)
}

// sequence checks and records accesses of a batch that follow each other: those of a loop if the period is not 0.
func (d *Detector) sequence(b *abi.Batch, w *causality.Warp, list []abi.Access, period int) {
	for i := 0; i < len(list) && !d.Overflowed; i++ {
		x := &list[i]
		if b.Async != abi.Synchronous {
			d.batched(b, x, causality.Done{})
			continue
		}
		if d.Clustered {
			d.Operations.RemoteAccesses(w, list[i:i+1])
		}
		n := d.tryWalk(b, w, list[i:], period)
		if n > 0 {
			if d.Clustered {
				d.Operations.RemoteAccesses(w, list[i+1:i+n])
			}
			i += n - 1
		} else if !d.tryBatch(b, w, x) {
			d.batched(b, x, causality.Done{})
		}
	}
}

// batched checks and records an access of a batch as an event.
func (d *Detector) batched(b *abi.Batch, x *abi.Access, before causality.Done) {
	d.count()
	b.Event(x, &d.event)
	d.access(&d.event, before)
	if b.Async == abi.Synchronous && !d.Overflowed && checked(&d.event) && x.Space != abi.SpaceTensor {
		d.BySite[x.Site][compare.KindOf(&d.event)].Known = x.AccessClass
	}
}

// tryBatch checks and records an access of a batch without making an event of it, and reports
// whether it could: one more read or atomic operation of a region that has seen nothing else, a weak
// access to a row of a line, or to one word.
func (d *Detector) tryBatch(b *abi.Batch, w *causality.Warp, x *abi.Access) bool {
	if x.Mask == 0 || x.Ages != nil || x.Again || int(x.Site) >= len(d.BySite) || !d.Tuning.Takes(options.Batches) {
		return false
	}
	if x.Access == abi.AccessRMW {
		return d.tryBatchCount(w, x)
	}
	known := &d.BySite[x.Site][x.Access]
	class := &d.Classes.List[known.Index]
	if known.Known != x.AccessClass || class.Strong || !d.NeverMbarrier(class) || !d.LockSets.None() ||
		uint64(d.Used) > d.opts.Memory {
		return false
	}
	at := deferred.Addresses{Base: x.Base, Step: x.Step, Each: x.Addr}
	window, one := at.Window(x.Mask, x.Mask&^(x.Next|x.Same), uint64(class.Size))
	s := d.Global
	if class.Shared {
		s = d.SharedBy(w.Block())
	}
	if !one || s == nil {
		return false
	}
	r := d.RegionOf(s, window)
	inShadow := r.Mode == shadow.Settled
	switch {
	case inShadow && (x.Mask&(x.Mask-1) == 0 || x.Access == abi.AccessLoad && causality.IsOfOneAddress(x)):
		return d.tryBatchWord(w, s, x, known.Index)
	case inShadow && x.Addr != nil && (x.Access == abi.AccessStore || picksWords(x)):
		return d.tryBatchLanes(b, w, s, x, known.Index)
	case inShadow:
		return d.tryBatchRow(b, w, s, x, known.Index)
	case r.Mode == shadow.Storing && shadow.StoresElements(class) && r.Window == window:
		return d.tryBatchStore(w, r, x, known.Index, &at)
	case r.Mode != shadow.Reading || x.Access != abi.AccessLoad || r.Window != window:
		return false
	default:
		d.countAccess(w, x.Mask)
		d.Note(r, &deferred.Record{
			Unit: w.Unit, Mask: x.Mask, Next: x.Next & x.Mask, Same: x.Same & x.Mask, Access: abi.AccessLoad,
			At: w.Since, Class: known.Index, Event: d.Events, Times: 1,
		}, &at, nil)
		return true
	}
}

// tryBatchStore defers a store to a storing region, and reports whether it could: no other store has touched the
// elements.
func (d *Detector) tryBatchStore(w *causality.Warp, r *shadow.Region, x *abi.Access, index uint32,
	at *deferred.Addresses,
) bool {
	if !d.ClaimElements(r, d.Classes.List[index].Size, x.Mask, at) {
		d.Settle(r)
		return false
	}
	d.countAccess(w, x.Mask)
	d.Note(r, &deferred.Record{
		Unit: w.Unit, Mask: x.Mask, Next: x.Next & x.Mask, Same: x.Same & x.Mask, Wrote: x.Wrote,
		Access: abi.AccessStore,
		At:     w.Since, Class: index, Event: d.Events, Times: 1,
	}, at, nil)
	return true
}

// tryBatchCount defers an atomic operation on a counting region, and reports whether it could.
func (d *Detector) tryBatchCount(w *causality.Warp, x *abi.Access) bool {
	known, failed := &d.BySite[x.Site][abi.AccessRMW], x.Wrote&x.Mask == 0
	if failed {
		known = &d.BySite[x.Site][abi.AccessLoad]
	}
	class := &d.Classes.List[known.Index]
	if known.Known != x.AccessClass || x.Old == nil || !d.MayCount(class) || !d.NeverMbarrier(class) ||
		d.Journals == 0 || d.Model.LockSets || uint64(d.Used) > d.opts.Memory || w.Apart != 0 || w.Fenced(x.Mask) {
		return false
	}
	s, lane := d.Global, bits.TrailingZeros32(x.Mask)
	if class.Shared {
		s = d.SharedBy(w.Block())
	}
	if s == nil {
		return false
	}
	at := deferred.Addresses{Base: x.Base, Step: x.Step, Each: x.Addr}
	r := d.RegionOf(s, at.Of(lane)>>deferred.WindowBits)
	if r.Mode != shadow.Counting || r.Size != class.Size || r.Counter != d.Counters[class.Site] {
		return false
	}
	window, one := at.Window(x.Mask, x.Mask&^(x.Next|x.Same), uint64(class.Size))
	if !one || r.Window != window || !d.Claim(r, class, uint32(w.Unit>>radixBits), x.Mask, x.Next, &at) {
		return false
	}
	d.Evidence.Deferred = true
	when := d.Now
	if failed {
		d.countAccess(w, x.Mask)
		when = w.Since
	} else {
		d.Events++
		w.Touched |= x.Mask
	}
	d.Note(r, &deferred.Record{
		Unit: w.Unit, Mask: x.Mask, Next: x.Next & x.Mask, Same: x.Same & x.Mask, Wrote: x.Wrote, Access: abi.AccessRMW,
		Atomic: x.Atomic, Reduces: x.Reduces,
		Changes: x.Old[lane] != x.New[lane],
		At:      when, Class: known.Index, Event: d.Events, Times: 1,
	}, &at, w.Clock)
	if !failed {
		d.Tick()
	}
	return true
}

// countAccess counts an access by the lanes in mask for which no event was made.
func (d *Detector) countAccess(w *causality.Warp, mask uint32) {
	d.Events++
	w.Touched |= mask
	if w.Since == 0 {
		w.Since = d.Now
	}
}

// tryBatchRow checks and records an access to consecutive elements of a settled region, line by line. From the first
// lane on for which the fast paths do not suffice, it makes an event of the access; it returns false if that is the
// whole access.
func (d *Detector) tryBatchRow(b *abi.Batch, w *causality.Warp, s *shadow.Memory, x *abi.Access, index uint32) bool {
	size := uint64(x.Bytes)
	if x.Addr != nil || x.Step != size || size > 16 || size&(size-1) != 0 || x.Base%size != 0 ||
		bits.OnesCount32(x.Mask) < shadow.FewLanes || !isOfOneRow(x) {
		return false
	}
	a, rest := d.batchAccess(w, index), x.Mask
	for rest != 0 {
		first := bits.TrailingZeros32(rest)
		at := x.Base + uint64(first)*size
		element := int64(at % lineBytes / size)
		here := rest & shadow.LaneRange(int64(first), int64(first)+lineBytes/int64(size)-element)
		done := d.tryBatchLine(a, s, at, here, int32(element)-int32(first))
		if rest &^= done; done != here {
			break
		}
	}
	if rest == x.Mask {
		return false
	}
	s.Phase.Written = s.Phase.Written || a.Writes()
	d.finishBatched(b, w, x, rest, true)
	return true
}

// isOfOneRow reports whether the lanes of an access to consecutive elements have no gap, or access one line.
func isOfOneRow(x *abi.Access) bool {
	first, last := bits.TrailingZeros32(x.Mask), 31-bits.LeadingZeros32(x.Mask)
	return bits.OnesCount32(x.Mask) == last-first+1 || x.At(first)/lineBytes == x.At(last)/lineBytes
}

// finishBatched makes an event of an access of which the lanes in rest have not been checked, if there are any. In a
// row, lanes access consecutive elements.
func (d *Detector) finishBatched(b *abi.Batch, w *causality.Warp, x *abi.Access, rest uint32, row bool) {
	if rest == 0 {
		d.countAccess(w, x.Mask)
	} else {
		d.batched(b, x, causality.Done{Lanes: x.Mask &^ rest, Row: row})
	}
}

// batchAccess prepares d.current for an access without an event.
func (d *Detector) batchAccess(w *causality.Warp, index uint32) *causality.Access {
	a := &d.Current
	a.Begin(&d.Threads, w, w.Unit, index)
	if a.At = w.Since; a.At == 0 {
		a.At = d.Now
	}
	return a
}

// tryBatchWord checks and records an access to a word of a settled region, or to a part of one: by one lane, or reads
// by several. It reports whether the fast path sufficed.
func (d *Detector) tryBatchWord(w *causality.Warp, s *shadow.Memory, x *abi.Access, index uint32) bool {
	if !d.tryWord(d.batchAccess(w, index), s, x.At(bits.TrailingZeros32(x.Mask)), x.Mask) {
		return false
	}
	d.countAccess(w, x.Mask)
	return true
}

// picksWords reports whether the lanes of an access are better handled one by one: they access whole words, no two the
// same, and no three side by side.
func picksWords(x *abi.Access) bool {
	return x.Bytes >= wordBytes && x.Same&x.Mask == 0 && x.Next&x.Mask&((x.Next&x.Mask)<<1) == 0
}

// tryBatchLanes checks and records a load or store by lanes of words of a settled region. From the first lane on for
// which the fast path does not suffice, it makes an event of the access; it returns false if that is the whole access.
func (d *Detector) tryBatchLanes(b *abi.Batch, w *causality.Warp, s *shadow.Memory, x *abi.Access, index uint32) bool {
	a, rest := d.batchAccess(w, index), x.Mask
	for rest != 0 && d.tryWord(a, s, x.At(bits.TrailingZeros32(rest)), rest&-rest) {
		rest &= rest - 1
	}
	if rest == x.Mask {
		return false
	}
	d.finishBatched(b, w, x, rest, false)
	return true
}

// tryWord checks and records a weak access by lanes in mask to some words, or to a part of one, and reports whether the
// fast path sufficed. If it did not, the first words may have been entered, which does no harm when they are entered
// again.
func (d *Detector) tryWord(a *causality.Access, s *shadow.Memory, addr uint64, mask uint32) bool {
	if addr%wordBytes+uint64(a.Size) <= wordBytes || addr%uint64(a.Size) == 0 {
		return d.tryWordOf(a, s, d.Line(s, addr), addr, mask)
	}
	return false
}

// tryWordOf checks and records a weak access by lanes in mask to words of a line, or to a part of one, and reports whether
// the fast path sufficed.
func (d *Detector) tryWordOf(a *causality.Access, s *shadow.Memory, l *shadow.Line, addr uint64, mask uint32) bool {
	parts := 0
	for at, left := addr, uint64(a.Size); left > 0; parts++ {
		n := left
		h := l.OwnHistory(at, n)
		if h == nil && left > wordBytes {
			n = wordBytes
			h = l.OwnHistory(at, n)
		}
		if h == nil || !d.TryFast(a, h, mask, 0, false) {
			return false
		}
		at, left = at+n, left-n
	}
	if parts > 1 {
		d.JoinWords(l, addr, uint64(a.Size))
	}
	if a.Writes() {
		s.Phase.Written = true
		if s.Synced {
			l.Overwrite(&d.Record, addr, uint64(a.Size), nil)
		}
	}
	return true
}

// tryBatchLine checks and records a weak access by lanes in mask to elements of the line at an address, and returns the
// lanes for which the fast paths sufficed. Lane i accesses element i+shift of the line.
func (d *Detector) tryBatchLine(a *causality.Access, s *shadow.Memory, at uint64, mask uint32,
	shift int32,
) (done uint32) {
	l := d.Line(s, at)
	if l.Words == nil {
		if l.IsSplit() || a.Writes() && l.Synced != nil || !d.TryFast(a, &l.Whole, mask, shift, true) {
			return 0
		}
		return mask
	}
	at &^= lineBytes - 1
	for m := mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		if !d.tryWordOf(a, s, l, at+uint64(int32(lane)+shift)*uint64(a.Size), m&-m) {
			break
		}
		done |= m & -m
	}
	return done
}
