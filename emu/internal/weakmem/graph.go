// Execution graphs: operations, and the writes that a read may return.

package weakmem

import (
	"slices"
)

// Scope is the set of threads that a strong operation reaches (PTX ISA 8.5, "Scope").
type Scope uint8

// Scopes, narrow to wide. The zero value is that of weak operations.
const (
	NoScope Scope = iota
	CTA
	Cluster
	GPU // all threads of a machine are on one device, so that System is the same
)

// Thread is a thread and its place in the grid.
type Thread struct{ Block, Cluster, Number uint64 }

// Range is a range of bytes of memory. Ranges in different spaces do not overlap.
type Range struct {
	Space, Addr uint64
	Size        int
}

// overlaps reports whether two ranges have a byte in common.
func (r Range) overlaps(s Range) bool {
	return r.Space == s.Space && r.Addr < s.Addr+uint64(s.Size) && s.Addr < r.Addr+uint64(r.Size)
}

// covers reports whether the byte at offset i of s is in r.
func (r Range) covers(s Range, i int) bool {
	at := s.Addr + uint64(i)
	return r.Space == s.Space && at >= r.Addr && at-r.Addr < uint64(r.Size)
}

// Kind is the kind of an operation.
type Kind uint8

// Kinds of operations. An atomic operation is a read and the write that follows it.
const (
	Read Kind = iota
	Write
	Fence
	Barrier // an arrival at a barrier, or a departure
)

// Op is an operation.
type Op struct {
	Thread Thread
	Kind   Kind
	At     Range // of a read or write
	Strong bool
	Scope  Scope // of a strong operation or a fence
	// Acquires and Releases are the semantics of a strong read, a strong write, or a fence; SC says that a fence is
	// fence.sc.
	Acquires, Releases, SC bool
	Discards               bool      // the read of a reduction, which begins no acquire pattern
	Value                  [2]uint64 // of a write that is performed, low word first
}

// Writes that a read returns other than operations.
const (
	Initial    = -1 // the contents of memory before the run
	unresolved = -2
)

// Always is a value of Serial that is before everything.
const Always = -1

// event is an operation of a graph.
type event struct {
	Op
	thread    int // index
	nth       int // index among the operations of the thread
	performed bool
	serial    int   // number of the write among those performed
	told      int   // number of the write among those told or performed
	from      []int // of a read, by byte: the write that it returns
	pair      int   // of a read or write of an atomic operation: the other one; -1 for others
}

// Graph is the operations of a run so far.
type Graph struct {
	events  []event
	threads map[Thread]int
	counts  []int // operations by thread
	last    []int // last operation by thread
	before  [][2]int
	serial  int
	told    int
	finals  []final
	tried   int    // orders that have failed behind the first one of an examination, each counted as the square of the number of operations
	witness matrix // the coherence order with which Consistent has last found the axioms to hold
}

// final says that the last write to a byte is known.
type final struct {
	at    Range
	write int
}

// NewGraph returns an empty graph.
func NewGraph() *Graph { return &Graph{threads: map[Thread]int{}} }

// Len returns the number of operations.
func (g *Graph) Len() int { return len(g.events) }

// Add adds an operation behind those of its thread, and returns its number. A read is not resolved, a write not
// performed.
func (g *Graph) Add(op Op) int {
	t, ok := g.threads[op.Thread]
	if !ok {
		t = len(g.counts)
		g.threads[op.Thread] = t
		g.counts, g.last = append(g.counts, 0), append(g.last, -1)
	}
	e := event{Op: op, thread: t, nth: g.counts[t], pair: -1}
	if op.Kind == Read {
		e.from = slices.Repeat([]int{unresolved}, op.At.Size)
	}
	g.counts[t]++
	g.events = append(g.events, e)
	g.last[t] = len(g.events) - 1
	return g.last[t]
}

// Thread returns the thread of an operation.
func (g *Graph) Thread(op int) Thread { return g.events[op].Thread }

