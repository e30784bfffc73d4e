// Edges of the control-flow graph for edits: which of them code can be put on.

package rewrite

// A list of branch targets gives an edge to each label for every branch that names the
// list, so that a short text may have very many edges: n labels and n branches n*n. Lists
// that one branch names are bounded by the text.

// MaxSharedEdges limits the edges of a module that branches have through a list that a
// branch before has named, or through a register, which may hold any label.
const MaxSharedEdges = 1 << 18

// checkEdges reports the branch that exceeds the limit.
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
				l.errorf(l.ast.OpcodeRange(in.AST).Start, "%s: branches of this module have more than %d edges through lists of targets that they share", in.Text(), MaxSharedEdges)
				return
			}
		}
	}
}
