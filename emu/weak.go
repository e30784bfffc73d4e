// Accesses to global and shared memory under the memory consistency model of the PTX manual (Config.Memory), and the
// values that their loads return.

package emu

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/weakmem"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Memory is a memory consistency model.
type Memory uint8

// Memory consistency models.
const (
	SC  Memory = iota // sequential consistency: a load returns the latest store
	PTX               // a load returns any store that the PTX manual's memory consistency model allows
)

// ErrRedundant is the error of a launch that was aborted because it repeats another one of an exploration, or cannot be
// completed.
var ErrRedundant = errors.New("the run would repeat another one")

// ErrLong is the error, an ErrRedundant too, of a launch that has more operations than an execution graph holds, or too
// many orders of its fence.sc or stores to try.
var ErrLong = fmt.Errorf("%w: it has more than %d accesses, fences and barriers, or too many orders of fence.sc or stores", ErrRedundant, maxOperations)

// maxOperations is the maximum number of operations of an execution graph: the time that an access takes grows with its
// cube.
const maxOperations = 1000

// Under Executions, threads run one after the other, as far as they can, and what differs between runs is which store
// each load returns. A load is resolved when its value is needed (weak_defer.go): it chooses among the stores so far
// that it may return, or waits for a later one. So each execution of the model is made once, whatever the order of the
// threads.

// MaxOlderStores is the greatest number of stores to one location that are kept for loads to return, under other
// policies than Executions. Once 4096 locations have more than two, two are kept of others.
const MaxOlderStores = weakmem.MaxStores

// bounded reports whether a limit on the stores that are kept was met.
func (w *weakMemory) bounded() bool { return w != nil && w.history.Bounded }

// weakMemory is the memory of a launch under the model of the manual.
type weakMemory struct {
	lazy    bool // loads are resolved when their value is needed
	long    bool // there are too many operations
	dead    bool // no execution of the model is like this
	rng     rng  // draws stores
	graph   *weakmem.Graph
	initial map[byteAt]byte // bytes before the launch, of those that stores have changed
	lists   map[ThreadPos]*deferredList
	arrived map[phaseOf][]int // arrivals at a barrier that is not complete, as operations

	objects int // the last operation on an mbarrier, plus one

	sources []*rewrite.Inst // of the operations of the graph
	explain bool            // the graph is recorded, though it does not decide

	history *weakmem.History // unless lazy
	meets   map[phaseOf][]*weakmem.Agent
	left    []*weakmem.Agent   // of a barrier, while it is completed
	spare   [][]*weakmem.Agent // for meets
	agents  int32
	rows    [3]vec64 // operands of an atomic operation of one lane, during the operation
	row     weakRow
	touched map[uint64]bool // allocations in which something has been stored, by address
}

// byteAt is a byte of memory: space 0 is global memory, others are the shared memory of blocks.
type byteAt struct{ space, addr uint64 }

// phaseOf is a barrier of a block, or with number clusterPhase that of a cluster.
type phaseOf struct {
	at     uint64
	number uint32
}

const clusterPhase = ^uint32(0)

func newWeakMemory(lazy bool, seed uint64) *weakMemory {
	return &weakMemory{
		lazy: lazy, history: weakmem.NewHistory(), meets: map[phaseOf][]*weakmem.Agent{}, rng: newRNG(^seed),
		graph: weakmem.NewGraph(), initial: map[byteAt]byte{}, touched: map[uint64]bool{},
		lists: map[ThreadPos]*deferredList{}, arrived: map[phaseOf][]int{},
	}
}

// weakly reports whether an access is one of the memory consistency model, when it is decoded.
func (d *decoder) weakly(ac *access) bool {
	if d.m.cfg.Memory != PTX || ac.aside {
		return false
	}
	switch ac.space {
	case isa.SpaceNone, isa.SpaceGlobal, isa.SpaceShared:
		return true
	}
	return false
}

