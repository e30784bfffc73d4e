// Shadow memory: the operations that last touched each word, and their conflicts.

package order

import (
	"maps"
	"math/bits"
	"slices"
)

// Sizes of pages and words, the granularity of the shadow.
const (
	wordBytes = 4
	pageWords = 1024
)

// page holds the operations that last touched each word: one writer, and two readers of different streams; and an
// earlier writer not ordered before the last one if both accesses are strong. Arrays are allocated on first use: most
// memory is only read, or only written.
type page struct {
	writes, reads, others, earlier *[pageWords]touch
}

// touch identifies who touched a word, and which of its bytes: an index in Tracker.toucher, and a bit for each byte. It
// is 0 for nobody.
type touch uint32

const (
	maskBits = wordBytes
	allBytes = 1<<maskBits - 1
	// mostTouchers is the limit of touchers. When it is reached, all earlier accesses are dropped: races with them are
	// not found.
	mostTouchers = 1 << 24
)

func (w touch) mask() uint8 { return uint8(w & allBytes) }

// toucher is a place of an operation.
type toucher struct {
	op    *Operation
	place Place
}

// marks returns what is known of the places of the process whose operation it is, nil for the host.
func (w *toucher) marks() *marks {
	if w.op == nil || w.op.in == nil {
		return nil
	}
	return &w.op.in.device.of.marks
}

// strong returns the size of the access if it is strong, else 0.
func (w *toucher) strong() uint64 {
	if m := w.marks(); m != nil {
		return m.strong[w.place]
	}
	return 0
}

// signals reports whether the host may synchronise through the place.
func (w *toucher) signals() bool {
	m := w.marks()
	return m != nil && m.signals[w.place]
}

// isSignal reports whether the access is a signal to other operations.
func (w *toucher) isSignal() bool {
	m := w.marks()
	return m != nil && m.release[w.place]
}

// of returns a word in one of the arrays of a page, which may be nil.
func of(words *[pageWords]touch, i uint64) touch {
	if words == nil {
		return 0
	}
	return words[i]
}

// set sets a word in one of the arrays of a page, which it allocates if needed.
func set(words **[pageWords]touch, i uint64, to touch) {
	if *words == nil {
		*words = new([pageWords]touch)
	}
	(*words)[i] = to
}

// alike returns the number of words, out of n from i on, that are equal to word i.
func (p *page) alike(i, n uint64) uint64 {
	for _, words := range [...]*[pageWords]touch{p.writes, p.reads, p.others, p.earlier} {
		if words == nil {
			continue
		}
		first := words[i]
		for k, w := range words[i : i+n] {
			if w != first {
				n = uint64(k)
				break
			}
		}
	}
	return n
}

// spread copies the state of word i to n words from i on.
func (p *page) spread(i, n uint64) {
	for _, words := range [...]*[pageWords]touch{p.writes, p.reads, p.others, p.earlier} {
		if words == nil || n < 2 || words[i] == words[i+1] {
			continue
		}
		for k := i + 1; k < i+n; k++ {
			words[k] = words[i]
		}
	}
}

// by returns the touch for a place of an operation, without bytes.
func (t *Tracker) by(o *Operation, at Place) touch {
	who := toucher{o, at}
	if t.last.toucher == who {
		return t.last.touch
	}
	me, known := t.touches[who]
	if !known {
		if len(t.toucher) == mostTouchers {
			t.forgetAll()
		}
		me = touch(len(t.toucher)) << maskBits
		t.toucher, t.touches[who] = append(t.toucher, who), me
	}
	t.last.toucher, t.last.touch = who, me
	return me
}

// forgetAll drops all accesses.
func (t *Tracker) forgetAll() {
	clear(t.shadow)
	clear(t.touches)
	clear(t.silent)
	clear(t.narrow)
	t.toucher, t.last, t.operations = t.toucher[:1], lastToucher{}, 0
}

// who returns the toucher of a touch.
func (t *Tracker) who(w touch) *toucher { return &t.toucher[w>>maskBits] }

// Place is a place in an operation: one of these, or from FirstPlace on, in the caller's numbering, an instruction of a
// kernel.
type Place uint32

