// What is known of the events of an instruction before it is executed, and the classes of its accesses.

package events

import (
	"cmp"

	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/internal/sites"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/rewrite/query"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// FactsOf returns the facts of the instructions of a function.
func FactsOf(m *state.Machine, f *rewrite.Func) []state.Facts {
	list := m.Facts.Known[f]
	if list != nil {
		return list
	}
	if m.Facts.Known == nil {
		m.Facts.Known, m.Facts.Classes = make(map[*rewrite.Func][]state.Facts),
			make(map[abi.AccessClass]*abi.AccessClass)
	}
	list = make([]state.Facts, len(f.Insts))
	for i, number := range sites.Numbers(f) {
		if number != 0 {
			list[i] = describe(f.Insts[i], number)
			list[i].Silent = !m.Interest.NeedsSite(f.Insts[i])
		}
	}
	m.Facts.Known[f] = list
	return list
}

// fact returns the facts of an instruction.
func fact(x *state.Engine, in *rewrite.Inst) *state.Facts {
	if in.Func != x.Described {
		x.Described, x.Facts = in.Func, FactsOf(x.M, in.Func)
	}
	return &x.Facts[in.Index]
}

func describe(in *rewrite.Inst, number uint32) state.Facts {
	f := state.Facts{
		Site: number, Atomic: sites.AtomicOp(in), Sem: in.MemorySem(), Scope: in.MemoryScope(), Proxy: in.Proxy(),
		Fence: fenceEvent(in), Scalar: scalarOf(in), Endpoint: in.Endpoint() >= 0,
	}
	if f.Reduces = in.Proxy() == isa.ProxyAsync && in.Has("reduce"); f.Reduces {
		f.Sem, f.Scope = abi.SemRelaxed, cmp.Or(f.Scope, abi.ScopeGPU)
	}
	b, ok := in.Barrier()
	switch {
	case !ok:
	case b.Step == isa.BarrierArrive:
		f.Mode = abi.BarrierArrive
	case b.Step == isa.BarrierReduce:
		f.Mode = abi.BarrierReduce
	}
	if ok && b.Of == isa.BarrierOfWarp || query.HandsOver(in) { // other operations that synchronise lanes do not order memory
		f.Sem = abi.SemAcqRel
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
func accesses(x *state.Engine, in *rewrite.Inst, f *state.Facts) {
	if f.Accessed = true; x.Interest.First != nil {
		x.Interest.First(in)
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
func classOf(m *state.Machine, f *state.Facts, ac *state.Access, space isa.Space) *abi.AccessClass {
	c := f.Classes[space]
	switch size := uint32(ac.Size); {
	case ac.TensorMap && ac.Async != abi.Synchronous:
		if f.TensorMap == nil {
			f.TensorMap = &abi.AccessClass{
				Site: f.Site, Bytes: size, Space: space, Access: abi.AccessLoad, Sem: abi.SemWeak,
				Proxy: abi.ProxyTensorMap, Wide: true,
			}
		}
		return f.TensorMap
	case c == nil || c.Bytes != size || c.Access != accessOf(ac.Kind) ||
		ac.Scalar != 0 && c.Scalar != uint32(ac.Scalar) || c.Piece != pieceOf(ac):
		c = newClassOf(m, f, ac, space)
		f.Classes[space] = c
	}
	return c
}

// pieceOf returns abi.AccessClass.Piece.
func pieceOf(ac *state.Access) uint32 {
	if ac.Piece >= ac.Size {
		return 0
	}
	return uint32(ac.Piece)
}

// newClassOf is classOf for a class that differs from that of the instruction's last access.
func newClassOf(m *state.Machine, f *state.Facts, ac *state.Access, space isa.Space) *abi.AccessClass {
	c := abi.AccessClass{
		Site: f.Site, Bytes: uint32(ac.Size), Scalar: cmp.Or(uint32(ac.Scalar), f.Scalar), Piece: pieceOf(ac), Space: space,
		Access: accessOf(ac.Kind), Atomic: f.Atomic, Sem: f.Sem, Scope: f.Scope, Proxy: f.Proxy, Wide: ac.Size > 8,
		Reduces: ac.Kind == isa.AccessReduce,
	}
	switch {
	case f.Endpoint && space == abi.SpaceGlobal: // detectors do not follow the fences of the fabric proxy
		c.Proxy = abi.ProxyGeneric
	case f.Endpoint:
		c.Sem, c.Scope, c.Scalar = abi.SemWeak, abi.ScopeNone, 0
	case f.Reduces && ac.Kind == isa.AccessLoad:
		c.Sem, c.Scope = abi.SemWeak, abi.ScopeNone
	}
	if m.Facts.Classes[c] == nil {
		m.Facts.Classes[c] = &c
	}
	return m.Facts.Classes[c]
}
