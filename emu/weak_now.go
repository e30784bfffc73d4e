// Weak memory of large programs: each operation is performed when it is executed, and loads return recent stores (weakmem.History).

package emu

import (
	"slices"
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
		Agent: x.agentOf(x.warp), Strong: src.Strong(), Scope: weakScopes[src.StrongScope()],
		Acquires: sem.Acquires() && src.Access.Kind != isa.AccessStore, Releases: sem.Releases() && src.Access.Kind != isa.AccessLoad,
	}
}

// placeNow sets the location of an access, and reports whether its history counts.
func (x *engine) placeNow(ac *access, a *weakmem.Access, addr uint64, size int) bool {
	space := ac.space
	if space == isa.SpaceNone {
		if addr>>gmem.SlotBits == gmem.SharedWindow>>gmem.SlotBits {
			space = isa.SpaceShared
		} else if space = x.m.mem.SpaceOf(addr); space != isa.SpaceGlobal {
			return false
		}
	}
	a.At = weakmem.Range{Addr: addr, Size: size}
	if space == isa.SpaceShared {
		c := x.cta
		if rank := rankOf(addr); ac.cluster && rank != c.rank {
			c = c.cluster.blocks[rank]
		}
		a.At.Space, a.At.Addr = c.linear+1, addr&(1<<rankShift-1)
	}
	return size <= 8
}

