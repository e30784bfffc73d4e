// Racing pairs of events of two executed threads.

package static

import (
	"math/big"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/kernel"
	"github.com/ptxsan/ptxsan/internal/static/replay"
	"github.com/ptxsan/ptxsan/internal/static/symbolic"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// maxCompared limits the pairs of events that are compared: threads in long loops have many.
const maxCompared = 1_000_000

// race returns a racing pair of accesses in the traces.
func (t *trial) race(traces [2]*replay.Trace) *Witness {
	x, y := t.q.X.Access, t.q.Y.Access
	byPlace := make(map[uint64][]int)
	for i := range traces[1].Events {
		if e := &traces[1].Events[i]; isEvent(e, y) {
			byPlace[e.Addr>>5] = append(byPlace[e.Addr>>5], i)
		}
	}
	for i := range traces[0].Events {
		e := &traces[0].Events[i]
		if !isEvent(e, x) {
			continue
		}
		for _, bucket := range []uint64{e.Addr>>5 - 1, e.Addr >> 5, e.Addr>>5 + 1} {
			for _, k := range byPlace[bucket] {
				if t.compared += 2 + i + k; t.compared > maxCompared {
					return nil
				}
				if w := t.match(traces, i, k); w != nil {
					return w
				}
			}
		}
	}
	return nil
}

// isEvent reports whether an event is certainly an access.
func isEvent(e *replay.Event, x *symbolic.Access) bool {
	return e.Certain && e.Known && e.Frame == x.Frame && e.Inst == x.Inst && e.Access == x.Access
}

// match returns the witness if two events race.
func (t *trial) match(traces [2]*replay.Trace, i, k int) *Witness {
	e, f := &traces[0].Events[i], &traces[1].Events[k]
	lo, hi := max(e.Addr, f.Addr), min(e.Addr+uint64(e.Access.Size), f.Addr+uint64(f.Access.Size))
	if lo >= hi || !unordered(t.q.a.Model, traces, i, k, t.q.Kind) {
		return nil
	}
	it, base := t.itemOf(t.q.a.ItemsAt(e.Frame, e.Inst), e.Addr)
	if it == nil || it.Object.Base != t.q.X.Object.Base || !t.inside(traces, i, k) || !t.readsFirst(traces, i, k) {
		return nil
	}
	t.witness.Offset, t.witness.Bytes = int64(lo-base), int(hi-lo)
	t.cells()
	return t.witness
}

// readsFirst reports whether the two threads, executed alone up to the race, find the initial contents of memory that
// were assumed: neither has written there, and they do not wait for others.
func (t *trial) readsFirst(traces [2]*replay.Trace, i, k int) bool {
	if len(t.early) == 0 {
		return true
	}
	for n, last := range []int{i, k} {
		events := traces[n].Events
		if events[last].Blocks+events[last].Warps > 0 {
			return false
		}
		for at := range events[:last] {
			e := &events[at]
			if !e.Access.Writes() {
				continue
			}
			if !e.Known || t.reads(e.Addr, uint64(e.Access.Size)) {
				return false
			}
		}
	}
	return true
}

// reads reports whether one of size bytes from an address on was read early.
func (t *trial) reads(addr, size uint64) bool {
	if size > uint64(len(t.early)) {
		for at, early := range t.early {
			if early && at < addr+size && addr < at+uint64(t.memory[at].size) {
				return true
			}
		}
		return false
	}
	for at := addr - (widest - 1); at != addr+size; at++ {
		if t.early[at] && at+uint64(t.memory[at].size) > addr {
			return true
		}
	}
	return false
}

// baseOf returns the address to which the offset of an access is relative.
func (t *trial) baseOf(o *kernel.Object) (uint64, bool) {
	switch {
	case o.Param != nil:
		return t.pointer(*o.Param)
	case o.Var != nil:
		return t.symbol(t.q.a.Kernel.Root, o.Var), true
	case o.Base == kernel.Absolute:
		return 0, true
	}
	return 0, false
}

// inside reports whether all accesses of the threads up to the race stay in their objects, as far as sizes are known,
// and records their extents.
func (t *trial) inside(traces [2]*replay.Trace, i, k int) bool {
	for n, last := range []int{i, k} {
		for at := range traces[n].Events[:last+1] {
			e := &traces[n].Events[at]
			if e.Access.Kind == isa.AccessNone || !e.Known {
				continue
			}
			if !t.fits(e) {
				return false
			}
		}
	}
	return true
}

// fits reports whether an access stays in its object, as far as its size is known, and records the extent.
func (t *trial) fits(e *replay.Event) bool {
	list := t.q.a.ItemsAt(e.Frame, e.Inst)
	it, base := t.itemOf(list, e.Addr)
	if it == nil {
		// no other thread can see it, or where it leads is not known
		return !slices.ContainsFunc(list, func(it *kernel.Item) bool { return it.Object.Base != "" })
	}
	return e.Addr%uint64(max(1, e.Access.ElemSize)) == 0 && t.holds(it, e.Addr+uint64(e.Access.Size)-base)
}

// itemOf returns that of an instruction's items whose object an address is in, with the base of the object; nil if it
// is in none. An instruction has several items if its address is chosen from several objects: the address is in the
// nearest.
func (t *trial) itemOf(list []*kernel.Item, addr uint64) (nearest *kernel.Item, at uint64) {
	for _, it := range list {
		if base, ok := t.baseOf(&it.Object); ok && near(base, addr) && (nearest == nil || base > at) {
			nearest, at = it, base
		}
	}
	return nearest, at
}

// near reports whether an address may be in the object at a base: allocations are bufferSpace apart.
func near(base, addr uint64) bool { return addr >= base && addr-base < bufferSpace/2 }

// holds reports whether the object of an access has some bytes, and records them.
func (t *trial) holds(it *kernel.Item, bytes uint64) bool {
	switch {
	case it.Object.Param != nil:
		p := *it.Object.Param
		if it.Object.Space == isa.SpaceShared {
			t.witness.SharedBytes[p] = max(t.witness.SharedBytes[p], int64(bytes))
			return true
		}
		t.witness.MinBytes[p] = max(t.witness.MinBytes[p], int64(bytes))
		if known := t.q.a.Pointer(&it.Object); known != nil && known.Size != nil {
			size, ok := t.number(known.Size)
			offset := int64(0)
			if known.Offset != nil {
				offset, _ = t.number(known.Offset)
			}
			return ok && int64(bytes)+offset <= size
		}
	case it.Object.Var != nil && it.Object.Var.Size > 0:
		return bytes <= it.Object.Var.Size
	}
	return true
}

// cells sets the assumed contents of memory.
func (t *trial) cells() {
	for addr, c := range t.memory {
		if c.given {
			continue
		}
		for _, it := range t.q.a.Items {
			if it.Object.Param == nil {
				continue
			}
			base, ok := t.pointer(*it.Object.Param)
			if ok && near(base, addr) {
				t.witness.Memory = append(t.witness.Memory,
					Cell{*it.Object.Param, int64(addr - base), c.size, new(big.Int).SetUint64(c.value)})
				break
			}
		}
	}
	slices.SortFunc(t.witness.Memory, func(x, y Cell) int {
		if d := x.Param.Index - y.Param.Index; d != 0 {
			return d
		}
		return int(x.Offset - y.Offset)
	})
}