// Pair makes a read and a write one atomic operation.
func (g *Graph) Pair(read, write int) { g.events[read].pair, g.events[write].pair = write, read }

// Order adds an order between two operations by a barrier: from synchronizes with to.
func (g *Graph) Order(from, to int) { g.before = append(g.before, [2]int{from, to}) }

// Perform gives a write its value. Reads can return it from now on.
func (g *Graph) Perform(write int, value [2]uint64) {
	g.serial++
	e := &g.events[write]
	e.performed, e.Value, e.serial = true, value, g.serial
	g.Tell(write)
}

// Tell says that a write takes its place in the order that Age counts by, though it may not be performed yet.
func (g *Graph) Tell(write int) {
	if e := &g.events[write]; e.told == 0 {
		g.told++
		e.told = g.told
	}
}

// Drop removes the effect of a write that is not performed: that of a compare-and-swap that has failed.
func (g *Graph) Drop(write int) {
	e := &g.events[write]
	g.events[e.pair].pair = -1
	e.told = 0
	e.Kind, e.Strong = Barrier, false
}

// Serial returns the number of writes performed.
func (g *Graph) Serial() int { return g.serial }

// Resolved reports whether all bytes of a read return a write.
func (g *Graph) Resolved(read int) bool { return !slices.Contains(g.events[read].from, unresolved) }

// unknownAge is more than the number of operations of a graph.
const unknownAge = 1 << 30

// Age returns the number of writes to the location of a resolved read, without the write own, that have been told or
// performed after the one that it returns: more than there are if it does not return one write of exactly that
// location, or its initial contents.
func (g *Graph) Age(read, own int) (n int) {
	r := &g.events[read]
	from, since := r.from[0], 0
	for _, w := range r.from {
		if w != from || w >= 0 && g.events[w].At != r.At {
			return unknownAge
		}
	}
	if from >= 0 {
		since = g.events[from].told
	}
	for k := range g.events {
		if e := &g.events[k]; k != own && e.told > since && e.At.overlaps(r.At) {
			n++
		}
	}
	return n
}

// Unset makes a read unresolved.
func (g *Graph) Unset(read int) { g.Set(read, 0, g.events[read].At.Size, unresolved) }

// Newer reports whether a write to a range has been performed since Serial had a value.
func (g *Graph) Newer(at Range, since int) bool {
	return slices.ContainsFunc(g.events, func(e event) bool {
		return e.performed && e.serial > since &&
			e.At.overlaps(at)
	})
}

// Pieces returns the offsets at which parts of a range begin, to each of which every write performed to the range is
// made either whole or not at all, and the size of the range.
func (g *Graph) Pieces(at Range) []int {
	cuts := []int{0, at.Size}
	for i := range g.events {
		e := &g.events[i]
		if !e.performed || !e.At.overlaps(at) {
			continue
		}
		for _, edge := range []uint64{e.At.Addr, e.At.Addr + uint64(e.At.Size)} {
			if edge > at.Addr && edge < at.Addr+uint64(at.Size) {
				cuts = append(cuts, int(edge-at.Addr))
			}
		}
	}
	slices.Sort(cuts)
	return slices.Compact(cuts)
}

// Candidates returns the writes that the bytes from lo to hi of a read can return, oldest first: those performed after
// since, where Always includes Initial. The bytes are a piece (Pieces).
func (g *Graph) Candidates(read, lo, hi, since int) (list []int) {
	r := &g.events[read]
	try := func(w int) {
		for i := lo; i < hi; i++ {
			r.from[i] = w
		}
		if g.Consistent() {
			list = append(list, w)
		}
	}
	if since == Always {
		try(Initial)
	}
	for w := range g.events {
		if e := &g.events[w]; e.performed && e.serial > since && e.At.covers(r.At, lo) {
			try(w)
		}
	}
	g.Set(read, lo, hi, unresolved)
	slices.SortStableFunc(list, func(a, b int) int { return g.age(a) - g.age(b) })
	return list
}

