// Memory objects: the parameter or variable from which an access's address is derived.

package static

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

// object is what an address is derived from: a pointer in a parameter, or a variable.
type object struct {
	base  string // variable of formulas for its address; absolute for shared memory as a whole; "" if unknown
	param *facts.Param
	v     *rewrite.Var
	space isa.Space // SpaceNone if unknown
}

// absolute is the base of addresses in shared memory that are numbers, such as those that a launch passes to a kernel.
const absolute = "0"

// name returns the object's name in reports.
func (o *object) name(f *rewrite.Func) string {
	switch {
	case o.v != nil:
		return o.v.Name
	case o.param != nil && o.param.Index < len(f.Params):
		s := f.Params[o.param.Index].Name
		if o.param.Offset != 0 {
			s += "+" + strconv.FormatInt(o.param.Offset, 10)
		}
		return s
	}
	return ""
}

// objectOf returns what an access's address is derived from: the only pointer that occurs in it, once, plus numbers.
func (m *model) objectOf(x *symbolic.Access) object {
	unknown := object{space: x.Space}
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
		return object{base: absolute, space: isa.SpaceShared}
	case found == "":
		return unknown
	}
	o := m.named(found, x)
	if o.param != nil && !m.provenPointer(x, o.param) {
		return unknown
	}
	return o
}

