// Memory objects: the parameter or variable from which an access's address is derived.

package kernel

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/query"
	"github.com/ptxsan/ptxsan/internal/static/symbolic"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Object is what an address is derived from: a pointer in a parameter, or a variable.
type Object struct {
	Base  string // variable of formulas for its address; absolute for shared memory as a whole; "" if unknown
	Param *facts.Param
	Var   *rewrite.Var
	Space isa.Space // SpaceNone if unknown
}

// Absolute is the base of addresses in shared memory that are numbers, such as those that a launch passes to a kernel.
const Absolute = "0"

// Name returns the object's name in reports.
func (o *Object) Name(f *rewrite.Func) string {
	switch {
	case o.Var != nil:
		return o.Var.Name
	case o.Param != nil && o.Param.Index < len(f.Params):
		s := f.Params[o.Param.Index].Name
		if o.Param.Offset != 0 {
			s += "+" + strconv.FormatInt(o.Param.Offset, 10)
		}
		return s
	}
	return ""
}

// objectOf returns what an access's address is derived from: the only pointer that occurs in it, once, plus numbers.
func (m *Model) objectOf(x *symbolic.Access) Object {
	unknown := Object{Space: x.Space}
	if x.Addr.IsUnknown() {
		return unknown
	}
	_, terms := x.Addr.Linear()
	found := ""
	for _, t := range terms {
		for _, v := range t.X.Vars() {
			if !m.pointerLike(v) {
				continue
			}
			if t.X.Op() != expr.OpVar || !t.Coef.IsInt64() || t.Coef.Int64() != 1 || found != "" {
				return unknown
			}
			found = v.Name
		}
	}
	switch {
	case found == "" && x.Space == isa.SpaceShared:
		return Object{Base: Absolute, Space: isa.SpaceShared}
	case found == "":
		return unknown
	}
	o := m.named(found, x)
	if o.Param != nil && !m.provenPointer(x, o.Param) {
		return unknown
	}
	return o
}

// pointerLike reports whether a variable may be an address: that of a variable of the module, or a 64-bit value not
// known to be a number.
func (m *Model) pointerLike(v expr.Variable) bool {
	switch {
	case strings.HasPrefix(v.Name, symbolic.GlobalBase), strings.HasPrefix(v.Name, symbolic.SharedBase),
		strings.HasPrefix(v.Name, symbolic.LocalBase):
		return true
	case v.Bool || v.Lo == nil || v.Hi == nil || v.Lo.Int64() != math.MinInt64 && v.Hi.BitLen() < 64:
		return false
	}
	if _, ok := m.Definitions[v.Name]; ok {
		return false
	}
	if p, ok := facts.ParamOf(v.Name); ok {
		_, pointer := m.Given.Pointers[p]
		return pointer || m.Numbers[p] == ""
	}
	return true
}

// named returns the object for a variable of formulas.
func (m *Model) named(name string, x *symbolic.Access) Object {
	if p, ok := facts.ParamOf(name); ok {
		return Object{Base: name, Param: &p, Space: m.pointedSpace(&p, x)}
	}
	o := Object{Base: name, Space: isa.SpaceGlobal}
	switch {
	case strings.HasPrefix(name, symbolic.SharedBase):
		o.Space = isa.SpaceShared
	case strings.HasPrefix(name, symbolic.LocalBase):
		o.Space = isa.SpaceLocal
		return o
	case !strings.HasPrefix(name, symbolic.GlobalBase):
		return Object{Space: x.Space}
	}
	o.Var = m.variable(name[2:])
	if o.Var != nil && o.Var.Space == isa.SpaceConst {
		o.Space = isa.SpaceConst
	}
	return o
}

// pointedSpace returns the state space to which an access at an address derived from a parameter goes: that of the
// access, or of the parameter (PTX ISA, "Kernel Parameter Attributes"), or else global memory, since the host made the
// pointer.
func (m *Model) pointedSpace(p *facts.Param, x *symbolic.Access) isa.Space {
	if x.Space != isa.SpaceNone {
		return x.Space
	}
	if p.Index < len(m.Kernel.Func.Params) {
		if ptr := m.Kernel.Func.Params[p.Index].AST.Ptr; ptr != nil && ptr.Space != isa.SpaceNone {
			return ptr.Space
		}
	}
	return isa.SpaceGlobal
}

// variable returns the variable with a name as in symbolic: with its function's name unless it is a variable of the
// module.
func (m *Model) variable(name string) *rewrite.Var {
	module := m.Kernel.Func.Module
	if module.Reserved != nil && module.Reserved.Name == name {
		return module.Reserved
	}
	for _, v := range module.Globals {
		if v.Name == name {
			return v
		}
	}
	for _, f := range m.Kernel.Frames {
		for _, v := range f.Func.Locals {
			if f.Func.Name+"."+v.Name == name {
				return v
			}
		}
	}
	return nil
}

// provenPointer reports whether a parameter is certainly the pointer from which an address is derived: everything added
// to it is a number, that is, consists of indices and parameters, or cannot be derived from an address.
func (m *Model) provenPointer(x *symbolic.Access, p *facts.Param) bool {
	if !slices.ContainsFunc(x.Addr.Vars(), func(v expr.Variable) bool { return m.loaded(v) && !m.joined(v) }) {
		return true
	}
	if x.Frame.Parent != nil || p.Index >= len(m.Kernel.Func.Params) {
		return false
	}
	r := address.RootsOf(m.Kernel.Func).Address(x.Inst, x.Access.Addr)
	return r.Kind == address.RootParam && r.Var == m.Kernel.Func.Params[p.Index] && r.At == p.Offset
}