// age returns the number of a write among those performed, 0 for the initial contents.
func (g *Graph) age(w int) int {
	if w < 0 {
		return 0
	}
	return g.events[w].serial
}

// Set makes the bytes from lo to hi of a read return a write.
func (g *Graph) Set(read, lo, hi, write int) {
	for i := lo; i < hi; i++ {
		g.events[read].from[i] = write
	}
}

// Value returns the value of a resolved read; initial returns a byte of the contents of memory before the run.
func (g *Graph) Value(read int, initial func(i int) byte) (v [2]uint64) {
	r := &g.events[read]
	for i, w := range r.from {
		b := byte(0)
		if w == Initial {
			b = initial(i)
		} else {
			e := &g.events[w]
			off := r.At.Addr + uint64(i) - e.At.Addr
			b = byte(e.Value[off/8] >> (off % 8 * 8))
		}
		v[i/8] |= uint64(b) << (i % 8 * 8)
	}
	return v
}

// Written returns the parts of memory that performed writes cover, each of which every write covers whole or not at
// all, in the order in which they were first written.
func (g *Graph) Written() (list []Range) {
	for i := range g.events {
		e := &g.events[i]
		if !e.performed {
			continue
		}
		cuts := g.Pieces(e.At)
		for k := range cuts[1:] {
			part := Range{e.At.Space, e.At.Addr + uint64(cuts[k]), cuts[k+1] - cuts[k]}
			if !slices.Contains(list, part) {
				list = append(list, part)
			}
		}
	}
	return list
}

// Last returns the writes that can be the last ones to a part of memory (Written), oldest first, given those that
// SetLast has chosen.
func (g *Graph) Last(part Range) (list []int) {
	for w := range g.events {
		if e := &g.events[w]; e.performed && e.At.overlaps(part) {
			g.finals = append(g.finals, final{part, w})
			if g.Consistent() {
				list = append(list, w)
			}
			g.finals = g.finals[:len(g.finals)-1]
		}
	}
	slices.SortStableFunc(list, func(a, b int) int { return g.age(a) - g.age(b) })
	return list
}

// SetLast makes a write the last one to a part of memory.
func (g *Graph) SetLast(part Range, write int) { g.finals = append(g.finals, final{part, write}) }

// Byte returns the byte that a write stores at the beginning of a part of memory, plus i.
func (g *Graph) Byte(write int, part Range, i int) byte {
	e := &g.events[write]
	off := part.Addr + uint64(i) - e.At.Addr
	return byte(e.Value[off/8] >> (off % 8 * 8))
}

// Settled reports whether the threads in stuck, which repeat the same reads for ever, can do so: whether the last read
// of each location by each of them may have returned the last write to it. A thread cannot see an older write for ever.
func (g *Graph) Settled(stuck func(Thread) bool) bool {
	before := len(g.finals)
	defer func() { g.finals = g.finals[:before] }()
	var seen []Range
	for i := len(g.events) - 1; i >= 0; i-- {
		r := &g.events[i]
		if r.Kind != Read || !stuck(r.Thread) {
			continue
		}
		// One thread may have read what another one has not: the range with the thread is a key of its own.
		key := r.At
		key.Space = key.Space<<16 | uint64(r.thread)
		if slices.Contains(seen, key) {
			continue
		}
		seen = append(seen, key)
		for b, w := range r.from {
			if w == Initial && g.overwritten(r.At, b) {
				return false
			}
			if w >= 0 {
				g.finals = append(g.finals, final{Range{r.At.Space, r.At.Addr + uint64(b), 1}, w})
			}
		}
	}
	return g.Consistent()
}

// overwritten reports whether a write to a byte of a range has been performed.
func (g *Graph) overwritten(at Range, b int) bool {
	return slices.ContainsFunc(g.events, func(e event) bool { return e.performed && e.At.covers(at, b) })
}
