// Translation of a decoded function to a program in assembly.

package program

import (
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/groups"
	"github.com/ptxsan/ptxsan/emu/internal/lowering"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/internal/hugepage"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Sites that every launch has, by the logarithm of the size of an access. The sites of instructions follow.
const (
	SharedSites    = 0
	LocalSites     = SharedSites + SiteSizes
	ParamSites     = LocalSites + SiteSizes
	NumCommonSites = ParamSites + SiteSizes
	SiteSizes      = 5 // 1 to 16 bytes
)

// vectorTranslator translates one function.
type vectorTranslator struct {
	m             *state.Machine
	fn            *state.Function
	params        uint64                // bytes
	consts        map[state.Slot]uint64 // 64-bit constants
	places        []place               // by pc
	out           *state.VectorCode
	pc            int32
	guardedCopies []guardedCopy
	branches      []int // indices in code; their Target is a pc until link
	readsOf       map[*rewrite.Func][]int
}

// place says how lanes reach an instruction other than by fall-through.
type place struct {
	join  bool // it is a reconvergence point
	enter bool // it is the target of a branch
	head  bool // it is the target of a back edge
}

// guardedCopy is a guarded instruction that needs a copy, for execution by some of the lanes.
type guardedCopy struct {
	pc       int32
	guard    int // index in code of the guard
	from, to int // indices in code of the instruction
}

// vectorize sets fn.vector.
func vectorize(m *state.Machine, fn *state.Function) {
	v := &vectorTranslator{
		m: m, fn: fn, consts: map[state.Slot]uint64{}, places: make([]place, len(fn.Code)+1),
		readsOf: map[*rewrite.Func][]int{},
	}
	v.out = &state.VectorCode{
		Code:   hugepage.Slice(make([]vector.Inst, 0, len(fn.Code))),
		Starts: make([]uint32, 0, len(fn.Code)),
	}
	if fn.Src.Entry {
		v.params = fn.FormalBytes
	}
	for _, c := range fn.Constants {
		if c.Bits == 64 {
			v.consts[c.Slot] = c.Val
		}
	}
	for i := range fn.Code {
		if c := &fn.Code[i]; c.Src >= 0 && c.Flags&state.FlagBranch != 0 && c.Imm >= 0 {
			v.places[c.Imm].join = true
		}
		if fn.Code[i].Flags&state.FlagBlockEnd != 0 {
			v.places[i+1].join = true
		}
		if fn.Code[i].Flags&state.FlagBranch != 0 {
			to := &v.places[fn.Code[i].Tgt]
			to.enter, to.head = true, to.head || fn.Code[i].Flags&state.FlagLoop != 0
		}
	}
	if m.Observed() && m.Cfg.Listener == nil { // the assembly notifies listeners, but not while a round is recorded
		v.observers()
	}
	for pc := 0; pc < len(fn.Code); pc++ {
		v.pc = int32(pc)
		if v.fused(fn.Code[pc:]) {
			pc++
			continue
		}
		v.inst(&fn.Code[pc])
	}
	v.copies()
	v.link()
	vector.Combine(v.out.Code, v.onlyReads)
	fn.Vector = v.out
	if p := fn.Preface; p != nil {
		p.Constants = fn.Constants
		vectorize(m, p)
	}
}

// observers finds the code of observers: functions, and inlined bodies.
func (v *vectorTranslator) observers() {
	v.out.Aside = make([]*state.PCRange, len(v.fn.Code))
	for _, b := range v.fn.Bodies { // those around others come first
		own := func(in *rewrite.Inst) bool { return !v.m.Aside(in) }
		if len(b.Src.Insts) == 0 || v.out.Aside[b.Starts[0]] != nil || slices.ContainsFunc(b.Src.Insts, own) {
			continue
		}
		r := &state.PCRange{First: b.Starts[0], End: int32(len(v.fn.Code))}
		if b.Place != nil {
			r.End = end(b)
			v.places[r.End].join = true
		}
		for pc := r.First; pc < r.End; pc++ {
			v.out.Aside[pc] = r
		}
	}
}

// inst translates one instruction.
func (v *vectorTranslator) inst(in *state.Inst) {
	start := v.here()
	if v.places[v.pc].join {
		v.emit(vector.Stop, vector.Inst{})
	}
	at := len(v.out.Code)
	ok := false
	switch {
	case in.Flags&state.FlagNothing != 0:
		if ok = true; v.places[v.pc].head { // the head of a loop needs an instruction of its own
			v.emit(vector.MovPred, vector.Inst{D: uint32(state.SlotTrue), A: uint32(state.SlotTrue)})
		}
	case in.Flags&state.FlagStep != 0:
	case in.Flags&state.FlagBranch != 0:
		ok = true
		v.branch(in)
	case in.Op == vector.Barrier || in.Op == vector.Return:
		if ok = in.Guard == state.SlotTrue; ok {
			v.emit(in.Op, vector.Inst{D: v.barrierZero(in)})
			start = groups.NoStart // Go does not start a run there
		}
	case in.Op != vector.Slow && in.Guard != state.SlotTrue:
		guard := vector.Guard
		if in.Flags&state.FlagVisible != 0 {
			guard = vector.GuardVisible
		}
		v.emit(guard, vector.Inst{A: uint32(in.Guard), C: uint32(in.GuardXor)})
		if ok = v.body(in); ok {
			v.guardedCopies = append(v.guardedCopies, guardedCopy{v.pc, at, at + 1, len(v.out.Code)})
			break
		}
		v.out.Code = v.out.Code[:at]
	case in.Op != vector.Slow:
		ok = v.body(in)
	}
	if !ok {
		v.emit(vector.Slow, vector.Inst{})
		start = groups.NoStart
	}
	v.out.Starts = append(v.out.Starts, start)
}

// barrierZero returns vector.Inst.D of a Barrier, 0 for a Return.
func (v *vectorTranslator) barrierZero(in *state.Inst) uint32 {
	if in.Op != vector.Barrier || !v.fn.Barriers[v.pc].Zero {
		return 0
	}
	v.out.Rounds = true
	return vector.BarrierZero
}

// here returns the byte offset of the next instruction.
func (v *vectorTranslator) here() uint32 { return uint32(len(v.out.Code)) * vector.InstBytes }

func (v *vectorTranslator) emit(op vector.Op, in vector.Inst) {
	in.Set(op)
	in.PC = uint32(v.pc)
	v.out.Code = append(v.out.Code, in)
}

// branch translates bra. Target is a pc until link.
func (v *vectorTranslator) branch(in *state.Inst) {
	op := vector.Jump
	switch guarded, back := in.Guard != state.SlotTrue, in.Flags&state.FlagLoop != 0; {
	case guarded && back:
		op = vector.BranchBack
	case guarded:
		op = vector.Branch
	case back:
		op = vector.JumpBack
	}
	waits := vector.WaitsNobody
	switch join := in.Imm; {
	case join < 0 || !v.places[join].join: // the join is in the caller
	case join == int64(in.Tgt):
		waits = vector.WaitsTaken
	case join == int64(v.pc)+1:
		waits = vector.WaitsOthers
	}
	v.branches = append(v.branches, len(v.out.Code))
	v.emit(op, vector.Inst{
		D: counterField(in), A: uint32(in.Guard), B: waits, C: uint32(in.GuardXor), E: uint32(in.Imm),
		Target: uint32(in.Tgt), Imm: int64(v.pc) + 1 - int64(in.Tgt),
	})
}

// counterField returns vector.Inst.D of a branch.
func counterField(in *state.Inst) uint32 {
	switch {
	case in.Flags&state.FlagCounted == 0:
		return vector.Uncounted
	case in.A == 0:
		return vector.Counted
	}
	return uint32(in.A)
}

// body translates the operation of an instruction. It reports whether there is a handler.
func (v *vectorTranslator) body(in *state.Inst) bool {
	switch {
	case in.Form != nil && in.Form.Ac != nil:
		return v.memory(in)
	case in.Form != nil:
		for _, s := range in.Form.Seq {
			s.PC = uint32(v.pc)
			v.out.Code = append(v.out.Code, s)
		}
		return true
	}
	s := operands(in)
	if in.Flags&state.FlagVisible != 0 {
		s.Count = vector.CountVisible
	}
	if in.Op == vector.NoteFence {
		v.note(state.NotedSite{})
	}
	v.emit(in.Op, s)
	return true
}

// operands returns an instruction of package vector with the operands of in, which has no form.
func operands(in *state.Inst) vector.Inst {
	return vector.Inst{
		D: uint32(in.D), A: uint32(in.A), B: uint32(in.B), C: uint32(in.C), E: uint32(in.Imm),
		Imm: in.Imm,
	}
}

// fused translates the first two instructions of code as one, if possible. The second one is neither a branch target
// nor a join; if execution is resumed there, Go executes it.
func (v *vectorTranslator) fused(code []state.Inst) bool {
	if len(code) < 2 || v.places[v.pc+1] != (place{}) || code[0].Guard != state.SlotTrue || code[0].Flags != 0 {
		return false
	}
	emit := v.pair(&code[0], &code[1])
	if emit == nil {
		return false
	}
	start := v.here()
	if v.places[v.pc].join {
		v.emit(vector.Stop, vector.Inst{})
	}
	emit()
	v.out.Starts = append(v.out.Starts, start, groups.NoStart)
	return true
}

// single returns the one instruction of package vector that does the same as in, if its operation is in.op.
func single(in *state.Inst) (s vector.Inst, ok bool) {
	switch {
	case in.Op == vector.Slow:
	case in.Form == nil:
		return operands(in), true
	case in.Form.Ac == nil && len(in.Form.Seq) == 1:
		s = in.Form.Seq[0]
		s.Set(in.Op)
		return s, s == in.Form.Seq[0]
	}
	return s, false
}

// pair returns a function that emits two instructions as one, nil if they are translated separately.
func (v *vectorTranslator) pair(first, second *state.Inst) func() {
	set, alone := single(first)
	if !alone {
		return nil
	}
	if op, ok := lowering.ComparedBranches[first.Op]; ok && second.Flags == state.FlagBranch &&
		second.Guard == first.D {
		return func() { v.comparedBranch(op, set, second) }
	}
	op, ok := lowering.Pairs[[2]vector.Op{first.Op, second.Op}]
	if !ok || second.Guard != state.SlotTrue || second.Flags != 0 {
		return nil
	}
	then, ok := single(second)
	other, has := otherSource(&then, set.D)
	if !ok || !has {
		return nil
	}
	return func() { v.emit(op, vector.Inst{D: set.D, A: set.A, B: set.B, C: other, E: then.D}) }
}

// otherSource returns the source of in that is not s, if exactly one of its two is s.
func otherSource(in *vector.Inst, s uint32) (uint32, bool) {
	switch {
	case in.A == s && in.B != s:
		return in.B, true
	case in.B == s && in.A != s:
		return in.A, true
	}
	return 0, false
}

// comparedBranch emits a comparison and the branch on its result. If the lanes diverge so that both sides run on, Go
// executes the branch and compares again.
func (v *vectorTranslator) comparedBranch(op vector.Op, set vector.Inst, branch *state.Inst) {
	pc := v.pc
	v.pc++
	v.branch(branch)
	v.pc = pc
	in := &v.out.Code[len(v.out.Code)-1]
	in.Set(op)
	in.PC, in.D, in.A, in.B, in.Other = uint32(pc), set.D, set.A, set.B, in.B
}

// copies appends the copies of guarded instructions, each followed by a jump back to the program.
func (v *vectorTranslator) copies() {
	for _, g := range v.guardedCopies {
		v.pc = g.pc
		v.out.Code[g.guard].Target = uint32(g.to) * vector.InstBytes
		v.out.Code[g.guard].Other = v.here()
		v.out.Code = append(v.out.Code, v.out.Code[g.from:g.to]...)
		v.emit(vector.Unguard, vector.Inst{Target: uint32(g.to) * vector.InstBytes})
	}
}

// link turns the targets of branches from pcs into byte offsets in the program.
func (v *vectorTranslator) link() {
	at := slices.Repeat([]uint32{groups.NoStart}, len(v.fn.Code)) // by pc
	for i := len(v.out.Code) - 1; i >= 0; i-- {
		at[v.out.Code[i].PC] = uint32(i) * vector.InstBytes
	}
	for pc := len(at) - 2; pc >= 0; pc-- {
		if at[pc] == groups.NoStart { // nothing is executed there
			at[pc] = at[pc+1]
		}
	}
	for _, i := range v.branches {
		v.out.Code[i].Target = at[v.out.Code[i].Target]
	}
}

// onlyReads reports whether the instructions at pc write a register of the program that has this slot, and the function
// reads that register at exactly as many places.
func (v *vectorTranslator) onlyReads(pc, register uint32, places int) bool {
	b := BodyAt(v.fn, int32(pc))
	if b == nil {
		return false
	}
	found := false
	for at := pc; at <= pc+1 && !found; at++ { // an instruction of the assembly stands for one or two
		src := v.fn.Code[at].Src
		if src < 0 || v.fn.SourceOf(src).In.Func != b.Src {
			return false // such as what decoding has added
		}
		v.fn.SourceOf(src).In.Defs(func(r *rewrite.Reg) {
			if b.Regs[r.Index] == state.Slot(register) {
				found = v.reads(b.Src)[r.Index] == places
			}
		})
	}
	return found
}

// reads returns the number of places at which a function reads each of its registers, by index.
func (v *vectorTranslator) reads(f *rewrite.Func) []int {
	n, known := v.readsOf[f]
	if !known {
		n = make([]int, len(f.Regs))
		for _, in := range f.Insts {
			in.Uses(func(r *rewrite.Reg) { n[r.Index]++ })
		}
		v.readsOf[f] = n
	}
	return n
}
