// Weak memory of large programs: each operation is performed when it is executed, and loads return recent stores
// (weakmem.History).

package weak

import (
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/memory"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/weakmem"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// agentAccess returns the access of an instruction by the running warp, without its location.
func agentAccess(x *state.Engine, src *rewrite.Inst) weakmem.Access {
	if x.Weak.Lazy {
		return weakmem.Access{}
	}
	sem := src.MemorySem()
	return weakmem.Access{
		Agent: events.AgentOf(x, x.Warp), Strong: src.Strong(), Scope: weakScopes[src.StrongScope()], Tag: weakmem.Lost,
		Acquires: sem.Acquires() && src.Access.Kind != isa.AccessStore, Releases: sem.Releases() &&
			src.Access.Kind != isa.AccessLoad,
	}
}

// row is where the lanes of an access are in the locations of the model.
type row struct {
	weakmem.Row
	alone bool // only the block can access them
	one   bool // they are in one space
}

// rowNow returns the row of an access by the lanes in m, to elements of a size. ok is false if no lane accesses a
// location of the model.
func rowNow(ac *state.Access, x *state.Engine, base state.Slot, m state.Lanes, size int) (r row, ok bool) {
	space, addrs := ac.Space, x.Frame.R64(base)
	if space == isa.SpaceNone {
		first := addrs[m.First()] + ac.Off
		for rest := m & (m - 1); rest != 0; rest &= rest - 1 {
			if (addrs[rest.First()]+ac.Off)>>gmem.SlotBits != first>>gmem.SlotBits {
				return row{}, true
			}
		}
		space = x.M.Dev.Mem.SpaceOf(first)
	}
	r.Row, r.one = weakmem.Row{Addrs: addrs, Offset: ac.Off, Mask: ^uint64(0), Size: size}, true
	switch space {
	case isa.SpaceGlobal:
		return r, true
	case isa.SpaceShared:
		if r.alone = len(x.CTA.Cluster.Blocks) == 1; !r.alone && ac.Cluster {
			return row{}, true
		}
		r.Space, r.Mask = x.CTA.Linear+1, 1<<state.RankShift-1
		return r, true
	}
	return row{}, false
}

// place sets the location of an element, and reports whether it is one of the model.
func (r *row) place(x *state.Engine, ac *state.Access, a *weakmem.Access, addr uint64, size int) bool {
	if !r.one {
		at, ok := weakRange(ac, x, addr, size)
		a.At, a.Alone = at, false
		return ok
	}
	a.At = weakmem.Range{Space: r.Space, Addr: addr & r.Mask, Size: size}
	return true
}

// loadsNow performs a load of the lanes in m. If it can only return the latest stores, that is done by the body of ld
// under sequential consistency.
func loadsNow(x *state.Engine, ac *state.Access, in *state.Inst, m state.Lanes, t isa.Type, regs []state.WeakValue,
	latest state.BodyFunc,
) {
	r, ok := rowNow(ac, x, in.A, m, t.Size())
	if !ok {
		latest(x, in, m)
		return
	}
	src := events.InstOf(x, in)
	a := agentAccess(x, src)
	if a.Alone = r.alone; r.one && !events.Explained(x.Weak) &&
		x.Weak.History.Newest(&a, &r.Row, uint32(m), len(regs)) {
		latest(x, in, m)
		return
	}
	all := m
	if x.Listener != nil {
		events.PrepareEmit(ac, x, in.A, m)
	}
	w := memory.Window(ac, x)
	x.Ages = nil
	for addrs := *x.Frame.R64(in.A); m != 0; m &= m - 1 {
		i := m.First()
		addr := addrs[i] + ac.Off
		p := memory.Locate(ac, x, in, &w, addr, i)
		if p == nil {
			break
		}
		for k, reg := range regs {
			v, age := state.Peek(unsafe.Add(p, k*t.Size()), t), 0
			if r.place(x, ac, &a, addr+uint64(k*t.Size()), t.Size()) {
				v, age = loadNow(x, &a, src, v, i)
			}
			if setScalar(x.Frame, reg, i, Extend(t, reg.Typ, v)); a.Strong {
				noteAge(&x.Emitter, i, k, age)
			}
		}
	}
	emitAged(x, ac, in, all)
}

// emitAged emits the access whose addresses PrepareEmit has saved, with the ages that have been noted.
func emitAged(x *state.Engine, ac *state.Access, in *state.Inst, m state.Lanes) {
	if x.Listener != nil {
		events.EmitPrepared(ac, x, in, m)
	}
	x.Ages = nil
}

// loadNow performs the load of an element whose memory is v; age is the number of stores to the location after the one
// that it returns.
func loadNow(x *state.Engine, a *weakmem.Access, src *rewrite.Inst, v [2]uint64, i int) (loaded [2]uint64, age int) {
	if a.At.Size > 8 {
		x.Weak.History.Load(a, v[0], pickNow(x))
		recordAccess(x, a, src, weakmem.Lost, i, false)
		return v, 0
	}
	value, age, tag := x.Weak.History.Load(a, v[0], pickNow(x))
	recordAccess(x, a, src, tag, i, false)
	if value != v[0] {
		x.Progress++ // a loop that has read it would not do the same again
	}
	return [2]uint64{value}, age
}

// storesNow performs a store of the lanes in m.
func storesNow(x *state.Engine, ac *state.Access, in *state.Inst, m state.Lanes, t isa.Type, regs []state.WeakValue,
	latest state.BodyFunc,
) {
	r, ok := rowNow(ac, x, in.A, m, t.Size())
	if !ok {
		latest(x, in, m)
		return
	}
	if x.Listener != nil {
		events.Emit(ac, x, in, in.A, m)
	}
	w, src, f, size := memory.Window(ac, x), events.InstOf(x, in), x.Frame, t.Size()
	a := agentAccess(x, src)
	a.Alone = r.alone
	defer disturbed(x)
	if len(regs) == 1 && storeRow(x, ac, m, t, regs[0].Operand, &r, &a) {
		return
	}
	changed := false
	for addrs := f.R64(in.A); m != 0; m &= m - 1 {
		i := m.First()
		addr := addrs[i] + ac.Off
		p := memory.Locate(ac, x, in, &w, addr, i)
		if p == nil {
			break
		}
		for k, reg := range regs {
			v, at := scalar(f, reg, i), unsafe.Add(p, k*size)
			if n := t.Bits(); n < 64 {
				v[0] &= events.LowBits(n)
			}
			if r.place(x, ac, &a, addr+uint64(k*size), size) {
				if events.Explained(x.Weak) {
					a.Tag = recordAccess(x, &a, src, noRead, i, true)
				}
				x.Weak.History.Store(&a, state.Peek(at, t)[0], v[0])
			}
			changed = state.Poke(at, t, v) || changed
		}
	}
	if changed {
		x.Changed(ac)
	}
}

// atomicNow performs an atomic operation of the lanes in m.
func atomicNow(x *state.Engine, ac *state.Access, in *state.Inst, m state.Lanes, t isa.Type, b, c,
	dst []state.WeakValue, op atomicFunc,
) {
	all := m
	if x.Listener != nil {
		events.PrepareEmit(ac, x, in.A, m)
	}
	w, src, f, size := memory.Window(ac, x), events.InstOf(x, in), x.Frame, t.Size()
	r, ok := rowNow(ac, x, in.A, m, size)
	a := agentAccess(x, src)
	addrs := *f.R64(in.A) // the result may replace them
	r.Addrs, x.Ages = &addrs, nil
	if a.Alone = r.alone; ok && size <= 8 && ac.Redo != nil {
		m = atomicRow(x, ac, m, t, state.Inst{B: b[0].Slot, C: c[0].Slot, D: firstSlot(dst)}, &r, &a)
	}
	found := make([][2]uint64, len(b))
	for ; m != 0; m &= m - 1 {
		i := m.First()
		addr := addrs[i] + ac.Off
		p := memory.Locate(ac, x, in, &w, addr, i)
		if p == nil {
			break
		}
		for k := range b {
			given, next := scalar(f, b[k], i), scalar(f, c[k], i)
			at := addr + uint64(k*size)
			old := state.Peek(p, t)
			var v [2]uint64
			var writes bool
			if ok && r.place(x, ac, &a, at, size) {
				var age int
				old, v, writes, age = elementNow(x, &a, src, old, i,
					func(old [2]uint64) ([2]uint64, bool) { return op(x, at, old, given, next) })
				noteAge(&x.Emitter, i, k, age)
			} else {
				v, writes = op(x, at, old, given, next)
			}
			events.NoteElement(&x.Values, i, k*t.Bits(), old[0], v[0], writes)
			if writes && state.Poke(p, t, v) {
				x.Changed(ac)
			}
			found[k] = old
			p = unsafe.Add(p, size)
		}
		for k := range dst { // they may be in the registers of operands
			setScalar(f, dst[k], i, found[k])
		}
	}
	disturbed(x)
	emitAged(x, ac, in, all)
}

// elementNow performs the atomic operation on an element whose memory is current.
func elementNow(x *state.Engine, a *weakmem.Access, src *rewrite.Inst, current [2]uint64, i int,
	op func(old [2]uint64) ([2]uint64, bool),
) (old, v [2]uint64, writes bool, age int) {
	h := x.Weak.History
	if a.At.Size > 8 {
		h.Load(a, 0, pickNow(x))
		if v, writes = op(current); writes {
			h.Store(a, 0, 0)
		}
		return current, v, writes, 0
	}
	if events.Explained(x.Weak) {
		a.Tag = x.Weak.Graph.Len() + 1
	}
	value, wrote, writes, age, tag := h.Atomic(a, current[0], pickNow(x), func(old uint64) (uint64, bool) {
		to, does := op([2]uint64{old})
		return to[0], does
	})
	recordAccess(x, a, src, tag, i, writes)
	return [2]uint64{value}, [2]uint64{wrote}, writes, age
}

// pickNow returns the choice of one of n stores, the newest last.
func pickNow(x *state.Engine) func(n int) int {
	return func(n int) int { return x.Sched.PickValue(x, n) }
}

// source records the instruction of the latest operations of the graph.
func source(w *state.WeakMemory, src *rewrite.Inst) {
	for len(w.Sources) < w.Graph.Len() {
		w.Sources = append(w.Sources, src)
	}
}

// noRead is the store returned by an access that does not read.
const noRead = weakmem.Lost - 1

// recordAccess records an access by lane i for an explanation: the store that it returns, and whether it stores. It
// returns the number of its store.
func recordAccess(x *state.Engine, a *weakmem.Access, src *rewrite.Inst, from, i int, writes bool) int {
	w := x.Weak
	if !events.Explained(w) {
		return weakmem.Lost
	}
	g, read, write := w.Graph, -1, weakmem.Lost
	if from != noRead {
		if read = g.Add(weakOp(x, src, weakmem.Read, a.At, i)); from != weakmem.Lost {
			g.Set(read, 0, a.At.Size, from)
		}
	}
	if writes {
		write = g.Add(weakOp(x, src, weakmem.Write, a.At, i))
		if g.Perform(write, [2]uint64{}); read >= 0 {
			g.Pair(read, write)
		}
	}
	source(w, src)
	return write
}

// explainWeak explains the run, if that is asked for.
func explainWeak(x *state.Engine) {
	to, w := x.M.Cfg.Explain, x.Weak
	if to == nil || len(to.Pairs) > 0 {
		return
	}
	why, ok := w.Graph.Explain()
	if !ok {
		return
	}
	to.Sequential = len(why.Pairs) == 0
	for _, op := range why.Cycle {
		to.Accesses = append(to.Accesses, w.Sources[op])
	}
	for _, p := range why.Pairs {
		t := w.Graph.Thread(p.First)
		to.Pairs = append(to.Pairs, state.Reordering{
			First: w.Sources[p.First], Second: w.Sources[p.Second],
			Thread: state.ThreadPos{
				Block: t.Block, Warp: int(t.Number) / state.WarpSize,
				Lane: int(t.Number) % state.WarpSize,
			},
		})
	}
	to.Scope = map[weakmem.Scope]isa.Scope{
		weakmem.CTA: isa.ScopeCTA, weakmem.Cluster: isa.ScopeCluster,
		weakmem.GPU: isa.ScopeGPU,
	}[why.Scope]
	switch why.Remedy {
	case weakmem.FenceAcqRel:
		to.Fence = "fence.acq_rel." + to.Scope.String()
	case weakmem.FenceSC:
		to.Fence = "fence.sc." + to.Scope.String()
	}
}
