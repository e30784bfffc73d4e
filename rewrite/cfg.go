// Control-flow graphs: basic blocks, edges, reverse postorder.

package rewrite

// CFG is the control-flow graph of a function; see Func.CFG.
type CFG struct {
	Func       *Func
	Blocks     []*Block // in source order; Blocks[0] is the entry
	Exit       *Block   // virtual exit, without instructions, last in Blocks
	Degenerate bool     // it has a branch through a register without target list, whose edges are unknown
	BlockOf    []*Block // by instruction index

	rpo   []*Block
	order []int // position of each block in rpo
}

// Block is a basic block: Insts[Start:End] of its function. The entry of a function
// without instructions is empty.
type Block struct {
	Index      int
	Start, End int
	Succs      []*Block // fall-through last
	Preds      []*Block
	IDom       *Block // nil for the entry and for blocks that it does not reach
	IPDom      *Block // nil only for the virtual exit; see CFG.dominance

	graph     *CFG
	dom, pdom interval // position in the trees of IDom and IPDom
}

// CFG returns the graph, built on first use.
//
// A block ends at a branch, at an instruction that may leave the function, and
// before the target of a branch; other labels (of debug information) do not split
// blocks. Guarded ret, exit and trap continue at the exit and at the next
// instruction. Falling off the end of the body returns.
func (f *Func) CFG() *CFG {
	return memo(f, cfgKey{}, func() *CFG { return buildCFG(f) })
}

func buildCFG(f *Func) *CFG {
	g := &CFG{Func: f, BlockOf: make([]*Block, len(f.Insts))}
	g.split(g.leaders())
	g.Exit = &Block{Index: len(g.Blocks), Start: len(f.Insts), End: len(f.Insts)}
	g.Blocks = append(g.Blocks, g.Exit)
	for _, b := range g.Blocks {
		b.graph = g
	}
	for _, b := range g.Blocks[:g.Exit.Index] {
		g.connect(b)
	}
	g.dominance()
	return g
}

// leaders marks the instructions that start a block.
func (g *CFG) leaders() []bool {
	insts := g.Func.Insts
	lead := make([]bool, len(insts)+1)
	lead[0] = true
	for i, in := range insts {
		if in.Branches() || in.leaves() {
			lead[i+1] = true
		}
		if !in.Branches() {
			continue
		}
		targets, known := in.targets()
		if !known {
			g.Degenerate = true
		}
		for _, t := range targets {
			lead[t.Inst] = true
		}
	}
	if g.Degenerate {
		for _, l := range g.Func.Labels {
			lead[l.Inst] = true
		}
	}
	return lead
}

// targets returns the labels that a branch may go to; known is false for a branch through a register without target
// list.
func (i *Inst) targets() (labels []*Label, known bool) {
	for n := range i.Operands {
		switch s := i.Operands[n].Sym.(type) {
		case *Label:
			return []*Label{s}, true
		case *Proto:
			return s.Labels, true
		}
	}
	return nil, false
}

// split makes the blocks.
func (g *CFG) split(lead []bool) {
	n := len(g.Func.Insts)
	if n == 0 {
		g.Blocks = []*Block{{}}
		return
	}
	for i := range n {
		if lead[i] {
			g.Blocks = append(g.Blocks, &Block{Index: len(g.Blocks), Start: i})
		}
		b := g.Blocks[len(g.Blocks)-1]
		b.End = i + 1
		g.BlockOf[i] = b
	}
}

// connect adds the edges out of a block.
func (g *CFG) connect(b *Block) {
	if b.Start == b.End {
		g.edge(b, g.Exit)
		return
	}
	last := g.Func.Insts[b.End-1]
	if last.Branches() {
		targets, known := last.targets()
		for _, t := range targets {
			g.edge(b, g.at(t.Inst))
		}
		if !known {
			for _, l := range g.Func.Labels {
				g.edge(b, g.at(l.Inst))
			}
		}
	}
	if last.leaves() {
		g.edge(b, g.Exit)
	}
	if last.fallsThrough() {
		g.edge(b, g.at(b.End))
	}
}

// at returns the block that starts at an instruction, the exit at the end of the body.
func (g *CFG) at(inst int) *Block {
	if inst >= len(g.BlockOf) {
		return g.Exit
	}
	return g.BlockOf[inst]
}

// edge adds an edge between two blocks unless it exists. All edges out of a block must be added consecutively.
func (g *CFG) edge(from, to *Block) {
	if n := len(to.Preds); n > 0 && to.Preds[n-1] == from {
		return
	}
	from.Succs = append(from.Succs, to)
	to.Preds = append(to.Preds, from)
}

// ReversePostorder returns the blocks that the entry reaches, every block before its
// successors except along back edges. Do not modify.
func (g *CFG) ReversePostorder() []*Block { return g.rpo }
