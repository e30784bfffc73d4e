package rewrite

import (
	"fmt"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// RootKind says what an address was made from.
type RootKind uint8

// Kinds of roots.
const (
	RootUnknown  RootKind = iota // memory, a call, several roots
	RootVar                      // the address of Var
	RootParam                    // a pointer in parameter Var, At bytes into it
	RootAbsolute                 // a constant
)

// Root is where an address comes from: everything that was added to it since is a
// number, not an address.
type Root struct {
	Kind  RootKind
	Var   *Var  // variable or parameter
	At    int64 // of a parameter: offset of the pointer inside it
	Off   int64 // bytes added, when Exact
	Exact bool  // Off is known; else anything may have been added
}

// String is like "p", "p+8", "p[16]+?".
func (r Root) String() string {
	s := "unknown"
	switch r.Kind {
	case RootUnknown:
		return s
	case RootAbsolute:
		return fmt.Sprintf("%#x", uint64(r.Off))
	case RootVar:
		s = "&" + r.Var.Name
	case RootParam:
		s = r.Var.Name
		if r.At != 0 {
			s += fmt.Sprintf("[%d]", r.At)
		}
	}
	switch {
	case !r.Exact:
		s += "+?"
	case r.Off != 0:
		s += fmt.Sprintf("%+d", r.Off)
	}
	return s
}

// Roots says which variable or parameter each address of a function comes from.
//
// What is loaded from memory, returned by a call or put together from parts may be
// any address when it is as wide as one. A number that is narrower, or scaled (mul,
// shl, ...), is taken for an index: it changes the offset and not the root.
type Roots struct {
	f    *Func
	v    *values
	vals []abstract
}

// abstract is what is known of a value.
type abstract struct {
	kind abstractKind
	root Root // of an address; a constant is in root.Off
}

type abstractKind uint8

const (
	absNothing abstractKind = iota // no path brings a value here, as far as is known
	absConst
	absNumber  // no address
	absAddress // root, of kind RootVar or RootParam
	absAny
)

var (
	absTop = abstract{kind: absAny}
	number = abstract{kind: absNumber}
)

func constant(v int64) abstract { return abstract{kind: absConst, root: Root{Off: v}} }

func address(r Root) abstract { return abstract{kind: absAddress, root: r} }

// Roots returns the roots of f's addresses, computed on first use.
func (f *Func) Roots() *Roots {
	return f.roots.get(func() *Roots { return newRoots(f) })
}

func newRoots(f *Func) *Roots {
	r := &Roots{f: f, v: f.values()}
	r.vals = make([]abstract, len(r.v.list))
	for changed := true; changed; {
		changed = false
		for _, i := range r.v.order {
			if n := meet(r.vals[i], r.eval(&r.v.list[i])); n != r.vals[i] {
				r.vals[i], changed = n, true
			}
		}
	}
	return r
}

// Reg is the root of what in reads from r.
func (r *Roots) Reg(in *Inst, reg *Reg) Root {
	if v := r.v.use(in, reg); v != none {
		return r.vals[v].public()
	}
	return Root{}
}

// Address is the root of the effective address of in's n-th operand.
func (r *Roots) Address(in *Inst, n int) Root {
	if n >= len(in.Operands) || in.Operands[n].Kind != OperandAddr {
		return Root{}
	}
	return r.effective(in, &in.Operands[n]).public()
}

func (a abstract) public() Root {
	switch a.kind {
	case absAddress:
		return a.root
	case absConst:
		return Root{Kind: RootAbsolute, Off: a.root.Off, Exact: true}
	}
	return Root{}
}

// effective is base + offset of an address operand.
func (r *Roots) effective(in *Inst, o *Operand) abstract {
	switch v := o.Sym.(type) {
	case *Var:
		return address(Root{Kind: RootVar, Var: v, Off: o.Off, Exact: true})
	case nil:
		if o.Reg == nil {
			return constant(o.Off)
		}
		return sum(r.reg(in, o), constant(o.Off))
	}
	return absTop
}

// reg is what a register operand holds.
func (r *Roots) reg(in *Inst, o *Operand) abstract {
	if o.Member != "" {
		return absTop
	}
	if v := r.v.use(in, o.Reg); v != none {
		return r.vals[v]
	}
	return absTop
}

// operand is what a source operand is worth.
func (r *Roots) operand(in *Inst, n int) abstract {
	if n >= len(in.Operands) {
		return absTop
	}
	switch o := &in.Operands[n]; o.Kind {
	case OperandReg:
		return r.reg(in, o)
	case OperandImm:
		if o.Float {
			return number
		}
		return constant(int64(o.Imm))
	case OperandSpecial:
		return number
	case OperandSymbol:
		if v, ok := o.Sym.(*Var); ok {
			return address(Root{Kind: RootVar, Var: v, Off: o.Off, Exact: true})
		}
	}
	return absTop
}

// eval evaluates a value from those it depends on.
func (r *Roots) eval(v *value) abstract {
	var a abstract
	switch v.kind {
	case valueEntry:
		return absTop
	case valueDef:
		a = r.result(v)
		if a.kind == absConst && v.reg.Type.Bits() <= 32 && (a.root.Off < 0 || a.root.Off >= 1<<31) {
			a = number // its upper bits depend on how it is widened
		}
	}
	v.inputs(func(i int32) { a = meet(a, r.vals[i]) })
	return a
}

// result is what an instruction writes to a register.
func (r *Roots) result(v *value) abstract {
	in := v.inst
	wide := v.reg.Type.Bits() >= r.f.Module.AST.AddressSize
	if in.Type(0).Float() || in.Type(1).Float() {
		return number
	}
	if len(in.Operands) == 0 || in.Operands[0].Kind != OperandReg || v.reg.Vec > 1 {
		return unknown(wide)
	}
	src := func(n int) abstract { return r.operand(in, n) }
	if in.Has("hi") {
		return number
	}
	if in.Effects().Has(isa.ReadsCarry) {
		return unknown(wide)
	}
	switch in.Instr.Calc {
	case isa.CalcCopy, isa.CalcConvertAddress, isa.CalcConvert:
		return moved(src(1), wide)
	case isa.CalcLoad:
		return r.loaded(in, wide)
	case isa.CalcAdd:
		return sum(src(1), src(2))
	case isa.CalcSub:
		return difference(src(1), src(2))
	case isa.CalcMulAdd:
		return sum(scaled(src(1), src(2), times), src(3))
	case isa.CalcMul:
		return scaled(src(1), src(2), times)
	case isa.CalcShiftLeft:
		return scaled(src(1), src(2), func(a, b int64) int64 { return a << min(uint64(b), 63) })
	case isa.CalcOr:
		return joinedBits(src(1), src(2))
	case isa.CalcAnd:
		return masked(src(1), src(2))
	case isa.CalcSelect, isa.CalcMin, isa.CalcMax:
		return meet(src(1), src(2))
	case isa.CalcNumber:
		return number
	}
	return unknown(wide)
}

func times(a, b int64) int64 { return a * b }

// unknown is a result that nothing is known of.
func unknown(wide bool) abstract {
	if wide {
		return absTop
	}
	return number
}

// moved is a copy, perhaps to another width.
func moved(a abstract, wide bool) abstract {
	if a.kind == absAny {
		return unknown(wide)
	}
	return a
}

// loaded is what a load of a parameter, or of anything else, brings.
func (r *Roots) loaded(in *Inst, wide bool) abstract {
	if in.Access.Space != isa.SpaceParam || in.Access.Size*8 < r.f.Module.AST.AddressSize {
		return unknown(wide && in.Access.Size*8 >= r.f.Module.AST.AddressSize)
	}
	a := r.effective(in, &in.Operands[in.Access.Addr])
	if a.kind != absAddress || !a.root.Exact || a.root.Kind != RootVar || !r.f.formal(a.root.Var) {
		return unknown(wide)
	}
	return address(Root{Kind: RootParam, Var: a.root.Var, At: a.root.Off, Exact: true})
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
	case a.kind == absAddress && b == constant(0), b.kind == absAddress && a == constant(0):
		if a.kind == absAddress { // an address or null
			return address(a.root.base())
		}
		return address(b.root.base())
	case a.kind == absAddress || b.kind == absAddress:
		return absTop
	}
	return number
}

