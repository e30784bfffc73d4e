// Static single assignment: the values of registers.

package rewrite

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/hugepage"
)

// SSA is the pruned static single assignment form of a function's registers, kept beside the program: every write of a
// register makes a value, and so do the function's entry and every place where different values of a register merge
// (phi). Analyses work on values rather than on registers, since compilers reuse registers.
type SSA struct {
	f      *Func
	Values []SSAValue
	uses   [][]regValue // values that each instruction reads
	defs   [][]regValue // values that each instruction writes

	// Order has all values, inputs before results except around loops.
	Order []int32
}

type regValue struct {
	reg *Reg
	val int32
}

// SSAKind is the origin of a value.
type SSAKind uint8

// Kinds of values.
const (
	SSAEntry SSAKind = iota // the register's content when the function starts
	SSAWrite                // written by Inst
	SSAPhi                  // merged at the start of Block: In has a value per predecessor
)

// NoValue is an index that stands for no value.
const NoValue = int32(-1)

// SSAValue is one value of a register.
type SSAValue struct {
	Kind  SSAKind
	Reg   *Reg
	Block *Block
	Inst  *Inst   // of a write
	Old   int32   // for a write that keeps the old value in part or in some lanes; else NoValue
	In    []int32 // for a phi, by predecessor; the entry block has one more; NoValue for edges that are never taken
}

// SSA returns the SSA form of f, computed on first use.
func (f *Func) SSA() *SSA {
	return memo(f, ssaKey{}, func() *SSA { return buildValues(f) })
}

func buildValues(f *Func) *SSA {
	b := &valueBuilder{ // for thousands of functions in large modules: one array of each asks for huge pages
		SSA: &SSA{f: f, uses: hugepage.Slice(make([][]regValue, len(f.Insts))), defs: make([][]regValue, len(f.Insts))},
		g:   f.CFG(), phis: make([][]int32, len(f.CFG().Blocks)), place: places(f.CFG()),
		cur: make([]int32, len(f.Regs)), entry: make([]int32, len(f.Regs)),
	}
	for i := range b.cur {
		b.cur[i], b.entry[i] = NoValue, NoValue
	}
	b.placePhis()
	b.rename()
	for _, n := range b.g.Blocks {
		if !b.g.Reached(n) {
			b.block(n)
			b.undo(0)
		}
	}
	b.sort()
	return b.SSA
}

// sort makes SSA.Order.
func (b *valueBuilder) sort() {
	b.Order = make([]int32, 0, len(b.Values))
	for i := range b.Values {
		if b.Values[i].Kind == SSAEntry {
			b.Order = append(b.Order, int32(i))
		}
	}
	block := func(n *Block) {
		b.Order = append(b.Order, b.phis[n.Index]...)
		for i := n.Start; i < n.End; i++ {
			for _, d := range b.defs[i] {
				b.Order = append(b.Order, d.val)
			}
		}
	}
	for _, n := range b.g.rpo {
		block(n)
	}
	for _, n := range b.g.Blocks {
		if !b.g.Reached(n) {
			block(n)
		}
	}
}

type valueBuilder struct {
	*SSA
	g     *CFG
	phis  [][]int32 // by block
	place [][]int32 // by block and successor: the block's index among the predecessors
	cur   []int32   // current value of each register, NoValue for the entry value
	entry []int32   // entry value of each register, NoValue until needed
	log   []regValue
}

func (b *valueBuilder) add(v SSAValue) int32 {
	b.Values = append(b.Values, v)
	return int32(len(b.Values) - 1)
}

// places returns for all edges, by block and successor, their index among the successor's predecessors: a search for
// each edge would be quadratic.
func places(g *CFG) [][]int32 {
	out, next := make([][]int32, len(g.Blocks)), make([]int32, len(g.Blocks))
	for _, n := range g.Blocks { // in the order in which connect adds predecessors
		out[n.Index] = make([]int32, len(n.Succs))
		for i, s := range n.Succs {
			out[n.Index][i] = next[s.Index]
			next[s.Index]++
		}
	}
	return out
}

// placePhis puts phis of a register on the iterated dominance frontier of its
// writes, where the register is live.
func (b *valueBuilder) placePhis() {
	writes := make([][]*Block, len(b.f.Regs))
	for _, n := range b.g.rpo {
		for _, in := range b.f.Insts[n.Start:n.End] {
			in.Defs(func(r *Reg) {
				if w := writes[r.Index]; len(w) == 0 || w[len(w)-1] != n {
					writes[r.Index] = append(w, n)
				}
			})
		}
	}
	frontier := b.frontiers()
	live := b.f.Liveness()
	has := make([]int, len(b.g.Blocks)) // register index + 1 of the last phi placed there
	for i, work := range writes {
		r := b.f.Regs[i]
		for len(work) > 0 {
			n := work[len(work)-1]
			work = work[:len(work)-1]
			for _, d := range frontier[n.Index] {
				if has[d.Index] == i+1 || !live.In(d).Has(r) {
					continue
				}
				has[d.Index] = i + 1
				ins := make([]int32, len(d.Preds)+1)
				for k := range ins {
					ins[k] = NoValue
				}
				b.phis[d.Index] = append(b.phis[d.Index],
					b.add(SSAValue{Kind: SSAPhi, Reg: r, Block: d, Old: NoValue, In: ins}))
				work = append(work, d)
			}
		}
	}
}

