// Strong accesses of warps, in cells: lanes side by side enter a line at once.

package precise

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// wordsAccess is a strong load or store of words by lanes of a warp.
type wordsAccess struct {
	at     addresses
	values *[radix]uint64 // written, nil if unknown
	flags  uint8          // cell flags that the access sets
	inRow  bool           // the lanes are side by side
}

// tryCells checks and records a strong load or store of words, for those lanes that own their word. It returns the other lanes.
func (d *Detector) tryCells(a *access, s *shadow) (rest uint32) {
	ev := a.ev
	mask := ev.Mask &^ a.before.lanes
	if a.before.cells || ev.Access == abi.AccessRMW || !d.mayUseCells(a.accessClass, a.index) {
		return mask
	}
	if a.shared && !d.noteShared(a.warp, s, ev.Live|ev.Mask) {
		return mask
	}
	a.logs = a.shared && d.mayLog(a, s, mask)
	return d.enterCells(a, s, mask, &wordsAccess{
		at: addresses{each: &ev.Addr}, values: &ev.New, flags: d.wordFlags(a.accessClass, ev.Valued),
		inRow: mask != 0 && sideBySide(ev, mask, uint64(a.size)) == mask,
	})
}

// tryBatchCells is tryCells for an access of a batch. It makes an event only for lanes that do not own their word, and reports
// whether cells can hold accesses of that class.
func (d *Detector) tryBatchCells(b *abi.Batch, w *warp, x *abi.Access) bool {
	index := d.cellClass(x)
	if index == 0 || d.used > d.opts.Memory {
		return false
	}
	s, starts := d.global, x.Mask&^(x.Next|x.Same)
	if d.classes[index].shared {
		s = w.shared
	}
	words := wordsAccess{
		at: addresses{x.Base, x.Step, x.Addr}, values: x.New, flags: d.wordFlags(&d.classes[index], x.New != nil),
		inRow: x.Addr == nil && x.Step == uint64(x.Bytes) && x.Base%x.Step == 0,
	}
	window, one := words.at.window(x.Mask, starts, uint64(x.Bytes))
	if !one || s == nil || !d.settlesAt(s, window) || s != d.global && !d.noteShared(w, s, b.Live|x.Mask) {
		return false
	}
	d.prefetch(s, &words.at, x.Mask, starts, uint64(x.Bytes))
	a := d.batchAccess(w, index)
	if a.writes() {
		a.at = d.now
	}
	a.logs = a.shared && d.mayLog(a, s, x.Mask)
	d.events++
	rest := d.enterCells(a, s, x.Mask, &words)
	d.events--
	s.phase.written = s.phase.written || a.writes()
	if rest == 0 {
		d.countStrong(w, x.Mask, a)
		return true
	}
	d.batched(b, x, done{lanes: x.Mask &^ rest, cells: true})
	return true
}

// enterCells checks and records a strong load or store of words, for those of some lanes that own their word. It returns the other
// lanes. Those that access a word like an earlier lane that does not own it are among them: the lanes of an instruction enter a word in
// their order.
func (d *Detector) enterCells(a *access, s *shadow, lanes uint32, x *wordsAccess) (rest uint32) {
	left := lanes
	if x.inRow && bits.OnesCount32(lanes) >= fewLanes {
		left = d.enterRow(a, s, lanes, x)
	}
	word := wordAccess{flags: x.flags}
	others := uint64(0) // words that lanes in rest access, by the low bits of their number
	for m := left; m != 0; m &= m - 1 {
		word.lane = bits.TrailingZeros32(m)
		if word.addr = x.at.of(word.lane); x.values != nil {
			word.value = x.values[word.lane]
		}
		bit := uint64(1) << (word.addr / wordBytes % 64)
		if others&bit != 0 && x.at.has(rest, word.addr) || !d.tryCell(a, s, &word) {
			rest |= 1 << word.lane
			others |= bit
		}
	}
	d.countCells(a, lanes&^rest)
	return rest
}

// enterRow is enterCells for lanes side by side. It enters them in the bands of each line at once.
func (d *Detector) enterRow(a *access, s *shadow, lanes uint32, x *wordsAccess) (rest uint32) {
	if !a.shared {
		d.noteContexts(a.warp, lanes)
	}
	size := uint64(a.size)
	e := bandAccess{unit: a.unit, flags: x.flags, class: uint16(a.index), writes: a.writes(), shared: a.shared, at: stamps{first: a.at}}
	for lanes != 0 {
		lane := bits.TrailingZeros32(lanes)
		addr := x.at.of(lane)
		shift := int(addr%lineBytes/size) - lane // from lanes to words
		here := lanes & laneRange(int64(-shift), int64(lineBytes/size)-int64(shift))
		lanes &^= here
		e.lanes, e.words = lanesFrom(-shift), shifted(here, shift)
		rest |= shifted(d.enterBands(s, d.line(s, addr), &e, size, x.values, shift), -shift)
	}
	return rest
}

// enterBands enters an access by lanes side by side in the bands of a line, and returns the words that they do not own: lane i
// accesses word i+shift, each of size bytes.
func (d *Detector) enterBands(s *shadow, l *line, e *bandAccess, size uint64, values *[radix]uint64, shift int) (others uint32) {
	bands := d.bandsOf(s, l, size)
	if bands == nil {
		return e.words
	}
	others, held := bands.enter(e)
	if !held {
		d.makeCells(l)
		return e.words
	}
	for m := e.words &^ others; e.writes && m != 0; m &= m - 1 {
		word, value := bits.TrailingZeros32(m), uint64(0)
		if values != nil {
			value = values[word-shift]
		}
		bands.setValue(word, value)
	}
	return others
}

// settlesAt reports whether the region of a window is settled, and settles it first if nothing in it has been accessed.
func (d *Detector) settlesAt(s *shadow, window uint64) bool {
	r := d.regionOf(s, window)
	if r.mode == untouched {
		d.settle(r)
	}
	return r.mode == settled
}

// countStrong counts a strong load or store by the lanes in mask for which no event was made.
func (d *Detector) countStrong(w *warp, mask uint32, a *access) {
	if !a.writes() {
		d.countAccess(w, mask)
		return
	}
	d.events++
	w.touched |= mask
	d.tick()
}
