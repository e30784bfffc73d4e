// Decoding: translates one function of a module into flat code, instruction by instruction.

package program

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/exec"
	"github.com/ptxsan/ptxsan/emu/internal/grids"
	"github.com/ptxsan/ptxsan/emu/internal/sched"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/internal/hugepage"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Decode fills in fn from its source.
func Decode(m *state.Machine, fn *state.Function) ptxgrammar.ErrorList {
	d := NewDecoder(m, fn)
	if fn.StackSize > m.Cfg.Limits.Stack {
		return ptxgrammar.ErrorList{errorAtName(d, "%s needs %d bytes of local memory per thread, the limit is %d",
			fn.Src.Name, fn.StackSize, m.Cfg.Limits.Stack)}
	}
	if errs := code(d); len(errs) > 0 {
		return errs
	}
	link(d)
	liveness(d)
	fn.FrameSize, fn.Bodies = uintptr(d.Top), d.Bodies
	vectorize(m, fn)
	return nil
}

// NewDecoder returns a decoder for the instructions of a function; registers and stack variables have been placed.
func NewDecoder(m *state.Machine, fn *state.Function) *state.Decoder {
	d := &state.Decoder{
		M: m, Fn: fn, Body: &state.Body{Src: fn.Src}, Top: decode.SlotBytes(1), // SlotTrue comes first
		Consts: map[state.ConstKey]state.Slot{}, Specials: map[state.SpecialReg]state.Slot{},
		Stack: map[*rewrite.Var]uint64{}, Refs: map[state.StackRef]state.Slot{},
		Shared: map[state.SharedRef]state.Slot{},
		Temps:  map[int]*state.Temporaries{}, Read: map[*rewrite.Func]rewrite.RegSet{},
	}
	fn.Live = map[int32]*state.LiveSet{}
	regs := registersOf(d, fn.Src, map[int][]state.Slot{})
	d.Regs = regs.Slots
	d.Body.Regs, d.Body.Passed = d.Regs, map[int]bool{}
	leaveOut(regs, d.Body)
	d.Fixed = regs.Fixed
	layoutStack(d)
	return d
}

// errorAtName returns an error at the position of the function's name.
func errorAtName(d *state.Decoder, format string, args ...any) *ptxgrammar.Error {
	f := d.Fn.Src
	return &ptxgrammar.Error{Pos: f.Module.AST.File.Position(f.AST.NameAt.Start), Msg: fmt.Sprintf(format, args...)}
}

// layoutStack places .local and .param variables of the body, parameters and
// return values. A kernel's parameters are in Launch.Params instead.
func layoutStack(d *state.Decoder) {
	f := d.Fn.Src
	// passed has the indices of the only loads or stores of the variables that are passed in registers; op is the
	// operand with the register.
	formal := func(vars []*rewrite.Var, passed []int, op int) []state.StackVar {
		var out []state.StackVar
		for k, v := range vars {
			if v.Reg != nil {
				out = append(out, decode.InRegister(d, v.Reg)...)
				continue
			}
			inMemory := state.StackVar{Off: placeVar(d, v), Size: v.Size}
			if i := passed[k]; i >= 0 {
				d.Body.Passed[i] = true
				out = append(out, decode.InRegister(d, f.Insts[i].Operands[op].Reg)...)
				continue
			}
			out = append(out, inMemory)
		}
		return out
	}
	if !f.Entry {
		p := passingOf(d.M, f)
		d.Fn.Params, d.Fn.Returns = formal(f.Params, p.Loads, 0), formal(f.Returns, p.Stores, 1)
	}
	placeLocals(d, f)
}

// placeLocals places the .local and .param variables of a body in the stack.
func placeLocals(d *state.Decoder, f *rewrite.Func) {
	for _, v := range f.Locals {
		if v.Space == isa.SpaceLocal || v.Space == isa.SpaceParam {
			placeVar(d, v)
		}
	}
	d.Fn.StackSize = max(d.Fn.StackSize, (d.StackTop+15)&^15)
	if d.Fn.Fresh = max(d.Fn.Fresh, d.StackTop); d.M.Cfg.Uninitialised {
		d.Fn.Fresh = d.Fn.StackSize
	}
}

// placeVar places a variable above those that are already in the stack, and returns its offset.
func placeVar(d *state.Decoder, v *rewrite.Var) uint64 {
	off, top := grids.PlaceAfter(d.StackTop, v.Size, uint64(v.Align))
	d.StackTop, d.Stack[v] = top, off // decode reports a stack that is too large
	return off
}

// maxProblems limits the number of unsupported instructions reported.
const maxProblems = 50

// code decodes every instruction, and appends a return to the function.
func code(d *state.Decoder) ptxgrammar.ErrorList {
	plan(d, d.Body)
	n := len(d.Body.Src.Insts) + d.Inlined
	d.Fn.Code, d.Fn.Sources = hugepage.Slice(make([]state.Inst, 0, n+n/8)), make([]state.Source, 0, n) // a few instructions become several
	errs := append(decodeBody(d), preface(d)...)
	end := exec.Leaving(d, exec.Return)
	end.Src = -1
	d.Fn.Code = append(d.Fn.Code, end)
	return errs
}