// frontiers returns the dominance frontiers of the blocks that the entry reaches.
func (b *valueBuilder) frontiers() [][]*Block {
	out := make([][]*Block, len(b.g.Blocks))
	for _, n := range b.g.rpo {
		if len(n.Preds) < 2 && n.Index > 0 {
			continue
		}
		for _, p := range n.Preds {
			for p != nil && p != n.IDom && b.g.Reached(p) {
				f := out[p.Index]
				if len(f) > 0 && f[len(f)-1] == n {
					break // all further up have n already
				}
				out[p.Index] = append(f, n)
				p = p.IDom
			}
		}
	}
	return out
}

// rename walks the dominator tree and gives every read its value.
func (b *valueBuilder) rename() {
	kids := make([][]*Block, len(b.g.Blocks))
	for _, n := range b.g.rpo {
		if n.IDom != nil {
			kids[n.IDom.Index] = append(kids[n.IDom.Index], n)
		}
	}
	type frame struct{ block, next, mark int }
	var stack []frame
	push := func(n *Block) {
		stack = append(stack, frame{n.Index, 0, len(b.log)})
		b.block(n)
	}
	push(b.g.Blocks[0])
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if k := kids[top.block]; top.next < len(k) {
			top.next++
			push(k[top.next-1])
			continue
		}
		b.undo(top.mark)
		stack = stack[:len(stack)-1]
	}
}

// block numbers the reads and writes of a block and fills in the phis behind it.
func (b *valueBuilder) block(n *Block) {
	for _, p := range b.phis[n.Index] {
		phi := &b.Values[p]
		if n.Index == 0 {
			v := b.read(phi.Reg)
			b.Values[p].In[len(n.Preds)] = v
		}
		b.set(b.Values[p].Reg, p)
	}
	for _, in := range b.f.Insts[n.Start:n.End] {
		b.inst(n, in)
	}
	for i, s := range n.Succs {
		k := b.place[n.Index][i]
		for _, p := range b.phis[s.Index] {
			v := b.read(b.Values[p].Reg)
			b.Values[p].In[k] = v
		}
	}
}

func (b *valueBuilder) inst(n *Block, in *Inst) {
	in.Uses(func(r *Reg) {
		if !slices.ContainsFunc(b.uses[in.Index], func(u regValue) bool { return u.reg == r }) {
			b.uses[in.Index] = append(b.uses[in.Index], regValue{r, b.read(r)})
		}
	})
	in.Defs(func(r *Reg) {
		if slices.ContainsFunc(b.defs[in.Index], func(d regValue) bool { return d.reg == r }) {
			return
		}
		old := NoValue
		if in.keepsOld(r) {
			old = b.read(r)
		}
		v := b.add(SSAValue{Kind: SSAWrite, Reg: r, Block: n, Inst: in, Old: old})
		b.defs[in.Index] = append(b.defs[in.Index], regValue{r, v})
	})
	for _, d := range b.defs[in.Index] {
		b.set(d.reg, d.val)
	}
}

// keepsOld reports whether a register may keep its old value, in part, when the instruction writes it: in lanes where
// the guard does not hold, or in other components.
func (i *Inst) keepsOld(r *Reg) bool { return i.Guard != nil || r.Vec > 1 }

// read returns the current value of a register.
func (b *valueBuilder) read(r *Reg) int32 {
	if v := b.cur[r.Index]; v != NoValue {
		return v
	}
	if b.entry[r.Index] == NoValue {
		b.entry[r.Index] = b.add(SSAValue{Kind: SSAEntry, Reg: r, Block: b.g.Blocks[0], Old: NoValue})
	}
	return b.entry[r.Index]
}

func (b *valueBuilder) set(r *Reg, v int32) {
	b.log = append(b.log, regValue{r, b.cur[r.Index]})
	b.cur[r.Index] = v
}

// undo restores the values set since the mark.
func (b *valueBuilder) undo(mark int) {
	for _, w := range slices.Backward(b.log[mark:]) {
		b.cur[w.reg.Index] = w.val
	}
	b.log = b.log[:mark]
}

// Use returns the index of the value of r that in reads, NoValue if in does not read r.
func (v *SSA) Use(in *Inst, r *Reg) int32 { return find(v.uses[in.Index], r) }

// Def returns the index of the value of r that in writes, NoValue if in does not write r.
func (v *SSA) Def(in *Inst, r *Reg) int32 { return find(v.defs[in.Index], r) }

func find(list []regValue, r *Reg) int32 {
	for _, u := range list {
		if u.reg == r {
			return u.val
		}
	}
	return NoValue
}

// Inputs calls f for the values that a phi merges, or that a write leaves in place.
func (v *SSAValue) Inputs(f func(int32)) {
	if v.Old != NoValue {
		f(v.Old)
	}
	for _, i := range v.In {
		if i != NoValue {
			f(i)
		}
	}
}