// Places that are no instructions: a whole operation, and accesses to values in memory by streams, of 4 and of 8 bytes,
// which are strong at system scope. Those by which earlier operations of the stream become visible are releases.
const (
	WholeOperation Place = iota
	Value32
	Value64
	Release32
	Release64
	FirstPlace
)

// Touch is an access by an operation.
type Touch struct {
	Operation *Operation
	Place     Place
	Write     bool
}

// Conflict is two operations that touch the same bytes without an order between them; at least one of them writes.
type Conflict struct {
	First, Second Touch // in the order of execution
	Address       uint64
	Size          int // number of bytes of one word that both touch
	// Narrow says that both accesses are strong and of one size, and that they race because the scope of one does not
	// reach the device of the other.
	Narrow bool
}

// pair identifies conflicts that are reported once.
type pair struct {
	first, second           any // labels
	firstPlace, secondPlace Place
	firstWrite, secondWrite bool
}

// Touch records that an operation reads or writes size bytes. As long as there is a single stream, memory that the host
// cannot access has no races.
func (t *Tracker) Touch(o *Operation, at Place, address, size uint64, write bool) {
	if !t.several && !t.hosts.isWatched(address) {
		return
	}
	o = o.now()
	if len(t.hosts.watched) > 0 && size > 0 {
		t.hosts.enter(o, address, size, write)
	}
	if len(t.births) > 0 {
		t.born(o, at, address, size, write)
	}
	me := t.by(o, at)
	for end := address + size; address < end; {
		number := address / wordBytes
		p := t.pageOf(number / pageWords)
		for next := (number/pageWords + 1) * pageWords * wordBytes; address < min(end, next); {
			i, start := address/wordBytes%pageWords, address%wordBytes
			if words := (min(end, next) - address) / wordBytes; start == 0 && words > 0 {
				t.enterWords(p, i, words, o, me|allBytes, address, write)
				address += words * wordBytes
				continue
			}
			n := min(wordBytes-start, end-address)
			t.enter(p, i, o, me|touch(1<<n-1)<<start, address-start, write)
			address += n
		}
	}
	if write && t.divides && t.marks.release[at] {
		o.divide()
	}
}

// enterWords records that an operation reads or writes n whole words of a page. The effect on a word depends only on
// its state, so words with the same state have the same conflicts, of which one is reported, and get the same new
// state.
func (t *Tracker) enterWords(p *page, i, n uint64, o *Operation, me touch, address uint64, write bool) {
	for n > 0 {
		same := p.alike(i, n)
		t.enter(p, i, o, me, address, write)
		p.spread(i, same)
		i, n, address = i+same, n-same, address+same*wordBytes
	}
}

func (t *Tracker) enter(p *page, i uint64, o *Operation, me touch, address uint64, write bool) {
	if write {
		t.write(p, i, o, me, address)
	} else {
		t.read(p, i, o, me, address)
	}
}

