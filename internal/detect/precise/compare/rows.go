// Accesses of consecutive lanes, a line at a time.

package compare

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/internal/detect/precise/shadow"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// rows handles an access whose lanes access consecutive elements, line by line. If the lanes are few, a line that is not
// split is split for them.
func (d *Checker) rows(a *causality.Access, s *shadow.Memory, mask uint32, few bool) {
	d.eachLine(s, &a.Ev.Addr, mask, int64(a.Size), func(l *shadow.Line, at uint64, here uint32, shift int32) {
		switch {
		case l.Words != nil && a.Size >= wordBytes:
			d.rowParts(a, s, at, here, shift)
		case !few && !l.IsSplit() && l.Whole.HasRoomForRow(a):
			d.row(a, l, at, here, shift)
		default:
			d.eachWord(a, s, here)
		}
	})
}

// rowParts handles an access to a split line, by lane i to element i+shift, in runs of lanes side by side.
func (d *Checker) rowParts(a *causality.Access, s *shadow.Memory, at uint64, mask uint32, shift int32) {
	for m := mask; m != 0; {
		first := bits.TrailingZeros32(m)
		n := bits.TrailingZeros32(^(m >> first))
		lanes := uint32(1<<n-1) << first
		m &^= lanes
		from := (first + int(shift)) * int(a.Size)
		d.run(a, d.Expanded(s, at+uint64(from), uint64(n)*uint64(a.Size)), at, lanes, shift)
	}
}

// run handles an access by lanes side by side to a split line.
func (d *Checker) run(a *causality.Access, l *shadow.Line, at uint64, lanes uint32, shift int32) {
	words := int(a.Size / wordBytes)
	first := (bits.TrailingZeros32(lanes) + int(shift)) * words
	end, parts := first+bits.OnesCount32(lanes)*words, 0
	for w := first; w < end; parts++ {
		h, n := d.Part(l.Words, w, end-w)
		here := lanes & shadow.LaneRange(int64(w/words)-int64(shift), int64((w+n+words-1)/words)-int64(shift))
		row := shadow.RowOf(here, shift)
		if n == 1 {
			d.word(a, h, at+uint64(w)*wordBytes, here)
		} else if !d.tryClean(a, h, here, row) {
			for i := w; i < w+n; i++ {
				h, _ := d.Part(l.Words, i, 1)
				d.word(a, h, at+uint64(i)*wordBytes, 1<<(i/words-int(shift)))
			}
		}
		w += n
	}
	if parts > 1 {
		d.JoinWords(l, at+uint64(first)*wordBytes, uint64(end-first)*wordBytes)
	}
}

// eachLine calls f for each line in which lanes in mask access elements of an array: lane i accesses element i+shift of
// the line at that address.
func (d *Checker) eachLine(s *shadow.Memory, addr *[radix]uint64, mask uint32, size int64,
	f func(l *shadow.Line, at uint64, here uint32, shift int32),
) {
	first, last := bits.TrailingZeros32(mask), 31-bits.LeadingZeros32(mask)
	base := int64(addr[first]) - int64(first)*size // may be below the first line
	for at := addr[first] &^ (lineBytes - 1); ; at += lineBytes {
		shift := floorDiv(int(base-int64(at)), int(size))
		if here := mask & shadow.LaneRange(int64(-shift), lineBytes/size-int64(shift)); here != 0 {
			f(d.Line(s, at), at, here, int32(shift))
		}
		if at/lineBytes == addr[last]/lineBytes { // behind it the addresses may end
			return
		}
	}
}

// eachWord handles an access lane by lane.
func (d *Checker) eachWord(a *causality.Access, s *shadow.Memory, mask uint32) {
	for m := mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m)
		d.Words(a, s, a.Ev.Addr[i], 1<<i)
	}
}

