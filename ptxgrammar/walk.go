// Walking the syntax tree.

package ptxgrammar

import "iter"

// ItemRange returns the byte range of a top-level node.
func (m *Module) ItemRange(it Item) Range {
	switch it.Kind {
	case ItemDecl:
		return m.Decls[it.Index].Range
	case ItemFunc:
		return m.Funcs[it.Index].Range
	case ItemFile:
		return m.Files[it.Index].Range
	case ItemLoc:
		return m.Locs[it.Index].Range
	}
	return m.Directives[it.Index].Range
}

// StmtRange returns the byte range of a statement.
func (m *Module) StmtRange(s Stmt) Range {
	switch s.Kind {
	case StmtInst:
		return m.InstRange(&m.Insts[s.Index])
	case StmtLabel:
		return m.Labels[s.Index].Range
	case StmtDecl:
		return m.Decls[s.Index].Range
	case StmtBlock:
		return m.Blocks[s.Index].Range
	case StmtLoc:
		return m.Locs[s.Index].Range
	case StmtFile:
		return m.Files[s.Index].Range
	case StmtEmpty:
		return m.tokSpan(s.Index, s.Index+1)
	}
	return m.Directives[s.Index].Range
}

// Stmts yields the statements of a function body in source order with their nesting
// depth, 0 for the body's own. A nested block comes before its statements.
func (m *Module) Stmts(f *Func) iter.Seq2[int, Stmt] {
	return func(yield func(int, Stmt) bool) {
		if f.Body >= 0 {
			m.walkBlock(f.Body, 0, yield)
		}
	}
}

func (m *Module) walkBlock(block, depth int, yield func(int, Stmt) bool) bool {
	for _, s := range m.Blocks[block].Stmts {
		if !yield(depth, s) {
			return false
		}
		if s.Kind == StmtBlock && !m.walkBlock(int(s.Index), depth+1, yield) {
			return false
		}
	}
	return true
}

// FuncInsts yields the instructions of a function in source order, those of nested
// blocks included.
func (m *Module) FuncInsts(f *Func) iter.Seq[*Inst] {
	return func(yield func(*Inst) bool) {
		for _, s := range m.Stmts(f) {
			if s.Kind == StmtInst && !yield(&m.Insts[s.Index]) {
				return
			}
		}
	}
}

// WalkOperand calls f for an operand and its descendants, parents first, as long as f returns true.
func (m *Module) WalkOperand(o *Operand, f func(*Operand) bool) {
	if !f(o) {
		return
	}
	kids := m.Children(o)
	for i := range kids {
		m.WalkOperand(&kids[i], f)
	}
}
