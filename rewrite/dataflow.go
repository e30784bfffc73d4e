// Liveness of registers.

package rewrite

import "slices"

// RegSet is a set of registers of one function, by Reg.Index.
type RegSet []uint64

// NewRegSet returns an empty set of registers of a function with n of them.
func NewRegSet(n int) RegSet { return make(RegSet, (n+63)/64) }

// Has reports whether r is in the set.
func (s RegSet) Has(r *Reg) bool { return s[r.Index/64]>>(r.Index%64)&1 != 0 }

// Add adds r to the set.
func (s RegSet) Add(r *Reg) { s[r.Index/64] |= 1 << (r.Index % 64) }

func (s RegSet) remove(r *Reg) { s[r.Index/64] &^= 1 << (r.Index % 64) }

// union adds t and reports whether the set grew.
func (s RegSet) union(t RegSet) bool {
	grew := false
	for i, w := range t {
		grew = grew || w&^s[i] != 0
		s[i] |= w
	}
	return grew
}

// Liveness says which registers hold values that may still be read.
type Liveness struct {
	f       *Func
	in, out []RegSet // by block
}

// Liveness returns the liveness of a function's registers, computed on first use.
// A guarded write does not end the life of the old value: lanes whose guard does
// not hold keep it.
func (f *Func) Liveness() *Liveness {
	return memo(f, livenessKey{}, func() *Liveness { return newLiveness(f) })
}

func newLiveness(f *Func) *Liveness {
	g := f.CFG()
	l := &Liveness{f: f, in: make([]RegSet, len(g.Blocks)), out: make([]RegSet, len(g.Blocks))}
	for i := range g.Blocks {
		l.in[i], l.out[i] = NewRegSet(len(f.Regs)), NewRegSet(len(f.Regs))
	}
	order := g.postorder()
	stale := make([]bool, len(g.Blocks)) // its in set may grow: its out set has grown, or the block is new
	for i := range stale {
		stale[i] = true
	}
	for changed := true; changed; {
		changed = false
		for _, b := range order {
			if stale[b.Index] {
				stale[b.Index] = false
				changed = l.flow(b, stale) || changed
			}
		}
	}
	return l
}

// flow recomputes the set live at the start of a block. If it has grown, it is added to the ends of the preceding
// blocks, which become stale if they grow.
func (l *Liveness) flow(b *Block, stale []bool) bool {
	live := slices.Clone(l.out[b.Index])
	for i := b.End - 1; i >= b.Start; i-- {
		step(l.f.Insts[i], live)
	}
	if !l.in[b.Index].union(live) {
		return false
	}
	for _, p := range b.Preds {
		if l.out[p.Index].union(live) {
			stale[p.Index] = true
		}
	}
	return true
}

// postorder returns all blocks, each after its successors except along back edges. Those that the entry does not reach
// come last.
func (g *CFG) postorder() []*Block {
	order := slices.Clone(g.rpo)
	slices.Reverse(order)
	for _, b := range slices.Backward(g.Blocks) {
		if !g.Reached(b) {
			order = append(order, b)
		}
	}
	return order
}

// step turns the set live after an instruction into the one live before it.
func step(in *Inst, live RegSet) {
	in.Defs(func(r *Reg) {
		if !in.keepsOld(r) {
			live.remove(r)
		}
	})
	in.Uses(live.Add)
}

// In returns the registers live at the start of a block. Do not modify the result.
func (l *Liveness) In(b *Block) RegSet { return l.in[b.Index] }

// Out returns the registers live at the end of a block. Do not modify the result.
func (l *Liveness) Out(b *Block) RegSet { return l.out[b.Index] }

// Before returns the registers live just before an instruction. It walks the block: for many instructions, use a
// LiveCursor.
func (l *Liveness) Before(in *Inst) RegSet { return l.Cursor().Before(in) }

// LiveCursor walks backwards through blocks to find the registers live before instructions.
type LiveCursor struct {
	of    *Liveness
	block *Block
	at    int // index of the instruction that live is for, or the end of the block
	live  RegSet
}

// Cursor returns a cursor for l.
func (l *Liveness) Cursor() *LiveCursor { return &LiveCursor{of: l} }

// Before returns the registers live just before an instruction, until the next call. It goes on from the instruction of
// the last call if that is in the same block and not before in; else it walks from the end of the block.
func (c *LiveCursor) Before(in *Inst) RegSet {
	f := c.of.f
	if b := f.CFG().BlockOf[in.Index]; b != c.block || in.Index > c.at {
		c.block, c.at, c.live = b, b.End, append(c.live[:0], c.of.out[b.Index]...)
	}
	for c.at > in.Index {
		c.at--
		step(f.Insts[c.at], c.live)
	}
	return c.live
}
