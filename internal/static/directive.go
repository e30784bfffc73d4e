// Directives of a kernel as facts: extents that its launches must have, or their limits.

package static

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/solve"
	"github.com/ptxsan/ptxsan/ptxgrammar"
)

// directives adds the constraints that all launches of the kernel satisfy (PTX ISA, "Performance-Tuning Directives",
// "Cluster Dimension Directives").
func (b *builder) directives() {
	b.unclustered()
	for _, p := range b.kernel.Func.AST.Perf {
		switch p.Name {
		case ".reqntid":
			b.require("ntid", p.Name, p.Args)
		case ".reqnctapercluster":
			b.require("cluster_nctaid", p.Name, p.Args)
			b.wholeClusters(p.Name, p.Args)
		}
	}
	b.plainDims()
	for _, p := range b.kernel.Func.AST.Perf {
		if p.Name == ".maxntid" {
			b.limitThreads(p.Args)
		}
	}
}

// unclustered defines clusters as of one block, if the launch names none and the kernel requires none.
func (b *builder) unclustered() {
	if !b.given.Unclustered || slices.ContainsFunc(b.kernel.Func.AST.Perf,
		func(p ptxgrammar.Perf) bool { return p.Name == ".reqnctapercluster" }) {
		return
	}
	for _, d := range dims {
		v := facts.Dim("cluster_nctaid", d)
		b.define(v.String(), expr.Const(1), solve.Fact{
			Name:    fmt.Sprintf("cluster.%c = 1 (%s)", d, b.given.Site),
			Formula: expr.Eq(v, expr.Const(1)),
		})
	}
}

// require adds definitions of extents.
func (l *launchFacts) require(register, directive string, args []uint64) {
	for i, d := range dims {
		n := int64(1)
		if i < len(args) {
			n = int64(args[i])
		}
		v := facts.Dim(register, d)
		name := fmt.Sprintf("directive: %s.%c = %d", directive, d, n)
		fact := solve.Fact{Name: name, Formula: expr.Eq(v, expr.Const(n))}
		if _, ok := l.defs[v.String()]; ok {
			l.addFact(fact.Name, fact.Formula)
			continue
		}
		l.define(v.String(), expr.Const(n), fact)
	}
}

// addFact adds a fact unless the definitions imply it.
func (l *launchFacts) addFact(name string, f *expr.Bool) {
	if f.Subst(l.filling) != expr.True {
		l.facts = append(l.facts, solve.Fact{Name: name, Formula: f})
	}
}

// wholeClusters adds that the grid consists of whole clusters.
func (l *launchFacts) wholeClusters(directive string, args []uint64) {
	for i, n := range args {
		if n > 1 && i < len(dims) {
			v := facts.Dim("nctaid", dims[i])
			l.addFact(fmt.Sprintf("directive: the grid is a multiple of %s", directive),
				expr.Eq(expr.Rem(v, expr.Const(int64(n))), expr.Const(0)))
		}
	}
}

// limitThreads adds that a block has no more threads than the product of the directive's extents.
func (l *launchFacts) limitThreads(args []uint64) {
	n := int64(1)
	for _, x := range args {
		n *= int64(min(x, maxThreads))
	}
	if n >= maxThreads {
		return
	}
	for _, d := range dims {
		l.addFact(fmt.Sprintf("directive: .maxntid is %d threads", n), expr.Le(facts.Dim("ntid", d), expr.Const(n)))
	}
	l.threads = n
}

// mentions reports whether a fact is about a variable.
func (l *launchFacts) mentions(name string) bool {
	return slices.ContainsFunc(l.facts, func(f solve.Fact) bool {
		return slices.ContainsFunc(f.Formula.Vars(), func(v expr.Variable) bool { return v.Name == name })
	})
}
