package rewrite

import "slices"

// RegSet is a set of registers of one function, by Reg.Index.
type RegSet []uint64

func newRegSet(n int) RegSet { return make(RegSet, (n+63)/64) }

// Has reports whether r is in the set.
func (s RegSet) Has(r *Reg) bool { return s[r.Index/64]>>(r.Index%64)&1 != 0 }

func (s RegSet) add(r *Reg)    { s[r.Index/64] |= 1 << (r.Index % 64) }
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
	return f.live.get(func() *Liveness { return newLiveness(f) })
}

func newLiveness(f *Func) *Liveness {
	g := f.CFG()
	l := &Liveness{f: f, in: make([]RegSet, len(g.Blocks)), out: make([]RegSet, len(g.Blocks))}
	for i := range g.Blocks {
		l.in[i], l.out[i] = newRegSet(len(f.Regs)), newRegSet(len(f.Regs))
	}
	work := slices.Clone(g.Blocks)
	queued := make([]bool, len(g.Blocks))
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		queued[b.Index] = false
		for _, s := range b.Succs {
			l.out[b.Index].union(l.in[s.Index])
		}
		live := slices.Clone(l.out[b.Index])
		for i := b.End - 1; i >= b.Start; i-- {
			step(f.Insts[i], live)
		}
		if !l.in[b.Index].union(live) {
			continue
		}
		for _, p := range b.Preds {
			if !queued[p.Index] {
				queued[p.Index] = true
				work = append(work, p)
			}
		}
	}
	return l
}

// step turns the set live after an instruction into the one live before it.
func step(in *Inst, live RegSet) {
	in.Defs(func(r *Reg) {
		if !in.keepsOld(r) {
			live.remove(r)
		}
	})
	in.Uses(live.add)
}

// In is what is live at the start of a block. Do not modify.
func (l *Liveness) In(b *Block) RegSet { return l.in[b.Index] }

// Out is what is live at the end of a block. Do not modify.
func (l *Liveness) Out(b *Block) RegSet { return l.out[b.Index] }

// Before is what is live just before an instruction. It walks the block: for many
// instructions of one block go from Out with your own loop.
func (l *Liveness) Before(in *Inst) RegSet {
	b := l.f.CFG().BlockOf[in.Index]
	live := slices.Clone(l.out[b.Index])
	for i := b.End - 1; i >= in.Index; i-- {
		step(l.f.Insts[i], live)
	}
	return live
}