// loadsNow performs a load of the lanes in m.
func (x *engine) loadsNow(ac *access, in *inst, m lanes, t isa.Type, regs []operand) {
	all := m
	if x.listener != nil {
		ac.prepareEmit(x, in.a, m)
	}
	w, src := ac.window(x), x.instOf(in)
	a := x.agentAccess(src)
	x.ages = nil
	for addrs := *x.frame.r64(in.a); m != 0; m &= m - 1 {
		i := m.first()
		addr := addrs[i] + ac.off
		p := ac.locate(x, in, &w, addr, i)
		if p == nil {
			break
		}
		for k, r := range regs {
			v, age := x.loadNow(ac, &a, src, t, unsafe.Add(p, k*t.Size()), addr+uint64(k*t.Size()), i)
			if x.frame.setLane(r.slot, slotBits(r.typ), i, extend(t, r.typ, v)); a.Strong {
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

// loadNow performs the load of an element at p; age is the number of stores to the location after the one that it returns.
func (x *engine) loadNow(ac *access, a *weakmem.Access, src *rewrite.Inst, t isa.Type, p unsafe.Pointer, addr uint64, i int) (v [2]uint64, age int) {
	v = peek(p, t)
	if !x.placeNow(ac, a, addr, t.Size()) {
		return v, 0
	}
	value, age, tag := x.weak.history.Load(a, v[0], x.pickNow)
	x.recordAccess(a, src, tag, i, false)
	if value != v[0] {
		x.progress++ // a loop that has read it would not do the same again
	}
	return [2]uint64{value}, age
}

// pickNow chooses one of n stores, the newest last.
func (x *engine) pickNow(n int) int { return x.sched.value(x, n) }

// storeNow performs the store of an element at p.
func (x *engine) storeNow(ac *access, a *weakmem.Access, src *rewrite.Inst, t isa.Type, p unsafe.Pointer, addr uint64, v [2]uint64, i int) {
	if n := t.Bits(); n < 64 {
		v[0] &= lowBits(n)
	}
	if x.placeNow(ac, a, addr, t.Size()) {
		a.Tag = x.recordAccess(a, src, noRead, i, true)
		x.weak.history.Store(a, peek(p, t)[0], v[0])
	}
	if poke(p, t, v) {
		x.changed(ac)
	}
}

// atomicNow performs an atomic operation of the lanes in m.
func (x *engine) atomicNow(ac *access, in *inst, m lanes, t isa.Type, b, c, dst []operand, op atomicFunc) {
	all := m
	if x.listener != nil {
		ac.prepareEmit(x, in.a, m)
	}
	w, src, f := ac.window(x), x.instOf(in), x.frame
	a := x.agentAccess(src)
	x.ages = nil
	for addrs := *f.r64(in.a); m != 0; m &= m - 1 {
		i := m.first()
		addr := addrs[i] + ac.off
		p := ac.locate(x, in, &w, addr, i)
		if p == nil {
			break
		}
		for k := range b {
			bits := slotBits(b[k].typ)
			given, next := f.lane(b[k].slot, bits, i), f.lane(c[k].slot, bits, i)
			at := addr + uint64(k*t.Size())
			old, v, writes := peek(p, t), [2]uint64{}, false
			if x.placeNow(ac, &a, at, t.Size()) {
				a.Tag = x.weak.graph.Len() + 1
				age, tag := 0, 0
				old[0], v[0], writes, age, tag = x.weak.history.Atomic(&a, old[0], x.pickNow, func(old uint64) (uint64, bool) {
					to, does := op(x, at, [2]uint64{old}, given, next)
					return to[0], does
				})
				x.noteAge(i, k, age)
				x.recordAccess(&a, src, tag, i, writes)
			} else {
				v, writes = op(x, at, old, given, next)
			}
			x.values.noteElement(i, k*t.Bits(), old[0], v[0], writes)
			if writes && poke(p, t, v) {
				x.changed(ac)
			}
			if dst != nil {
				f.setLane(dst[k].slot, slotBits(dst[k].typ), i, old)
			}
			p = unsafe.Add(p, t.Size())
		}
	}
	x.emitAged(ac, in, all)
}

// meetNow completes a barrier; all says that its threads are all of the block.
func (x *engine) meetNow(groups []*group, of phaseOf, all bool) {
	agents := func(list []*weakmem.Agent) []*weakmem.Agent {
		var once []*weakmem.Agent
		for _, a := range list {
			if !slices.Contains(once, a) {
				once = append(once, a)
			}
		}
		return once
	}
	left := make([]*weakmem.Agent, len(groups))
	for i, g := range groups {
		left[i] = x.agentOf(g.warp)
	}
	weakmem.Meet(agents(x.weak.meets[of]), agents(left), all)
	delete(x.weak.meets, of)
}

// draw chooses one of n stores at random, every second time the newest, which is last.
func (w *weakMemory) draw(n int) int {
	if n == 1 || w.rng.below(2) == 0 {
		return n - 1
	}
	return w.rng.below(n)
}

// Explanations of runs under weak memory: which accesses were seen out of order.

// Explanation says why a run is not sequentially consistent. It is empty if the run is, or if it is too long to be explained.
type Explanation struct {
	// Pairs are accesses of one thread, in program order, which other threads have seen in the other order.
	Pairs []Reordering
	// Fence is the fence that, between the two accesses of each pair, makes the manual's axioms forbid the run; empty if none does,
	// since a weak access takes part.
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
func (w *weakMemory) recorded() bool { return w.lazy || w.explain && w.graph.Len() < maxRecorded }

// source records the instruction of the latest operations of the graph.
func (w *weakMemory) source(src *rewrite.Inst) {
	for len(w.sources) < w.graph.Len() {
		w.sources = append(w.sources, src)
	}
}

// noRead is the store returned by an access that does not read.
const noRead = weakmem.Lost - 1

// recordAccess records an access by lane i for an explanation: the store that it returns, and whether it stores. It returns the
// number of its store.
func (x *engine) recordAccess(a *weakmem.Access, src *rewrite.Inst, from, i int, writes bool) int {
	w := x.weak
	if !w.explain || !w.recorded() {
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
		to.Pairs = append(to.Pairs, Reordering{w.sources[p.First], w.sources[p.Second], ThreadPos{t.Block, int(t.Number) / warpSize, int(t.Number) % warpSize}})
	}
	to.Scope = map[weakmem.Scope]isa.Scope{weakmem.CTA: isa.ScopeCTA, weakmem.Cluster: isa.ScopeCluster, weakmem.GPU: isa.ScopeGPU}[why.Scope]
	switch why.Remedy {
	case weakmem.FenceAcqRel:
		to.Fence = "fence.acq_rel." + to.Scope.String()
	case weakmem.FenceSC:
		to.Fence = "fence.sc." + to.Scope.String()
	}
}
