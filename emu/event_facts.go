// What is known of the events of an instruction before it is executed, and the classes of its accesses.

package emu

import (
	"cmp"

	"github.com/ptxsan/ptxsan/internal/sites"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/rewrite/query"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// facts are the fields of an instruction's events that are known before it is executed.
type facts struct {
	site     uint32
	atomic   abi.AtomicOp
	sem      abi.Semantics
	scope    abi.Scope
	proxy    abi.Proxy
	mode     abi.BarrierMode
	fence    abi.EventKind // of a fence
	scalar   uint32
	reduces  bool                         // an asynchronous reduction in bulk, which only reads what it reduces by
	endpoint bool                         // it accesses a logical endpoint
	silent   bool                         // the listener does not need its accesses
	accessed bool                         // it has made an access
	classes  [isa.Spaces]*abi.AccessClass // classes of its last accesses, by space
	// tensorMap is the class of reads of tensor maps by a tensor copy, nil for none.
	tensorMap *abi.AccessClass
}

// eventFacts holds the facts of a machine's instructions.
type eventFacts struct {
	known   map[*rewrite.Func][]facts
	classes map[abi.AccessClass]*abi.AccessClass // all classes so far
	loops   abi.Loops                            // of the latest batch
}

// factsOf returns the facts of the instructions of a function.
func (m *machine) factsOf(f *rewrite.Func) []facts {
	list := m.facts.known[f]
	if list != nil {
		return list
	}
	if m.facts.known == nil {
		m.facts.known, m.facts.classes = make(map[*rewrite.Func][]facts), make(map[abi.AccessClass]*abi.AccessClass)
	}
	list = make([]facts, len(f.Insts))
	for i, number := range sites.Numbers(f) {
		if number != 0 {
			list[i] = describe(f.Insts[i], number)
			list[i].silent = !m.interest.NeedsSite(f.Insts[i])
		}
	}
	m.facts.known[f] = list
	return list
}

// fact returns the facts of an instruction.
func (x *engine) fact(in *rewrite.Inst) *facts {
	if in.Func != x.described {
		x.described, x.facts = in.Func, x.m.factsOf(in.Func)
	}
	return &x.facts[in.Index]
}

func describe(in *rewrite.Inst, number uint32) facts {
	f := facts{
		site: number, atomic: sites.AtomicOp(in), sem: in.MemorySem(), scope: in.MemoryScope(), proxy: in.Proxy(),
		fence: fenceEvent(in), scalar: scalarOf(in), endpoint: in.Endpoint() >= 0,
	}
	if f.reduces = in.Proxy() == isa.ProxyAsync && in.Has("reduce"); f.reduces {
		f.sem, f.scope = abi.SemRelaxed, cmp.Or(f.scope, abi.ScopeGPU)
	}
	b, ok := in.Barrier()
	switch {
	case !ok:
	case b.Step == isa.BarrierArrive:
		f.mode = abi.BarrierArrive
	case b.Step == isa.BarrierReduce:
		f.mode = abi.BarrierReduce
	}
	if ok && b.Of == isa.BarrierOfWarp || query.HandsOver(in) { // other operations that synchronise lanes do not order memory
		f.sem = abi.SemAcqRel
	}
	return f
}

// fenceEvent returns the kind of the event of a fence.
func fenceEvent(in *rewrite.Inst) abi.EventKind {
	switch in.TensorFence() {
	case isa.TensorBefore:
		return abi.EventTensorBefore
	case isa.TensorAfter:
		return abi.EventTensorAfter
	}
	return abi.EventFence
}

// scalarOf returns the size of the scalars of an access to a vector or to packed values, or of a strong access in bulk
// (PTX ISA, "cp.async.bulk", ".relaxed", "cp.reduce.async.bulk"), and 0 for other accesses.
func scalarOf(in *rewrite.Inst) uint32 {
	if in.Has("bulk") && !in.Has("tensor") && (in.Has("reduce") || in.Has("relaxed")) || in.Endpoint() >= 0 {
		return uint32(in.Type(0).Size())
	}
	if in.Access.Single() {
		return 0
	}
	return uint32(in.Access.Scalar)
}

// usesAsyncProxy reports whether an instruction of a module accesses memory through the asynchronous proxy.
func usesAsyncProxy(m *rewrite.Module) bool {
	type key struct{}
	return m.Memo(key{}, func() any {
		for _, in := range sites.Numbered(m) {
			if in.Proxy() == isa.ProxyAsync && in.Instr.Class != isa.ClassFence {
				return true
			}
		}
		return false
	}).(bool)
}

// accesses is called before an access of an instruction; the listener may not need it.
func (x *engine) accesses(in *rewrite.Inst, f *facts) {
	if f.accessed = true; x.interest.First != nil {
		x.interest.First(in)
	}
}

func accessOf(k isa.AccessKind) abi.AccessKind {
	switch k {
	case isa.AccessStore:
		return abi.AccessStore
	case isa.AccessAtomic, isa.AccessReduce:
		return abi.AccessRMW
	}
	return abi.AccessLoad
}

// classOf returns the class of an access to a space. Most instructions have accesses of only one kind and size to a
// space.
func (m *machine) classOf(f *facts, ac *access, space isa.Space) *abi.AccessClass {
	c := f.classes[space]
	switch size := uint32(ac.size); {
	case ac.tensorMap && ac.async != abi.Synchronous:
		if f.tensorMap == nil {
			f.tensorMap = &abi.AccessClass{
				Site: f.site, Bytes: size, Space: space, Access: abi.AccessLoad, Sem: abi.SemWeak,
				Proxy: abi.ProxyTensorMap, Wide: true,
			}
		}
		return f.tensorMap
	case c == nil || c.Bytes != size || c.Access != accessOf(ac.kind) ||
		ac.scalar != 0 && c.Scalar != uint32(ac.scalar):
		c = m.newClass(f, ac, space)
		f.classes[space] = c
	}
	return c
}

// newClass is classOf for a class that differs from that of the instruction's last access.
func (m *machine) newClass(f *facts, ac *access, space isa.Space) *abi.AccessClass {
	c := abi.AccessClass{
		Site: f.site, Bytes: uint32(ac.size), Scalar: cmp.Or(uint32(ac.scalar), f.scalar), Space: space,
		Access: accessOf(ac.kind), Atomic: f.atomic, Sem: f.sem, Scope: f.scope, Proxy: f.proxy, Wide: ac.size > 8,
		Reduces: ac.kind == isa.AccessReduce,
	}
	switch {
	case f.endpoint && space == abi.SpaceGlobal: // detectors do not follow the fences of the fabric proxy
		c.Proxy = abi.ProxyGeneric
	case f.endpoint:
		c.Sem, c.Scope, c.Scalar = abi.SemWeak, abi.ScopeNone, 0
	case f.reduces && ac.kind == isa.AccessLoad:
		c.Sem, c.Scope = abi.SemWeak, abi.ScopeNone
	}
	if m.facts.classes[c] == nil {
		m.facts.classes[c] = &c
	}
	return m.facts.classes[c]
}
