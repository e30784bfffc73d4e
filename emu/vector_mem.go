// Translation of memory accesses, and what is noted of them for listeners.

package emu

import (
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/lowering"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// vectorForm holds the parts of an operation in assembly that an inst has no field for.
type vectorForm struct {
	ac   *access       // of memory operations
	site int           // index in the site table; 0 if the instruction has no site of its own
	regs []slot        // registers of loads and stores of several values
	seq  []vector.Inst // the complete program, if it is not one operation on d, a, b, c and imm
}

// add appends an operation on registers.
func (f *vectorForm) add(op vector.Op, d, a, b uint32) {
	in := vector.Inst{D: d, A: a, B: b}
	in.Set(op)
	f.seq = append(f.seq, in)
}

// memory makes i a memory operation in assembly, unless op is Slow.
func (i *inst) memory(op vector.Op, ac *access, regs []operand) {
	if op == vector.Slow || ac.overrun != nil {
		return
	}
	f := &vectorForm{ac: ac}
	for _, r := range regs {
		f.regs = append(f.regs, r.slot)
	}
	i.op, i.form = op, f
}

// memory translates a memory operation. It reports whether there is a handler.
func (v *vectorTranslator) memory(in *inst) bool {
	ac, cfg := in.form.ac, &v.m.cfg
	private := ac.space == isa.SpaceLocal || ac.space == isa.SpaceParam
	noted := cfg.Listener != nil && !private && !ac.silent && (ac.space != isa.SpaceShared || v.m.interest.Shared)
	if cfg.Uninitialised && ac.space == isa.SpaceLocal || ac.origin != nil {
		return false
	}
	s := vector.Inst{
		D: uint32(in.d), A: uint32(in.a), B: uint32(in.b), C: uint32(in.c), Imm: int64(ac.off),
		Count: vector.CountNothing,
	}
	if in.flags&flagVisible != 0 {
		s.Count = vector.CountVisible
	}
	if ac.kind >= isa.AccessStore {
		s.Target = ac.counterOfChanges()
	}
	if r := in.form.regs; len(r) > 1 {
		fields := []*uint32{&s.D, &s.B, &s.C, &s.E}
		if ac.kind == isa.AccessStore {
			fields[0], fields[1], fields[2] = &s.B, &s.C, &s.D
		}
		for i := range r {
			*fields[i] = uint32(r[i])
		}
	}
	log := slices.Index([]uint64{1, 2, 4, 8, 16}, ac.size)
	site := 0
	switch ac.space {
	case isa.SpaceParam:
		if ac.kind != isa.AccessLoad {
			return false
		}
		if v.param(in, s) {
			return true
		}
		site = paramSites + log
	case isa.SpaceShared:
		site = sharedSites + log
	case isa.SpaceLocal:
		site, v.out.local = localSites+log, true
	default:
		site = numCommonSites + v.m.vectorSites
		v.m.vectorSites++
		in.form.site = site
	}
	s.Site = uint32(site) * vector.SiteBytes
	if noted {
		v.noteAccess(in, s.Count)
	}
	op := in.op
	if base, ok := v.consts[in.a]; ok && lowering.Uniform[op] != vector.Slow {
		op, s.Imm = lowering.Uniform[op], s.Imm+int64(base)
	}
	v.emit(op, s)
	if noted && ac.kind >= isa.AccessAtomic && v.m.interest.Values {
		v.noteValue(in.d, ac.size)
	}
	return true
}

// note numbers the site of the current instruction.
func (v *vectorTranslator) note(s notedSite) {
	if v.out.noted == nil {
		v.out.noted = make([]*notedSite, len(v.fn.code))
	}
	if v.out.noted[v.pc] == nil {
		s.inst = v.fn.instAt(v.pc)
		s.fact = &v.m.factsOf(s.inst.Func)[s.inst.Index]
		if s.plain = true; s.ac != nil && s.ac.kind > isa.AccessLoad {
			s.writes, s.plain = ^uint32(0), !v.m.interest.Values
		}
		v.out.noted[v.pc] = &s
	}
}

// counterOfChanges returns vector.Inst.Target of an access that writes.
func (ac *access) counterOfChanges() uint32 {
	if ac.aside {
		return vector.ChangesAside
	}
	return vector.ChangesProgress
}

// noteAccess emits the note of an access, for the listener. The addresses are those of ac.generic.
func (v *vectorTranslator) noteAccess(in *inst, count uint32) {
	ac := in.form.ac
	op, base := vector.NoteAccess, gmem.SpaceBase(ac.space)
	if base != 0 {
		op = vector.NoteWindow
	}
	v.note(notedSite{ac: ac, space: ac.space})
	v.emit(op, vector.Inst{
		A: uint32(in.a), B: uint32(ac.size), C: uint32(base >> gmem.SlotBits), Imm: int64(ac.off), Count: count,
	})
	switch {
	case !v.m.interest.Values:
	case ac.kind == isa.AccessStore:
		v.noteStored(ac)
	case ac.kind >= isa.AccessAtomic:
		v.noteValue(in.b, ac.size)
		if ac.compares {
			v.noteValue(in.c, ac.size)
		}
	}
}

// noteValue adds to the note the value in a register of size bytes.
func (v *vectorTranslator) noteValue(r slot, size uint64) {
	op := vector.NoteValue32
	if size == 8 {
		op = vector.NoteValue64
	}
	v.emit(op, vector.Inst{A: uint32(r), Imm: -1})
}

// noteStored adds to the note the value that a store writes, in rows of eight bytes.
func (v *vectorTranslator) noteStored(ac *access) {
	for k, r := range ac.stores {
		op, shift := vector.NoteValue32, k*ac.elem.Bits()%64
		switch {
		case shift > 0:
			op = vector.NotePart32
		case r.wide():
			op = vector.NoteValue64
		}
		v.emit(op, vector.Inst{A: uint32(r.slot), B: uint32(shift), Imm: int64(lowBits(ac.elem.Bits()))})
	}
}

// param translates the load of a kernel parameter at a constant address. It reports whether in is such a load.
func (v *vectorTranslator) param(in *inst, s vector.Inst) bool {
	op := vector.Slow
	switch in.op {
	case vector.Load32:
		op = vector.LoadParam32
	case vector.Load64:
		op = vector.LoadParam64
	}
	base, ok := v.consts[in.a]
	at := base + in.form.ac.off
	size := in.form.ac.size
	if op == vector.Slow || !ok || at > v.params || size > v.params-at || at%size != 0 {
		return false
	}
	s.Site, s.Imm = paramSites*vector.SiteBytes, int64(at)
	v.emit(op, s)
	return true
}