// weakThread returns the thread in lane i of the running group.
func (x *engine) weakThread(i int) weakmem.Thread {
	return weakmem.Thread{Block: x.cta.linear, Cluster: x.cta.cluster.linear, Number: uint64(x.warp.index*warpSize + i)}
}

func (x *engine) threadPos(i int) ThreadPos { return ThreadPos{x.cta.linear, x.warp.index, i} }

// weakScopes are the scopes of the model: all threads are on one device.
var weakScopes = [...]weakmem.Scope{
	isa.ScopeNone: weakmem.NoScope, isa.ScopeCTA: weakmem.CTA,
	isa.ScopeCluster: weakmem.Cluster, isa.ScopeGPU: weakmem.GPU, isa.ScopeSys: weakmem.GPU,
}

// weakRange returns the memory of an element of an access by lane i. It is not ok for memory that the model leaves out:
// local memory, parameters, constants.
func (ac *access) weakRange(x *engine, addr uint64, size int) (at weakmem.Range, ok bool) {
	switch ac.spaceAt(x, addr) {
	case isa.SpaceGlobal:
		a := x.m.dev.mem.Find(addr)
		return weakmem.Range{Addr: addr, Size: size}, a != nil && !a.Readonly
	case isa.SpaceShared:
		c := x.cta
		if rank := rankOf(addr); ac.cluster && rank != c.rank {
			c = c.cluster.blocks[rank]
		}
		const mask = 1<<rankShift - 1
		return weakmem.Range{Space: c.linear + 1, Addr: addr & mask, Size: size}, true
	}
	return at, false
}

// weakOp returns the operation of an instruction on a range.
func (x *engine) weakOp(src *rewrite.Inst, kind weakmem.Kind, at weakmem.Range, i int) weakmem.Op {
	sem := src.MemorySem()
	op := weakmem.Op{
		Thread: x.weakThread(i), Kind: kind, At: at, Strong: src.Strong(),
		Scope: weakScopes[src.StrongScope()],
	}
	op.Acquires = kind == weakmem.Read && sem.Acquires()
	op.Releases = kind == weakmem.Write && sem.Releases()
	op.Discards = kind == weakmem.Read && (src.Instr.Name == "red" || src.Has("red"))
	return op
}

// element is one element of an access: a part of memory, and where its bytes are.
type element struct {
	at          weakmem.Range
	p           unsafe.Pointer
	read, write int // operations, -1 for none
	reg         weakValue
}

// weakElements adds the operations of the elements of a lane's access to the graph. ok is false for memory outside of
// the model.
func (ac *access) weakElements(x *engine, src *rewrite.Inst, p unsafe.Pointer, addr uint64, size int, regs []weakValue,
	i int,
) (list []element, ok bool) {
	if x.weak.graph.Len() > maxOperations {
		x.weak.dead, x.weak.long = true, true
	}
	for k, r := range regs {
		at, in := ac.weakRange(x, addr+uint64(k*size), size)
		if !in {
			return nil, false
		}
		e := element{at: at, p: unsafe.Add(p, k*size), read: -1, write: -1, reg: r}
		if ac.kind != isa.AccessStore {
			e.read = x.weak.graph.Add(x.weakOp(src, weakmem.Read, at, i))
		}
		if ac.kind != isa.AccessLoad {
			e.write = x.weak.graph.Add(x.weakOp(src, weakmem.Write, at, i))
		}
		x.weak.source(src)
		if e.read >= 0 && e.write >= 0 {
			x.weak.graph.Pair(e.read, e.write)
		}
		list = append(list, e)
	}
	return list, true
}

// store makes the write of an element visible.
func (x *engine) store(ac *access, e *element, t isa.Type, v [2]uint64) {
	w := x.weak
	for b := range e.at.Size {
		key := byteAt{e.at.Space, e.at.Addr + uint64(b)}
		if _, known := w.initial[key]; !known {
			w.initial[key] = *(*byte)(unsafe.Add(e.p, b))
		}
	}
	w.graph.Perform(e.write, v)
	w.dead = w.dead || !w.graph.Consistent()
	w.checked()
	if poke(e.p, t, v) {
		x.changed(ac)
	}
}

