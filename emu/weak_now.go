// Weak memory of large programs: each operation is performed when it is executed, and loads return recent stores
// (weakmem.History).

package emu

import (
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/weakmem"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// agentOf returns a warp as an agent.
func (x *engine) agentOf(w *warp) *weakmem.Agent {
	if w.agent == nil || w.agentOf != w.serial {
		x.weak.agents++
		w.agent, w.agentOf = weakmem.NewAgent(w.cta.linear, w.cta.cluster.linear, x.weak.agents), w.serial
	}
	return w.agent
}

// agentAccess returns the access of an instruction by the running warp, without its location.
func (x *engine) agentAccess(src *rewrite.Inst) weakmem.Access {
	if x.weak.lazy {
		return weakmem.Access{}
	}
	sem := src.MemorySem()
	return weakmem.Access{
		Agent: x.agentOf(x.warp), Strong: src.Strong(), Scope: weakScopes[src.StrongScope()], Tag: weakmem.Lost,
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
func (ac *access) rowNow(x *engine, base slot, m lanes, size int) (r row, ok bool) {
	space, addrs := ac.space, x.frame.r64(base)
	if space == isa.SpaceNone {
		first := addrs[m.first()] + ac.off
		for rest := m & (m - 1); rest != 0; rest &= rest - 1 {
			if (addrs[rest.first()]+ac.off)>>gmem.SlotBits != first>>gmem.SlotBits {
				return row{}, true
			}
		}
		space = x.m.dev.mem.SpaceOf(first)
	}
	r.Row, r.one = weakmem.Row{Addrs: addrs, Offset: ac.off, Mask: ^uint64(0), Size: size}, true
	switch space {
	case isa.SpaceGlobal:
		return r, true
	case isa.SpaceShared:
		if r.alone = len(x.cta.cluster.blocks) == 1; !r.alone && ac.cluster {
			return row{}, true
		}
		r.Space, r.Mask = x.cta.linear+1, 1<<rankShift-1
		return r, true
	}
	return row{}, false
}

// place sets the location of an element, and reports whether it is one of the model.
func (r *row) place(x *engine, ac *access, a *weakmem.Access, addr uint64, size int) bool {
	if !r.one {
		at, ok := ac.weakRange(x, addr, size)
		a.At, a.Alone = at, false
		return ok
	}
	a.At = weakmem.Range{Space: r.Space, Addr: addr & r.Mask, Size: size}
	return true
}

// loadsNow performs a load of the lanes in m. If it can only return the latest stores, that is done by the body of ld
// under sequential consistency.
func (x *engine) loadsNow(ac *access, in *inst, m lanes, t isa.Type, regs []weakValue, latest bodyFunc) {
	r, ok := ac.rowNow(x, in.a, m, t.Size())
	if !ok {
		latest(x, in, m)
		return
	}
	src := x.instOf(in)
	a := x.agentAccess(src)
	if a.Alone = r.alone; r.one && !x.weak.explained() && x.weak.history.Newest(&a, &r.Row, uint32(m), len(regs)) {
		latest(x, in, m)
		return
	}
	all := m
	if x.listener != nil {
		ac.prepareEmit(x, in.a, m)
	}
	w := ac.window(x)
	x.ages = nil
	for addrs := *x.frame.r64(in.a); m != 0; m &= m - 1 {
		i := m.first()
		addr := addrs[i] + ac.off
		p := ac.locate(x, in, &w, addr, i)
		if p == nil {
			break
		}
		for k, reg := range regs {
			v, age := peek(unsafe.Add(p, k*t.Size()), t), 0
			if r.place(x, ac, &a, addr+uint64(k*t.Size()), t.Size()) {
				v, age = x.loadNow(&a, src, v, i)
			}
			if x.frame.setScalar(reg, i, extend(t, reg.typ, v)); a.Strong {
				x.noteAge(i, k, age)
			}
		}
	}
	x.emitAged(ac, in, all)
}

// emitAged emits the access whose addresses prepareEmit has saved, with the ages that have been noted.
func (x *engine) emitAged(ac *access, in *inst, m lanes) {
	if x.listener != nil {
		ac.emitPrepared(x, in, m)
	}
	x.ages = nil
}

// loadNow performs the load of an element whose memory is v; age is the number of stores to the location after the one
// that it returns.
func (x *engine) loadNow(a *weakmem.Access, src *rewrite.Inst, v [2]uint64, i int) (loaded [2]uint64, age int) {
	if a.At.Size > 8 {
		x.weak.history.Load(a, v[0], x.pickNow())
		x.recordAccess(a, src, weakmem.Lost, i, false)
		return v, 0
	}
	value, age, tag := x.weak.history.Load(a, v[0], x.pickNow())
	x.recordAccess(a, src, tag, i, false)
	if value != v[0] {
		x.progress++ // a loop that has read it would not do the same again
	}
	return [2]uint64{value}, age
}

// storesNow performs a store of the lanes in m.
func (x *engine) storesNow(ac *access, in *inst, m lanes, t isa.Type, regs []weakValue, latest bodyFunc) {
	r, ok := ac.rowNow(x, in.a, m, t.Size())
	if !ok {
		latest(x, in, m)
		return
	}
	if x.listener != nil {
		ac.emit(x, in, in.a, m)
	}
	w, src, f, size := ac.window(x), x.instOf(in), x.frame, t.Size()
	a := x.agentAccess(src)
	a.Alone = r.alone
	defer x.disturbed()
	if len(regs) == 1 && x.storeRow(ac, m, t, regs[0].operand, &r, &a) {
		return
	}
	changed := false
	for addrs := f.r64(in.a); m != 0; m &= m - 1 {
		i := m.first()
		addr := addrs[i] + ac.off
		p := ac.locate(x, in, &w, addr, i)
		if p == nil {
			break
		}
		for k, reg := range regs {
			v, at := f.scalar(reg, i), unsafe.Add(p, k*size)
			if n := t.Bits(); n < 64 {
				v[0] &= lowBits(n)
			}
			if r.place(x, ac, &a, addr+uint64(k*size), size) {
				if x.weak.explained() {
					a.Tag = x.recordAccess(&a, src, noRead, i, true)
				}
				x.weak.history.Store(&a, peek(at, t)[0], v[0])
			}
			changed = poke(at, t, v) || changed
		}
	}
	if changed {
		x.changed(ac)
	}
}

// atomicNow performs an atomic operation of the lanes in m.
func (x *engine) atomicNow(ac *access, in *inst, m lanes, t isa.Type, b, c, dst []weakValue, op atomicFunc) {
	all := m
	if x.listener != nil {
		ac.prepareEmit(x, in.a, m)
	}
	w, src, f, size := ac.window(x), x.instOf(in), x.frame, t.Size()
	r, ok := ac.rowNow(x, in.a, m, size)
	a := x.agentAccess(src)
	addrs := *f.r64(in.a) // the result may replace them
	r.Addrs, x.ages = &addrs, nil
	if a.Alone = r.alone; ok && size <= 8 && ac.redo != nil {
		m = x.atomicRow(ac, m, t, inst{b: b[0].slot, c: c[0].slot, d: firstSlot(dst)}, &r, &a)
	}
	found := make([][2]uint64, len(b))
	for ; m != 0; m &= m - 1 {
		i := m.first()
		addr := addrs[i] + ac.off
		p := ac.locate(x, in, &w, addr, i)
		if p == nil {
			break
		}
		for k := range b {
			given, next := f.scalar(b[k], i), f.scalar(c[k], i)
			at := addr + uint64(k*size)
			old := peek(p, t)
			var v [2]uint64
			var writes bool
			if ok && r.place(x, ac, &a, at, size) {
				var age int
				old, v, writes, age = x.elementNow(&a, src, old, i,
					func(old [2]uint64) ([2]uint64, bool) { return op(x, at, old, given, next) })
				x.noteAge(i, k, age)
			} else {
				v, writes = op(x, at, old, given, next)
			}
			x.values.noteElement(i, k*t.Bits(), old[0], v[0], writes)
			if writes && poke(p, t, v) {
				x.changed(ac)
			}
			found[k] = old
			p = unsafe.Add(p, size)
		}
		for k := range dst { // they may be in the registers of operands
			f.setScalar(dst[k], i, found[k])
		}
	}
	x.disturbed()
	x.emitAged(ac, in, all)
}

// elementNow performs the atomic operation on an element whose memory is current.
func (x *engine) elementNow(a *weakmem.Access, src *rewrite.Inst, current [2]uint64, i int,
	op func(old [2]uint64) ([2]uint64, bool),
) (old, v [2]uint64, writes bool, age int) {
	h := x.weak.history
	if a.At.Size > 8 {
		h.Load(a, 0, x.pickNow())
		if v, writes = op(current); writes {
			h.Store(a, 0, 0)
		}
		return current, v, writes, 0
	}
	if x.weak.explained() {
		a.Tag = x.weak.graph.Len() + 1
	}
	value, wrote, writes, age, tag := h.Atomic(a, current[0], x.pickNow(), func(old uint64) (uint64, bool) {
		to, does := op([2]uint64{old})
		return to[0], does
	})
	x.recordAccess(a, src, tag, i, writes)
	return [2]uint64{value}, [2]uint64{wrote}, writes, age
}

// pickNow returns the choice of one of n stores, the newest last.
func (x *engine) pickNow() func(n int) int {
	return func(n int) int { return x.sched.pickValue(x, n) }
}

// arriveNow records that the running warp has arrived at a barrier.
func (x *engine) arriveNow(of phaseOf) {
	w, a := x.weak, x.agentOf(x.warp)
	list, begun := w.meets[of]
	if n := len(w.spare); !begun && n > 0 {
		list, w.spare = w.spare[n-1], w.spare[:n-1]
	}
	if n := len(list); n == 0 || list[n-1] != a {
		w.meets[of] = append(list, a)
	}
}

// meetNow completes a barrier; all says that its threads are all of the block.
func (x *engine) meetNow(groups []*group, of phaseOf, all bool) (met weakmem.Met) {
	w := x.weak
	w.left = w.left[:0]
	for _, g := range groups {
		w.left = append(w.left, x.agentOf(g.warp))
	}
	arrived := w.meets[of]
	met = w.history.Meet(arrived, w.left, all)
	delete(w.meets, of)
	w.spare = append(w.spare, arrived[:0])
	return met
}

// draw chooses one of n stores at random, every second time the newest, which is last.
func (w *weakMemory) draw(n int) int {
	if n == 1 || w.rng.below(2) == 0 {
		return n - 1
	}
	return w.rng.below(n)
}

// Explanations of runs under weak memory: which accesses were seen out of order.

// Explanation says why a run is not sequentially consistent. It is empty if the run is, or if it is too long to be
// explained.
type Explanation struct {
	// Pairs are accesses of one thread, in program order, which other threads have seen in the other order.
	Pairs []Reordering
	// Fence is the fence that, between the two accesses of each pair, makes the manual's axioms forbid the run; empty
	// if none does, since a weak access takes part.
	Fence string
	// Accesses are all those that take part, Scope the narrowest scope that includes their threads.
	Accesses []*rewrite.Inst
	Scope    isa.Scope
	// Sequential says that all of the run was examined and that it is sequentially consistent.
	Sequential bool
}

// Reordering is two accesses of a thread.
type Reordering struct {
	First, Second *rewrite.Inst
	Thread        ThreadPos
}

// maxRecorded is the maximum number of operations that are recorded for an explanation.
const maxRecorded = 1024

// recorded reports whether operations enter the graph.
func (w *weakMemory) recorded() bool { return w.lazy || w.explained() }

// explained reports whether operations enter the graph for an explanation.
func (w *weakMemory) explained() bool { return w.explain && w.graph.Len() < maxRecorded }

// source records the instruction of the latest operations of the graph.
func (w *weakMemory) source(src *rewrite.Inst) {
	for len(w.sources) < w.graph.Len() {
		w.sources = append(w.sources, src)
	}
}

// noRead is the store returned by an access that does not read.
const noRead = weakmem.Lost - 1

// recordAccess records an access by lane i for an explanation: the store that it returns, and whether it stores. It
// returns the number of its store.
func (x *engine) recordAccess(a *weakmem.Access, src *rewrite.Inst, from, i int, writes bool) int {
	w := x.weak
	if !w.explained() {
		return weakmem.Lost
	}
	g, read, write := w.graph, -1, weakmem.Lost
	if from != noRead {
		if read = g.Add(x.weakOp(src, weakmem.Read, a.At, i)); from != weakmem.Lost {
			g.Set(read, 0, a.At.Size, from)
		}
	}
	if writes {
		write = g.Add(x.weakOp(src, weakmem.Write, a.At, i))
		if g.Perform(write, [2]uint64{}); read >= 0 {
			g.Pair(read, write)
		}
	}
	w.source(src)
	return write
}

// explainWeak explains the run, if that is asked for.
func (x *engine) explainWeak() {
	to, w := x.m.cfg.Explain, x.weak
	if to == nil || len(to.Pairs) > 0 {
		return
	}
	why, ok := w.graph.Explain()
	if !ok {
		return
	}
	to.Sequential = len(why.Pairs) == 0
	for _, op := range why.Cycle {
		to.Accesses = append(to.Accesses, w.sources[op])
	}
	for _, p := range why.Pairs {
		t := w.graph.Thread(p.First)
		to.Pairs = append(to.Pairs, Reordering{
			w.sources[p.First], w.sources[p.Second],
			ThreadPos{t.Block, int(t.Number) / warpSize, int(t.Number) % warpSize},
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
