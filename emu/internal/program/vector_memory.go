// Translation of memory accesses, and what is noted of them for listeners.

package program

import (
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/lowering"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// memory translates a memory operation. It reports whether there is a handler.
func (v *vectorTranslator) memory(in *state.Inst) bool {
	ac, cfg := in.Form.Ac, &v.m.Cfg
	private := ac.Space == isa.SpaceLocal || ac.Space == isa.SpaceParam
	noted := cfg.Listener != nil && !private && !ac.Silent && (ac.Space != isa.SpaceShared || v.m.Interest.Shared)
	if cfg.Uninitialised && ac.Space == isa.SpaceLocal || ac.Origin != nil {
		return false
	}
	s := vector.Inst{
		D: uint32(in.D), A: uint32(in.A), B: uint32(in.B), C: uint32(in.C), Imm: int64(ac.Off),
		Count: vector.CountNothing,
	}
	if in.Flags&state.FlagVisible != 0 {
		s.Count = vector.CountVisible
	}
	if ac.Kind >= isa.AccessStore {
		s.Target = counterOfChanges(ac)
	}
	if r := in.Form.Regs; len(r) > 1 {
		fields := []*uint32{&s.D, &s.B, &s.C, &s.E}
		if ac.Kind == isa.AccessStore {
			fields[0], fields[1], fields[2] = &s.B, &s.C, &s.D
		}
		for i := range r {
			*fields[i] = uint32(r[i])
		}
	}
	log := slices.Index([]uint64{1, 2, 4, 8, 16}, ac.Size)
	site := 0
	switch ac.Space {
	case isa.SpaceParam:
		if ac.Kind != isa.AccessLoad {
			return false
		}
		if v.param(in, s) {
			return true
		}
		site = ParamSites + log
	case isa.SpaceShared:
		site = SharedSites + log
	case isa.SpaceLocal:
		site, v.out.Local = LocalSites+log, true
	default:
		site = NumCommonSites + v.m.VectorSites
		v.m.VectorSites++
		in.Form.Site = site
	}
	s.Site = uint32(site) * vector.SiteBytes
	if noted {
		v.noteAccess(in, s.Count)
	}
	op := in.Op
	if base, ok := v.consts[in.A]; ok && lowering.Uniform[op] != vector.Slow {
		op, s.Imm = lowering.Uniform[op], s.Imm+int64(base)
	}
	v.emit(op, s)
	if noted && ac.Kind >= isa.AccessAtomic && v.m.Interest.Values {
		v.noteValue(in.D, ac.Size)
	}
	return true
}

// note numbers the site of the current instruction.
func (v *vectorTranslator) note(s state.NotedSite) {
	if v.out.Noted == nil {
		v.out.Noted = make([]*state.NotedSite, len(v.fn.Code))
	}
	if v.out.Noted[v.pc] == nil {
		s.Inst = v.fn.InstAt(v.pc)
		s.Fact = &events.FactsOf(v.m, s.Inst.Func)[s.Inst.Index]
		if s.Plain = true; s.Ac != nil && s.Ac.Kind > isa.AccessLoad {
			s.Writes, s.Plain = ^uint32(0), !v.m.Interest.Values
		}
		v.out.Noted[v.pc] = &s
	}
}

// counterOfChanges returns vector.Inst.Target of an access that writes.
func counterOfChanges(ac *state.Access) uint32 {
	if ac.Aside {
		return vector.ChangesAside
	}
	return vector.ChangesProgress
}

// noteAccess emits the note of an access, for the listener. The addresses are those of ac.generic.
func (v *vectorTranslator) noteAccess(in *state.Inst, count uint32) {
	ac := in.Form.Ac
	op, base := vector.NoteAccess, gmem.SpaceBase(ac.Space)
	if base != 0 {
		op = vector.NoteWindow
	}
	v.note(state.NotedSite{Ac: ac, Space: ac.Space})
	v.emit(op, vector.Inst{
		A: uint32(in.A), B: uint32(ac.Size), C: uint32(base >> gmem.SlotBits), Imm: int64(ac.Off), Count: count,
	})
	switch {
	case !v.m.Interest.Values:
	case ac.Kind == isa.AccessStore:
		v.noteStored(ac)
	case ac.Kind >= isa.AccessAtomic:
		v.noteValue(in.B, ac.Size)
		if ac.Compares {
			v.noteValue(in.C, ac.Size)
		}
	}
}

// noteValue adds to the note the value in a register of size bytes.
func (v *vectorTranslator) noteValue(r state.Slot, size uint64) {
	op := vector.NoteValue32
	if size == 8 {
		op = vector.NoteValue64
	}
	v.emit(op, vector.Inst{A: uint32(r), Imm: -1})
}

// noteStored adds to the note the value that a store writes, in rows of eight bytes.
func (v *vectorTranslator) noteStored(ac *state.Access) {
	for k, r := range ac.Stores {
		op, shift := vector.NoteValue32, k*ac.Elem.Bits()%64
		switch {
		case shift > 0:
			op = vector.NotePart32
		case r.Wide():
			op = vector.NoteValue64
		}
		v.emit(op, vector.Inst{A: uint32(r.Slot), B: uint32(shift), Imm: int64(events.LowBits(ac.Elem.Bits()))})
	}
}

// param translates the load of a kernel parameter at a constant address. It reports whether in is such a load.
func (v *vectorTranslator) param(in *state.Inst, s vector.Inst) bool {
	op := vector.Slow
	switch in.Op {
	case vector.Load32:
		op = vector.LoadParam32
	case vector.Load64:
		op = vector.LoadParam64
	}
	base, ok := v.consts[in.A]
	at := base + in.Form.Ac.Off
	size := in.Form.Ac.Size
	if op == vector.Slow || !ok || at > v.params || size > v.params-at || at%size != 0 {
		return false
	}
	s.Site, s.Imm = ParamSites*vector.SiteBytes, int64(at)
	v.emit(op, s)
	return true
}
