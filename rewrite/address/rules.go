package address

import (
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// rules are what the proofs that leave accesses out are made of. docs/proofs.md argues for
// each one, and TestWeakenedRules shows for each one a race that is lost when it is weaker;
// for multiple, which no two objects of the emulator lie close enough for, TestRoots does.
type rules struct {
	// roots says what an instruction of plain arithmetic makes of addresses and numbers, by
	// what it computes. Of those that are absent, the result is derived.
	roots map[isa.Calc]func(r *Roots, in *rewrite.Inst) abstract
	// derived is what is computed from values in a way that is not followed.
	derived func(from ...abstract) abstract
	// modular reports whether an instruction is plain arithmetic modulo a power of two.
	modular func(in *rewrite.Inst) bool
	// argument is what a load of a parameter, or of a part of one, brings.
	argument func(r *Roots, in *rewrite.Inst) abstract
	// memory is what a load brings from memory in which addresses, or parts of them, may lie.
	memory func(lies lying, size int) abstract
	// tables are the variables whose initial values have addresses.
	tables func(m *rewrite.Module) []*rewrite.Var
	// null is what a value is that is an address or a constant.
	null func(a abstract) abstract
	// multiple reports whether addresses of an object that are rounded down to a multiple of
	// granule bytes stay within it.
	multiple func(r Root, granule int64) bool
	// distinct reports whether two roots are of different objects in each launch.
	distinct func(launches []KernelLaunch, a, b Root) bool
	// linear reports whether an instruction with integers of t is a sum, product or
	// comparison of linear forms.
	linear func(in *rewrite.Inst, t isa.Type) bool
	// ordered is how an address with an unknown beginning compares with another value.
	ordered func(a, b Linear, c isa.Comparison) (holds, known bool)
}

var proofRules rules

func init() { proofRules = soundRules() } //nolint:gochecknoinits // the rules refer to functions that refer to them

func soundRules() rules {
	return rules{
		roots: map[isa.Calc]func(r *Roots, in *rewrite.Inst) abstract{
			isa.CalcCopy:           func(r *Roots, in *rewrite.Inst) abstract { return r.operand(in, 1) },
			isa.CalcConvertAddress: func(r *Roots, in *rewrite.Inst) abstract { return r.operand(in, 1) },
			isa.CalcConvert:        func(r *Roots, in *rewrite.Inst) abstract { return converted(r.operand(in, 1), in) },
			isa.CalcLoad:           (*Roots).loaded,
			isa.CalcAdd:            func(r *Roots, in *rewrite.Inst) abstract { return sum(r.operand(in, 1), r.operand(in, 2)) },
			isa.CalcSub:            func(r *Roots, in *rewrite.Inst) abstract { return difference(r.operand(in, 1), r.operand(in, 2)) },
			isa.CalcMul:            func(r *Roots, in *rewrite.Inst) abstract { return product(r, in) },
			isa.CalcMulAdd:         func(r *Roots, in *rewrite.Inst) abstract { return sum(product(r, in), r.operand(in, 3)) },
			isa.CalcShiftLeft: func(r *Roots, in *rewrite.Inst) abstract {
				return scaled(r.operand(in, 1), r.operand(in, 2), func(a, b int64) int64 { return a << min(uint64(b), 63) })
			},
			isa.CalcOr:      func(r *Roots, in *rewrite.Inst) abstract { return joinedBits(r.operand(in, 1), r.operand(in, 2)) },
			isa.CalcAnd:     func(r *Roots, in *rewrite.Inst) abstract { return masked(r.operand(in, 1), r.operand(in, 2)) },
			isa.CalcSelect:  func(r *Roots, in *rewrite.Inst) abstract { return meet(r.operand(in, 1), r.operand(in, 2)) },
			isa.CalcMin:     func(r *Roots, in *rewrite.Inst) abstract { return meet(r.operand(in, 1), r.operand(in, 2)) },
			isa.CalcMax:     func(r *Roots, in *rewrite.Inst) abstract { return meet(r.operand(in, 1), r.operand(in, 2)) },
			isa.CalcCompare: func(*Roots, *rewrite.Inst) abstract { return number },
		},
		derived:  derived,
		modular:  modular,
		argument: (*Roots).parameter,
		memory:   fromMemory,
		tables:   addressTables,
		null:     func(abstract) abstract { return absTop },
		multiple: withinObject,
		distinct: distinctIn,
		linear:   linearIn,
		ordered:  orderedPointers,
	}
}

// derived is a number when all that it derives from are.
func derived(from ...abstract) abstract {
	out := number
	for _, a := range from {
		switch {
		case a.kind == absNothing:
			out = abstract{}
		case !a.plain():
			return absTop
		}
	}
	return out
}

// integers are the types whose arithmetic is modulo their width, in all bits.
var integers = []isa.Type{isa.U32, isa.S32, isa.U64, isa.S64}

// untyped are the types of instructions that do not look at the sign.
var untyped = []isa.Type{isa.B32, isa.B64}

func plainInteger(t isa.Type) bool {
	return slices.Contains(integers, t) || slices.Contains(untyped, t)
}

// modular knows integers of 32 and 64 bits, without saturation, carries and upper halves.
// What is copied may be of any type that is no packed one.
func modular(in *rewrite.Inst) bool {
	const carries = isa.ReadsCarry | isa.WritesCarry
	if in.Effects()&carries != 0 || in.Has("sat") || in.Has("hi") || in.Has("satfinite") {
		return false
	}
	switch in.Instr.Calc {
	case isa.CalcConvert:
		return plainInteger(in.Type(0)) && plainInteger(in.Type(1))
	case isa.CalcSelect:
		return plainInteger(in.Type(0)) || in.Type(0).Float()
	}
	return plainInteger(in.Type(0))
}

// converted is an integer of another width. Where addresses have 32 bits, narrow ones are
// whole.
func converted(a abstract, in *rewrite.Inst) abstract {
	narrower := in.Type(0).Bits() < in.Type(1).Bits()
	if narrower && a.kind == absAddress {
		if s := a.root.Var.Space; a.root.Kind == RootVar && (s == isa.SpaceShared || s == isa.SpaceLocal) {
			return a
		}
		return proofRules.derived(a)
	}
	return a
}

// meet is what is known when a value may be either of two.
func meet(a, b abstract) abstract {
	switch {
	case a == b || b.kind == absNothing:
		return a
	case a.kind == absNothing:
		return b
	case a.kind == absAny || b.kind == absAny:
		return absTop
	case a.kind == absAddress && b.kind == absAddress:
		if a.root.base() == b.root.base() {
			return address(a.root.base())
		}
		return absTop
	case a.kind == absAddress && b == constant(0):
		return proofRules.null(a)
	case b.kind == absAddress && a == constant(0):
		return proofRules.null(b)
	case a.kind == absAddress || b.kind == absAddress:
		return absTop
	}
	return number
}

// sum is a + b.
func sum(a, b abstract) abstract {
	if a.kind == absConst || b.kind == absAddress {
		a, b = b, a
	}
	switch {
	case a.kind == absNothing || b.kind == absNothing:
		return abstract{}
	case b.kind == absConst && (a.kind == absConst || a.kind == absAddress && a.root.Exact):
		a.root.Off += b.root.Off
		return a
	case a.kind == absAddress && b.plain():
		return address(a.root.base())
	}
	return derived(a, b)
}

// difference is a - b: of two addresses with one root a number.
func difference(a, b abstract) abstract {
	switch {
	case a.kind == absAddress && b.kind == absAddress && a.root.base() == b.root.base():
		return number
	case b.kind == absConst:
		return sum(a, constant(-b.root.Off))
	case b.kind == absAddress:
		return proofRules.derived(a, b)
	}
	return sum(a, b)
}

// product is the first two sources multiplied.
func product(r *Roots, in *rewrite.Inst) abstract {
	return scaled(r.operand(in, 1), r.operand(in, 2), func(a, b int64) int64 { return a * b })
}

// scaled is a product or shift, a number when both sources are.
func scaled(a, b abstract, op func(a, b int64) int64) abstract {
	if a.kind == absConst && b.kind == absConst {
		return constant(op(a.root.Off, b.root.Off))
	}
	return proofRules.derived(a, b)
}

// joinedBits is a | b, which compilers use to add what cannot carry: it is at least a, and
// at most a + b.
func joinedBits(a, b abstract) abstract {
	switch {
	case a.kind == absConst && b.kind == absConst:
		return constant(a.root.Off | b.root.Off)
	case a.kind == absAddress && b.plain():
		return address(a.root.base())
	case b.kind == absAddress && a.plain():
		return address(b.root.base())
	}
	return proofRules.derived(a, b)
}

// masked is a & b: an address that is rounded down to a multiple of a power of two may stay
// in its object.
func masked(a, b abstract) abstract {
	if a.kind == absConst {
		a, b = b, a
	}
	switch {
	case a.kind == absConst && b.kind == absConst:
		return constant(a.root.Off & b.root.Off)
	case a.kind == absAddress && b.kind == absConst && b.root.Off < 0 && b.root.Off&-b.root.Off == -b.root.Off && proofRules.multiple(a.root, -b.root.Off):
		return address(a.root.base())
	}
	return proofRules.derived(a, b)
}

// allocated is the alignment of what the host allocates (CUDA C++ Programming Guide,
// "Device Memory Accesses": at least 256 bytes).
const allocated = 256

// withinObject knows that objects begin at multiples of their alignment.
func withinObject(r Root, granule int64) bool {
	if r.Kind == RootParam {
		return r.Var.Func.Entry && granule <= allocated
	}
	return granule <= int64(r.Var.Align)
}
