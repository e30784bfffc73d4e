// The table of the rules that the proofs rely on, and the transfer functions of the roots analysis.

package address

import (
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// rules are the assumptions that exemptions rest on. docs/proofs.md argues that each is sound.
// TestWeakenedRules shows for each a race that is lost when the rule is weaker, except for
// multiple: no two objects of the emulator are close enough together, so TestRoots covers it.
type rules struct {
	// roots holds the transfer functions of modular arithmetic, by what an instruction
	// computes. The result of an instruction without one is derived.
	roots map[isa.Calc]func(r *Roots, in *rewrite.Inst) abstract
	// derived is the result of an instruction without a transfer function.
	derived func(from ...abstract) abstract
	// modular reports whether an instruction is plain arithmetic modulo a power of two.
	modular func(in *rewrite.Inst) bool
	// argument is the value of a load of a parameter, or of a part of one.
	argument func(r *Roots, in *rewrite.Inst) abstract
	// memory is the value of a load from memory that may contain addresses or parts of them.
	memory func(lies addressContents, size int) abstract
	// tables returns the variables whose initial values contain addresses.
	tables func(m *rewrite.Module) []*rewrite.Var
	// null is the meet of an address and the constant 0.
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
	// uniform is what an instruction writes if it is a number that is the same in all threads.
	uniform func(l *LinearAddresses, in *rewrite.Inst, bits int) linear
	// passed is the guards that the threads of two accesses have passed.
	passed func(a, b guards) guards
	// indices reports whether the indices of different threads or blocks differ.
	indices func(p *Footprint, what Separates, launch LaunchValues) bool
}

// proofRules are the rules in use. Only tests replace them.
var proofRules rules

func init() { proofRules = soundRules() } //nolint:gochecknoinits // the rules refer to functions that refer to them

// soundRules returns the rules that docs/proofs.md argues for.
func soundRules() rules {
	return rules{
		roots: map[isa.Calc]func(r *Roots, in *rewrite.Inst) abstract{
			isa.CalcCopy:           func(r *Roots, in *rewrite.Inst) abstract { return r.operand(in, 1) },
			isa.CalcConvertAddress: func(r *Roots, in *rewrite.Inst) abstract { return generic(r.operand(in, 1), in) },
			isa.CalcConvert: func(r *Roots, in *rewrite.Inst) abstract {
				return converted(r.operand(in, 1),
					in)
			},
			isa.CalcLoad: (*Roots).loaded,
			isa.CalcAdd: func(r *Roots, in *rewrite.Inst) abstract {
				return sum(r.operand(in, 1),
					r.operand(in, 2))
			},
			isa.CalcSub: func(r *Roots, in *rewrite.Inst) abstract {
				return difference(r.operand(in, 1),
					r.operand(in, 2))
			},
			isa.CalcMul: func(r *Roots, in *rewrite.Inst) abstract { return product(r, in) },
			isa.CalcMulAdd: func(r *Roots, in *rewrite.Inst) abstract {
				return sum(product(r, in),
					r.operand(in, 3))
			},
			isa.CalcShiftLeft: func(r *Roots, in *rewrite.Inst) abstract {
				return scaled(r.operand(in, 1), r.operand(in, 2),
					func(a, b int64) int64 { return a << min(uint64(b), 63) })
			},
			isa.CalcOr: func(r *Roots, in *rewrite.Inst) abstract {
				return joinedBits(r.operand(in, 1),
					r.operand(in, 2))
			},
			isa.CalcAnd: func(r *Roots, in *rewrite.Inst) abstract {
				return masked(r.operand(in, 1),
					r.operand(in, 2))
			},
			isa.CalcSelect: func(r *Roots, in *rewrite.Inst) abstract {
				return meet(r.operand(in, 1),
					r.operand(in, 2))
			},
			isa.CalcMin: func(r *Roots, in *rewrite.Inst) abstract {
				return meet(r.operand(in, 1),
					r.operand(in, 2))
			},
			isa.CalcMax: func(r *Roots, in *rewrite.Inst) abstract {
				return meet(r.operand(in, 1),
					r.operand(in, 2))
			},
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
		uniform:  uniformResult,
		passed:   func(a, b guards) guards { return a & b },
		indices:  (*Footprint).Separate,
	}
}

// derived returns a number when all inputs are, else anything.
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

// untyped are the integer types of instructions that ignore the sign.
var untyped = []isa.Type{isa.B32, isa.B64}

func plainInteger(t isa.Type) bool {
	return slices.Contains(integers, t) || slices.Contains(untyped, t)
}

// modular accepts arithmetic on integers of 32 and 64 bits without saturation, carries and
// upper halves. A copy may be of any type that is not packed.
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

// generic returns the result of a conversion of an address to a generic one, or back. A generic address in shared,
// local or constant memory has a root only if the root says that it is there: a pointer in a parameter is otherwise one
// to global memory (Root.space).
func generic(a abstract, in *rewrite.Inst) abstract {
	s := in.Space
	if a.kind == absAddress && !in.Has("to") && (s == isa.SpaceShared || s == isa.SpaceLocal || s == isa.SpaceConst) &&
		a.root.space(in.Func) != s {
		return absTop
	}
	return a
}

// converted returns the result of an integer conversion. Addresses of shared and local memory fit
// into 32 bits, so narrowing keeps them whole.
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

// meet returns the meet of two lattice elements: a value that may be either.
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

// sum returns a + b.
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

// difference returns a - b. The difference of two addresses with one root is a number.
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

// product returns the product of the first two sources.
func product(r *Roots, in *rewrite.Inst) abstract {
	return scaled(r.operand(in, 1), r.operand(in, 2), func(a, b int64) int64 { return a * b })
}

// scaled returns a product or shift, a number when both sources are.
func scaled(a, b abstract, op func(a, b int64) int64) abstract {
	if a.kind == absConst && b.kind == absConst {
		return constant(op(a.root.Off, b.root.Off))
	}
	return proofRules.derived(a, b)
}

// joinedBits returns a | b. Compilers use it for additions without carries; in any case the result
// is at least a and at most a + b.
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

// masked returns a & b. An address that is rounded down to a multiple of a power of two stays in its
// object if the object is aligned accordingly.
func masked(a, b abstract) abstract {
	if a.kind == absConst {
		a, b = b, a
	}
	switch {
	case a.kind == absConst && b.kind == absConst:
		return constant(a.root.Off & b.root.Off)
	case a.kind == absAddress && b.kind == absConst && b.root.Off < 0 && b.root.Off&-b.root.Off == -b.root.Off &&
		proofRules.multiple(a.root, -b.root.Off):
		return address(a.root.base())
	}
	return proofRules.derived(a, b)
}

// allocated is the alignment in bytes of memory that the host allocates (CUDA C++ Programming
// Guide, "Device Memory Accesses": at least 256 bytes).
const allocated = 256

// withinObject relies on objects beginning at multiples of their alignment.
func withinObject(r Root, granule int64) bool {
	if r.Kind == RootParam {
		return r.Var.Func.Entry && granule <= allocated
	}
	return granule <= int64(r.Var.Align)
}
