// Package commute finds the atomic operations of a kernel that may be applied in any order, and applies the sum of many
// at once. It does not depend on how blocks are executed.
//
// Blocks that only add to a common counter are independent: sums modulo a power of two are the same in any order.
// Minimum, maximum, and, or are commutative as well, but whether one of them changes memory depends on the earlier
// ones, and the emulator counts changes. Floating-point sums depend on the order.
package commute

import (
	"unsafe"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Op is an operation on the words of a buffer that may be applied in any order; the zero value is none.
type Op struct {
	name string // add or xor
	size uint64 // bytes of a word: 4 or 8
}

// OpsOf returns the commutative operations of f by the index of the instruction: atomic additions and exclusive ors of
// integers in device memory, if no instruction reads the register with the old value. For any other instruction, the
// element is the zero Op. found reports whether any element is not zero.
func OpsOf(f *rewrite.Func) (ops []Op, found bool) {
	ops = make([]Op, len(f.Insts))
	for i, in := range f.Insts {
		ops[i] = opOf(in)
		found = found || ops[i] != Op{}
	}
	if !found {
		return ops, false
	}
	used := map[*rewrite.Reg]bool{}
	for _, in := range f.Insts {
		in.Uses(func(r *rewrite.Reg) { used[r] = true })
	}
	for i, in := range f.Insts {
		in.Defs(func(r *rewrite.Reg) {
			if used[r] {
				ops[i] = Op{}
			}
		})
	}
	return ops, true
}

// opOf returns the operation of an instruction, provided that no instruction reads its result.
func opOf(in *rewrite.Inst) Op {
	device := in.Access.Space == isa.SpaceGlobal || in.Access.Space == isa.SpaceNone
	if in.Instr.Class != isa.ClassAtomic || in.Has("async") || !device {
		return Op{}
	}
	value := in.Decoded.Operands[in.Access.Addr+1]
	switch value.Type {
	case isa.U32, isa.S32, isa.B32, isa.U64, isa.S64, isa.B64:
	default:
		return Op{}
	}
	if name := in.Access.AtomOp; value.Vec <= 1 && (name == "add" || name == "xor") {
		return Op{name, uint64(value.Type.Size())}
	}
	return Op{}
}

// Merge applies the operation to each word of to, with the word of from at the same offset. Both have the same length
// and are aligned to 8 bytes; bytes after the last whole word are unchanged.
func (o Op) Merge(to, from []byte) {
	if o.size == 8 {
		merge[uint64](o.name, to, from)
	} else {
		merge[uint32](o.name, to, from)
	}
}

func merge[T uint32 | uint64](name string, to, from []byte) {
	n := len(to) / int(unsafe.Sizeof(T(0)))
	sum, v := unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(to))), n),
		unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(from))), n)
	for i := range v {
		if name == "xor" {
			sum[i] ^= v[i]
		} else {
			sum[i] += v[i]
		}
	}
}
