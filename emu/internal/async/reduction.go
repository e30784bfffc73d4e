// Operators of reductions in memory.

package async

import (
	"github.com/ptxsan/ptxsan/emu/internal/num"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// AtomicOp computes the new value at an address from the old one and the operands.
type AtomicOp[T Stored] func(old, b, c T) T

// WordAtomicOp returns an operation of atom and red on words, nil for none.
func WordAtomicOp[T Stored](op string) AtomicOp[T] {
	switch op {
	case "add":
		return func(old, b, _ T) T { return old + b }
	case "and":
		return func(old, b, _ T) T { return old & b }
	case "or":
		return func(old, b, _ T) T { return old | b }
	case "xor":
		return func(old, b, _ T) T { return old ^ b }
	case "exch":
		return func(_, b, _ T) T { return b }
	case "min":
		return func(old, b, _ T) T { return min(old, b) }
	case "max":
		return func(old, b, _ T) T { return max(old, b) }
	case "cas":
		return func(old, b, c T) T { return Pick(old == b, c, old) }
	case "inc":
		return func(old, b, _ T) T { return Pick(old >= b, 0, old+1) }
	case "dec":
		return func(old, b, _ T) T { return Pick(old == 0 || old > b, b, old-1) }
	}
	return nil
}

// HalfAtomic returns the operation on one f16 or bf16, which keeps subnormals.
func HalfAtomic(op string, t isa.Type) func(old, b uint32) uint32 {
	f := HalfFormat(t)
	switch op {
	case "add":
		return func(old, b uint32) uint32 { return f.Add(old, b, num.Mode{}) }
	case "min", "max":
		mm := num.MinMax{Max: op == "max"}
		return func(old, b uint32) uint32 { return uint32(mm.Select(f, uint64(old), uint64(b))) }
	}
	return nil
}

// elementOp is the operation on one element of a vector, or on 128 bits.
type elementOp func(old, b, c [2]uint64) [2]uint64

// VectorAtomicOp returns an operation on elements of vectors or on 128 bits, nil for none.
func VectorAtomicOp(op string, t isa.Type) elementOp {
	switch {
	case t.Bits() == 128 && op == "exch":
		return func(_, b, _ [2]uint64) [2]uint64 { return b }
	case t.Bits() == 128 && op == "cas":
		return func(old, b, c [2]uint64) [2]uint64 { return Pick(old == b, c, old) }
	case t == isa.F32 && op == "add":
		return func(old, b, _ [2]uint64) [2]uint64 {
			return [2]uint64{uint64(num.AddF32(uint32(old[0]), uint32(b[0]), num.Mode{Ftz: true}))}
		}
	case HalfFormat(t) == nil:
		return nil
	}
	fn := HalfAtomic(op, t)
	if fn == nil {
		return nil
	}
	return func(old, b, _ [2]uint64) [2]uint64 {
		if t.Lanes() == 2 {
			return [2]uint64{uint64(num.Pair(uint32(old[0]), uint32(b[0]), fn))}
		}
		return [2]uint64{uint64(fn(uint32(old[0]), uint32(b[0])))}
	}
}

// Pick returns a if c holds, else b.
func Pick[T any](c bool, a, b T) T {
	if c {
		return a
	}
	return b
}

// Half precision: f16, bf16 and their packed pairs (PTX ISA, "Half Precision Floating Point Instructions"). The opcodes
// are those above; packed types apply the operation to both halves.

// HalfFormat returns the format of a 16-bit floating-point type or of the halves of a packed one, nil for other types.
func HalfFormat(t isa.Type) *num.Format {
	switch t {
	case isa.F16, isa.F16x2:
		return num.F16
	case isa.BF16, isa.BF16x2:
		return num.BF16
	}
	return nil
}

// Stored is an integer type in memory.
type Stored interface {
	~uint8 | ~int8 | ~uint16 | ~int16 | ~uint32 | ~int32 | ~uint64 | ~int64
}