// decodeBody decodes the instructions of the current body.
func decodeBody(d *state.Decoder) (errs ptxgrammar.ErrorList) {
	fn, b := d.Fn, d.Body
	d.Bodies, b.Starts = append(d.Bodies, b), make([]int32, 0, len(b.Src.Insts)+1)
	for _, in := range b.Src.Insts {
		fn.Sources = append(fn.Sources, state.Source{In: in, At: b.Place, Aside: d.M.Aside(in)})
	}
	for i, in := range b.Src.Insts {
		b.Starts = append(b.Starts, int32(len(fn.Code)))
		checkRegisters(d, in, int32(b.First+i))
		if call := b.Inlined[i]; call != nil || b.Passed[i] {
			nothing := state.Inst{
				Body: exec.DoNothing, Guard: state.SlotTrue, Src: int32(b.First + i),
				Flags: state.FlagNothing,
			}
			if d.M.Interest.NeedsStep(in) {
				nothing.Flags = state.FlagStep
			}
			fn.Code = append(fn.Code, nothing)
			if call != nil {
				if errs = append(errs, inline(d, in, call)...); len(errs) >= maxProblems {
					return errs
				}
			}
			continue
		}
		if load := b.Copied[i]; load != nil {
			c := copyResult(d, in, load)
			if c.Src = int32(b.First + i); d.M.Interest.NeedsStep(in) {
				c.Flags |= state.FlagStep
			}
			fn.Code = append(fn.Code, c)
			continue
		}
		if err := appendInst(d, in, int32(b.First+i)); err != nil {
			if errs = AppendError(errs, in, err); len(errs) >= maxProblems {
				return errs
			}
		}
	}
	b.Starts = append(b.Starts, int32(len(fn.Code)))
	return errs
}

// appendInst decodes one instruction of the current body and adds it to the code; src is its index in Function.Sources.
func appendInst(d *state.Decoder, in *rewrite.Inst, src int32) error {
	step := state.InstFlags(0)
	if d.M.Interest.NeedsStep(in) {
		step = state.FlagStep
	}
	if c, ok := demand(d, in); ok {
		return appendDemanded(d, in, src, c, step)
	}
	guard, xor := guardOf(d, in)
	return appendUnder(d, in, src, guard, xor, step)
}

// guardOf returns the guard of an instruction, and the lanes in which it is negated.
func guardOf(d *state.Decoder, in *rewrite.Inst) (state.Slot, state.Lanes) {
	switch {
	case in.Guard == nil:
		return state.SlotTrue, 0
	case in.GuardNot:
		return d.Regs[in.Guard.Index], state.AllLanes
	}
	return d.Regs[in.Guard.Index], 0
}

// appendUnder is append for lanes whose guard is true; flags are set on the first instruction.
func appendUnder(d *state.Decoder, in *rewrite.Inst, src int32, guard state.Slot, xor state.Lanes,
	flags state.InstFlags,
) error {
	fn := d.Fn
	d.Pre, d.Barrier = d.Pre[:0], nil
	for _, t := range d.Temps {
		t.Used = 0
	}
	main, err := Inst(d, in)
	if err != nil {
		return err
	}
	for k, c := range append(d.Pre, main) {
		c.Guard, c.GuardXor, c.Src = guard, xor, src
		if k == 0 {
			c.Flags |= flags
		}
		fn.Code = append(fn.Code, c)
	}
	if d.Barrier != nil {
		fn.Barriers = append(fn.Barriers, make([]*state.BarrierOp, len(fn.Code)-len(fn.Barriers))...)
		fn.Barriers[len(fn.Code)-1] = d.Barrier
	}
	return nil
}

// AppendError adds the error of a decode function.
func AppendError(errs ptxgrammar.ErrorList, in *rewrite.Inst, err error) ptxgrammar.ErrorList {
	var e *ptxgrammar.Error
	if !errors.As(err, &e) {
		e = &ptxgrammar.Error{Pos: in.Position(), Msg: err.Error()}
	}
	return append(errs, e)
}

// Inst decodes one instruction and sets its flags for the engine.
func Inst(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	if why := Refuses(in); why != "" {
		return decode.Refusal(d, in, why), nil
	}
	i, err := exec.Semantics[in.Instr.Name](d, in)
	if err != nil {
		return state.Inst{}, err
	}
	if in.Access.Kind != isa.AccessNone {
		i.Flags |= state.FlagFaults
		if observable(in) {
			i.Flags |= state.FlagVisible
		}
	}
	if in.Instr.Effects&(isa.ReadsMemory|isa.WritesMemory) != 0 {
		i.Flags |= state.FlagFaults
	}
	return i, nil
}

