// Checks of accesses against the variable that their address was made from (Config.Variables).

package emu

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/rewrite/address"
)

// Config.Variables: shared and local variables and kernel parameters lie side by side,
// and an index that is too large for one hits the next. Where the program shows which
// variable an address was made from (address.Roots), accesses must be within it.

// origin is the variable that the address of an access was made from.
type origin struct {
	v      *rewrite.Var
	fn     *function
	locals map[*rewrite.Var]uint64 // offsets in the activation of fn
}

// origin is that of operand i of an instruction, nil when it is not checked.
func (d *decoder) origin(in *rewrite.Inst, i int) *origin {
	if !d.m.cfg.Variables {
		return nil
	}
	r := address.RootsOf(in.Func).Address(in, i)
	if r.Kind != address.RootVar {
		return nil
	}
	o := &origin{v: r.Var, fn: d.fn, locals: d.stack}
	if _, local := d.stack[r.Var]; !local && r.Var.Space != isa.SpaceShared && !o.isParam(r.Var) {
		return nil
	}
	return o
}

// isParam reports whether v is a parameter of the kernel.
func (o *origin) isParam(v *rewrite.Var) bool {
	return v.Space == isa.SpaceParam && v.Func == o.fn.src && o.fn.src.Entry
}

// region is where a variable lies for the running group, in addresses of its state
// space; an array without an extent has the rest of shared memory.
func (o *origin) region(x *engine, v *rewrite.Var) (base, size uint64) {
	if off, local := o.locals[v]; local {
		return x.frame.stackBase + off, v.Size
	}
	if o.isParam(v) {
		base, _ = x.m.varAddr(o.fn, v)
		return base, v.Size
	}
	base, size = x.l.shared[v], v.Size
	if size == 0 {
		size = uint64(len(x.cta.shared)) - base
	}
	return base + x.cta.sharedBase(), size
}

// inVariable reports whether an access is within the variable that its address was made
// from, and raises a fault when it is not.
func (ac *access) inVariable(x *engine, in *inst, addr uint64, i int) bool {
	o := ac.origin
	if o == nil {
		return true
	}
	space := o.v.Space
	if _, local := o.locals[o.v]; local {
		space = isa.SpaceLocal
	}
	at := addr
	if ac.space == isa.SpaceNone {
		at -= gmem.SpaceBase(space)
	}
	at &= 1<<gmem.SlotBits - 1
	base, size := o.region(x, o.v)
	if off := at - base; off <= size && ac.size <= size-off {
		return true
	}
	first := at // byte outside
	if at-base < size {
		first = base + size
	}
	x.raise(in, i, "out-of-bounds", ac.generic(addr), "%s of %d bytes at %s address 0x%x, which %s that the address was made from, %s",
		ac.kind.Word(), ac.size, space, at, beyond(at-base, ac.size, size, "variable "+o.v.Name), o.hit(x, first))
	return false
}

// hit names the variable that an address outside the expected variable lies in, for messages.
func (o *origin) hit(x *engine, at uint64) string {
	var around []*rewrite.Var
	switch {
	case o.v.Space == isa.SpaceShared:
		around = slices.Collect(maps.Keys(x.l.shared))
	case o.isParam(o.v):
		around = o.fn.src.Params
	default:
		around = slices.Collect(maps.Keys(o.locals))
	}
	slices.SortFunc(around, func(a, b *rewrite.Var) int { return cmp.Compare(a.Name, b.Name) })
	for _, v := range around {
		if base, size := o.region(x, v); v != o.v && at-base < size {
			return fmt.Sprintf("in the variable %s", v.Name)
		}
	}
	return "in no variable"
}
