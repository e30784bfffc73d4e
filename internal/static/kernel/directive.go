// Directives of a kernel as facts: extents that its launches must have, or their limits.

package kernel

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/query"
	"github.com/ptxsan/ptxsan/internal/static/solve"
	"github.com/ptxsan/ptxsan/ptxgrammar"
)

// directives adds the constraints that all launches of the kernel satisfy (PTX ISA, "Performance-Tuning Directives",
// "Cluster Dimension Directives").
func (b *Builder) directives() {
	b.unclustered()
	for _, p := range b.Kernel.Func.AST.Perf {
		switch p.Name {
		case ".reqntid":
			b.Require("ntid", p.Name, p.Args)
		case ".reqnctapercluster":
			b.Require("cluster_nctaid", p.Name, p.Args)
			b.WholeClusters(p.Name, p.Args)
		}
	}
	b.plainDims()
	for _, p := range b.Kernel.Func.AST.Perf {
		if p.Name == ".maxntid" {
			b.LimitThreads(p.Args)
		}
	}
}

// unclustered defines clusters as of one block, if the launch names none and the kernel requires none.
func (b *Builder) unclustered() {
	if !b.Given.Unclustered || slices.ContainsFunc(b.Kernel.Func.AST.Perf,
		func(p ptxgrammar.Perf) bool { return p.Name == ".reqnctapercluster" }) {
		return
	}
	for _, d := range query.Dims {
		v := facts.Dim("cluster_nctaid", d)
		b.Define(v.String(), expr.Const(1), solve.Fact{
			Name:    fmt.Sprintf("cluster.%c = 1 (%s)", d, b.Given.Site),
			Formula: expr.Eq(v, expr.Const(1)),
		})
	}
}

// Prepare prepares the facts: definitions are substituted, the others are passed to the solver.
func (b *Builder) Prepare() {
	b.SettleGiven()
	b.directives()
	b.FindNumbers()
	b.NoteDefinitions()
}
