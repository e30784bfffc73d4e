// Definitions and uses of registers.

package rewrite

import "slices"

// DefUse links the writes of registers with the reads that may see them.
type DefUse struct {
	v       *SSA
	readers [][]int32 // by value, the instructions that read it
	merged  [][]int32 // for each value, the phis and partial writes that merge it
}

// DefUse returns the links of f, computed on first use.
func (f *Func) DefUse() *DefUse {
	return memo(f, defUseKey{}, func() *DefUse { return newDefUse(f.SSA()) })
}

func newDefUse(v *SSA) *DefUse {
	d := &DefUse{v: v, readers: make([][]int32, len(v.Values)), merged: make([][]int32, len(v.Values))}
	for i, uses := range v.uses {
		for _, u := range uses {
			d.readers[u.val] = append(d.readers[u.val], int32(i))
		}
	}
	for i := range v.Values {
		v.Values[i].Inputs(func(from int32) { d.merged[from] = append(d.merged[from], int32(i)) })
	}
	return d
}

// Defs returns the reaching definitions of a read: the instructions, in source order, whose write of r may be what in
// reads. undefined says that r may also hold its value at the start of the function: nothing, or the argument of a
// parameter in .reg space. The list is empty if in does not read r.
func (d *DefUse) Defs(in *Inst, r *Reg) (defs []*Inst, undefined bool) {
	start := d.v.Use(in, r)
	if start == NoValue {
		return nil, false
	}
	d.closure(start, func(v int32) []int32 {
		var next []int32
		d.v.Values[v].Inputs(func(i int32) { next = append(next, i) })
		return next
	}, func(v *SSAValue) {
		switch v.Kind {
		case SSAWrite:
			defs = append(defs, v.Inst)
		case SSAEntry:
			undefined = true
		}
	})
	slices.SortFunc(defs, bySource)
	return defs, undefined
}

// Uses returns the instructions, in source order, that may read what in writes to r.
func (d *DefUse) Uses(in *Inst, r *Reg) []*Inst {
	start := d.v.Def(in, r)
	if start == NoValue {
		return nil
	}
	seen := make(map[int32]bool)
	var uses []*Inst
	d.each(start, func(v int32) []int32 { return d.merged[v] }, func(v int32) {
		for _, i := range d.readers[v] {
			if !seen[i] {
				seen[i] = true
				uses = append(uses, d.v.f.Insts[i])
			}
		}
	})
	slices.SortFunc(uses, bySource)
	return uses
}

// Writers returns the instructions that write r, in source order.
func (f *Func) Writers(r *Reg) []*Inst {
	return memo(f, writersKey{}, func() map[*Reg][]*Inst {
		writers := make(map[*Reg][]*Inst, len(f.Regs))
		for _, in := range f.Insts {
			in.Defs(func(d *Reg) {
				if list := writers[d]; len(list) == 0 || list[len(list)-1] != in {
					writers[d] = append(list, in)
				}
			})
		}
		return writers
	})[r]
}

func bySource(a, b *Inst) int { return a.Index - b.Index }

// closure visits start and all values that next leads to, transitively.
func (d *DefUse) closure(start int32, next func(int32) []int32, visit func(*SSAValue)) {
	d.each(start, next, func(v int32) { visit(&d.v.Values[v]) })
}

func (d *DefUse) each(start int32, next func(int32) []int32, visit func(int32)) {
	seen := map[int32]bool{start: true}
	work := []int32{start}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		visit(v)
		for _, n := range next(v) {
			if !seen[n] {
				seen[n] = true
				work = append(work, n)
			}
		}
	}
}
