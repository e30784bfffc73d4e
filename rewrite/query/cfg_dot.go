// Control-flow graphs as DOT text for Graphviz.

package query

import (
	"fmt"
	"strings"

	"github.com/ptxsan/ptxsan/rewrite"
)

// DOT renders the graph for Graphviz: a box per block with its instructions and
// PTX lines; dashed edges go to the exit, bold ones back to a loop header.
func DOT(g *rewrite.CFG) string {
	var b strings.Builder
	fmt.Fprintf(&b, "digraph %s {\n\tnode [shape=box fontname=monospace];\n", quoteDOT(g.Func.Name))
	for _, n := range g.Blocks {
		fmt.Fprintf(&b, "\tb%d [label=%s];\n", n.Index, quoteDOT(blockText(g, n)))
	}
	for _, n := range g.Blocks {
		for _, s := range n.Succs {
			style := ""
			switch {
			case s == g.Exit:
				style = " [style=dashed]"
			case g.Dominates(s, n):
				style = " [style=bold]"
			}
			fmt.Fprintf(&b, "\tb%d -> b%d%s;\n", n.Index, s.Index, style)
		}
	}
	b.WriteString("}\n")
	return b.String()
}

// blockText returns the label of a block: its instructions, one per line.
func blockText(g *rewrite.CFG, n *rewrite.Block) string {
	if n == g.Exit {
		return "exit"
	}
	lines := []string{fmt.Sprintf("block %d", n.Index)}
	for _, in := range g.Func.Insts[n.Start:n.End] {
		guard := ""
		if in.Guard != nil {
			guard = "@" + in.Guard.Name + " "
			if in.GuardNot {
				guard = "@!" + in.Guard.Name + " "
			}
		}
		lines = append(lines, fmt.Sprintf("%d: %s%s", in.Line, guard, in.Text()))
	}
	return strings.Join(lines, "\n") + "\n"
}

// quoteDOT returns a quoted DOT string whose lines are set flush left.
func quoteDOT(s string) string {
	s = strings.ReplaceAll(s, `\`, `\\`)
	s = strings.ReplaceAll(s, `"`, `\"`)
	return `"` + strings.ReplaceAll(s, "\n", `\l`) + `"`
}
