// Parsing a large text in segments, in parallel.

package ptxgrammar

import (
	"slices"
	"sync/atomic"

	"github.com/ptxsan/ptxsan/internal/hugepage"
	"github.com/ptxsan/ptxsan/internal/panics"
)

// Concurrent parsing of the parts of a text. The text is divided between items, every part gets a separate tree over
// the common tokens, and join concatenates the trees. The result is the same as that of a single builder.

// minSegment is the minimum number of tokens of a part for a worker.
const minSegment = 1 << 14

// segmentSize returns the number of tokens per segment: a few segments for every worker, so that all workers end at
// about the same time.
func segmentSize(toks, workers, least int) int {
	if workers == 1 {
		return toks
	}
	return max(toks/(4*workers), least)
}

// parseSegments parses the tokens between the cuts. ok is false for a syntax error; errs are values out of range.
func parseSegments(f *File, toks []Tok, cuts []int, workers int) (m *Module, errs ErrorList, ok bool) {
	bounds := slices.Concat([]int{0}, cuts, []int{len(toks)})
	parts := make([]*builder, len(bounds)-1)
	var failed atomic.Bool
	each(len(parts), workers, func(i int) {
		if failed.Load() {
			return
		}
		parts[i] = newBuilder(f, toks, bounds[i], bounds[i+1])
		if !parts[i].run(bounds[i], bounds[i+1]) {
			failed.Store(true)
		}
	})
	if failed.Load() {
		return nil, nil, false
	}
	mods := make([]*Module, len(parts))
	for i, b := range parts {
		mods[i] = b.m
		errs = append(errs, b.errs...)
	}
	return join(mods, workers), errs[:min(len(errs), maxErrors)], true
}

// each calls f for 0 to n-1, up to workers at a time.
func each(n, workers int, f func(int)) {
	if workers = min(workers, n); workers == 1 {
		for i := range n {
			f(i)
		}
		return
	}
	var next atomic.Int64
	var wg panics.Group
	for range workers {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	wg.Wait()
}

// join concatenates the trees of consecutive parts of a text. It moves nodes to arrays of exactly their number, unless
// there is one part with little unused capacity.
func join(mods []*Module, workers int) *Module {
	if m := mods[0]; len(mods) == 1 && cap(m.Insts) <= len(m.Insts)*9/8 && cap(m.Operands) <= len(m.Operands)*9/8 {
		m.defaults()
		return m
	}
	m := &Module{File: mods[0].File, toks: mods[0].toks, text: mods[0].text}
	bases := make([]sizes, len(mods))
	var total sizes
	for i, part := range mods {
		bases[i] = total
		total = total.plus(part)
		m.takeHeader(part)
	}
	m.defaults()
	total.allocate(m)
	each(len(mods), workers, func(i int) {
		bases[i].rebase(mods[i])
		bases[i].place(m, mods[i])
		mods[i] = nil
	})
	return m
}

// defaults sets the defaults of absent directives.
func (m *Module) defaults() {
	if m.AddressSize == 0 {
		m.AddressSize, m.AddressSizeAt = 32, m.TargetAt
	}
}

// takeHeader copies the header directives of a part, unless they are set.
func (m *Module) takeHeader(part *Module) {
	if m.Version == 0 {
		m.Version, m.VersionAt = part.Version, part.VersionAt
	}
	if m.Target == nil {
		m.Target, m.TargetAt = part.Target, part.TargetAt
	}
	if m.AddressSize == 0 {
		m.AddressSize, m.AddressSizeAt = part.AddressSize, part.AddressSizeAt
	}
}

// sizes are the lengths of a module's arrays.
type sizes struct {
	items, funcs, decls, insts, labels, blocks, locs, directives, operands, files uint32
}

func (s sizes) plus(m *Module) sizes {
	s.items += uint32(len(m.Items))
	s.funcs += uint32(len(m.Funcs))
	s.decls += uint32(len(m.Decls))
	s.insts += uint32(len(m.Insts))
	s.labels += uint32(len(m.Labels))
	s.blocks += uint32(len(m.Blocks))
	s.locs += uint32(len(m.Locs))
	s.directives += uint32(len(m.Directives))
	s.operands += uint32(len(m.Operands))
	s.files += uint32(len(m.Files))
	return s
}

// allocate allocates the arrays.
func (s sizes) allocate(m *Module) {
	m.Items = array[Item](s.items)
	m.Funcs = array[Func](s.funcs)
	m.Decls = array[Decl](s.decls)
	m.Insts = array[Inst](s.insts)
	m.Labels = array[Label](s.labels)
	m.Blocks = array[Block](s.blocks)
	m.Locs = array[Loc](s.locs)
	m.Directives = array[Directive](s.directives)
	m.Operands = array[Operand](s.operands)
	m.Files = array[FileDirective](s.files)
}

// array returns nil for no elements, as if nothing had been appended.
func array[T any](n uint32) []T {
	if n == 0 {
		return nil
	}
	return hugepage.Slice(make([]T, n))
}

// place copies the nodes of a part to their place in m.
func (s sizes) place(m, part *Module) {
	copy(m.Items[s.items:], part.Items)
	copy(m.Funcs[s.funcs:], part.Funcs)
	copy(m.Decls[s.decls:], part.Decls)
	copy(m.Insts[s.insts:], part.Insts)
	copy(m.Labels[s.labels:], part.Labels)
	copy(m.Blocks[s.blocks:], part.Blocks)
	copy(m.Locs[s.locs:], part.Locs)
	copy(m.Directives[s.directives:], part.Directives)
	copy(m.Operands[s.operands:], part.Operands)
	copy(m.Files[s.files:], part.Files)
}

// rebase adjusts the indices in the nodes of a part to their place in m.
func (s sizes) rebase(part *Module) {
	if s == (sizes{}) {
		return
	}
	for i := range part.Items {
		part.Items[i].Index += s.item(part.Items[i].Kind)
	}
	for i := range part.Funcs {
		if f := &part.Funcs[i]; f.Body >= 0 {
			f.Body += int(s.blocks)
		}
	}
	for i := range part.Blocks {
		for j := range part.Blocks[i].Stmts {
			st := &part.Blocks[i].Stmts[j]
			st.Index += s.stmt(st.Kind)
		}
	}
	for i := range part.Decls {
		for j := range part.Decls[i].Vars {
			if v := &part.Decls[i].Vars[j]; v.Init >= 0 {
				v.Init += int(s.operands)
			}
		}
	}
	for i := range part.Insts {
		if in := &part.Insts[i]; in.nOps > 0 {
			in.firstOp += s.operands
		}
	}
	for i := range part.Operands {
		if o := &part.Operands[i]; o.n > 0 {
			o.first += s.operands
		}
	}
}

// item returns the length of the array that holds top-level nodes of a kind.
func (s sizes) item(kind ItemKind) uint32 {
	switch kind {
	case ItemDecl:
		return s.decls
	case ItemFunc:
		return s.funcs
	case ItemFile:
		return s.files
	case ItemLoc:
		return s.locs
	case ItemDirective:
	}
	return s.directives
}

// stmt returns the length of the array that holds statements of a kind.
func (s sizes) stmt(kind StmtKind) uint32 {
	switch kind {
	case StmtInst:
		return s.insts
	case StmtLabel:
		return s.labels
	case StmtDecl:
		return s.decls
	case StmtBlock:
		return s.blocks
	case StmtLoc:
		return s.locs
	case StmtFile:
		return s.files
	case StmtEmpty:
		return 0 // tokens are numbered over all parts
	case StmtDirective:
	}
	return s.directives
}
