// Which operations touched a word of memory last, and conflicts.

package order

import (
	"math/bits"
	"slices"
)

// A page of memory, and its words, which are what is remembered of.
const (
	wordBytes = 4
	pageWords = 1024
)

type page [pageWords]word

// word is the operations that touched a word last: one that wrote, and two that read, of
// different streams. Bits of the masks are bytes.
type word struct {
	write touch
	reads [2]touch
}

type touch struct {
	op    uint32 // Operation.id, 0 for none
	place uint32
	mask  uint8
}

// Place is a place in an operation, of the caller's numbering: an instruction of a kernel.
type Place uint32

// Touch is an access of an operation.
type Touch struct {
	Operation *Operation
	Place     Place
	Write     bool
}

// Conflict is two operations that touch the same bytes, one of them to write, without an order
// between them.
type Conflict struct {
	First, Second Touch // in the order of execution
	Address       uint64
	Size          int // bytes that both touch, of one word
}

// pair identifies what is told once.
type pair struct {
	first, second           any // labels
	firstPlace, secondPlace Place
	firstWrite, secondWrite bool
}

// Touch enters that an operation reads or writes size bytes. While there is one stream only,
// what the host cannot access has nobody to race with.
func (t *Tracker) Touch(o *Operation, at Place, address, size uint64, write bool) {
	if !t.several && !t.hosts.isWatched(address) {
		return
	}
	if len(t.hosts.watched) > 0 && size > 0 {
		t.hosts.enter(o, address, size, write)
	}
	if len(t.births) > 0 {
		t.born(o, at, address, size, write)
	}
	for end := address + size; address < end; {
		start := address % wordBytes
		n := min(wordBytes-start, end-address)
		mask := uint8(1<<n-1) << start
		t.touch(o, touch{o.id, uint32(at), mask}, address-start, write)
		address += n
	}
}

func (t *Tracker) touch(o *Operation, me touch, address uint64, write bool) {
	number := address / wordBytes
	p := t.shadow[number/pageWords]
	if p == nil {
		p = new(page)
		t.shadow[number/pageWords] = p
	}
	w := &p[number%pageWords]
	t.compare(o, w.write, true, me, write, address)
	if !write {
		w.read(t, o, me)
		return
	}
	for _, r := range w.reads {
		t.compare(o, r, false, me, true, address)
	}
	if w.write.op == me.op {
		me.mask |= w.write.mask
	}
	w.write = me
}

// read remembers a reader: in place of one that it follows, or else of the older one.
func (w *word) read(t *Tracker, o *Operation, me touch) {
	for i := range w.reads {
		r := &w.reads[i]
		if r.op == me.op {
			me.mask |= r.mask
		}
		if r.op == 0 || r.op == me.op || o.follows(t.ops[r.op]) {
			*r = me
			return
		}
	}
	w.reads[0], w.reads[1] = w.reads[1], me
}

// compare reports a conflict of an operation with what touched a word before, if there is one.
func (t *Tracker) compare(o *Operation, before touch, wrote bool, me touch, write bool, address uint64) {
	both := before.mask & me.mask
	if before.op == 0 || before.op == me.op || both == 0 || o.follows(t.ops[before.op]) {
		return
	}
	t.conflict(Touch{t.ops[before.op], Place(before.place), wrote}, Touch{o, Place(me.place), write},
		address+uint64(bits.TrailingZeros8(both)), bits.OnesCount8(both))
}

// conflict reports a conflict, once.
func (t *Tracker) conflict(first, second Touch, address uint64, size int) {
	key := pair{first.Operation.Label, second.Operation.Label, first.Place, second.Place, first.Write, second.Write}
	if !t.found[key] {
		t.found[key] = true
		t.report(Conflict{first, second, address, size})
	}
}

// Forget forgets who touched memory that has been freed.
func (t *Tracker) Forget(address, size uint64) {
	for number := address / wordBytes; number < (address+size+wordBytes-1)/wordBytes; {
		p := t.shadow[number/pageWords]
		next := (number/pageWords + 1) * pageWords
		if p != nil {
			for at := number; at < min(next, (address+size+wordBytes-1)/wordBytes); at++ {
				p[at%pageWords] = word{}
			}
			if *p == (page{}) {
				delete(t.shadow, number/pageWords)
			}
		}
		number = next
	}
	t.births = slices.DeleteFunc(t.births, func(b birth) bool { return b.address >= address && b.address < address+size })
}