// checked ends a run of which too many orders have been tried.
func (w *weakMemory) checked() {
	if w.graph.Exceeded() {
		w.dead, w.long = true, true
	}
}

// loaded returns the value of the read of an element, which is resolved.
func (w *weakMemory) loaded(e *element) [2]uint64 {
	return w.graph.Value(e.read, func(b int) byte {
		if v, ok := w.initial[byteAt{e.at.Space, e.at.Addr + uint64(b)}]; ok {
			return v
		}
		return *(*byte)(unsafe.Add(e.p, b))
	})
}

// emitLane emits an access of one lane.
func (ac *access) emitLane(x *engine, in *inst, addr uint64, i int) {
	if !x.ignored(ac) {
		x.addrs[i] = ac.generic(addr)
		x.emitAccess(in, ac, 1<<i, &x.addrs)
	}
}

// eachLane calls do for each lane in m, with its memory and its address, until the access of one faults. It returns the
// lane that faults, -1 for none.
func (ac *access) eachLane(x *engine, in *inst, m lanes, do func(p unsafe.Pointer, addr uint64, i int)) (faulted int) {
	w := ac.window(x)
	for addrs := *x.frame.r64(in.a); m != 0; m &= m - 1 {
		i := m.first()
		addr := addrs[i] + ac.off
		p := ac.locate(x, in, &w, addr, i)
		if p == nil {
			return i
		}
		do(p, addr, i)
	}
	return -1
}

// weakLoad returns the body of ld under the model; latest is that under sequential consistency.
func weakLoad(ac *access, typ isa.Type, in []operand, latest bodyFunc) bodyFunc {
	t, regs := scalarsOf(typ, in)
	return func(x *engine, in *inst, m lanes) {
		if !x.weak.lazy {
			x.loadsNow(ac, in, m, t, regs, latest)
			return
		}
		faulted := ac.eachLane(x, in, m, func(p unsafe.Pointer, addr uint64,
			i int,
		) {
			x.deferLoad(ac, in, t, regs, addr, p, i)
		})
		if faulted >= 0 {
			ac.emitLane(x, in, x.frame.r64(in.a)[faulted]+ac.off, faulted)
		}
	}
}

// deferLoad performs the load of lane i of the elements at p, or defers it.
func (x *engine) deferLoad(ac *access, in *inst, t isa.Type, regs []weakValue, addr uint64, p unsafe.Pointer, i int) {
	src, frame := x.instOf(in), x.frame
	emit := func() { ac.emitLane(x, in, addr, i) }
	set := func(k int, v [2]uint64) {
		frame.setScalar(regs[k], i, extend(t, regs[k].typ, v))
	}
	list, ok := ac.weakElements(x, src, p, addr, t.Size(), regs, i)
	if !ok {
		emit()
		for k := range regs {
			set(k, peek(unsafe.Add(p, k*t.Size()), t))
		}
		return
	}
	d := &incomplete{elements: list, strong: src.Strong(), emit: emit, again: emit}
	if !d.strong && !x.weak.list(x.threadPos(i)).strong() { // in program order, where no load before it is left out
		x.emitNow(d)
	}
	d.finish = func() {
		for k := range list {
			set(k, x.weak.loaded(&list[k]))
		}
		if d.strong {
			x.tellAges(d)
		} else if d.emit != nil {
			d.behind = append(d.behind, d)
		}
	}
	x.deferOp(src, i, d)
}

// weakStore returns the body of st under the model; latest is that under sequential consistency.
func weakStore(ac *access, typ isa.Type, in []operand, latest bodyFunc) bodyFunc {
	t, regs := scalarsOf(typ, in)
	return func(x *engine, in *inst, m lanes) {
		if !x.weak.lazy {
			x.storesNow(ac, in, m, t, regs, latest)
			return
		}
		ac.eachLane(x, in, m, func(p unsafe.Pointer, addr uint64, i int) { x.deferStore(ac, in, t, regs, addr, p, i) })
	}
}

