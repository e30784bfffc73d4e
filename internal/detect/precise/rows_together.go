// Rows of a line that race with an access are counted together, by block and access class.

package precise

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/evidence"
)

// Whether a row of a line races with an access depends, as in a tally, on the block, the access class and the time of
// the row. So it is decided once for each block and class, and what is left is to count the elements that both rows
// have. Rows that may be ordered before the access are compared one by one, and so are those of its own threads.
//
// A list of rows takes less memory and time than lists for each of 32 words. So many rows stay rows as long as accesses
// race with most of them.

// Numbers of rows of writes in a line.
const (
	maxRows  = 32  // from which on each word has a history of its own, unless the latest write raced with most rows
	mostRows = 512 // from which on it has one in any case
)

// hasRoomForRow reports whether a line keeps the row of an access, and does not give each word a history of its own. A
// line with many rows of writes has no reads.
func (h *history) hasRoomForRow(a *access) bool {
	switch n := h.logs(false).size(); {
	case n < maxRows:
		return true
	case !a.Writes():
		return n == maxRows
	default:
		return n < mostRows && h.more.writes.racing && h.read.mask == 0
	}
}

// crowdRow counts races of a row, and drops old rows of a crowded line. Of few rows it counts pairs of rows. Of more it
// counts pairs of elements: in another representation, each word of the line would have a history, and become crowded,
// by itself.
func (d *Detector) crowdRow(h *history, rows, elements uint32) {
	m := h.more
	switch {
	case m == nil:
	case m.racedElements == 0 && len(m.writes.entries) < maxRows:
		d.crowd(h, rows)
	default:
		m.racedElements = min(m.racedElements+elements, crowdedAt*lineWords)
		if m.raced = m.racedElements / lineWords; m.raced == crowdedAt {
			d.dropOld(&m.writes, crowdKept*lineWords, true)
			d.dropOld(&m.reads, crowdKept*lineWords, true)
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
func (d *Detector) compareRows(a *access, h *history, at uint64, mask uint32, shift int32) (rows, elements uint32) {
	l := h.logs(false)
	if l.first.mask == 0 {
		return 0, 0
	}
	a.writesHere = l.size()
	if l.more == nil || len(l.more.entries) < d.tuning.rows || !d.tuning.takes(tallies) || l.more.same != 0 ||
		a.Strong && a.warp.clock != nil {
		l.filter(func(e *entry) {
			d.rowEntry(a, e, at, mask, shift, false)
			rows, elements = rows+min(a.raced, 1), elements+a.raced
			a.raced = 0
		}, a.Code)
		if l.more != nil {
			l.more.racing = false
		}
		return rows, elements
	}
	r := rowComparison{d: d, a: a, at: at, mask: mask, shift: shift}
	r.compareMany(l)
	r.count()
	l.more.racing = r.rows > 0 && r.rows >= r.apart*4
	return r.rows, r.elements
}

// rowComparison compares an access with rows of writes: its lane i accesses element i+shift of the line at that
// address.
type rowComparison struct {
	d              *Detector
	a              *access
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
func (r *rowComparison) compareMany(l logs) {
	list, kept, before := l.more.entries, 0, r.apart
	if !r.counts(r.verdictOf(l.first), l.first) {
		r.compareApart(l.first)
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
			if e.mask == 0 {
				continue
			}
		}
		if kept < i {
			list[kept] = *e
		}
		kept++
	}
	if l.more.entries = list[:kept]; r.apart != before {
		l.fill()
	}
}

// compareApart compares a row for which there is no verdict. It may find evidence by which verdicts change.
func (r *rowComparison) compareApart(e *entry) {
	r.count()
	r.d.rowEntry(r.a, e, r.at, r.mask, r.shift, false)
	r.rows, r.elements = r.rows+min(r.a.raced, 1), r.elements+r.a.raced
	r.a.raced = 0
	r.apart++
}

// counts counts the elements that a row and the access share if a verdict says that they race, and reports whether the
// verdict suffices.
func (r *rowComparison) counts(v *rowVerdict, e *entry) bool {
	if !v.decided || e.at <= v.bound || v.own && e.shift == r.shift {
		return false
	}
	common := e.mask & e.over(r.mask, r.shift)
	if common == 0 || v.race == nil {
		return true
	}
	if v.strong && shifted(common, int(e.shift-r.shift))&r.observe != 0 {
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
	r.d.evidence.CountKnown(v.race, v.elements, lookups)
	r.rows, r.elements = r.rows+v.rows, r.elements+v.elements
}

// verdictOf returns the verdict about a row.
func (r *rowComparison) verdictOf(e *entry) *rowVerdict {
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
	*v = rowVerdict{block: uint32(e.unit >> radixBits), class: e.class, own: e.unit == r.a.unit}
	r.decide(v, e)
	return v
}

// isAbout reports whether a verdict is about a row.
func (v *rowVerdict) isAbout(a *access, e *entry) bool {
	return v.class == e.class && v.block == uint32(e.unit>>radixBits) && v.own == (e.unit == a.unit)
}

// decide finds out whether rows are known to race with the access as others have, or not to.
func (r *rowComparison) decide(v *rowVerdict, e *entry) {
	d, a, x := r.d, r.a, &r.d.classes[e.class]
	if a.warp.apart != 0 || !d.countsPairs(a, x) || x.Size != a.Size || d.places[v.block].owners != nil {
		return
	}
	if c := a.warp.clock; c != nil {
		v.bound = c.MostInBlock(e.unit)
	}
	if d.morallyStrong(a, e, x) {
		v.decided = true
		return
	}
	if v.strong = x.Strong; x.Strong && a.warp.clock != nil {
		return // reads of other threads may have observed the writes
	}
	v.race = d.evidence.KnownAlike(evidence.Pair{
		First: e.class, Second: a.index,
		Relation: d.evidence.KindOf(e.unit, a.unit),
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