// row handles the part of an access that lies in one line with one history.
func (d *Checker) row(a *causality.Access, l *shadow.Line, at uint64, mask uint32, shift int32) {
	h := &l.Whole
	if d.TryFast(a, h, mask, shift, true) {
		return
	}
	a.Raced, a.Crowded = 0, h.IsCrowded()
	raced, elements := d.compareRows(a, h, at, mask, shift)
	d.againstReads(a, h, func(e *accesses.Entry, _ bool) {
		d.rowEntry(a, e, at, mask, shift, true)
		raced, elements = raced+min(a.Raced, 1), elements+a.Raced
		a.Raced = 0
	})
	d.Enter(h, accesses.Entry{Unit: a.Unit, Mask: mask, At: a.At, Class: a.Index, Shift: shift}, a)
	if raced != 0 {
		d.crowdRow(h, raced, elements)
	}
}

// rowEntry compares an access with an entry in the history of a line.
func (d *Checker) rowEntry(a *causality.Access, e *accesses.Entry, at uint64, mask uint32, shift int32, reads bool) {
	x := &d.Classes.List[e.Class]
	if x.Size == a.Size && e.Shift == shift {
		if common := e.Mask & mask; common != 0 {
			d.common(a, e, x, common, at)
		}
		return
	}
	if d.AllPrecede(a, e, x) {
		if x.Size == a.Size && d.subsumes(a, e, x) {
			e.Mask &^= e.Over(mask, shift)
		}
		return
	}
	if reads && !a.Writes() {
		return
	}
	if x.Size == a.Size {
		d.compareShifted(a, e, x, e.Mask&e.Over(mask, shift), at, int(e.Shift-shift))
		return
	}
	for m := mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		from := (lane + int(shift)) * int(a.Size)
		first := floorDiv(from, int(x.Size)) - int(e.Shift)
		last := floorDiv(from+int(a.Size)-1, int(x.Size)) - int(e.Shift)
		for other := max(first, 0); other <= min(last, radix-1); other++ {
			if e.Mask>>other&1 != 0 && !d.Precedes(a, e, x, other, lane) {
				d.conflicts(a, e, 1<<other, lane, at+uint64(max(from, (other+int(e.Shift))*int(x.Size))))
			}
		}
	}
}

func floorDiv(a, b int) int {
	if a < 0 {
		return -((-a + b - 1) / b)
	}
	return a / b
}

// compareShifted compares an access with an entry. Of the entry, each lane i in lanes accessed the element that lane
// i+by of the access accesses now. It returns the lanes that are not ordered before the access.
func (d *Checker) compareShifted(a *causality.Access, e *accesses.Entry, x *accesses.Class, lanes uint32, at uint64,
	by int,
) (unordered uint32) {
	if (by != 0 || e.Unit != a.Unit && e.Unit != a.Warp.Unit) && d.NonePrecedes(a, e, x) {
		unordered = lanes
	} else {
		for m := lanes; m != 0; m &= m - 1 {
			if i := bits.TrailingZeros32(m); !d.Precedes(a, e, x, i, i+by) {
				unordered |= 1 << i
			}
		}
	}
	d.conflictsInRow(a, e, unordered, at, by)
	return unordered
}

// isByItself reports whether an entry is by the threads of a synchronous access: each lane's precedes its access in
// program order.
func (d *Checker) isByItself(a *causality.Access, e *accesses.Entry, x *accesses.Class) bool {
	return e.Unit == a.Unit && a.Async == abi.Synchronous && d.Crossing(a, e, x) == accesses.CrossesNothing
}

// common compares an access with an entry in which each of the lanes in common accessed the element that it accesses
// now.
func (d *Checker) common(a *causality.Access, e *accesses.Entry, x *accesses.Class, common uint32, at uint64) {
	unordered := uint32(0)
	if !d.isByItself(a, e, x) && !d.AllPrecede(a, e, x) {
		unordered = d.compareShifted(a, e, x, common, at, 0)
	}
	if d.subsumes(a, e, x) {
		e.Mask &^= common &^ unordered
	}
}
