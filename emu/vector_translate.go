// Translation of a decoded function to a program in assembly.

package emu

import (
	"slices"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/lowering"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/internal/hugepage"
	"github.com/ptxsan/ptxsan/rewrite"
)

// A function's code and its program for package vector have the same program counters: the program can be left before
// any instruction, and entered at any instruction that it can execute.

// vectorCode is the program of a function.
type vectorCode struct {
	code   []vector.Inst
	starts []uint32 // by pc, the byte offset of the instruction in code; noStart for instructions that Go executes
	local  bool     // the program accesses local memory
	// noted has, by pc, the instructions whose accesses and fences the program notes. It is empty if there are none.
	noted  []*notedSite
	rounds bool // it has a Barrier that turns may pass
	// aside has, by pc, the code of an observer around it, nil for the program's own code. It is nil when there are no
	// observers.
	aside []*pcRange
}

// noStart is the start of an instruction that has no handler.
const noStart = ^uint32(0)

// Sites that every launch has, by the logarithm of the size of an access. The sites of instructions follow.
const (
	sharedSites    = 0
	localSites     = sharedSites + siteSizes
	paramSites     = localSites + siteSizes
	numCommonSites = paramSites + siteSizes
	siteSizes      = 5 // 1 to 16 bytes
)

// vectorTranslator translates one function.
type vectorTranslator struct {
	m             *machine
	fn            *function
	params        uint64          // bytes
	consts        map[slot]uint64 // 64-bit constants
	places        []place         // by pc
	out           *vectorCode
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
func (m *machine) vectorize(fn *function) {
	v := &vectorTranslator{
		m: m, fn: fn, consts: map[slot]uint64{}, places: make([]place, len(fn.code)+1),
		readsOf: map[*rewrite.Func][]int{},
	}
	v.out = &vectorCode{
		code:   hugepage.Slice(make([]vector.Inst, 0, len(fn.code))),
		starts: make([]uint32, 0, len(fn.code)),
	}
	if fn.src.Entry {
		v.params = fn.formalBytes
	}
	for _, c := range fn.constants {
		if c.bits == 64 {
			v.consts[c.slot] = c.val
		}
	}
	for i := range fn.code {
		if c := &fn.code[i]; c.src >= 0 && c.flags&flagBranch != 0 && c.imm >= 0 {
			v.places[c.imm].join = true
		}
		if fn.code[i].flags&flagBlockEnd != 0 {
			v.places[i+1].join = true
		}
		if fn.code[i].flags&flagBranch != 0 {
			to := &v.places[fn.code[i].tgt]
			to.enter, to.head = true, to.head || fn.code[i].flags&flagLoop != 0
		}
	}
	if m.observed() && m.cfg.Listener == nil { // the assembly notifies listeners, but not while a round is recorded
		v.observers()
	}
	for pc := 0; pc < len(fn.code); pc++ {
		v.pc = int32(pc)
		if v.fused(fn.code[pc:]) {
			pc++
			continue
		}
		v.inst(&fn.code[pc])
	}
	v.copies()
	v.link()
	vector.Combine(v.out.code, v.onlyReads)
	fn.vector = v.out
	if p := fn.preface; p != nil {
		p.constants = fn.constants
		m.vectorize(p)
	}
}

// observers finds the code of observers: functions, and inlined bodies.
func (v *vectorTranslator) observers() {
	v.out.aside = make([]*pcRange, len(v.fn.code))
	for _, b := range v.fn.bodies { // those around others come first
		own := func(in *rewrite.Inst) bool { return !v.m.aside(in) }
		if len(b.src.Insts) == 0 || v.out.aside[b.starts[0]] != nil || slices.ContainsFunc(b.src.Insts, own) {
			continue
		}
		r := &pcRange{b.starts[0], int32(len(v.fn.code))}
		if b.place != nil {
			r.end = b.end()
			v.places[r.end].join = true
		}
		for pc := r.first; pc < r.end; pc++ {
			v.out.aside[pc] = r
		}
	}
}

// inst translates one instruction.
func (v *vectorTranslator) inst(in *inst) {
	start := v.here()
	if v.places[v.pc].join {
		v.emit(vector.Stop, vector.Inst{})
	}
	at := len(v.out.code)
	ok := false
	switch {
	case in.flags&flagNothing != 0:
		if ok = true; v.places[v.pc].head { // the head of a loop needs an instruction of its own
			v.emit(vector.MovPred, vector.Inst{D: uint32(slotTrue), A: uint32(slotTrue)})
		}
	case in.flags&flagStep != 0:
	case in.flags&flagBranch != 0:
		ok = true
		v.branch(in)
	case in.op == vector.Barrier || in.op == vector.Return:
		if ok = in.guard == slotTrue; ok {
			v.emit(in.op, vector.Inst{D: v.barrierZero(in)})
			start = noStart // Go does not start a run there
		}
	case in.op != vector.Slow && in.guard != slotTrue:
		guard := vector.Guard
		if in.flags&flagVisible != 0 {
			guard = vector.GuardVisible
		}
		v.emit(guard, vector.Inst{A: uint32(in.guard), C: uint32(in.guardXor)})
		if ok = v.body(in); ok {
			v.guardedCopies = append(v.guardedCopies, guardedCopy{v.pc, at, at + 1, len(v.out.code)})
			break
		}
		v.out.code = v.out.code[:at]
	case in.op != vector.Slow:
		ok = v.body(in)
	}
	if !ok {
		v.emit(vector.Slow, vector.Inst{})
		start = noStart
	}
	v.out.starts = append(v.out.starts, start)
}

// barrierZero returns vector.Inst.D of a Barrier, 0 for a Return.
func (v *vectorTranslator) barrierZero(in *inst) uint32 {
	if in.op != vector.Barrier || !v.fn.barriers[v.pc].zero {
		return 0
	}
	v.out.rounds = true
	return vector.BarrierZero
}

// here returns the byte offset of the next instruction.
func (v *vectorTranslator) here() uint32 { return uint32(len(v.out.code)) * vector.InstBytes }

func (v *vectorTranslator) emit(op vector.Op, in vector.Inst) {
	in.Set(op)
	in.PC = uint32(v.pc)
	v.out.code = append(v.out.code, in)
}

// branch translates bra. Target is a pc until link.
func (v *vectorTranslator) branch(in *inst) {
	op := vector.Jump
	switch guarded, back := in.guard != slotTrue, in.flags&flagLoop != 0; {
	case guarded && back:
		op = vector.BranchBack
	case guarded:
		op = vector.Branch
	case back:
		op = vector.JumpBack
	}
	waits := vector.WaitsNobody
	switch join := in.imm; {
	case join < 0 || !v.places[join].join: // the join is in the caller
	case join == int64(in.tgt):
		waits = vector.WaitsTaken
	case join == int64(v.pc)+1:
		waits = vector.WaitsOthers
	}
	v.branches = append(v.branches, len(v.out.code))
	v.emit(op, vector.Inst{
		D: counterField(in), A: uint32(in.guard), B: waits, C: uint32(in.guardXor), E: uint32(in.imm),
		Target: uint32(in.tgt), Imm: int64(v.pc) + 1 - int64(in.tgt),
	})
}

// counterField returns vector.Inst.D of a branch.
func counterField(in *inst) uint32 {
	switch {
	case in.flags&flagCounted == 0:
		return vector.Uncounted
	case in.a == 0:
		return vector.Counted
	}
	return uint32(in.a)
}

// body translates the operation of an instruction. It reports whether there is a handler.
func (v *vectorTranslator) body(in *inst) bool {
	switch {
	case in.form != nil && in.form.ac != nil:
		return v.memory(in)
	case in.form != nil:
		for _, s := range in.form.seq {
			s.PC = uint32(v.pc)
			v.out.code = append(v.out.code, s)
		}
		return true
	}
	s := in.operands()
	if in.flags&flagVisible != 0 {
		s.Count = vector.CountVisible
	}
	if in.op == vector.NoteFence {
		v.note(notedSite{})
	}
	v.emit(in.op, s)
	return true
}

// operands returns an instruction of package vector with the operands of in, which has no form.
func (in *inst) operands() vector.Inst {
	return vector.Inst{
		D: uint32(in.d), A: uint32(in.a), B: uint32(in.b), C: uint32(in.c), E: uint32(in.imm),
		Imm: in.imm,
	}
}

// fused translates the first two instructions of code as one, if possible. The second one is neither a branch target
// nor a join; if execution is resumed there, Go executes it.
func (v *vectorTranslator) fused(code []inst) bool {
	if len(code) < 2 || v.places[v.pc+1] != (place{}) || code[0].guard != slotTrue || code[0].flags != 0 {
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
	v.out.starts = append(v.out.starts, start, noStart)
	return true
}

// single returns the one instruction of package vector that does the same as in, if its operation is in.op.
func single(in *inst) (s vector.Inst, ok bool) {
	switch {
	case in.op == vector.Slow:
	case in.form == nil:
		return in.operands(), true
	case in.form.ac == nil && len(in.form.seq) == 1:
		s = in.form.seq[0]
		s.Set(in.op)
		return s, s == in.form.seq[0]
	}
	return s, false
}

// pair returns a function that emits two instructions as one, nil if they are translated separately.
func (v *vectorTranslator) pair(first, second *inst) func() {
	set, alone := single(first)
	if !alone {
		return nil
	}
	if op, ok := lowering.ComparedBranches[first.op]; ok && second.flags == flagBranch && second.guard == first.d {
		return func() { v.comparedBranch(op, set, second) }
	}
	op, ok := lowering.Pairs[[2]vector.Op{first.op, second.op}]
	if !ok || second.guard != slotTrue || second.flags != 0 {
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
func (v *vectorTranslator) comparedBranch(op vector.Op, set vector.Inst, branch *inst) {
	pc := v.pc
	v.pc++
	v.branch(branch)
	v.pc = pc
	in := &v.out.code[len(v.out.code)-1]
	in.Set(op)
	in.PC, in.D, in.A, in.B, in.Other = uint32(pc), set.D, set.A, set.B, in.B
}

// copies appends the copies of guarded instructions, each followed by a jump back to the program.
func (v *vectorTranslator) copies() {
	for _, g := range v.guardedCopies {
		v.pc = g.pc
		v.out.code[g.guard].Target = uint32(g.to) * vector.InstBytes
		v.out.code[g.guard].Other = v.here()
		v.out.code = append(v.out.code, v.out.code[g.from:g.to]...)
		v.emit(vector.Unguard, vector.Inst{Target: uint32(g.to) * vector.InstBytes})
	}
}

// link turns the targets of branches from pcs into byte offsets in the program.
func (v *vectorTranslator) link() {
	at := slices.Repeat([]uint32{noStart}, len(v.fn.code)) // by pc
	for i := len(v.out.code) - 1; i >= 0; i-- {
		at[v.out.code[i].PC] = uint32(i) * vector.InstBytes
	}
	for pc := len(at) - 2; pc >= 0; pc-- {
		if at[pc] == noStart { // nothing is executed there
			at[pc] = at[pc+1]
		}
	}
	for _, i := range v.branches {
		v.out.code[i].Target = at[v.out.code[i].Target]
	}
}

// onlyReads reports whether the instructions at pc write a register of the program that has this slot, and the function
// reads that register at exactly as many places.
func (v *vectorTranslator) onlyReads(pc, register uint32, places int) bool {
	b := v.fn.bodyAt(int32(pc))
	if b == nil {
		return false
	}
	found := false
	for at := pc; at <= pc+1 && !found; at++ { // an instruction of the assembly stands for one or two
		src := v.fn.code[at].src
		if src < 0 || v.fn.sourceOf(src).in.Func != b.src {
			return false // such as what decoding has added
		}
		v.fn.sourceOf(src).in.Defs(func(r *rewrite.Reg) {
			if b.regs[r.Index] == slot(register) {
				found = v.reads(b.src)[r.Index] == places
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

// first returns the address of the program.
func (v *vectorCode) first() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(v.code)) }
