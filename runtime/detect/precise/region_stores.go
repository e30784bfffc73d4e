// Regions in which each word is stored to once.

package precise

import "math/bits"

// Kernels that scatter their results store to each word once, and read none of that memory in the same launch. Such stores race
// with nothing. One bit for each word shows that a store is the first: it is deferred, and the word gets no history.

// storedWords is the set of words of a window that have been stored to, by the upper bits of the offset.
type storedWords struct {
	pages  map[uint32]*storedPage
	number uint32 // number of latest
	latest *storedPage
}

const storedPageWords = 1 << 15

// storedPage has one bit for each word.
type storedPage [storedPageWords / 32]uint32

// page returns the bits of a page.
func (o *storedWords) page(d *Detector, n uint32) *storedPage {
	if o.latest == nil || o.number != n {
		if o.number, o.latest = n, o.pages[n]; o.latest == nil {
			o.latest = new(storedPage)
			o.pages[n] = o.latest
			d.uses(storedPageWords / 8)
		}
	}
	return o.latest
}

// storesWords reports whether accesses of a class are weak stores of a word, or of an aligned group of 2 to 8 words.
func (x *accessClass) storesWords() bool {
	return x.writes() && !x.strong && x.size%wordBytes == 0 && x.size <= lineBytes/4 && x.size&(x.size-1) == 0
}

// isScattered reports whether the runs of consecutive lanes in mask are short on average. The lanes in follow access the element
// of the lane before, or the next one.
func isScattered(mask, follow uint32) bool {
	return bits.OnesCount32(mask) < fewLanes*bits.OnesCount32(mask&^follow)
}

// claimWords marks words of a region as stored to by the lanes in mask, and reports whether none was marked before. If one was,
// the marks are of no further use.
func (d *Detector) claimWords(r *region, size, mask uint32, at *addresses) bool {
	if r.stored == nil {
		r.stored = &storedWords{pages: make(map[uint32]*storedPage)}
	}
	for m := mask; m != 0; m &= m - 1 {
		offset := uint32(at.of(bits.TrailingZeros32(m)))
		if offset%size != 0 {
			return false
		}
		word := offset / wordBytes
		these, all := uint32(1<<(size/wordBytes)-1)<<(word%32), &r.stored.page(d, word/storedPageWords)[word%storedPageWords/32]
		if *all&these != 0 {
			return false
		}
		*all |= these
	}
	return true
}