// pointerLike reports whether a variable may be an address: that of a variable of the module, or a 64-bit value not
// known to be a number.
func (m *model) pointerLike(v expr.Variable) bool {
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
func (m *model) named(name string, x *symbolic.Access) object {
	if p, ok := facts.ParamOf(name); ok {
		return object{base: name, param: &p, space: m.pointedSpace(&p, x)}
	}
	o := object{base: name, space: isa.SpaceGlobal}
	switch {
	case strings.HasPrefix(name, symbolic.SharedBase):
		o.space = isa.SpaceShared
	case strings.HasPrefix(name, symbolic.LocalBase):
		o.space = isa.SpaceLocal
		return o
	case !strings.HasPrefix(name, symbolic.GlobalBase):
		return object{space: x.Space}
	}
	o.v = m.variable(name[2:])
	if o.v != nil && o.v.Space == isa.SpaceConst {
		o.space = isa.SpaceConst
	}
	return o
}

// pointedSpace returns the state space to which an access at an address derived from a parameter goes: that of the
// access, or of the parameter (PTX ISA, "Kernel Parameter Attributes"), or else global memory, since the host made the
// pointer.
func (m *model) pointedSpace(p *facts.Param, x *symbolic.Access) isa.Space {
	if x.Space != isa.SpaceNone {
		return x.Space
	}
	if p.Index < len(m.kernel.Func.Params) {
		if ptr := m.kernel.Func.Params[p.Index].AST.Ptr; ptr != nil && ptr.Space != isa.SpaceNone {
			return ptr.Space
		}
	}
	return isa.SpaceGlobal
}

// variable returns the variable with a name as in symbolic: with its function's name unless it is a variable of the
// module.
func (m *model) variable(name string) *rewrite.Var {
	module := m.kernel.Func.Module
	if module.Reserved != nil && module.Reserved.Name == name {
		return module.Reserved
	}
	for _, v := range module.Globals {
		if v.Name == name {
			return v
		}
	}
	for _, f := range m.kernel.Frames {
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
func (m *model) provenPointer(x *symbolic.Access, p *facts.Param) bool {
	if !slices.ContainsFunc(x.Addr.Vars(), func(v expr.Variable) bool { return m.loaded(v) && !m.joined(v) }) {
		return true
	}
	if x.Frame.Parent != nil || p.Index >= len(m.kernel.Func.Params) {
		return false
	}
	r := address.RootsOf(m.kernel.Func).Address(x.Inst, x.Access.Addr)
	return r.Kind == address.RootParam && r.Var == m.kernel.Func.Params[p.Index] && r.At == p.Offset
}

// joined reports whether a variable is one of several values, all made of indices and parameters that are numbers.
func (m *model) joined(v expr.Variable) bool {
	o := m.kernel.Origin(v.Name)
	return o != nil && o.Among != nil && !slices.ContainsFunc(expr.Vars(o.Among, nil), func(w expr.Variable) bool {
		return m.pointerLike(w) || m.loaded(w)
	})
}

// loaded reports whether a variable depends on the contents of memory.
func (m *model) loaded(v expr.Variable) bool {
	o := m.kernel.Origin(v.Name)
	return o != nil && o.Loop() == nil
}

// relation is the relation of two objects.
type relation uint8

const (
	apart   relation = iota // accesses of one do not touch the other
	related                 // at a known distance
	unclear                 // they may be the same
)

// relate compares the objects of two accesses. needed has the facts used; distance is the address of the first object
// minus that of the second.
func (m *model) relate(x, y *item) (r relation, distance *expr.Int, needed []string) {
	o, p := &x.obj, &y.obj
	switch {
	case o.space != isa.SpaceNone && p.space != isa.SpaceNone && o.space != p.space:
		return apart, nil, nil
	case o.base == "" || p.base == "":
		return unclear, nil, nil
	case o.base == p.base:
		return related, expr.Const(0), nil
	case o.v != nil && p.v != nil:
		if m.staysIn(x) && m.staysIn(y) {
			return apart, nil, slices.Concat(x.staysBy(), y.staysBy())
		}
		return unclear, nil, nil
	}
	b, c := m.pointer(o), m.pointer(p)
	switch {
	case o.base == absolute || p.base == absolute:
		return unclear, nil, nil
	case b != nil && c != nil && b.Buffer == c.Buffer:
		if b.Offset == nil || c.Offset == nil {
			return unclear, nil, nil
		}
		return related, expr.Sub(b.Offset, c.Offset), []string{identity(o, b), identity(p, c)}
	case b != nil && c != nil:
		return apart, nil, []string{identity(o, b), identity(p, c)}
	case b != nil && p.v != nil:
		return apart, nil, []string{identity(o, b)}
	case c != nil && o.v != nil:
		return apart, nil, []string{identity(p, c)}
	case m.Given.Disjoint:
		return apart, nil, []string{disjoint}
	case m.assumed.believe && readOnly(x, y) != nil && readOnly(x, y).obj.param != nil:
		return apart, nil, []string{believed(readOnly(x, y).obj.param)}
	}
	return unclear, nil, nil
}

// believed returns the name of the assumption that the memory which a kernel loads as read-only data has no other
// pointer through which the kernel writes: the author says so with const __restrict__ or __ldg (PTX ISA,
// "ld.global.nc").
func believed(p *facts.Param) string {
	return fmt.Sprintf("read-only: no other pointer leads to the memory of %s, which the kernel loads as read-only data (const __restrict__, __ldg)", p)
}

// disjoint is the assumption of facts.Given.Disjoint.
const disjoint = "disjoint: pointers of different parameters do not alias"

// identity returns the name of the fact that a parameter points to an allocation of its own.
func identity(o *object, to *facts.Pointer) string {
	at := "to which "
	switch {
	case to.Offset == nil:
		at = "into which "
	case !to.Offset.Equal(expr.Const(0)):
		at = "to byte " + query.Short(to.Offset) + " of which "
	}
	return fmt.Sprintf("identity: %s, %s%s points, is an allocation of its own", to.Buffer, at, o.param)
}

// pointer returns the facts about the pointer of an object. They are about pointers to global memory.
func (m *model) pointer(o *object) *facts.Pointer {
	if o.param == nil || o.space == isa.SpaceShared {
		return nil
	}
	if p, ok := m.Given.Pointers[*o.param]; ok {
		return &p
	}
	return nil
}

// staysBy returns the names of the facts by which staysIn holds.
func (it *item) staysBy() []string {
	if it.inside == nil {
		return it.needs()
	}
	return append(it.needs(), it.inside.Core...)
}

// staysIn reports whether an access to a variable stays in it, by the range of its offset.
func (m *model) staysIn(x *item) bool {
	if x.obj.v == nil {
		return false
	}
	lo, hi := x.offset.Range()
	size := int64(math.MaxInt32) // an array of unknown length is behind all others
	if x.obj.v.Size > 0 {
		size = int64(x.obj.v.Size) - int64(x.acc.Size)
	}
	if lo != nil && hi != nil && lo.Sign() >= 0 && hi.IsInt64() && hi.Int64() <= size {
		return true
	}
	return m.provenIn(x, size)
}

// isShared reports whether addresses in shared memory are derived from a parameter.
func (m *model) isShared(p facts.Param) bool {
	return slices.ContainsFunc(m.items, func(it *item) bool {
		return it.obj.param != nil && *it.obj.param == p && it.obj.space == isa.SpaceShared
	})
}

// isPointer reports whether addresses are derived from a parameter.
func (m *model) isPointer(p facts.Param) bool {
	if _, ok := m.Given.Pointers[p]; ok {
		return true
	}
	return slices.ContainsFunc(m.items, func(it *item) bool { return it.obj.param != nil && *it.obj.param == p })
}