// base is the root with anything added.
func (r Root) base() Root {
	r.Off, r.Exact = 0, false
	return r
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
	case a.kind == absAddress && (b.kind == absConst || b.kind == absNumber):
		return address(a.root.base())
	case a.kind == absAny || b.kind == absAny || a.kind == absAddress:
		return absTop
	}
	return number
}

// difference is a - b: of two addresses with one root a number.
func difference(a, b abstract) abstract {
	switch {
	case a.kind == absAddress && b.kind == absAddress && a.root.base() == b.root.base():
		return number
	case b.kind == absConst:
		return sum(a, constant(-b.root.Off))
	case b.kind == absAddress:
		return absTop
	}
	return sum(a, b)
}

// scaled is a product or shift: a number.
func scaled(a, b abstract, op func(a, b int64) int64) abstract {
	switch {
	case a.kind == absNothing || b.kind == absNothing:
		return abstract{}
	case a.kind == absConst && b.kind == absConst:
		return constant(op(a.root.Off, b.root.Off))
	}
	return number
}

// joinedBits is a | b, which compilers use to add what cannot carry.
func joinedBits(a, b abstract) abstract {
	if a.kind == absConst && b.kind == absConst {
		return constant(a.root.Off | b.root.Off)
	}
	if a.kind == absAddress && a.root.Exact && b.kind == absConst || b.kind == absAddress && b.root.Exact && a.kind == absConst {
		return sum(address(a.root.base()), number)
	}
	return sum(a, b)
}

// masked is a & b: with a mask that keeps the upper bits an address stays one.
func masked(a, b abstract) abstract {
	if a.kind == absConst {
		a, b = b, a
	}
	switch {
	case a.kind == absNothing || b.kind == absNothing:
		return abstract{}
	case a.kind == absConst && b.kind == absConst:
		return constant(a.root.Off & b.root.Off)
	case b.kind == absConst && b.root.Off >= 0:
		return number
	case a.kind == absAddress && b.kind == absConst:
		return address(a.root.base())
	case a.kind == absNumber && b.kind != absAny:
		return number
	}
	return absTop
}
