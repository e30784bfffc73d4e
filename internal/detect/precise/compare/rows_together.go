// Rows of a line that race with an access are counted together, by block and access class.

package compare

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/internal/detect/precise/evidence"
	"github.com/ptxsan/ptxsan/internal/detect/precise/options"
	"github.com/ptxsan/ptxsan/internal/detect/precise/shadow"
)

// crowdRow counts races of a row, and drops old rows of a crowded line. Of few rows it counts pairs of rows. Of more it
// counts pairs of elements: in another representation, each word of the line would have a history, and become crowded,
// by itself.
func (d *Checker) crowdRow(h *shadow.History, rows, elements uint32) {
	m := h.More
	switch {
	case m == nil:
	case m.RacedElements == 0 && len(m.Writes.Entries) < shadow.MaxRows:
		d.crowd(h, rows)
	default:
		m.RacedElements = min(m.RacedElements+elements, shadow.CrowdedAt*lineWords)
		if m.Raced = m.RacedElements / lineWords; m.Raced == shadow.CrowdedAt {
			d.dropOld(&m.Writes, shadow.CrowdKept*lineWords, true)
			d.dropOld(&m.Reads, shadow.CrowdKept*lineWords, true)
		}
	}
}

// rowVerdict is what the rows by a block's access class, or by that of a single unit, are to an access.
type rowVerdict struct {
	block, class uint32
	own          bool // the unit of the access
	decided      bool
	race         *evidence.AlikeRace // nil if they are morally strong with it
	strong       bool                // the writes are, so that lanes may have observed them
	bound        stamp               // later rows are not ordered before the access

	rows, elements uint32 // that race, counted but not entered
}

// noRowVerdict is about no row.
var noRowVerdict = rowVerdict{block: ^uint32(0)}

// compareRows compares an access with the rows of writes of a line. It returns the numbers of rows and of elements that
// race.
func (d *Checker) compareRows(a *causality.Access, h *shadow.History, at uint64, mask uint32,
	shift int32,
) (rows, elements uint32) {
	l := h.Logs(false)
	if l.First.Mask == 0 {
		return 0, 0
	}
	a.WritesHere = l.Size()
	if l.More == nil || len(l.More.Entries) < d.Tuning.Rows || !d.Tuning.Takes(options.Tallies) || l.More.Same != 0 ||
		a.Strong && a.Warp.Clock != nil {
		l.Filter(func(e *accesses.Entry) {
			d.rowEntry(a, e, at, mask, shift, false)
			rows, elements = rows+min(a.Raced, 1), elements+a.Raced
			a.Raced = 0
		}, a.Code)
		if l.More != nil {
			l.More.Racing = false
		}
		return rows, elements
	}
	r := rowComparison{d: d, a: a, at: at, mask: mask, shift: shift}
	r.compareMany(l)
	r.count()
	l.More.Racing = r.rows > 0 && r.rows >= r.apart*4
	return r.rows, r.elements
}

// rowComparison compares an access with rows of writes: its lane i accesses element i+shift of the line at that
// address.
type rowComparison struct {
	d              *Checker
	a              *causality.Access
	at             uint64
	mask           uint32
	shift          int32
	verdicts       [4]rowVerdict
	made           int    // verdicts so far, of which the latest are kept
	rows, elements uint32 // that race
	apart          uint32 // rows compared one by one
	asked          bool   // observe is known
	observe        uint32 // lanes that may have observed writes of the elements that they access
}

// compareMany compares a list of rows.
func (r *rowComparison) compareMany(l shadow.Logs) {
	list, kept, before := l.More.Entries, 0, r.apart
	if !r.counts(r.verdictOf(l.First), l.First) {
		r.compareApart(l.First)
	}
	v := &noRowVerdict
	for i := 0; i < len(list); i++ {
		e := &list[i]
		if !v.isAbout(r.a, e) {
			v = r.verdictOf(e)
		}
		if !r.counts(v, e) {
			r.compareApart(e)
			v = &noRowVerdict
			if e.Mask == 0 {
				continue
			}
		}
		if kept < i {
			list[kept] = *e
		}
		kept++
	}
	if l.More.Entries = list[:kept]; r.apart != before {
		l.Fill()
	}
}

