package emu

import (
	"slices"
	"sync"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	addresses "github.com/ptxsan/ptxsan/rewrite/address"
)

// Blocks that count in common do not see each other as long as nobody looks at the
// count: sums modulo a power of two are the same in any order. So blocks stay
// independent when atomic operations of device memory are additions or exclusive ors of
// integers whose result nobody uses, and nothing else touches the allocation, with
// another operation or width least of all. Every worker adds to a copy of its own, which
// starts as zero and is added to the memory in the end. Whether an operation changes
// anything depends on its operand alone, so that progress is the same for any number of
// workers.
//
// Minimum, maximum, and, or are commutative as well, but change memory or do not,
// depending on what others have done. Floating-point sums depend on the order.

// commutativeOp is an operation that may be applied in any order; the zero value is none.
type commutativeOp struct {
	op   string // add or xor
	size uint64
}

// talliesOf are the tallies among the instructions of f, by index; any says that
// there are some.
func talliesOf(f *rewrite.Func) (out []commutativeOp, any bool) {
	out = make([]commutativeOp, len(f.Insts))
	for i, in := range f.Insts {
		out[i] = tallyOf(in)
		any = any || out[i] != commutativeOp{}
	}
	if !any {
		return out, false
	}
	used := map[*rewrite.Reg]bool{}
	for _, in := range f.Insts {
		in.Uses(func(r *rewrite.Reg) { used[r] = true })
	}
	for i, in := range f.Insts {
		in.Defs(func(r *rewrite.Reg) {
			if used[r] {
				out[i] = commutativeOp{}
			}
		})
	}
	return out, true
}

// tallyOf is what an instruction does if nobody uses its result.
func tallyOf(in *rewrite.Inst) commutativeOp {
	if in.Instr.Class != isa.ClassAtomic || in.Has("async") || privateSpace(in.Access.Space) {
		return commutativeOp{}
	}
	value := in.Decoded.Operands[in.Access.Addr+1]
	switch value.Type {
	case isa.U32, isa.S32, isa.B32, isa.U64, isa.S64, isa.B64:
	default:
		return commutativeOp{}
	}
	if op := in.Access.AtomOp; value.Vec <= 1 && (op == "add" || op == "xor") {
		return commutativeOp{op, uint64(value.Type.Size())}
	}
	return commutativeOp{}
}

// claims are who touches which allocation, among those of which that is not known
// beforehand: the first one decides.
type claims struct {
	mu     sync.RWMutex
	of     map[*gmem.Allocation]commutativeOp // the zero value is loads
	limit  uint64                             // bytes of an allocation that copies are made of
	counts bool                               // the kernel has tallies
}

// claim reports whether accesses of kind r may touch a.
func (c *claims) claim(r commutativeOp, a *gmem.Allocation) bool {
	if !c.counts {
		return true
	}
	c.mu.RLock()
	was, ok := c.of[a]
	c.mu.RUnlock()
	if !ok {
		c.mu.Lock()
		defer c.mu.Unlock()
		if was, ok = c.of[a]; !ok {
			was = r
			c.of[a] = r
		}
	}
	return was == r && (r == commutativeOp{} || a.Size <= c.limit)
}

// own is the worker's copy of what tallies add to a.
func (m *Machine) own(r commutativeOp, a *gmem.Allocation) []byte {
	s := m.sums[a]
	if s == nil {
		words := make([]uint64, a.Size/8+1)
		s = &ownSum{r, unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), a.Size)}
		if m.sums == nil {
			m.sums = map[*gmem.Allocation]*ownSum{}
		}
		m.sums[a] = s
	}
	return s.data
}

// ownSum is what one worker has added to an allocation.
type ownSum struct {
	commutativeOp
	data []byte
}

// settle adds the worker's sums to the memory.
func (m *Machine) settle() {
	for a, s := range m.sums {
		if s.size == 8 {
			combine[uint64](s.op, a.Data, s.data)
		} else {
			combine[uint32](s.op, a.Data, s.data)
		}
	}
	m.sums = nil
}

// combine adds the words of from to those of to.
func combine[T uint32 | uint64](op string, to, from []byte) {
	n := len(to) / int(unsafe.Sizeof(T(0)))
	sum, v := unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(to))), n), unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(from))), n)
	for i := range v {
		if op == "xor" {
			sum[i] ^= v[i]
		} else {
			sum[i] += v[i]
		}
	}
}

// foresee claims for tallies and loads what their addresses are made from. It reports
// false when blocks would see each other there: then there is no use in trying.
func (p *independence) foresee(m *Machine, l *launch) bool {
	if !p.counts {
		return true
	}
	values, roots := m.launchValues(l), addresses.RootsOf(l.kernel.src)
	for i, in := range l.kernel.src.Insts {
		if in.Access.Kind == isa.AccessNone || privateSpace(in.Access.Space) || p.apart[i] {
			continue
		}
		a := m.rooted(values, roots.Address(in, in.Access.Addr))
		if a != nil && (slices.Contains(p.written, a) || !p.claim(p.tallies[i], a)) {
			return false
		}
	}
	return true
}

// rooted is the live allocation that an address was made from, nil when it is not known.
func (m *Machine) rooted(values addresses.LaunchValues, r addresses.Root) *gmem.Allocation {
	const pointer = 8
	addr, ok := uint64(0), false
	switch r.Kind {
	case addresses.RootParam:
		var v addresses.ParamValue
		v, ok = values.Param(r.Var, r.At, pointer)
		addr = v.Number
	case addresses.RootVar:
		addr, ok = values.Address(r.Var)
	}
	if !ok {
		return nil
	}
	if a := m.mem.Find(addr); a != nil && !a.Freed() {
		return a
	}
	return nil
}
