// Stream-ordered allocations (CUDA C++ Programming Guide, section "Stream Ordered Memory Allocator"): cudaMallocAsync
// must precede every use of the memory, and every use must precede its release, be that an operation of a stream
// (cudaFreeAsync) or a call of the host (cudaFree).

package order

import "slices"

// birth is memory allocated in a stream, with the allocating operation.
type birth struct {
	address, size uint64
	op            *Operation
}

// Allocated records that an operation allocates memory. The record is kept until the memory is forgotten.
func (t *Tracker) Allocated(o *Operation, address, size uint64) {
	t.several = true
	t.births = slices.DeleteFunc(t.births, func(b birth) bool {
		return b.op.in.settled ||
			t.host.of(b.op.in.track) >= b.op.number
	})
	t.births = append(t.births, birth{address, size, o})
}

// born reports a conflict of an operation that touches memory with its allocation.
func (t *Tracker) born(o *Operation, at Place, address, size uint64, write bool) {
	for i := range t.births {
		if b := &t.births[i]; address-b.address < b.size && b.op != o && !o.follows(b.op) {
			t.conflict(Conflict{
				First: Touch{b.op, 0, true}, Second: Touch{o, at, write}, Address: address,
				Size: int(min(size, wordBytes)),
			})
		}
	}
}

// Released records that an operation frees memory, and drops the earlier accesses.
func (t *Tracker) Released(o *Operation, address, size uint64) {
	t.born(o, 0, address, size, true)
	t.release(o, address, size)
}

// ReleasedByHost records that the host frees memory in a call that waits for nothing, and drops the earlier accesses.
// The label names the call.
func (t *Tracker) ReleasedByHost(label any, address, size uint64) {
	t.release(t.hostNow(label), address, size)
}

// release reports the conflicts of the end of memory with the accesses before it, and drops these.
func (t *Tracker) release(o *Operation, address, size uint64) {
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