// compareApart compares a row for which there is no verdict. It may find evidence by which verdicts change.
func (r *rowComparison) compareApart(e *accesses.Entry) {
	r.count()
	r.d.rowEntry(r.a, e, r.at, r.mask, r.shift, false)
	r.rows, r.elements = r.rows+min(r.a.Raced, 1), r.elements+r.a.Raced
	r.a.Raced = 0
	r.apart++
}

// counts counts the elements that a row and the access share if a verdict says that they race, and reports whether the
// verdict suffices.
func (r *rowComparison) counts(v *rowVerdict, e *accesses.Entry) bool {
	if !v.decided || e.At <= v.bound || v.own && e.Shift == r.shift {
		return false
	}
	common := e.Mask & e.Over(r.mask, r.shift)
	if common == 0 || v.race == nil {
		return true
	}
	if v.strong && shifted(common, int(e.Shift-r.shift))&r.observe != 0 {
		return false
	}
	v.rows, v.elements = v.rows+1, v.elements+uint32(bits.OnesCount32(common))
	return true
}

// count enters what has been counted, and forgets the verdicts.
func (r *rowComparison) count() {
	for i := range r.verdicts[:min(r.made, len(r.verdicts))] {
		r.enter(&r.verdicts[i])
	}
	r.made = 0
}

// enter enters what has been counted by a verdict.
func (r *rowComparison) enter(v *rowVerdict) {
	if v.rows == 0 {
		return
	}
	lookups := v.rows
	if v.strong || v.own {
		lookups = v.elements
	}
	r.d.Evidence.CountKnown(v.race, v.elements, lookups)
	r.rows, r.elements = r.rows+v.rows, r.elements+v.elements
}

// verdictOf returns the verdict about a row.
func (r *rowComparison) verdictOf(e *accesses.Entry) *rowVerdict {
	for i := range r.verdicts[:min(r.made, len(r.verdicts))] {
		if v := &r.verdicts[i]; v.isAbout(r.a, e) {
			return v
		}
	}
	v := &r.verdicts[r.made%len(r.verdicts)]
	if r.made >= len(r.verdicts) {
		r.enter(v)
	}
	r.made++
	*v = rowVerdict{block: uint32(e.Unit >> radixBits), class: e.Class, own: e.Unit == r.a.Unit}
	r.decide(v, e)
	return v
}

// isAbout reports whether a verdict is about a row.
func (v *rowVerdict) isAbout(a *causality.Access, e *accesses.Entry) bool {
	return v.class == e.Class && v.block == uint32(e.Unit>>radixBits) && v.own == (e.Unit == a.Unit)
}

// decide finds out whether rows are known to race with the access as others have, or not to.
func (r *rowComparison) decide(v *rowVerdict, e *accesses.Entry) {
	d, a, x := r.d, r.a, &r.d.Classes.List[e.Class]
	if a.Warp.Apart != 0 || !d.countsPairs(a, x) || x.Size != a.Size || d.Places[v.block].Owners != nil {
		return
	}
	if c := a.Warp.Clock; c != nil {
		v.bound = c.MostInBlock(e.Unit)
	}
	if d.MorallyStrong(a, e, x) {
		v.decided = true
		return
	}
	if v.strong = x.Strong; x.Strong && a.Warp.Clock != nil {
		return // reads of other threads may have observed the writes
	}
	v.race = d.Evidence.KnownAlike(evidence.Pair{
		First: e.Class, Second: a.Index,
		Relation: d.Evidence.KindOf(e.Unit, a.Unit),
	})
	if v.decided = v.race != nil; v.decided && v.strong {
		r.findObserving()
	}
}

// findObserving finds the lanes of the access that may have observed writes of the elements that they access.
func (r *rowComparison) findObserving() {
	for m := r.mask; m != 0 && !r.asked; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		if r.d.mayHaveObserved(r.a, lane, r.at+uint64((lane+int(r.shift))*int(r.a.Size)), 0, nil) {
			r.observe |= 1 << lane
		}
	}
	r.asked = true
}
