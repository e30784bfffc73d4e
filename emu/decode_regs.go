// Register allocation: virtual registers whose lifetimes do not overlap share a slot.

package emu

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/ptxsan/ptxsan/rewrite"
)

// Where registers lie in the frame. A compiler uses each virtual register once or twice;
// registers that are never needed at the same place share a slot, so that the register
// file of a warp stays in the cache. Lanes of a warp may be at different places, but
// each has its own part of the slot.

// lifetime is a range of instructions of a function, by index: it contains all places at which
// the value of a register may still be read.
type lifetime struct{ from, to int }

// registersOf assigns a slot to each register of a function. free has slots, by width in bits,
// that hold no value while the function runs; registersOf takes slots from it and adds those of
// the function.
func (d *decoder) registersOf(f *rewrite.Func, free map[int][]slot) []slot {
	regs := make([]slot, len(f.Regs))
	lives := lifetimes(f)
	order := slices.Clone(f.Regs)
	slices.SortStableFunc(order, func(a, b *rewrite.Reg) int { return cmp.Compare(lives[a.Index].from, lives[b.Index].from) })
	ending := make([][]*rewrite.Reg, len(f.Insts)+1) // registers by the end of their lifetime; their slots are free afterwards
	at := 0
	for _, r := range order {
		for ; at < lives[r.Index].from; at++ {
			for _, e := range ending[at] {
				width := slotBits(e.Type)
				free[width] = append(free[width], regs[e.Index])
			}
		}
		width := slotBits(r.Type)
		if list := free[width]; r.Vec == 1 && len(list) > 0 {
			regs[r.Index], free[width] = list[len(list)-1], list[:len(list)-1]
		} else {
			regs[r.Index] = d.alloc(width)
			for range r.Vec - 1 {
				d.alloc(width)
			}
		}
		if to := lives[r.Index].to; r.Vec == 1 && to >= 0 {
			ending[to] = append(ending[to], r)
		}
	}
	for ; at < len(ending); at++ {
		for _, e := range ending[at] {
			free[slotBits(e.Type)] = append(free[slotBits(e.Type)], regs[e.Index])
		}
	}
	return regs
}

// lifetimes are those of all registers of a function, by index. A register that passes an
// argument or a result lives all the time, one that is not used never: from the end on.
func lifetimes(f *rewrite.Func) []lifetime {
	lives := make([]lifetime, len(f.Regs))
	for i := range lives {
		lives[i] = lifetime{len(f.Insts), -1}
	}
	extend := func(i, at int) {
		lives[i].from, lives[i].to = min(lives[i].from, at), max(lives[i].to, at)
	}
	for i, in := range f.Insts {
		touch := func(r *rewrite.Reg) { extend(r.Index, i) }
		in.Defs(touch)
		in.Uses(touch)
	}
	live := f.Liveness()
	for _, b := range f.CFG().Blocks {
		eachReg(live.In(b), func(i int) { extend(i, b.Start) })
		eachReg(live.Out(b), func(i int) { extend(i, max(b.Start, b.End-1)) })
	}
	for _, v := range slices.Concat(f.Params, f.Returns) {
		if v.Reg != nil {
			extend(v.Reg.Index, 0)
			extend(v.Reg.Index, len(f.Insts))
		}
	}
	for v, uses := range paramUses(f) { // in any order
		extendPassed(f, v, uses, extend)
	}
	return lives
}

// extendPassed extends the lifetimes of the registers that are stored to a .param variable or
// loaded from it: where stores and loads are left out (decode_args.go), they are written where the
// function begins, or read where it ends or where the call is. What is executed before the load
// of a parameter may stand behind it.
func extendPassed(f *rewrite.Func, v *rewrite.Var, uses []int, extend func(reg, at int)) {
	last := uses[len(uses)-1]
	switch {
	case f.Entry && slices.Contains(f.Params, v):
		return
	case slices.Contains(f.Params, v):
		for _, i := range uses {
			f.Insts[i].Defs(func(r *rewrite.Reg) {
				extend(r.Index, 0)
				extend(r.Index, len(f.Insts))
			})
		}
		return
	case slices.Contains(f.Returns, v):
		last = len(f.Insts)
	}
	for _, i := range uses {
		f.Insts[i].Uses(func(r *rewrite.Reg) { extend(r.Index, last) })
	}
}

// eachReg calls f for the indices of the registers in a set.
func eachReg(set rewrite.RegSet, f func(i int)) {
	for i, w := range set {
		for ; w != 0; w &= w - 1 {
			f(64*i + bits.TrailingZeros64(w))
		}
	}
}
