// Package pagetable is a hash table from page numbers to pages of shadow memory, for detectors.
//
// Lanes of a warp that access memory in no order look up a page each, among all pages of the
// arrays that the kernel uses. A look-up must cost the same for ten pages and for ten thousand.
// The package must not know what pages contain.
package pagetable

// Table maps numbers to pages, in a hash table with open addressing. The zero Table is empty.
type Table[P any] struct {
	slots []slot[P] // empty, or a power of two of slots, at most half of which are in use
	shift uint8     // 64 minus the binary logarithm of len(slots)
	count int
}

// slot is a page and its number; an empty slot has no page.
type slot[P any] struct {
	number uint64
	page   *P
}

// leastSlots is the initial number of slots.
const leastSlots = 16

// first returns the index at which the search for a number begins. Consecutive numbers, and numbers of arrays that are
// a power of two bytes apart, begin at different slots.
func (t *Table[P]) first(n uint64) int { return int(n * 0x9e3779b97f4a7c15 >> (t.shift & 63)) }

// Find returns the page of a number, nil for none.
func (t *Table[P]) Find(n uint64) *P {
	if len(t.slots) == 0 {
		return nil
	}
	for i := t.first(n); ; i++ {
		s := &t.slots[i&(len(t.slots)-1)]
		if s.number == n || s.page == nil {
			return s.page
		}
	}
}

// Add enters a page under a number that is not in the table.
func (t *Table[P]) Add(n uint64, p *P) {
	if 2*t.count >= len(t.slots) {
		t.resize(max(leastSlots, 2*len(t.slots)))
	}
	t.put(n, p)
}

func (t *Table[P]) put(n uint64, p *P) {
	i := t.first(n)
	for t.slots[i&(len(t.slots)-1)].page != nil {
		i++
	}
	t.slots[i&(len(t.slots)-1)] = slot[P]{n, p}
	t.count++
}

func (t *Table[P]) resize(n int) {
	old := t.slots
	*t = Table[P]{slots: make([]slot[P], n), shift: 64}
	for ; n > 1; n /= 2 {
		t.shift--
	}
	for i := range old {
		if old[i].page != nil {
			t.put(old[i].number, old[i].page)
		}
	}
}

// Delete drops the page of a number, which is in the table.
func (t *Table[P]) Delete(n uint64) {
	last := len(t.slots) - 1
	i := t.first(n) & last
	for t.slots[i].number != n || t.slots[i].page == nil {
		i = (i + 1) & last
	}
	// Pages behind it move to the free slot, unless that is before the slot where the search for them begins.
	for j := (i + 1) & last; t.slots[j].page != nil; j = (j + 1) & last {
		if begin := t.first(t.slots[j].number) & last; (j-begin)&last >= (j-i)&last {
			t.slots[i], i = t.slots[j], j
		}
	}
	t.slots[i] = slot[P]{}
	t.count--
}

// Len returns the number of pages.
func (t *Table[P]) Len() int { return t.count }

// All calls f for every page until it returns false. The order depends only on what has been added.
func (t *Table[P]) All(f func(n uint64, p *P) bool) {
	for i := range t.slots {
		if s := &t.slots[i]; s.page != nil && !f(s.number, s.page) {
			return
		}
	}
}

// Keep drops the pages for which keep returns false.
func (t *Table[P]) Keep(keep func(n uint64, p *P) bool) {
	old := t.slots
	*t = Table[P]{}
	for i := range old {
		if s := &old[i]; s.page != nil && keep(s.number, s.page) {
			t.Add(s.number, s.page)
		}
	}
}

// Trim drops the pages with numbers from first to last for which keep returns false. It takes time for the numbers or
// for the pages in the table, whichever are fewer.
func (t *Table[P]) Trim(first, last uint64, keep func(n uint64, p *P) bool) {
	if last-first >= uint64(t.count) {
		t.Keep(func(n uint64, p *P) bool { return n < first || n > last || keep(n, p) })
		return
	}
	for n := first; ; n++ {
		if p := t.Find(n); p != nil && !keep(n, p) {
			t.Delete(n)
		}
		if n == last {
			return
		}
	}
}
