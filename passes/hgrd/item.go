// Items: accesses with the definitions and ranges that formulas about them need.

package hgrd

import (
	"fmt"

	"github.com/ptxsan/ptxsan/passes/hgrd/expr"
	"github.com/ptxsan/ptxsan/passes/hgrd/facts"
	"github.com/ptxsan/ptxsan/passes/hgrd/solve"
	"github.com/ptxsan/ptxsan/passes/hgrd/symbolic"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// item is an access with all that formulas about it need, with the definitions of the facts
// filled in.
type item struct {
	acc    *symbolic.Access
	index  int // in the order of the program
	obj    object
	addr   *expr.Int
	offset *expr.Int // from the object's address; Unknown when the object is not known
	cond   *expr.Bool
	sides  []*expr.Bool // what is known of the variables
	used   []string     // names of the definitions that were filled in
	data   string       // why address or condition depend on what memory holds, "" when they do not
	opaque string       // why address or condition are not closed formulas, "" when they are
	wraps  []*wrap
	fitted [4]*fitted // by thread
	inside *bool      // result of provenIn
}

// newItem prepares an access; nil for one that no other thread can see.
func (a *analysis) newItem(x *symbolic.Access, index int) *item {
	it := &item{acc: x, index: index, obj: a.objectOf(x)}
	if it.obj.space == isa.SpaceLocal || it.obj.space == isa.SpaceConst {
		return nil
	}
	it.collect(a, x)
	return it
}

// collect fills in definitions and gathers what is known of the variables, and of those that
// appear in that.
func (it *item) collect(a *analysis, x *symbolic.Access) {
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
	it.addr, it.cond = x.Addr, x.Cond
	add(it.addr.Vars())
	add(it.cond.Vars())
	for len(queue) > 0 {
		v := queue[0]
		queue = queue[1:]
		o := a.kernel.Origin(v.Name)
		if o == nil {
			continue
		}
		it.explain(o)
		more(o.Known(v))
		if l := o.Loop(); l != nil {
			more(l.Facts(1)...)
			more(l.Filled(a.filling)...)
		}
	}
	for _, d := range a.order {
		if vars[d] {
			it.used = append(it.used, a.names[d])
		}
	}
	it.fill(a, sides)
}

// explain notes why a variable makes the access one that is not decided by indices and
// parameters alone.
func (it *item) explain(o *symbolic.Origin) {
	if o.Loop() != nil {
		return
	}
	why := fmt.Sprintf("%s at %s", o.What, where(o.Inst))
	if o.Inst == nil {
		why = o.What
	}
	switch {
	case o.Data && it.data == "":
		it.data = why
	case !o.Data && it.opaque == "" && o.Sides == nil:
		it.opaque = why
	}
}

// fill replaces what the facts define.
func (it *item) fill(a *analysis, sides []*expr.Bool) {
	s := a.filling
	it.addr, it.cond = it.addr.Subst(s), it.cond.Subst(s)
	for _, f := range sides {
		if f = f.Subst(s); f != expr.True {
			it.sides = append(it.sides, f)
		}
	}
	it.offset = expr.Unknown()
	if it.obj.base != "" {
		it.offset = it.addr.Subst(expr.Substitution{Int: func(v expr.Variable) *expr.Int {
			if v.Name == it.obj.base {
				return expr.Const(0)
			}
			return nil
		}})
	}
}

// prepare sorts the facts: definitions are filled in, the others go to the solver.
func (a *analysis) prepare() {
	a.defs, a.names = make(map[string]*expr.Int), make(map[string]string)
	for _, f := range a.given.Facts {
		if f.Var != "" && f.Value != nil && simple(f.Value) {
			if _, ok := a.defs[f.Var]; !ok {
				a.defs[f.Var], a.names[f.Var] = f.Value, f.Name
				a.order = append(a.order, f.Var)
				continue
			}
		}
		a.facts = append(a.facts, solve.Fact{Name: f.Name, Formula: f.Formula})
	}
	a.filling = expr.Substitution{Int: func(v expr.Variable) *expr.Int { return a.defs[v.Name] }}
	for i := range a.facts {
		a.facts[i].Formula = a.facts[i].Formula.Subst(a.filling)
	}
	a.directives()
	a.findNumbers()
}

// simple reports whether a definition is filled in: a constant, or another variable. What a
// variable stands for else, products above all, hides the shape of formulas from the solver,
// to which it is a fact like others.
func simple(x *expr.Int) bool { return x.Op() == expr.OpConst || x.Op() == expr.OpVar }

// plainDims assumes that a launch has one dimension where the kernel reads no index of the
// others and nothing is known of them.
func (a *analysis) plainDims() {
	read := make(map[byte]bool)
	for _, f := range a.kernel.Frames {
		for _, in := range f.Func.Insts {
			for i := range in.Operands {
				if o := &in.Operands[i]; o.Special.Dim && len(o.Member) == 2 {
					read[o.Member[1]] = true
				}
			}
		}
	}
	for _, d := range []byte("yz") {
		for _, register := range []string{"ntid", "nctaid"} {
			v := facts.Dim(register, d)
			if _, ok := a.defs[v.String()]; ok || read[d] || a.mentions(v.String()) {
				continue
			}
			name := fmt.Sprintf("dims: the launch has no dimension %c, which the kernel does not read", d)
			a.define(v, expr.Const(1), name)
		}
	}
}

// findNumbers finds the parameters of 64 bits that facts say are numbers.
func (a *analysis) findNumbers() {
	a.numbers = make(map[facts.Param]bool)
	for _, f := range a.given.Facts {
		for _, v := range f.Formula.Vars() {
			if p, ok := paramOf(v.Name); ok {
				if _, pointer := a.given.Pointers[p]; !pointer {
					a.numbers[p] = true
				}
			}
		}
	}
}