// observable reports whether other threads can observe an access: one to global, shared or generic memory.
func observable(in *rewrite.Inst) bool {
	switch space := in.Space; space {
	case isa.SpaceGlobal, isa.SpaceShared:
		return true
	case isa.SpaceNone:
		v, ok := in.Operands[in.Access.Addr].Sym.(*rewrite.Var)
		return !ok || v.Space == isa.SpaceGlobal || v.Space == isa.SpaceShared
	}
	return false
}

// link turns branch targets into indices of the code, finds the joins, and marks the instructions after which a group
// may have reached a join.
func link(d *state.Decoder) {
	fn := d.Fn
	for _, b := range d.Indexed { // never in an inlined body
		for i, t := range b.Targets {
			b.Targets[i] = d.Body.Starts[t]
		}
	}
	for _, b := range d.Bodies {
		for i, in := range b.Src.Insts {
			for pc := b.Starts[i]; pc < b.Starts[i+1]; pc++ {
				c := &fn.Code[pc]
				if c.Src != int32(b.First+i) || c.Flags&state.FlagBranch == 0 &&
					(c.Flags&state.FlagControl == 0 || in.Instr.Effects&isa.Branches == 0) {
					continue
				}
				switch {
				case c.Flags&state.FlagBranch == 0:
				case c.Tgt == exec.ToEnd:
					c.Tgt = end(b)
				default:
					c.Tgt = b.Starts[c.Tgt]
				}
				c.Imm = int64(joinOf(d, b, i, pc))
			}
		}
		loops(d, b)
	}
}

// joinOf returns the pc at which lanes that diverge at pc reconverge; the instruction at pc was decoded from
// instruction i of b. It returns JoinAtReturn if they reconverge in the caller, or if the branch has a reconvergence.
func joinOf(d *state.Decoder, b *state.Body, i int, pc int32) int32 {
	if d.M.Cfg.ChosenPolicy().Traits().SIMTStack {
		return reconvergenceOf(d, b, i, pc)
	}
	at := join(b, i)
	endsAt(d, at)
	return at
}

// endsAt makes groups check for a join when they reach pc.
func endsAt(d *state.Decoder, pc int32) {
	if pc > 0 {
		d.Fn.Code[pc-1].Flags |= state.FlagBlockEnd
	}
}

// liveness lists the registers live at targets of back edges, and those that may be read before they are written.
func liveness(d *state.Decoder) {
	cursors := map[*rewrite.Func]*rewrite.LiveCursor{}
	for _, b := range slices.Backward(d.Bodies) {
		backwardTargets(d, b, cursors)
	}
	formal := map[state.Slot]bool{}
	for _, p := range d.Fn.Params {
		formal[p.Reg.Slot] = p.IsReg
	}
	for _, r := range live(d.Body, d.Body.Src.Liveness().In(d.Body.Src.CFG().Blocks[0])) {
		if !formal[r.Slot] {
			d.Fn.Zeroed = append(d.Fn.Zeroed, r)
		}
	}
}

// backwardTargets lists the registers live at the targets of back edges in a body: those of the body and, if it is
// inlined, those that the callers need after the call. It is fast if bodies come in descending order of their calls.
func backwardTargets(d *state.Decoder, b *state.Body, cursors map[*rewrite.Func]*rewrite.LiveCursor) {
	var outer []state.SlotRange
	for in := b; in.Outer != nil; in = in.Outer {
		f := in.Outer.Src
		if cursors[f] == nil {
			cursors[f] = f.Liveness().Cursor()
		}
		outer = append(outer, live(in.Outer, sched.Programs(d, f, cursors[f].Before(in.Place.Call)))...)
	}
	cfg, live := b.Src.CFG(), b.Src.Liveness()
	for _, block := range cfg.Blocks {
		for _, p := range block.Preds {
			if block != cfg.Exit && p.End > block.Start {
				changing, rest := liveInLoop(b, block, sched.Programs(d, b.Src, deciding(b, block, live.In(block))))
				d.Fn.Live[b.Starts[block.Start]] = newLiveSet(slices.Concat(changing, rest, outer))
				break
			}
		}
	}
}

// NotEmulated says why an instruction is not emulated, "" if it is. A thread that executes such an instruction stops
// with the fault "unsupported".
func NotEmulated(in *isa.Decoded) string {
	why, is := in.NotEmulated()
	switch {
	case in.Unknown():
		return "unknown instruction"
	case !is:
		return ""
	case why != "":
		return fmt.Sprintf("instructions of PTX %s are not emulated: %s", in.Requires().Since, why)
	}
	return fmt.Sprintf("instructions of PTX %s are not emulated", in.Requires().Since)
}

// Refuses is NotEmulated for an instruction with its operands: some special registers are not emulated either.
func Refuses(in *rewrite.Inst) string {
	if why := NotEmulated(in.Decoded); why != "" {
		return why
	}
	return exec.UnknownRegister(in.Operands)
}
