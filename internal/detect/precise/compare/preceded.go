// Weak reads of words with many strong writes, all of which precede the read.

package compare

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/internal/detect/precise/options"
	"github.com/ptxsan/ptxsan/internal/detect/precise/shadow"
)

// tryPreceded reports whether an access of one lane to a word is a weak read that all writes in a history precede. It
// compares the access with the writes in their order and stops at the first one that does not.
func (d *Checker) tryPreceded(a *causality.Access, h *shadow.History, mask uint32) bool {
	if h.More == nil || len(h.More.Writes.Entries) < d.Tuning.Preceding || !d.Tuning.Takes(options.PrecedingReads) ||
		h.More.Writes.Same == 0 || mask&(mask-1) != 0 {
		return false
	}
	if a.Strong || a.Writes() || !a.IsPlain() || d.Model.FencesOrder || !d.LockSets.None() {
		return false
	}
	lane, list, p := bits.TrailingZeros32(mask), h.More.Writes.Entries, h.More.Writes.Preceding
	if !d.precedesLane(a, &h.Write, lane) {
		return false
	}
	from := 0
	if p != nil && p.Count <= len(list) && list[p.Count-1].At == p.Last && d.followsRead(a, p, lane) {
		from = p.Count
	}
	for i := from; i < len(list); i++ {
		if !d.precedesLane(a, &list[i], lane) {
			return false
		}
	}
	if p == nil {
		p = new(shadow.Precedence)
		h.More.Writes.Preceding = p
	}
	*p = shadow.Precedence{Count: len(list), Last: list[len(list)-1].At, Unit: a.Unit, Lane: uint8(lane), At: a.At}
	return true
}

// precedesLane reports whether all lanes of an entry precede an access of a lane.
func (d *Checker) precedesLane(a *causality.Access, e *accesses.Entry, lane int) bool {
	x := &d.Classes.List[e.Class]
	return d.AllPrecede(a, e, x) || d.unordered(a, e, x, lane) == 0
}

// followsRead reports whether an access of a lane is ordered after a read.
func (d *Checker) followsRead(a *causality.Access, p *shadow.Precedence, lane int) bool {
	if p.Unit == a.Unit && int(p.Lane) == lane {
		return true
	}
	c := a.Warp.Of(lane)
	return c != nil && c.IncludesEager(p.Unit, int(p.Lane), p.At)
}
