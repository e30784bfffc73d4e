// Fast path: decides a weak access by the latest write and the latest read of a location.

package compare

import (
	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/internal/detect/precise/options"
	"github.com/ptxsan/ptxsan/internal/detect/precise/shadow"
)

// orderedFast reports whether an entry is ordered before an access of the lanes in mask, as far as the lanes' program
// order and the warp's clock show it.
func (d *Checker) orderedFast(a *causality.Access, e *accesses.Entry, mask uint32, shift int32, row bool) bool {
	x := &d.Classes.List[e.Class]
	switch {
	case a.Proxy != x.Proxy || a.Unit != a.Warp.Unit:
		return false
	case e.Unit != a.Unit:
	case row && e.Shift == shift && x.Size == a.Size, !row && e.Mask == mask && mask&(mask-1) == 0:
		return true
	}
	return d.AllPrecede(a, e, x)
}

// coversEntry reports whether an access by the lanes in mask touches every location of an entry that precedes it.
func (d *Checker) coversEntry(a *causality.Access, e *accesses.Entry, mask uint32, shift int32, row bool) bool {
	return !row || d.Classes.List[e.Class].Size == a.Size && e.Mask&^e.Over(mask, shift) == 0
}

// TryFast checks and records a weak access that is ordered after everything in a history. It reports whether the access
// is one, and otherwise changes nothing.
func (d *Checker) TryFast(a *causality.Access, h *shadow.History, mask uint32, shift int32, row bool) bool {
	if a.Strong || h.More != nil && !h.More.ReadsOnly() || !d.LockSets.None() || !d.Tuning.Takes(options.LatestOnly) {
		return false
	}
	if e := &h.Write; e.Mask != 0 && !d.orderedFast(a, e, mask, shift, row) {
		return false
	}
	if !a.Writes() {
		return d.tryFastRead(a, h, mask, shift, row)
	}
	if h.More != nil && len(h.More.Reads.Entries) > 0 {
		return false
	}
	if e := &h.Write; e.Mask != 0 && (!d.coversEntry(a, e, mask, shift, row) ||
		!d.subsumes(a, e, &d.Classes.List[e.Class])) {
		return false
	}
	if e := &h.Read; e.Mask != 0 && (!d.orderedFast(a, e, mask, shift, row) || !d.coversEntry(a, e, mask, shift, row)) {
		return false
	}
	h.Read.Mask = 0
	h.Write = accesses.Entry{Unit: a.Unit, Mask: mask, At: a.At, Class: a.Index, Shift: shift}
	return true
}

// tryFastRead records a weak read that is ordered after all writes.
func (d *Checker) tryFastRead(a *causality.Access, h *shadow.History, mask uint32, shift int32, row bool) bool {
	e := accesses.Entry{Unit: a.Unit, Mask: mask, At: a.At, Class: a.Index, Shift: shift}
	if h.Read.Replaced(&e) {
		return true
	}
	if r := &h.Read; r.Mask == 0 || !d.Classes.List[r.Class].Strong && d.orderedFast(a, r, mask, shift, row) &&
		d.coversEntry(a, r, mask, shift, row) {
		*r = e
		return true
	}
	if h.More != nil && len(h.More.Reads.Entries) > 0 &&
		h.More.Reads.Entries[len(h.More.Reads.Entries)-1].Replaced(&e) {
		return true
	}
	d.Enter(h, e, a)
	return true
}

// TryAppend records a strong write of a word whose history holds only accesses that are morally strong with it, and at
// most one ordered write before them. It reports whether that is so.
func (d *Checker) TryAppend(a *causality.Access, h *shadow.History, mask uint32) bool {
	if h.Read.Mask != 0 || h.More != nil && !h.More.AllOf(a.Code) {
		return false
	}
	e := accesses.Entry{Unit: a.Unit, Mask: mask, At: a.At, Class: a.Index}
	if h.Write.Mask == 0 {
		h.Write = e
		return true
	}
	if x := &d.Classes.List[h.Write.Class]; x.Code != a.Code && !d.AllPrecede(a, &h.Write, x) {
		return false
	}
	d.Enter(h, e, a)
	return true
}
