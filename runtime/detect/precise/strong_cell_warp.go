// Strong accesses of warps, in cells.

package precise

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect/precise/deferred"
)

// wordsAccess is a strong load or store of words by lanes of a warp.
type wordsAccess struct {
	at     deferred.Addresses
	values *[radix]uint64 // written, nil if unknown
	flags  uint8          // cell flags that the access sets
}

// tryCells checks and records a strong load or store of words, for those lanes that own their word. It returns the other lanes.
func (d *Detector) tryCells(a *access, s *shadow) (rest uint32) {
	ev := a.ev
	mask := ev.Mask &^ a.before.lanes
	if a.before.cells || ev.Access == abi.AccessRMW || !d.mayUseCells(a.Class, a.index) {
		return mask
	}
	if a.Shared && !d.noteShared(a.warp, s, ev.Live|ev.Mask) {
		return mask
	}
	a.logs = a.Shared && d.mayLog(a, s, mask)
	return d.enterCells(a, s, mask, &wordsAccess{
		at: deferred.Addresses{Each: &ev.Addr}, values: &ev.New, flags: d.wordFlags(a.Class, ev.Valued),
	})
}

// enterCells checks and records a strong load or store of words, for those of some lanes that own their word. It returns the other
// lanes. Those that access a word like an earlier lane that does not own it are among them: the lanes of an instruction enter a word in
// their order.
func (d *Detector) enterCells(a *access, s *shadow, lanes uint32, x *wordsAccess) (rest uint32) {
	one := run{values: x.values, flags: x.flags}
	others := uint64(0) // words that lanes in rest access, by the low bits of their number
	for m := lanes; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		one.lanes, one.addr = m&-m, x.at.Of(lane)
		bit := uint64(1) << (one.addr / wordBytes % 64)
		if others&bit != 0 && x.at.Has(rest, one.addr) || !d.tryCell(a, s, &one) {
			rest |= 1 << lane
			others |= bit
		}
	}
	d.countCells(a, lanes&^rest)
	return rest
}

// tryCell checks and records a strong load or store of a word by the first lane of a run, and reports whether a cell holds it.
func (d *Detector) tryCell(a *access, s *shadow, x *run) bool {
	l := d.line(s, x.addr)
	if a.logs && d.prefersLog(a, l) {
		return false
	}
	c := d.cellsFor(s, l, x.addr, uint64(a.Size))
	return c != nil && c.enter(d, a, s, l, x) != 0
}

// countStrong counts a strong load or store by the lanes in mask for which no event was made.
func (d *Detector) countStrong(w *warp, mask uint32, a *access) {
	if !a.Writes() {
		d.countAccess(w, mask)
		return
	}
	d.events++
	w.touched |= mask
	d.tick()
}
