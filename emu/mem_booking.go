package emu

import (
	"encoding/binary"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	addresses "github.com/ptxsan/ptxsan/rewrite/address"
)

// Booking is where accesses of device memory go, as somebody has proved who relies on it
// (address.Exempt). The machine looks each time that an instruction accesses another
// allocation than it has accessed last, which it must find anyway.
type Booking struct {
	// Root is what the address that an instruction accesses at an operand was made from, of
	// kind RootUnknown when that is not relied on.
	Root func(in *rewrite.Inst, operand int) addresses.Root
	// Strayed is the first access that went elsewhere; nil when none has.
	Strayed *rewrite.Inst
}

// booked is what is relied on of an access.
type booked struct {
	inst    *rewrite.Inst
	root    addresses.Root
	to      *gmem.Allocation // in the launch; nil when it may be none
	current *launch
}

// booking is what is relied on of the address that is operand i of an instruction.
func (d *decoder) booking(in *rewrite.Inst, i int) *booked {
	if d.m.cfg.Booking == nil {
		return nil
	}
	r := d.m.cfg.Booking.Root(in, i)
	if r.Kind != addresses.RootVar && r.Kind != addresses.RootParam {
		return nil
	}
	return &booked{inst: in, root: r}
}

// verify notes that an access goes to an allocation.
func (b *booked) verify(x *engine, to *gmem.Allocation) {
	if b.current != x.l {
		b.current, b.to = x.l, x.m.rootedIn(x.l, b.root)
	}
	if k := x.m.cfg.Booking; b.to != to && k.Strayed == nil {
		k.Strayed = b.inst
	}
}

// rootedIn is the allocation of the object that a root is of, nil when there is none. The
// root may be of another module, to which this one owes its variables and parameters.
func (m *Machine) rootedIn(l *launch, r addresses.Root) *gmem.Allocation {
	const pointer = 8
	if r.Kind == addresses.RootVar {
		if r.Var.Space != isa.SpaceGlobal && r.Var.Space != isa.SpaceConst {
			return nil
		}
		return m.mem.Find(m.namesake(l, r.Var))
	}
	params, _ := paramLayout(l.kernel.src)
	for _, p := range params {
		if at := p.Offset + uint64(r.At); p.Var.Name == r.Var.Name && r.At >= 0 && at+pointer <= p.Offset+p.Size {
			return m.mem.Find(binary.LittleEndian.Uint64(l.params[at:]))
		}
	}
	return nil
}

// namesake is the address of the variable of that name, 0 when there is none.
func (m *Machine) namesake(l *launch, v *rewrite.Var) uint64 {
	if addr, ok := m.vars[v]; ok {
		return addr
	}
	for _, f := range l.kernel.src.Locals {
		if v.Func != nil && f.Name == v.Name {
			return m.vars[f]
		}
	}
	if s, ok := m.src.Lookup(v.Name); ok && v.Func == nil {
		if own, is := s.(*rewrite.Var); is {
			return m.vars[own]
		}
	}
	return 0
}
