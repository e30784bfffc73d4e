// Roots of addresses: a data-flow analysis that finds the variable or pointer parameter from which
// an address was computed.

package address

import (
	"fmt"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// RootKind is the kind of a root.
type RootKind uint8

// Kinds of roots.
const (
	RootUnknown  RootKind = iota // memory, a call, a number, several roots
	RootVar                      // the address of Var
	RootParam                    // a pointer in parameter Var, At bytes into it
	RootAbsolute                 // a constant
)

// Root is the origin of an address: the address was made from it by adding numbers only.
type Root struct {
	Kind  RootKind
	Var   *rewrite.Var // variable or parameter
	At    int64        // offset in bytes of the pointer inside a parameter
	Off   int64        // bytes added since, if Exact
	Exact bool         // Off is known; otherwise any number may have been added
}

// String formats the root: "p", "p+8", "p[16]+?", "&var", "unknown".
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

// Roots is the result of RootsOf: the root of each address of a function. A value is a number
// when it derives from no address, through registers or through memory (contents). An operation
// that the rules do not cover may yield any address. docs/proofs.md argues rule by rule that
// this is sound.
type Roots struct {
	f    *rewrite.Func
	v    *rewrite.SSA
	mem  *contents
	vals []abstract
}

// abstract is an element of the lattice: what is known of a value.
type abstract struct {
	kind abstractKind
	root Root // of an address; a constant is in root.Off
}

type abstractKind uint8

const (
	absNothing abstractKind = iota // bottom: no path with a value has been found yet
	absConst                       // a constant
	absNumber                      // a number: derives from no address
	absAddress                     // an address with a root of kind RootVar or RootParam
	absAny                         // top: anything, including a part of an address or a difference of two
)

var (
	absTop = abstract{kind: absAny}
	number = abstract{kind: absNumber}
)

func constant(v int64) abstract { return abstract{kind: absConst, root: Root{Off: v}} }

func address(r Root) abstract { return abstract{kind: absAddress, root: r} }

// plain reports whether a is known and derives from no address.
func (a abstract) plain() bool { return a.kind == absConst || a.kind == absNumber }

// RootsOf returns the roots of f's addresses, when nothing is known of the launches. The result
// is computed once for each function.
func RootsOf(f *rewrite.Func) *Roots { return rootsFor(f, nil) }

// rootsFor returns the roots of f's addresses under the facts about a host.
func rootsFor(f *rewrite.Func, h *host) *Roots {
	if !f.Defined() {
		return newRoots(f, &contents{})
	}
	return contentsOf(f.Module, h).rootsOf(f)
}

func newRoots(f *rewrite.Func, mem *contents) *Roots {
	r := &Roots{f: f, v: f.SSA(), mem: mem}
	r.vals = make([]abstract, len(r.v.Values))
	for changed := true; changed; {
		changed = false
		for _, i := range r.v.Order {
			if n := meet(r.vals[i], r.eval(&r.v.Values[i])); n != r.vals[i] {
				r.vals[i], changed = n, true
			}
		}
	}
	return r
}

// Address returns the root of the effective address of in's n-th operand; the unknown root if the operand is no
// address.
func (r *Roots) Address(in *rewrite.Inst, n int) Root {
	if n >= len(in.Operands) || in.Operands[n].Kind != rewrite.OperandAddr {
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

// effective returns the effective address, base + offset, of an address operand.
func (r *Roots) effective(in *rewrite.Inst, o *rewrite.Operand) abstract {
	switch v := o.Sym.(type) {
	case *rewrite.Var:
		return address(Root{Kind: RootVar, Var: v, Off: o.Off, Exact: true})
	case nil:
		if o.Reg == nil {
			return constant(o.Off)
		}
		return sum(r.reg(in, o), constant(o.Off))
	}
	return absTop
}

// reg returns the abstract value of a register operand.
func (r *Roots) reg(in *rewrite.Inst, o *rewrite.Operand) abstract {
	v := r.v.Use(in, o.Reg)
	switch {
	case v == rewrite.NoValue:
		return absTop
	case o.Member != "" || o.Neg:
		return proofRules.derived(r.vals[v])
	}
	return r.vals[v]
}

// operand returns the abstract value of the n-th operand, a source.
func (r *Roots) operand(in *rewrite.Inst, n int) abstract {
	if n >= len(in.Operands) {
		return absTop
	}
	return r.source(in, &in.Operands[n])
}

// source returns the abstract value of a source operand.
func (r *Roots) source(in *rewrite.Inst, o *rewrite.Operand) abstract {
	switch o.Kind {
	case rewrite.OperandReg:
		return r.reg(in, o)
	case rewrite.OperandImm:
		if o.Float {
			return number
		}
		return constant(int64(o.Imm))
	case rewrite.OperandSpecial:
		if !o.Special.Opaque {
			return number
		}
	case rewrite.OperandAddr:
		return r.effective(in, o)
	case rewrite.OperandVector, rewrite.OperandPair, rewrite.OperandList:
		a := number
		for i := range o.Elems {
			a = proofRules.derived(a, r.source(in, &o.Elems[i]))
		}
		return a
	case rewrite.OperandNone:
		return number
	case rewrite.OperandSymbol:
		if v, ok := o.Sym.(*rewrite.Var); ok {
			return address(Root{Kind: RootVar, Var: v, Off: o.Off, Exact: true})
		}
	}
	return absTop
}

// eval computes a value from the values that it depends on.
func (r *Roots) eval(v *rewrite.SSAValue) abstract {
	var a abstract
	switch v.Kind {
	case rewrite.SSAEntry:
		return absTop // an argument, or undefined
	case rewrite.SSAWrite:
		a = r.result(v)
		if bits := v.Reg.Type.Bits(); a.kind == absConst && bits <= 32 &&
			(a.root.Off < 0 || a.root.Off >= 1<<max(bits-1, 0)) {
			a = number // the upper bits depend on how it is widened
		}
	}
	v.Inputs(func(i int32) { a = meet(a, r.vals[i]) })
	return a
}

// result returns the abstract value that an instruction writes to a register.
func (r *Roots) result(v *rewrite.SSAValue) abstract {
	in := v.Inst
	if in.Effects().Has(isa.Calls) || in.Instr.Calc == isa.CalcAddress || in.Instr.Calc == isa.CalcPeerAddress {
		return absTop
	}
	if c := in.Instr.Calc; c == isa.CalcCompare || c == isa.CalcLoad {
		return proofRules.roots[c](r, in)
	}
	if len(in.Operands) > 1 && in.Operands[0].Kind == rewrite.OperandReg && v.Reg.Vec <= 1 {
		if rule := proofRules.roots[in.Instr.Calc]; rule != nil && follows(v) {
			return rule(r, in)
		}
	}
	return r.derive(in)
}

// follows reports whether the rules for arithmetic apply to a value: its register is as wide as
// the result of the instruction, which computes modulo a power of two.
func follows(v *rewrite.SSAValue) bool {
	in, bits := v.Inst, v.Reg.Type.Bits()
	if in.Has("wide") {
		bits /= 2
	}
	return proofRules.modular(in) && in.Type(0).Bits() == bits
}

// derive returns the result of an instruction without a rule: a number if all its inputs are.
func (r *Roots) derive(in *rewrite.Inst) abstract {
	a := number
	if in.Effects().Has(isa.ReadsMemory) {
		a = r.mem.read(r, in)
	}
	return proofRules.derived(a, r.data(in))
}

// data joins the operands of an instruction, without the addresses of its accesses.
func (r *Roots) data(in *rewrite.Inst) abstract {
	a := number
	for n := range in.Operands {
		if in.Role(n) != isa.RoleDst && !accessed(in, n) {
			a = proofRules.derived(a, r.source(in, &in.Operands[n]))
		} else if n < len(in.Decoded.Operands) && in.Decoded.Operands[n].Spec.Reads {
			a = proofRules.derived(a, r.source(in, &in.Operands[n]))
		}
	}
	return a
}

// accessed reports whether the n-th operand is the address of an access.
func accessed(i *rewrite.Inst, n int) bool {
	for _, a := range i.Accesses {
		if a.Addr == n {
			return true
		}
	}
	return false
}

// base returns the root with an unknown offset.
func (r Root) base() Root {
	r.Off, r.Exact = 0, false
	return r
}
