// Translation of memory accesses: which handler executes a load, a store or an atomic operation, and what is noted for listeners.

package emu

import (
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
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

// variant selects the operation for the access's space. Local memory is separate for each lane and has handlers only for loads
// and stores of one value.
func (ac *access) variant(op, local vector.Op) vector.Op {
	if ac.space == isa.SpaceLocal {
		return local
	}
	return op
}

// loadKey selects the operation of a load or store: bits in memory, sign extension, 64-bit register.
type loadKey struct {
	bits         int
	signed, wide bool
}

var vectorLoadOps = map[loadKey][2]vector.Op{
	{32, false, false}: {vector.Load32, vector.LoadLocal32},
	{64, false, true}:  {vector.Load64, vector.LoadLocal64},
	{8, false, false}:  {vector.LoadU8, vector.LoadLocalU8},
	{8, true, false}:   {vector.LoadS8, vector.LoadLocalS8},
	{16, false, false}: {vector.LoadU16, vector.LoadLocalU16},
	{16, true, false}:  {vector.LoadS16, vector.LoadLocalS16},
	{32, false, true}:  {vector.LoadU32To64, vector.LoadLocalU32To64},
	{32, true, true}:   {vector.LoadS32To64, vector.LoadLocalS32To64},
	{8, false, true}:   {vector.LoadU8To64, vector.LoadLocalU8To64},
	{8, true, true}:    {vector.LoadS8To64, vector.LoadLocalS8To64},
	{16, false, true}:  {vector.LoadU16To64, vector.LoadLocalU16To64},
	{16, true, true}:   {vector.LoadS16To64, vector.LoadLocalS16To64},
}

// vectorUniform has the operations of loads from constant addresses, by that of the general load.
var vectorUniform = map[vector.Op]vector.Op{
	vector.Load32: vector.LoadUniform32, vector.Load64: vector.LoadUniform64, vector.LoadV4x32: vector.LoadUniformV4x32,
}

// vectorLoad returns the operation for a load of type t to a register; it corresponds to loadBody.
func vectorLoad(t, reg isa.Type, ac *access) vector.Op {
	bits := reg.Bits()
	if t == isa.S8 && bits == 16 {
		return vector.Slow // the sign extension ends at 16 bits
	}
	signed := t.Signed() && t.Bits() < bits && bits >= 32
	op := vectorLoadOps[loadKey{t.Bits(), signed, bits == 64}]
	return ac.variant(op[0], op[1])
}

var vectorStoreOps = map[loadKey][2]vector.Op{
	{bits: 32}:             {vector.Store32, vector.StoreLocal32},
	{bits: 64, wide: true}: {vector.Store64, vector.StoreLocal64},
	{bits: 8}:              {vector.Store8, vector.StoreLocal8},
	{bits: 16}:             {vector.Store16, vector.StoreLocal16},
	{bits: 8, wide: true}:  {vector.Store8From64, vector.StoreLocal8From64},
	{bits: 16, wide: true}: {vector.Store16From64, vector.StoreLocal16From64},
	{bits: 32, wide: true}: {vector.Store32From64, vector.StoreLocal32From64},
}

// vectorStore returns the operation for a store of type t.
func vectorStore(t isa.Type, wide bool, ac *access) vector.Op {
	op := vectorStoreOps[loadKey{bits: t.Bits(), wide: wide}]
	return ac.variant(op[0], op[1])
}

// tupleKey selects the operation that loads or stores several values: how many, and their bits in memory.
type tupleKey struct{ n, bits int }

var vectorTupleOps = map[tupleKey]struct{ load, store vector.Op }{
	{2, 8}:  {vector.LoadV2x8, vector.StoreV2x8},
	{4, 8}:  {vector.LoadV4x8, vector.StoreV4x8},
	{2, 16}: {vector.LoadV2x16, vector.StoreV2x16},
	{4, 16}: {vector.LoadV4x16, vector.StoreV4x16},
	{2, 32}: {vector.LoadV2x32, vector.StoreV2x32},
	{4, 32}: {vector.LoadV4x32, vector.StoreV4x32},
	{2, 64}: {vector.LoadV2x64, vector.StoreV2x64},
}

// vectorLoads returns the operation for a load of several values of type t, zero-extended to their registers.
func vectorLoads(t isa.Type, regs []operand, ac *access) vector.Op {
	signed := func(r operand) bool { return t.Signed() && t.Bits() < r.typ.Bits() }
	if !alike(t, regs) || slices.ContainsFunc(regs, signed) {
		return vector.Slow
	}
	return ac.variant(vectorTupleOps[tupleKey{len(regs), t.Bits()}].load, vector.Slow)
}

// vectorStores returns the operation for a store of several values.
func vectorStores(t isa.Type, regs []operand, ac *access) vector.Op {
	if !alike(t, regs) {
		return vector.Slow
	}
	return ac.variant(vectorTupleOps[tupleKey{len(regs), t.Bits()}].store, vector.Slow)
}

// alike reports whether all registers have the slot width that the handlers for type t expect: 64 bits for 64-bit values, else
// 32.
func alike(t isa.Type, regs []operand) bool {
	return !slices.ContainsFunc(regs, func(r operand) bool { return r.wide() != (t.Bits() == 64) })
}

var vectorAtomics32 = map[string]vector.Op{
	"add": vector.AtomAdd32, "and": vector.AtomAnd32, "or": vector.AtomOr32, "xor": vector.AtomXor32,
	"exch": vector.AtomExch32, "cas": vector.AtomCas32,
}

var vectorAtomics64 = map[string]vector.Op{
	"add": vector.AtomAdd64, "and": vector.AtomAnd64, "or": vector.AtomOr64, "xor": vector.AtomXor64,
	"exch": vector.AtomExch64, "cas": vector.AtomCas64,
}

// vectorUnread has the operations for a result that nothing reads.
var vectorUnread = map[vector.Op]vector.Op{
	vector.AtomAdd32: vector.AtomAddUnread32, vector.AtomAdd64: vector.AtomAddUnread64,
}

var vectorExtremes = map[isa.Type][2]vector.Op{
	isa.U32: {vector.AtomMinU32, vector.AtomMaxU32},
	isa.S32: {vector.AtomMinS32, vector.AtomMaxS32},
	isa.U64: {vector.AtomMinU64, vector.AtomMaxU64},
	isa.S64: {vector.AtomMinS64, vector.AtomMaxS64},
}

// vectorAtomic returns the operation for atom and red.
func vectorAtomic(op string, t isa.Type, ac *access) vector.Op {
	if ac.space == isa.SpaceLocal {
		return vector.Slow
	}
	switch t {
	case isa.U32, isa.S32, isa.B32, isa.U64, isa.S64, isa.B64:
	default:
		return vector.Slow
	}
	switch extremes := vectorExtremes[t]; {
	case op == "min":
		return extremes[0]
	case op == "max":
		return extremes[1]
	case t.Bits() == 64:
		return vectorAtomics64[op]
	}
	return vectorAtomics32[op]
}

// memory translates a memory operation. It reports whether there is a handler.
func (v *vectorTranslator) memory(in *inst) bool {
	ac, cfg := in.form.ac, &v.m.cfg
	private := ac.space == isa.SpaceLocal || ac.space == isa.SpaceParam
	noted := cfg.Listener != nil && !private && !ac.silent && (ac.space != isa.SpaceShared || v.m.interest.Shared)
	if cfg.Uninitialised && ac.space == isa.SpaceLocal || ac.origin != nil {
		return false
	}
	s := vector.Inst{D: uint32(in.d), A: uint32(in.a), B: uint32(in.b), C: uint32(in.c), Imm: int64(ac.off), Count: vector.CountNothing}
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
	if base, ok := v.consts[in.a]; ok && vectorUniform[op] != vector.Slow {
		op, s.Imm = vectorUniform[op], s.Imm+int64(base)
	}
	v.emit(op, s)
	if noted && ac.kind >= isa.AccessAtomic && v.m.interest.Values {
		v.noteValue(in.d, ac.size)
	}
	return true
}

// note numbers the site of the current instruction.
func (v *vectorTranslator) note(s AccessSite) {
	if v.out.noted == nil {
		v.out.noted = make([]*AccessSite, len(v.fn.code))
	}
	if v.out.noted[v.pc] == nil {
		s.Inst, s.Number = v.fn.instAt(v.pc), v.m.notedSites
		s.plain = s.Fence() || s.Kind == isa.AccessLoad || !v.m.interest.Values
		v.m.notedSites++
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
	v.note(AccessSite{Kind: ac.kind, Space: ac.space, Size: int(ac.size), ac: ac})
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
