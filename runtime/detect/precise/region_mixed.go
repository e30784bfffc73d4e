// Regions whose counters are initialised in the launch that counts.

package precise

import (
	"math/bits"
	"unsafe"
)

// Threads often set counters to zero, wait at a barrier, and then count by relaxed atomic operations whose results nobody uses. The
// stores settle the region. As long as all that the shadow has of a word precedes the atomic operations on it, and nothing else
// accesses its line, these race with nothing, and are deferred as in a counting region. Any other access of such a line settles the
// region, for good.

// countedLines is the set of lines of a window of which a journal has the latest accesses, by the upper bits of their number.
type countedLines struct {
	pages  map[uint32]*countedPage
	number uint32 // number of latest
	latest *countedPage
}

const countedPageLines = 1 << 12

// countedPage has one bit for each line.
type countedPage [countedPageLines / 32]uint32

// mixRegions permits mixed regions. Tests compare reports with and without.
var mixRegions = true

// page returns the bits of a page, nil for none.
func (o *countedLines) page(n uint32) *countedPage {
	if o.latest == nil || o.number != n {
		o.number, o.latest = n, o.pages[n]
	}
	return o.latest
}

// has reports whether the line at an offset in the window is in the set.
func (o *countedLines) has(offset uint32) bool {
	line := offset / lineBytes
	p := o.page(line / countedPageLines)
	return p != nil && p[line%countedPageLines/32]>>(line%32)&1 != 0
}

// add adds the line at an offset in the window.
func (o *countedLines) add(d *Detector, offset uint32) {
	line := offset / lineBytes
	p := o.page(line / countedPageLines)
	if p == nil {
		p = new(countedPage)
		o.latest, o.pages[line/countedPageLines] = p, p
		d.uses(unsafe.Sizeof(*p))
	}
	p[line%countedPageLines/32] |= 1 << (line % 32)
}

// touchedBy reports whether an access of size bytes by the lanes in mask touches a line of the set.
func (o *countedLines) touchedBy(mask uint32, size uint64, at *addresses) bool {
	for ; mask != 0; mask &= mask - 1 {
		addr := at.of(bits.TrailingZeros32(mask))
		if o.has(uint32(addr)) || o.has(uint32(addr+size-1)) {
			return true
		}
	}
	return false
}

// mayMix reports whether a settled or mixed region may defer atomic operations of a class that mayCount.
func (d *Detector) mayMix(r *region, x *accessClass) bool {
	return mixRegions && (r.mode == mixed || r.mode == settled && !r.unmixed) && r.memory == d.global && x.size == wordBytes && x.reach == reachAll &&
		d.evidence.unheeded.has(x.site)
}

// mix makes a region mixed, and adds the lines that the lanes in mask access to those of which the journal has the latest accesses. It
// reports whether it could: otherwise the region is settled.
func (d *Detector) mix(a *access, r *region, mask uint32, at *addresses) bool {
	for m := mask; m != 0; m &= m - 1 {
		if addr := at.of(bits.TrailingZeros32(m)); !d.hasOnlyEarlier(a, d.line(d.global, addr), addr) {
			d.settle(r)
			r.unmixed = true
			return false
		}
	}
	if r.mode != mixed {
		r.mode, r.size, r.counted = mixed, wordBytes, &countedLines{pages: make(map[uint32]*countedPage)}
	}
	for m := mask; m != 0; m &= m - 1 {
		r.counted.add(d, uint32(at.of(bits.TrailingZeros32(m))))
	}
	return true
}

// hasOnlyEarlier reports whether all that the shadow has of a word precedes an access: weak accesses, all lanes of whose warps do.
func (d *Detector) hasOnlyEarlier(a *access, l *line, addr uint64) bool {
	h := &l.whole
	switch {
	case l.synced != nil || l.readSets != nil || l.cells != nil || l.bands != nil || l.log != nil || l.hasOwned():
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
