// Package asyncregs finds the instructions of a function that may access the registers of an asynchronous operation
// while it is in flight, and the products of wgmma that may miss a wgmma.fence.
//
// It must not know how instructions execute: what it finds holds for some path of the control-flow graph, which no
// thread may take.
package asyncregs

import (
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// The manual's rules (PTX ISA, "tcgen05.wait", "wgmma.wait_group", "wgmma.fence"):
//
//   - The registers that tcgen05.ld loads have their values after tcgen05.wait::ld.
//   - Accessing the accumulator of a wgmma.mma_async, or the registers with fragments of its matrix A, before a wgmma.wait_group
//     has waited for its group is undefined. Other products may use the accumulator. Reading a fragment is not taken for an
//     access: the product only reads it too, and compilers move such reads.
//   - wgmma.fence must be before the first wgmma.mma_async of a warpgroup, and between an access to a register and a
//     wgmma.mma_async that accesses it too, except for accumulators of several wgmma.mma_async of one shape. Two reads of a
//     fragment need no order.
//
// A mov is no access: compilers set and rename accumulators by mov behind the fence and before the wait. Its
// destination stands for its source instead.

// Suspect is what an instruction may do wrong.
type Suspect struct {
	Early    []*rewrite.Reg // registers of operations in flight that it accesses
	Unfenced []*rewrite.Reg // of a product: registers that were accessed after the latest fence
	First    bool           // a product without any fence before it
}

// Flow is the result for a function.
type Flow struct {
	suspects map[int]*Suspect // by index of the instruction
	unfenced map[*rewrite.Reg]bool
	followed []int32 // analysis.of
}

type flowKey struct{}

// Of returns the result for a function, nil if nothing in it is suspect.
func Of(f *rewrite.Func) *Flow {
	return f.Memo(flowKey{}, func() any { return analyse(f) }).(*Flow)
}

// At returns what an instruction may do wrong, nil for nothing.
func (f *Flow) At(in *rewrite.Inst) *Suspect {
	if f == nil {
		return nil
	}
	return f.suspects[in.Index]
}

// Copies reports whether an instruction copies a register that may be the result or operand of an asynchronous
// operation.
func (f *Flow) Copies(in *rewrite.Inst) (found bool) {
	if f != nil && Moves(in) {
		in.Defs(func(r *rewrite.Reg) { found = found || f.followed[r.Index] >= 0 })
	}
	return found
}

// Accesses returns the registers that an instruction accesses and that a fence may be missing for.
func (f *Flow) Accesses(in *rewrite.Inst) (regs []*rewrite.Reg) {
	if f == nil || len(f.unfenced) == 0 || Moves(in) || Product(in) {
		return nil
	}
	each := func(r *rewrite.Reg) {
		if f.unfenced[r] && !slices.Contains(regs, r) {
			regs = append(regs, r)
		}
	}
	in.Uses(each)
	in.Defs(each)
	return regs
}

// Product reports whether an instruction is a wgmma.mma_async.
func Product(in *rewrite.Inst) bool { return in.Wgmma() && in.Has("mma_async") }

// Load reports whether an instruction is a tcgen05.ld.
func Load(in *rewrite.Inst) bool { return in.Tcgen05() && in.Has("ld") }

// Moves reports whether an instruction only copies bits of its sources.
func Moves(in *rewrite.Inst) bool { return in.Instr.Calc == isa.CalcCopy }

// Fragments calls each for the registers with fragments of the matrix A of a product; a descriptor is none.
func Fragments(in *rewrite.Inst, each func(*rewrite.Reg)) {
	if a := &in.Operands[1]; len(a.Elems) > 0 {
		for i := range a.Elems {
			a.Elems[i].EachReg(each)
		}
	}
}

// state is what may hold of a register at a place.
type state struct {
	accumulator uint8 // in flight as accumulator: 1 + the least number of groups committed since; 0 if not
	fragment    uint8 // the same as a fragment of A
	loaded      bool  // in flight as the result of a tcgen05.ld
	read        bool  // since the latest fence, and not by a product
	written     bool
	shape       uint8 // of the products that have accessed it as accumulator since the latest fence: an index, 0 for none
}

// manyShapes stands for several shapes.
const manyShapes = 255

// maxBehind bounds the count of groups.
const maxBehind = 64

func (s *state) join(t state) {
	nearer := func(a, b uint8) uint8 {
		if a == 0 || b == 0 {
			return a | b
		}
		return min(a, b)
	}
	s.accumulator, s.fragment = nearer(s.accumulator, t.accumulator), nearer(s.fragment, t.fragment)
	s.loaded, s.read, s.written = s.loaded || t.loaded, s.read || t.read, s.written || t.written
	if t.shape != 0 && t.shape != s.shape {
		if s.shape == 0 {
			s.shape = t.shape
		} else {
			s.shape = manyShapes
		}
	}
}