// joined reports whether a variable is one of several values, all made of indices and parameters that are numbers.
func (m *Model) joined(v expr.Variable) bool {
	o := m.Kernel.Origin(v.Name)
	return o != nil && o.Among != nil && !slices.ContainsFunc(expr.Vars(o.Among, nil), func(w expr.Variable) bool {
		return m.pointerLike(w) || m.loaded(w)
	})
}

// loaded reports whether a variable depends on the contents of memory.
func (m *Model) loaded(v expr.Variable) bool {
	o := m.Kernel.Origin(v.Name)
	return o != nil && o.Loop() == nil
}

// Relation is the relation of two objects.
type Relation uint8

// Relations of two objects.
const (
	Apart   Relation = iota // accesses of one do not touch the other
	Related                 // at a known distance
	Unclear                 // they may be the same
)

// Relate compares the objects of two accesses. needed has the facts used; distance is the address of the first object
// minus that of the second.
func (m *Model) Relate(x, y *Item) (r Relation, distance *expr.Int, needed []string) {
	o, p := &x.Object, &y.Object
	switch {
	case o.Space != isa.SpaceNone && p.Space != isa.SpaceNone && o.Space != p.Space:
		return Apart, nil, nil
	case o.Base == "" || p.Base == "":
		return Unclear, nil, nil
	case o.Base == p.Base:
		return Related, expr.Const(0), nil
	case o.Var != nil && p.Var != nil:
		if m.staysIn(x) && m.staysIn(y) {
			return Apart, nil, slices.Concat(x.staysBy(), y.staysBy())
		}
		return Unclear, nil, nil
	}
	b, c := m.Pointer(o), m.Pointer(p)
	switch {
	case o.Base == Absolute || p.Base == Absolute:
		return Unclear, nil, nil
	case b != nil && c != nil && b.Buffer == c.Buffer:
		if b.Offset == nil || c.Offset == nil {
			return Unclear, nil, nil
		}
		return Related, expr.Sub(b.Offset, c.Offset), []string{Identity(*o.Param, b), Identity(*p.Param, c)}
	case b != nil && c != nil:
		return Apart, nil, []string{Identity(*o.Param, b), Identity(*p.Param, c)}
	case b != nil && p.Var != nil:
		return Apart, nil, []string{Identity(*o.Param, b)}
	case c != nil && o.Var != nil:
		return Apart, nil, []string{Identity(*p.Param, c)}
	case m.Given.Disjoint:
		return Apart, nil, []string{Disjoint}
	case m.Assumed.Believe && ReadOnly(x, y) != nil && ReadOnly(x, y).Object.Param != nil:
		return Apart, nil, []string{believed(ReadOnly(x, y).Object.Param)}
	}
	return Unclear, nil, nil
}

// believed returns the name of the assumption that the memory which a kernel loads as read-only data has no other
// pointer through which the kernel writes: the author says so with const __restrict__ or __ldg (PTX ISA,
// "ld.global.nc").
func believed(p *facts.Param) string {
	return fmt.Sprintf("read-only: no other pointer leads to the memory of %s, which the kernel loads as read-only data (const __restrict__, __ldg)", p)
}

// Disjoint is the assumption of facts.Given.Disjoint.
const Disjoint = "disjoint: pointers of different parameters do not alias"

// Identity returns the name of the fact that a parameter points to an allocation of its own.
func Identity(p facts.Param, to *facts.Pointer) string {
	at := "to which "
	switch {
	case to.Offset == nil:
		at = "into which "
	case !to.Offset.Equal(expr.Const(0)):
		at = "to byte " + query.Short(to.Offset.Subst(expr.Substitution{Int: asInHost})) + " of which "
	}
	return fmt.Sprintf("identity: %s, %s%s points, is an allocation of its own", to.Buffer, at, p)
}

// asInHost returns a variable of the host as host code names it.
func asInHost(v expr.Variable) *expr.Int {
	v.Name = strings.TrimPrefix(v.Name, "h.")
	return expr.NewVar(v)
}

// Pointer returns the facts about the pointer of an object. They are about pointers to global memory.
func (m *Model) Pointer(o *Object) *facts.Pointer {
	if o.Param == nil || o.Space == isa.SpaceShared {
		return nil
	}
	if p, ok := m.Given.Pointers[*o.Param]; ok {
		return &p
	}
	return nil
}

// staysBy returns the names of the facts by which staysIn holds.
func (it *Item) staysBy() []string {
	if it.inside == nil {
		return it.Needs()
	}
	return append(it.Needs(), it.inside.Core...)
}

// staysIn reports whether an access to a variable stays in it, by the range of its offset.
func (m *Model) staysIn(x *Item) bool {
	if x.Object.Var == nil {
		return false
	}
	lo, hi := x.Offset.Range()
	size := int64(math.MaxInt32) // an array of unknown length is behind all others
	if x.Object.Var.Size > 0 {
		size = int64(x.Object.Var.Size) - int64(x.Access.Size)
	}
	if lo != nil && hi != nil && lo.Sign() >= 0 && hi.IsInt64() && hi.Int64() <= size {
		return true
	}
	return m.provenIn(x, size)
}

// IsShared reports whether addresses in shared memory are derived from a parameter.
func (m *Model) IsShared(p facts.Param) bool {
	return slices.ContainsFunc(m.Items, func(it *Item) bool {
		return it.Object.Param != nil && *it.Object.Param == p && it.Object.Space == isa.SpaceShared
	})
}

// IsPointer reports whether addresses are derived from a parameter.
func (m *Model) IsPointer(p facts.Param) bool {
	if _, ok := m.Given.Pointers[p]; ok {
		return true
	}
	return slices.ContainsFunc(m.Items, func(it *Item) bool { return it.Object.Param != nil && *it.Object.Param == p })
}
