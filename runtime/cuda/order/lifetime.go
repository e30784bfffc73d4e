// Stream-ordered allocations (CUDA C++ Programming Guide, section "Stream Ordered Memory Allocator"): cudaMallocAsync must
// precede every use of the memory, and every use must precede cudaFreeAsync.

package order

import "slices"

// birth is memory allocated in a stream, with the allocating operation.
type birth struct {
	address, size uint64
	op            *Operation
}

// Allocated records that an operation allocates memory. The record is kept until the memory is forgotten.
func (t *Tracker) Allocated(o *Operation, address, size uint64) {
	t.births = slices.DeleteFunc(t.births, func(b birth) bool { return b.op.in.settled || t.host.of(b.op.Stream) >= b.op.number })
	t.births = append(t.births, birth{address, size, o})
}

// born reports a conflict of an operation that touches memory with its allocation.
func (t *Tracker) born(o *Operation, at Place, address, size uint64, write bool) {
	for i := range t.births {
		if b := &t.births[i]; address-b.address < b.size && b.op != o && !o.follows(b.op) {
			t.conflict(Touch{b.op, 0, true}, Touch{o, at, write}, address, int(min(size, wordBytes)))
		}
	}
}

// Released records that an operation frees memory, and drops the earlier accesses.
func (t *Tracker) Released(o *Operation, address, size uint64) {
	t.born(o, 0, address, size, true)
	me := t.by(o, 0) | allBytes
	first, last := address/wordBytes/pageWords, (address+size-1)/wordBytes/pageWords
	for _, number := range t.pagesFrom(first, last) {
		p := t.shadow[number]
		from := max(address/wordBytes, number*pageWords) - number*pageWords
		to := min((address+size-1)/wordBytes+1, (number+1)*pageWords) - number*pageWords
		for from < to {
			t.compareAll(o, p, from, me, (number*pageWords+from)*wordBytes)
			from += p.alike(from, to-from)
		}
	}
	t.Forget(address, size)
}
