// Items: accesses with the definitions and ranges that formulas about them need.

package kernel

import (
	"fmt"
	"math/big"
	"slices"
	"sync"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/query"
	"github.com/ptxsan/ptxsan/internal/static/solve"
	"github.com/ptxsan/ptxsan/internal/static/symbolic"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Item is an access with everything that formulas about it need. Definitions of facts are substituted.
type Item struct {
	Access     *symbolic.Access
	whole      *symbolic.Access // Access before one of its addresses was chosen
	Index      int              // in program order
	Object     Object
	Addr       *expr.Int
	Offset     *expr.Int // from the object's address; Unknown if the object is unknown
	Cond       *expr.Bool
	Sides      []*expr.Bool // conditions on the variables
	Chosen     bool         // the access has other items, at other addresses: see choices
	used       []string     // names of the definitions that were substituted
	Data       string       // why address or condition depend on the contents of memory, "" if they do not
	Opaque     string       // why address or condition are not closed formulas, "" if they are
	wraps      []*wrap
	fitted     [4]*fitted       // by thread
	bounds     [4][]solve.Fact  // results of BoundsOf, by thread
	stays      *[3][]*expr.Bool // result of Others
	inside     *query.Answer    // result of provenIn
	shown      *bool            // result of ShownInside
	within     *query.Answer    // result of NeverInside
	kept       *kept            // result of Constant
	misaligned *bool            // result of NeverAligned
	over       func() bool      // whether the time is over: fit looks at it
	Remote     bool             // it may be to the shared memory of another block: see findRemote
}

// newItem makes an item of an access; nil if no other thread can access its memory.
func (b *Builder) newItem(x *symbolic.Access, index int) *Item {
	it := &Item{Access: x, Index: index, Object: b.objectOf(x), over: b.Over}
	if it.Object.Space == isa.SpaceLocal {
		return nil
	}
	it.collect(b.Model, x)
	b.unmask(it)
	return it
}

// writesConstants reports whether some access may write to a .const variable: by a generic address of one (cvta.const).
// The host passes no addresses of constants to stores, as they are read-only to kernels (PTX ISA, "Constant State
// Space").
func (m *Model) writesConstants() bool {
	named := sync.OnceValue(func() bool { return namesConstant(m.Kernel.Func.Module) })
	return slices.ContainsFunc(m.Items, func(it *Item) bool {
		return it.Access.Writes() && (it.Object.Space == isa.SpaceConst || it.Object.Space == isa.SpaceNone && named())
	})
}

// namesConstant reports whether code or initial values of a module have the address of a .const variable, other than to
// load from it.
func namesConstant(m *rewrite.Module) bool {
	constant := func(v *rewrite.Var) bool { return v.Space == isa.SpaceConst }
	if slices.ContainsFunc(m.Globals, func(v *rewrite.Var) bool { return v.AST.Init >= 0 && v.InitAddresses(m) }) {
		return slices.ContainsFunc(m.Globals, constant)
	}
	return slices.ContainsFunc(m.Funcs, func(f *rewrite.Func) bool {
		return slices.ContainsFunc(f.Insts, func(in *rewrite.Inst) bool {
			return in.Access.Space != isa.SpaceConst && slices.ContainsFunc(in.Operands, func(o rewrite.Operand) bool {
				v, ok := o.Sym.(*rewrite.Var)
				return ok && constant(v)
			})
		})
	})
}

// collect substitutes definitions and collects conditions on the variables, and on the variables of these conditions.
func (it *Item) collect(m *Model, x *symbolic.Access) {
	vars := make(map[string]bool)
	var queue []expr.Variable
	add := func(vs []expr.Variable) {
		for _, v := range vs {
			if !vars[v.Name] {
				vars[v.Name] = true
				queue = append(queue, v)
			}
		}
	}
	var sides []*expr.Bool
	more := func(fs ...*expr.Bool) {
		for _, f := range fs {
			if f != nil && f != expr.True {
				sides = append(sides, f)
				add(f.Vars())
			}
		}
	}
	it.Addr, it.Cond = x.Addr, x.Cond
	add(it.Addr.Vars())
	add(it.Cond.Vars())
	for len(queue) > 0 {
		v := queue[0]
		queue = queue[1:]
		o := m.Kernel.Origin(v.Name)
		if o == nil {
			continue
		}
		more(o.Known(v))
		it.explain(o)
		if l := o.Loop(); l != nil {
			more(l.Facts(1)...)
			more(l.Filled(m.Filling)...)
		}
	}
	for _, d := range m.Defined {
		if vars[d] {
			it.used = append(it.used, m.DefinitionsOf(d)...)
		}
	}
	for _, v := range it.Addr.Vars() {
		if p, ok := facts.ParamOf(v.Name); ok && m.Numbers[p] != "" {
			it.used = append(it.used, m.Numbers[p])
		}
	}
	it.fill(m.Launches, sides)
}

// explain records why a variable makes the access depend on more than indices and parameters.
func (it *Item) explain(o *symbolic.Origin) {
	if o.Loop() != nil {
		return
	}
	why := fmt.Sprintf("%s at %s", o.What, Where(o.Inst))
	if o.Inst == nil {
		why = o.What
	}
	switch {
	case o.Data && it.Data == "":
		it.Data = why
	case !o.Data && it.Opaque == "" && o.Sides == nil:
		it.Opaque = why
	}
}

// fill substitutes the definitions of facts.
func (it *Item) fill(l *query.Launches, sides []*expr.Bool) {
	s := l.Filling
	it.Addr, it.Cond = it.Addr.Subst(s), it.Cond.Subst(s)
	for _, f := range sides {
		if f = f.Subst(s); f != expr.True {
			it.Sides = append(it.Sides, f)
		}
	}
	it.Offset = expr.Unknown()
	if it.Object.Base != "" {
		it.Offset = it.Object.From(it.Addr)
	}
}

// From returns an address in an object as the distance from that of the object.
func (o *Object) From(address *expr.Int) *expr.Int {
	return address.Subst(expr.Substitution{Int: func(v expr.Variable) *expr.Int {
		if v.Name == o.Base {
			return expr.Const(0)
		}
		return nil
	}})
}

// plainDims assumes that a launch has a single dimension if the kernel does not read the indices of the others and
// nothing is known of them. Proofs that fail without it name this among their needs.
func (b *Builder) plainDims() {
	read := make(map[byte]bool)
	for _, f := range b.Kernel.Frames {
		for _, in := range f.Func.Insts {
			for i := range in.Operands {
				if o := &in.Operands[i]; o.Special.Dim && len(o.Member) == 2 {
					read[o.Member[1]] = true
				}
			}
		}
	}
	for _, d := range []byte("yz") {
		for _, what := range []string{"block", "grid"} {
			v := facts.Dim(map[string]string{"block": "ntid", "grid": "nctaid"}[what], d)
			if _, ok := b.Definitions[v.String()]; ok || read[d] || b.Mentions(v.String()) {
				continue
			}
			name := fmt.Sprintf("%s.%c = 1 (assumed, as no fact gives it and the kernel does not read %c)", what, d, d)
			b.Define(v.String(), expr.Const(1), solve.Fact{Name: name, Formula: expr.Eq(v, expr.Const(1))})
		}
	}
}

// Aligned is the fact that no access is misaligned: a launch with one ends in a fault (PTX ISA, "Addresses as
// Operands").
const Aligned = "aligned: each address is a multiple of the size of its access"

// Needs returns the names of the facts on which the formulas of an access rest.
func (it *Item) Needs() []string {
	out := slices.Clone(it.used)
	for _, w := range it.wraps {
		out = append(out, w.needed...)
	}
	return out
}

// Size returns the number of nodes of the formulas of an item.
func (it *Item) Size() int64 {
	n := it.Addr.Size() + it.Cond.Size()
	for _, f := range it.Sides {
		n += f.Size()
	}
	return int64(min(n, 4*query.MaxQuery))
}

// WordOf returns the value of an operand as the access writes it, without a sign, if it is constant: -1 and 0xffffffff
// are one word of 32 bits.
func (it *Item) WordOf(n int) (*big.Int, bool) {
	if n < 0 || n >= len(it.Access.Inst.Operands) || it.Access.ElemSize < 1 || it.Access.ElemSize > 8 {
		return nil, false
	}
	return expr.Wrap(it.Access.Frame.Operand(it.Access.Inst, n), 8*it.Access.ElemSize, false).Const()
}