// deferStore performs the store of lane i to the elements at p, or defers it.
func (x *engine) deferStore(ac *access, in *inst, t isa.Type, regs []weakValue, addr uint64, p unsafe.Pointer, i int) {
	src, frame := x.instOf(in), x.frame
	list, ok := ac.weakElements(x, src, p, addr, t.Size(), regs, i)
	x.deferOp(src, i, &incomplete{finish: func() {
		ac.emitLane(x, in, addr, i)
		for k, r := range regs {
			v := frame.scalar(r, i)
			if n := t.Bits(); n < 64 {
				v[0] &= lowBits(n)
			}
			if ok {
				x.store(ac, &list[k], t, v)
			} else if poke(unsafe.Add(p, k*t.Size()), t, v) {
				x.changed(ac)
			}
		}
	}})
}

// atomicFunc computes the value that an atomic operation at an address writes, and whether it writes.
type atomicFunc func(x *engine, addr uint64, old, b, c [2]uint64) ([2]uint64, bool)

// weakAtomic returns the body of atom and red under the model. op computes the value that is written from the old one,
// and reports whether it is written.
func weakAtomic(ac *access, t isa.Type, b, c, dst []weakValue, op atomicFunc) bodyFunc {
	return func(x *engine, in *inst, m lanes) {
		if !x.weak.lazy {
			x.atomicNow(ac, in, m, t, b, c, dst, op)
			return
		}
		ac.eachLane(x, in, m, func(p unsafe.Pointer, addr uint64,
			i int,
		) {
			x.deferAtomic(ac, in, t, b, c, dst, op, addr, p, i)
		})
	}
}

// deferAtomic performs the atomic operation of lane i on the elements at p, or defers it.
func (x *engine) deferAtomic(ac *access, in *inst, t isa.Type, b, c, dst []weakValue, op atomicFunc, addr uint64,
	p unsafe.Pointer, i int,
) {
	src, frame := x.instOf(in), x.frame
	list, ok := ac.weakElements(x, src, p, addr, t.Size(), b, i)
	d := &incomplete{elements: list, strong: src.Strong(), atomic: true, emit: func() { ac.emitLane(x, in, addr, i) }}
	write := func(k int, old [2]uint64) {
		at := unsafe.Add(p, k*t.Size())
		v, writes := op(x, addr, old, frame.scalar(b[k], i), frame.scalar(c[k], i))
		x.values.noteElement(i, k*t.Bits(), old[0], v[0], writes)
		switch {
		case ok && writes:
			x.store(ac, &list[k], t, v)
		case ok:
			x.weak.graph.Drop(list[k].write)
		case writes && poke(at, t, v):
			x.changed(ac)
		}
	}
	all := func(each func(k int)) {
		x.values.Done = 0
		for k := range b {
			each(k)
		}
	}
	deliver := func(k int, old [2]uint64) {
		if dst != nil {
			frame.setScalar(dst[k], i, old)
		}
	}
	d.finish = func() {
		found := make([][2]uint64, len(b))
		all(func(k int) {
			if found[k] = peek(unsafe.Add(p, k*t.Size()), t); ok {
				found[k] = x.weak.loaded(&list[k])
			}
			write(k, found[k])
		})
		for k, old := range found { // a result may be in the register of a later operand
			deliver(k, old)
		}
		x.tellAges(d)
	}
	if ok {
		x.tells(ac, in, t, d, addr, i)
		if src.Access.AtomOp == "exch" {
			d.early = func() {
				all(func(k int) { write(k, peek(unsafe.Add(p, k*t.Size()), t)) })
				d.unknown = nil
			}
			d.finish = func() {
				for k := range list {
					deliver(k, x.weak.loaded(&list[k]))
				}
				x.tellAges(d)
			}
		}
	}
	x.deferOp(src, i, d)
}
