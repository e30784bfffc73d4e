// Edges of the control-flow graph on which edits can put code.

package rewrite

// A list of branch targets gives an edge to each label for every branch that names the list, so that a short text may
// have very many edges: n*n for n labels and n branches. Lists that only one branch names are bounded by the text.

// MaxSharedEdges limits the edges of a module's branches through a list that an earlier branch has named, or through a
// register, which may hold any label.
const MaxSharedEdges = 1 << 18

// checkEdges records an error at the branch that exceeds the limit.
func (l *loader) checkEdges() {
	edges, named := 0, make(map[*Proto]bool)
	for _, f := range l.mod.Funcs {
		for _, in := range f.Insts {
			if !in.Branches() {
				continue
			}
			labels, known := in.targets()
			list := in.targetList()
			switch {
			case !known:
				edges += len(f.Labels)
			case list != nil && named[list]:
				edges += len(labels)
			case list != nil:
				named[list] = true
			}
			if edges > MaxSharedEdges {
				l.errorf(l.ast.OpcodeRange(in.AST).Start,
					"%s: branches of this module have more than %d edges through lists of targets that they share",
					in.Text(), MaxSharedEdges)
				return
			}
		}
	}
}