// pagesFrom returns the numbers of the existing pages from first to last, in ascending order.
func (t *Tracker) pagesFrom(first, last uint64) (numbers []uint64) {
	if last-first >= uint64(len(t.shadow)) {
		numbers = slices.Sorted(maps.Keys(t.shadow))
		return slices.DeleteFunc(numbers, func(n uint64) bool { return n < first || n > last })
	}
	for n := first; n <= last; n++ {
		if t.shadow[n] != nil {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

func (t *Tracker) pageOf(number uint64) *page {
	p := t.shadow[number]
	if p == nil {
		p = new(page)
		t.shadow[number] = p
	}
	return p
}

// write records that an operation writes a word of a page.
func (t *Tracker) write(p *page, i uint64, o *Operation, me touch, address uint64) {
	before := of(p.writes, i)
	t.compareAll(o, p, i, me, address)
	if before != 0 && t.bothStrong(before, me) && !t.follows(o, before) {
		set(&p.earlier, i, before)
	}
	set(&p.writes, i, t.joined(o, before, me))
}

// joined returns the entry of a word for an access by an operation: with the bytes of the entry before, if that is of
// the same operation.
func (t *Tracker) joined(o *Operation, before, me touch) touch {
	if before == 0 || t.who(before).op != o {
		return me
	}
	return me | before&allBytes
}

// compareAll reports the conflicts of an operation that writes a word of a page.
func (t *Tracker) compareAll(o *Operation, p *page, i uint64, me touch, address uint64) {
	t.compare(o, of(p.writes, i), true, me, true, address)
	t.compare(o, of(p.earlier, i), true, me, true, address)
	t.compare(o, of(p.reads, i), false, me, true, address)
	t.compare(o, of(p.others, i), false, me, true, address)
}

// read records that an operation reads a word of a page: it replaces a reader that it follows, or else the older one.
func (t *Tracker) read(p *page, i uint64, o *Operation, me touch, address uint64) {
	t.compare(o, of(p.writes, i), true, me, false, address)
	t.compare(o, of(p.earlier, i), true, me, false, address)
	for _, words := range [2]**[pageWords]touch{&p.reads, &p.others} {
		before := of(*words, i)
		if before == 0 || t.follows(o, before) {
			set(words, i, t.joined(o, before, me))
			return
		}
	}
	set(&p.reads, i, of(p.others, i))
	set(&p.others, i, me)
}

// follows reports whether an operation is the one that touched a word, by a write or a read, or follows it.
func (t *Tracker) follows(o *Operation, before touch) bool {
	first := t.who(before).op
	if first == o || first == t.followed.first && o == t.followed.by {
		return true
	}
	if !o.follows(first) {
		return false
	}
	t.followed.first, t.followed.by = first, o
	return true
}

// Strong says that accesses of size bytes at a place are strong at device or system scope: they do not race with each
// other (PTX ISA, "Conflict and Data-races"). Those of operations of different devices have to be of system scope:
// Signals.
func (t *Tracker) Strong(p Place, size uint64) { t.marks.strong[p] = size }

// bothStrong reports whether two accesses are strong, and of the same size, with scopes that include each other.
func (t *Tracker) bothStrong(a, b touch) bool {
	x, y := t.who(a), t.who(b)
	return x.matches(y) && (!x.op.isApart(y.op) || x.signals() && y.signals())
}

// matches reports whether two accesses are strong, and of the same size.
func (w *toucher) matches(other *toucher) bool { return w.strong() > 0 && w.strong() == other.strong() }

// compare reports a conflict of an operation with an earlier access of a word, if there is one.
func (t *Tracker) compare(o *Operation, before touch, wrote bool, me touch, write bool, address uint64) {
	both := before.mask() & me.mask()
	if both == 0 || t.follows(o, before) {
		return
	}
	if t.bothStrong(before, me) {
		if wrote {
			t.hears(o, t.who(me).place, t.who(before))
		}
		return
	}
	first := t.who(before)
	if o.areJudged(first.op) {
		return
	}
	narrow := first.matches(t.who(me))
	if narrow && wrote {
		t.noteNarrow(o, t.who(me).place, first)
	}
	t.conflict(Conflict{
		First: Touch{first.op, first.place, wrote}, Second: Touch{o, t.who(me).place, write},
		Address: address + uint64(bits.TrailingZeros8(both)), Size: bits.OnesCount8(both), Narrow: narrow,
	})
}

// conflict reports a conflict, once.
func (t *Tracker) conflict(c Conflict) {
	first, second := &c.First, &c.Second
	key := pair{first.Operation.Label, second.Operation.Label, first.Place, second.Place, first.Write, second.Write}
	if !t.found[key] {
		t.found[key] = true
		t.report(c)
	}
}

// Forget drops the accesses of memory that has been freed.
func (t *Tracker) Forget(address, size uint64) {
	t.births = slices.DeleteFunc(t.births, func(b birth) bool {
		return b.address >= address &&
			b.address < address+size
	})
	for end := (address + size + wordBytes - 1) / wordBytes; size > 0 && address/wordBytes < end; {
		first := address / wordBytes
		number := first / pageWords
		next := (number + 1) * pageWords
		if p := t.shadow[number]; p != nil && p.forget(first%pageWords, min(next, end)-number*pageWords) {
			delete(t.shadow, number)
		}
		address = next * wordBytes
	}
}

// forget drops the accesses of words, and reports whether the page is empty.
func (p *page) forget(from, to uint64) (empty bool) {
	empty = true
	for _, words := range [...]*[pageWords]touch{p.writes, p.reads, p.others, p.earlier} {
		if words != nil {
			clear(words[from:to])
			empty = empty && *words == [pageWords]touch{}
		}
	}
	return empty
}
