// Booking: verification, while a program runs, of proofs about where its accesses go.

package emu

import (
	"encoding/binary"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/rewrite/address"
)

// Booking verifies proofs about where accesses of device memory go (address.Exempt). The machine
// compares each time that an instruction accesses another allocation than its last one, which it
// must find anyway.
type Booking struct {
	// Root returns the proved root of the address that is an operand of an instruction, of kind
	// RootUnknown without a proof.
	Root func(in *rewrite.Inst, operand int) address.Root
	// Strayed is the first access that went elsewhere; nil when none has.
	Strayed *rewrite.Inst
}

// booked is the proof about one access.
type booked struct {
	inst    *rewrite.Inst
	root    address.Root
	to      *gmem.Allocation // in the launch; nil when it may be none
	current *launch
}

// booking returns the proof about operand i of an instruction, nil when there is none.
func (d *decoder) booking(in *rewrite.Inst, i int) *booked {
	if d.m.cfg.Booking == nil {
		return nil
	}
	r := d.m.cfg.Booking.Root(in, i)
	if r.Kind != address.RootVar && r.Kind != address.RootParam {
		return nil
	}
	return &booked{inst: in, root: r}
}

// verify compares the allocation that an access goes to with the proof.
func (b *booked) verify(x *engine, to *gmem.Allocation) {
	if b.current != x.l {
		b.current, b.to = x.l, x.m.rootedIn(x.l, b.root)
	}
	if k := x.m.cfg.Booking; b.to != to && k.Strayed == nil {
		k.Strayed = b.inst
	}
}

// rootedIn returns the allocation that a root points into in a launch, nil when there is none.
// The root may belong to another version of the module, with the same variables and parameters.
func (m *Machine) rootedIn(l *launch, r address.Root) *gmem.Allocation {
	const pointer = 8
	if r.Kind == address.RootVar {
		if r.Var.Space != isa.SpaceGlobal && r.Var.Space != isa.SpaceConst {
			return nil
		}
		return m.mem.Find(m.namesake(l, r.Var))
	}
	for _, p := range l.kernel.formals {
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
