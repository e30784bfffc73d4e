// Regions whose words are stored to once each.

package precise

import "math/bits"

// Kernels that scatter what they compute store to each word once and read none of the memory in the same launch. Such stores race
// with nothing, and a bit for each word tells that a store is one of them: it is deferred, and no history of the word is made.

// storedWords is the words of a window that have been stored to, by the upper bits of the offset.
type storedWords struct {
	pages  map[uint32]*storedPage
	number uint32 // of the page latest asked for
	latest *storedPage
}

const storedPageWords = 1 << 15

// storedPage has a bit for each word.
type storedPage [storedPageWords / 32]uint32

// page is the bits of a page.
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

// storesWords reports whether accesses of a class are weak stores of words, or of several that are aligned together.
func (x *accessClass) storesWords() bool {
	return x.writes() && !x.strong && x.size%wordBytes == 0 && x.size <= lineBytes/4 && x.size&(x.size-1) == 0
}

// isScattered reports whether few lanes access elements side by side, of lanes in mask of which some follow, or share, the
// element of the lane before.
func isScattered(mask, follow uint32) bool {
	return bits.OnesCount32(mask) < fewLanes*bits.OnesCount32(mask&^follow)
}

// claimWords notes that lanes in mask store to words of a region, and reports whether nobody has before. If somebody has, the notes
// are of no use any more.
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
