// The schedulers of three policies: per-thread, round-robin, and probabilistic concurrency testing (PCT).

package weak

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/memory"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/weakmem"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Pos returns the position of the lowest lane.
func Pos(g *state.Group) state.ThreadPos {
	return state.ThreadPos{Block: g.Warp.CTA.Linear, Warp: g.Warp.Index, Lane: g.Mask.First()}
}

// Extend widens a value of type t to a register.
func Extend(t, reg isa.Type, v [2]uint64) [2]uint64 {
	if t.Signed() && reg.Bits() > t.Bits() {
		s := 64 - uint(t.Bits())
		v[0] = uint64(int64(v[0]<<s)>>s) & (1<<uint(reg.Bits()) - 1)
	}
	return v
}

// Memory consistency models.
const (
	SC  state.Memory = iota // sequential consistency: a load returns the latest store
	PTX                     // a load returns any store that the PTX manual's memory consistency model allows
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
// each load returns. A load is resolved when its value is needed (defer.go): it chooses among the stores so far
// that it may return, or waits for a later one. So each execution of the model is made once, whatever the order of the
// threads.

// MaxOlderStores is the greatest number of stores to one location that are kept for loads to return, under other
// policies than Executions. Once 4096 locations have more than two, two are kept of others.
const MaxOlderStores = weakmem.MaxStores

// Bounded reports whether a limit on the stores that are kept was met.
func Bounded(w *state.WeakMemory) bool { return w != nil && w.History.Bounded }

// ClusterPhase stands for the barrier of a cluster among numbers of barriers.
const ClusterPhase = ^uint32(0)

// New returns the weak memory of a launch; lazy defers loads.
func New(lazy bool, seed uint64) *state.WeakMemory {
	return &state.WeakMemory{
		Lazy: lazy, History: weakmem.NewHistory(), Meets: map[state.PhaseOf][]*weakmem.Agent{},
		Rng:   state.NewRNG(^seed),
		Graph: weakmem.NewGraph(), Initial: map[state.ByteAt]byte{}, Touched: map[uint64]bool{},
		Lists: map[state.ThreadPos]*state.DeferredList{}, Arrived: map[state.PhaseOf][]int{},
	}
}

// Weakly reports whether an access is one of the memory consistency model, when it is decoded.
func Weakly(d *state.Decoder, ac *state.Access) bool {
	if d.M.Cfg.Memory != PTX || ac.Aside {
		return false
	}
	switch ac.Space {
	case isa.SpaceNone, isa.SpaceGlobal, isa.SpaceShared:
		return true
	}
	return false
}

// weakThread returns the thread in lane i of the running group.
func weakThread(x *state.Engine, i int) weakmem.Thread {
	return weakmem.Thread{
		Block: x.CTA.Linear, Cluster: x.CTA.Cluster.Linear,
		Number: uint64(x.Warp.Index*state.WarpSize + i),
	}
}

func threadPos(x *state.Engine, i int) state.ThreadPos {
	return state.ThreadPos{Block: x.CTA.Linear, Warp: x.Warp.Index, Lane: i}
}

// weakScopes are the scopes of the model: all threads are on one device.
var weakScopes = [...]weakmem.Scope{
	isa.ScopeNone: weakmem.NoScope, isa.ScopeCTA: weakmem.CTA,
	isa.ScopeCluster: weakmem.Cluster, isa.ScopeGPU: weakmem.GPU, isa.ScopeSys: weakmem.GPU,
}

// weakRange returns the memory of an element of an access by lane i. It is not ok for memory that the model leaves out:
// local memory, parameters, constants.
func weakRange(ac *state.Access, x *state.Engine, addr uint64, size int) (at weakmem.Range, ok bool) {
	switch x.M.Dev.Mem.SpaceIn(ac.Space, addr) {
	case isa.SpaceGlobal:
		a := x.M.Dev.Mem.Find(addr)
		return weakmem.Range{Addr: addr, Size: size}, a != nil && !a.Readonly
	case isa.SpaceShared:
		c := x.CTA
		if rank := state.RankOf(addr); ac.Cluster && rank != c.Rank {
			c = c.Cluster.Blocks[rank]
		}
		const mask = 1<<state.RankShift - 1
		return weakmem.Range{Space: c.Linear + 1, Addr: addr & mask, Size: size}, true
	}
	return at, false
}

// weakOp returns the operation of an instruction on a range.
func weakOp(x *state.Engine, src *rewrite.Inst, kind weakmem.Kind, at weakmem.Range, i int) weakmem.Op {
	sem := src.MemorySem()
	op := weakmem.Op{
		Thread: weakThread(x, i), Kind: kind, At: at, Strong: src.Strong(),
		Scope: weakScopes[src.StrongScope()],
	}
	op.Acquires = kind == weakmem.Read && sem.Acquires()
	op.Releases = kind == weakmem.Write && sem.Releases()
	op.Discards = kind == weakmem.Read && (src.Instr.Name == "red" || src.Has("red"))
	return op
}

// weakElements adds the operations of the elements of a lane's access to the graph. ok is false for memory outside of
// the model.
func weakElements(ac *state.Access, x *state.Engine, src *rewrite.Inst, p unsafe.Pointer, addr uint64, size int,
	regs []state.WeakValue,
	i int,
) (list []state.Element, ok bool) {
	if x.Weak.Graph.Len() > maxOperations {
		x.Weak.Dead, x.Weak.Long = true, true
	}
	for k, r := range regs {
		at, in := weakRange(ac, x, addr+uint64(k*size), size)
		if !in {
			return nil, false
		}
		e := state.Element{At: at, P: unsafe.Add(p, k*size), Read: -1, Write: -1, Reg: r}
		if ac.Kind != isa.AccessStore {
			e.Read = x.Weak.Graph.Add(weakOp(x, src, weakmem.Read, at, i))
		}
		if ac.Kind != isa.AccessLoad {
			e.Write = x.Weak.Graph.Add(weakOp(x, src, weakmem.Write, at, i))
		}
		source(x.Weak, src)
		if e.Read >= 0 && e.Write >= 0 {
			x.Weak.Graph.Pair(e.Read, e.Write)
		}
		list = append(list, e)
	}
	return list, true
}

// store makes the write of an element visible.
func store(x *state.Engine, ac *state.Access, e *state.Element, t isa.Type, v [2]uint64) {
	w := x.Weak
	for b := range e.At.Size {
		key := state.ByteAt{Space: e.At.Space, Addr: e.At.Addr + uint64(b)}
		if _, known := w.Initial[key]; !known {
			w.Initial[key] = *(*byte)(unsafe.Add(e.P, b))
		}
	}
	w.Graph.Perform(e.Write, v)
	w.Dead = w.Dead || !w.Graph.Consistent()
	checked(w)
	if state.Poke(e.P, t, v) {
		x.Changed(ac)
	}
}

// checked ends a run of which too many orders have been tried.
func checked(w *state.WeakMemory) {
	if w.Graph.Exceeded() {
		w.Dead, w.Long = true, true
	}
}

// loaded returns the value of the read of an element, which is resolved.
func loaded(w *state.WeakMemory, e *state.Element) [2]uint64 {
	return w.Graph.Value(e.Read, func(b int) byte {
		if v, ok := w.Initial[state.ByteAt{Space: e.At.Space, Addr: e.At.Addr + uint64(b)}]; ok {
			return v
		}
		return *(*byte)(unsafe.Add(e.P, b))
	})
}

// emitLane emits an access of one lane.
func emitLane(ac *state.Access, x *state.Engine, in *state.Inst, addr uint64, i int) {
	if !events.Ignored(&x.Emitter, ac) {
		x.Addrs[i] = events.Generic(ac, addr)
		events.EmitAccess(x, in, ac, 1<<i, &x.Addrs)
	}
}

// EachLane calls do for each lane in m, with its memory and its address, until the access of one faults. It returns the
// lane that faults, -1 for none.
func EachLane(ac *state.Access, x *state.Engine, in *state.Inst, m state.Lanes,
	do func(p unsafe.Pointer, addr uint64, i int),
) (faulted int) {
	w := memory.Window(ac, x)
	for addrs := *x.Frame.R64(in.A); m != 0; m &= m - 1 {
		i := m.First()
		addr := addrs[i] + ac.Off
		p := memory.Locate(ac, x, in, &w, addr, i)
		if p == nil {
			return i
		}
		do(p, addr, i)
	}
	return -1
}

// Load returns the body of ld under the model; latest is that under sequential consistency.
func Load(ac *state.Access, typ isa.Type, in []state.Operand, latest state.BodyFunc) state.BodyFunc {
	t, regs := ScalarsOf(typ, in)
	return func(x *state.Engine, in *state.Inst, m state.Lanes) {
		if !x.Weak.Lazy {
			loadsNow(x, ac, in, m, t, regs, latest)
			return
		}
		faulted := EachLane(ac, x, in, m, func(p unsafe.Pointer, addr uint64,
			i int,
		) {
			deferLoad(x, ac, in, t, regs, addr, p, i)
		})
		if faulted >= 0 {
			emitLane(ac, x, in, x.Frame.R64(in.A)[faulted]+ac.Off, faulted)
		}
	}
}

// deferLoad performs the load of lane i of the elements at p, or defers it.
func deferLoad(x *state.Engine, ac *state.Access, in *state.Inst, t isa.Type, regs []state.WeakValue, addr uint64,
	p unsafe.Pointer, i int,
) {
	src, frame := events.InstOf(x, in), x.Frame
	emit := func() { emitLane(ac, x, in, addr, i) }
	set := func(k int, v [2]uint64) {
		setScalar(frame, regs[k], i, Extend(t, regs[k].Typ, v))
	}
	entries, ok := weakElements(ac, x, src, p, addr, t.Size(), regs, i)
	if !ok {
		emit()
		for k := range regs {
			set(k, state.Peek(unsafe.Add(p, k*t.Size()), t))
		}
		return
	}
	d := &state.Incomplete{Elements: entries, Strong: src.Strong(), Emit: emit, Again: emit}
	if !d.Strong && !strong(list(x.Weak, threadPos(x, i))) { // in program order, where no load before it is left out
		emitNow(x, d)
	}
	d.Finish = func() {
		for k := range entries {
			set(k, loaded(x.Weak, &entries[k]))
		}
		if d.Strong {
			tellAges(x, d)
		} else if d.Emit != nil {
			d.Behind = append(d.Behind, d)
		}
	}
	deferOp(x, src, i, d)
}

// Store returns the body of st under the model; latest is that under sequential consistency.
func Store(ac *state.Access, typ isa.Type, in []state.Operand, latest state.BodyFunc) state.BodyFunc {
	t, regs := ScalarsOf(typ, in)
	return func(x *state.Engine, in *state.Inst, m state.Lanes) {
		if !x.Weak.Lazy {
			storesNow(x, ac, in, m, t, regs, latest)
			return
		}
		EachLane(ac, x, in, m, func(p unsafe.Pointer, addr uint64,
			i int,
		) {
			deferStore(x, ac, in, t, regs, addr, p, i)
		})
	}
}

// deferStore performs the store of lane i to the elements at p, or defers it.
func deferStore(x *state.Engine, ac *state.Access, in *state.Inst, t isa.Type, regs []state.WeakValue, addr uint64,
	p unsafe.Pointer, i int,
) {
	src, frame := events.InstOf(x, in), x.Frame
	list, ok := weakElements(ac, x, src, p, addr, t.Size(), regs, i)
	deferOp(x, src, i, &state.Incomplete{Finish: func() {
		emitLane(ac, x, in, addr, i)
		for k, r := range regs {
			v := scalar(frame, r, i)
			if n := t.Bits(); n < 64 {
				v[0] &= events.LowBits(n)
			}
			if ok {
				store(x, ac, &list[k], t, v)
			} else if state.Poke(unsafe.Add(p, k*t.Size()), t, v) {
				x.Changed(ac)
			}
		}
	}})
}

// atomicFunc computes the value that an atomic operation at an address writes, and whether it writes.
type atomicFunc func(x *state.Engine, addr uint64, old, b, c [2]uint64) ([2]uint64, bool)

// Atomic returns the body of atom and red under the model. op computes the value that is written from the old one,
// and reports whether it is written.
func Atomic(ac *state.Access, t isa.Type, b, c, dst []state.WeakValue, op atomicFunc) state.BodyFunc {
	return func(x *state.Engine, in *state.Inst, m state.Lanes) {
		if !x.Weak.Lazy {
			atomicNow(x, ac, in, m, t, b, c, dst, op)
			return
		}
		EachLane(ac, x, in, m, func(p unsafe.Pointer, addr uint64,
			i int,
		) {
			deferAtomic(x, ac, in, t, b, c, dst, op, addr, p, i)
		})
	}
}

// deferAtomic performs the atomic operation of lane i on the elements at p, or defers it.
func deferAtomic(x *state.Engine, ac *state.Access, in *state.Inst, t isa.Type, b, c, dst []state.WeakValue,
	op atomicFunc, addr uint64,
	p unsafe.Pointer, i int,
) {
	src, frame := events.InstOf(x, in), x.Frame
	list, ok := weakElements(ac, x, src, p, addr, t.Size(), b, i)
	d := &state.Incomplete{
		Elements: list, Strong: src.Strong(), Atomic: true,
		Emit: func() { emitLane(ac, x, in, addr, i) },
	}
	write := func(k int, old [2]uint64) {
		at := unsafe.Add(p, k*t.Size())
		v, writes := op(x, addr, old, scalar(frame, b[k], i), scalar(frame, c[k], i))
		events.NoteElement(&x.Values, i, k*t.Bits(), old[0], v[0], writes)
		switch {
		case ok && writes:
			store(x, ac, &list[k], t, v)
		case ok:
			x.Weak.Graph.Drop(list[k].Write)
		case writes && state.Poke(at, t, v):
			x.Changed(ac)
		}
	}
	all := func(each func(k int)) {
		x.Values.Done = 0
		for k := range b {
			each(k)
		}
	}
	deliver := func(k int, old [2]uint64) {
		if dst != nil {
			setScalar(frame, dst[k], i, old)
		}
	}
	d.Finish = func() {
		found := make([][2]uint64, len(b))
		all(func(k int) {
			if found[k] = state.Peek(unsafe.Add(p, k*t.Size()), t); ok {
				found[k] = loaded(x.Weak, &list[k])
			}
			write(k, found[k])
		})
		for k, old := range found { // a result may be in the register of a later operand
			deliver(k, old)
		}
		tellAges(x, d)
	}
	if ok {
		tells(x, ac, in, t, d, addr, i)
		if src.Access.AtomOp == "exch" {
			d.Early = func() {
				all(func(k int) { write(k, state.Peek(unsafe.Add(p, k*t.Size()), t)) })
				d.Unknown = nil
			}
			d.Finish = func() {
				for k := range list {
					deliver(k, loaded(x.Weak, &list[k]))
				}
				tellAges(x, d)
			}
		}
	}
	deferOp(x, src, i, d)
}
