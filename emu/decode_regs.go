// Registers: which arguments and results of calls are passed in registers instead of .param memory, and the slot of each virtual
// register in the frame.

package emu

import (
	"cmp"
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/lifetime"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Passing arguments and results in registers. In PTX they are stored in .param variables and loaded from there. Where it makes no
// difference, the register that is loaded is used as the parameter (a direct call copies the stored register to it, an inlined
// call uses a single register), and the stores and loads are omitted.

// passing says which parameters of a called function are passed in registers.
type passing struct {
	loads  []int // by parameter, the index of its load, -1 for a parameter in memory
	stores []int // by result, the index of its store, -1 for a result in memory
}

// directCall describes how a call that is not inlined passes arguments and results: by parameter, the store or load that the
// caller omits, nil for variables in memory.
type directCall struct{ stores, loads []*rewrite.Inst }

// passingOf returns the passing of a function with a body.
func (m *Machine) passingOf(f *rewrite.Func) *passing {
	p := m.passings[f]
	if p != nil {
		return p
	}
	p = &passing{}
	for _, v := range f.Params {
		at := -1
		if loads := loadsOf(f, v); m.unwatched() && len(loads) == 1 && !f.Liveness().In(f.CFG().Blocks[0]).Has(f.Insts[loads[0]].Operands[0].Reg) {
			at = loads[0]
		}
		p.loads = append(p.loads, at)
	}
	for _, v := range f.Returns {
		at := -1
		if m.unwatched() {
			at = resultOf(f, v)
		}
		p.stores = append(p.stores, at)
	}
	if m.passings == nil {
		m.passings = map[*rewrite.Func]*passing{}
	}
	m.passings[f] = p
	return p
}

// planDirect decides how call i, which is not inlined, passes arguments and results. Under a guard, results are not passed in
// registers, since lanes whose guard is false keep theirs.
func (b *body) planDirect(i int, c rewrite.Call, p *passing, uses map[*rewrite.Var][]int) *directCall {
	call := &directCall{make([]*rewrite.Inst, len(c.Args)), make([]*rewrite.Inst, len(c.Returns))}
	for k := range c.Args {
		if s := b.storeOf(i, c.Args[k].Sym.(*rewrite.Var), uses); s >= 0 && p.loads[k] >= 0 {
			call.stores[k], b.passed[s] = b.src.Insts[s], true
		}
	}
	for k := range c.Returns {
		if l := b.loadOf(i, c.Returns[k].Sym.(*rewrite.Var), uses); k == 0 && l >= 0 && p.stores[k] >= 0 && b.src.Insts[i].Guard == nil {
			call.loads[k], b.passed[l] = b.src.Insts[l], true
		}
	}
	return call
}

// paramUses returns the indices of the instructions of a function that name each .param variable, ascending.
func paramUses(f *rewrite.Func) map[*rewrite.Var][]int {
	uses := map[*rewrite.Var][]int{}
	for i, in := range f.Insts {
		eachVar(in.Operands, func(v *rewrite.Var) {
			if v.Space == isa.SpaceParam {
				uses[v] = append(uses[v], i)
			}
		})
	}
	return uses
}

// eachVar calls f for each variable that operands name.
func eachVar(ops []rewrite.Operand, f func(*rewrite.Var)) {
	for i := range ops {
		if v, ok := ops[i].Sym.(*rewrite.Var); ok {
			f(v)
		}
		eachVar(ops[i].Elems, f)
	}
}

// storeOf returns the index of the store of an argument of the call, if only the two name the variable and the stored register
// still has the value at the call; otherwise -1.
func (b *body) storeOf(call int, v *rewrite.Var, uses map[*rewrite.Var][]int) int {
	if len(uses[v]) != 2 || uses[v][1] != call {
		return -1
	}
	i := uses[v][0]
	in, cfg := b.src.Insts[i], b.src.CFG()
	if in.Instr.Name != "st" || !wholeVar(in, v) || cfg.BlockOf[i] != cfg.BlockOf[call] {
		return -1
	}
	switch op := &in.Operands[1]; {
	case op.Kind == rewrite.OperandImm:
	case !plainReg(op, v.Size):
		return -1
	default:
		for _, between := range b.src.Insts[i:call] {
			if defines(between, op.Reg) {
				return -1
			}
		}
	}
	return i
}

// loadsOf returns the indices of the loads of a parameter, if it has no other uses and their registers are written nowhere else;
// otherwise nil.
func loadsOf(f *rewrite.Func, v *rewrite.Var) []int {
	var loads []int
	for i, in := range f.Insts {
		named := false
		eachVar(in.Operands, func(w *rewrite.Var) { named = named || w == v })
		switch {
		case !named:
		case in.Instr.Name != "ld" || !wholeVar(in, v) || !plainReg(&in.Operands[0], v.Size) || writes(f, in.Operands[0].Reg) != 1:
			return nil
		default:
			loads = append(loads, i)
		}
	}
	return loads
}

// resultOf returns the index of the store of a result, if it is the only use of the variable, in the block that ends the
// function, and the stored register is not written after it; otherwise -1.
func resultOf(f *rewrite.Func, v *rewrite.Var) int {
	found, cfg := -1, f.CFG()
	for i, in := range f.Insts {
		named := false
		eachVar(in.Operands, func(w *rewrite.Var) { named = named || w == v })
		switch {
		case !named:
		case found >= 0 || in.Instr.Name != "st" || !wholeVar(in, v) || !plainReg(&in.Operands[1], v.Size):
			return -1
		default:
			found = i
		}
	}
	if found < 0 {
		return -1
	}
	block := cfg.BlockOf[found]
	for _, in := range f.Insts[found:block.End] {
		if defines(in, f.Insts[found].Operands[1].Reg) {
			return -1
		}
	}
	if ends := len(block.Succs) == 1 && block.Succs[0] == cfg.Exit && len(cfg.Exit.Preds) == 1; !ends {
		return -1
	}
	return found
}

// loadOf returns the index of the load of a result, if it follows the call and nothing else names the variable; otherwise -1.
func (b *body) loadOf(call int, v *rewrite.Var, uses map[*rewrite.Var][]int) int {
	if len(uses[v]) != 2 || uses[v][1] != call+1 {
		return -1
	}
	in, cfg := b.src.Insts[call+1], b.src.CFG()
	if in.Instr.Name != "ld" || !wholeVar(in, v) || !plainReg(&in.Operands[0], v.Size) || cfg.BlockOf[call+1] != cfg.BlockOf[call] {
		return -1
	}
	return call + 1
}

// wholeVar reports whether an instruction accesses all of a variable at once, without a guard.
func wholeVar(in *rewrite.Inst, v *rewrite.Var) bool {
	if in.Guard != nil || in.Access.Kind == isa.AccessNone || uint64(in.Access.Size) != v.Size {
		return false
	}
	op := &in.Operands[in.Access.Addr]
	return op.Sym == v && op.Reg == nil && op.Off == 0
}

// plainReg reports whether an operand is a register of size bytes.
func plainReg(op *rewrite.Operand, size uint64) bool {
	return op.Kind == rewrite.OperandReg && op.Member == "" && !op.Neg && !op.Not && op.Reg.Vec == 1 &&
		size >= 4 && uint64(op.Reg.Type.Bits()) == 8*size
}

// writes returns the number of instructions that write a register.
func writes(f *rewrite.Func, r *rewrite.Reg) int {
	n := 0
	for _, in := range f.Insts {
		if defines(in, r) {
			n++
		}
	}
	return n
}

func defines(in *rewrite.Inst, r *rewrite.Reg) (yes bool) {
	in.Defs(func(d *rewrite.Reg) { yes = yes || d == r })
	return yes
}

// Allocation of slots. A compiler uses each virtual register once or twice; registers that are never live at the same place share
// a slot, so that the register file of a warp stays in the cache. Lanes of a warp may be at different places, but each has its
// own part of the slot.

// registers are the slots of a function's registers, by index, and the copies that are omitted because original and copy have the
// same slot.
type registers struct {
	slots  []slot
	copies []lifetime.Copy
	fixed  []int // the instructions that the preface executes
}

// leaveOut omits the copies from a body, whose registers may have been given other slots.
func (r *registers) leaveOut(b *body) {
	for _, c := range r.copies {
		b.passed[c.At] = true
		if c.From != nil {
			b.regs[c.To.Index] = b.regs[c.From.Index]
		}
	}
	for _, i := range r.fixed {
		b.passed[i] = true
	}
}

// registersOf assigns a slot to each register of a function. free has slots, by width in bits,
// that hold no value while the function runs; registersOf takes slots from it and adds those of
// the function.
func (d *decoder) registersOf(f *rewrite.Func, free map[int][]slot) *registers {
	lives := lifetime.Of(f, paramUses(f))
	var copies []lifetime.Copy
	if d.m.unwatched() {
		copies = lives.Copies(f, isIdentity)
	}
	var fixed []int
	if f.Entry && d.m.unwatched() && !d.observed() && !f.CFG().Degenerate {
		fixed = lives.Fixed(f, maxFixed, computesFixed)
	}
	order := slices.DeleteFunc(slices.Clone(f.Regs), func(r *rewrite.Reg) bool { return lives[r.Index].Shared })
	slices.SortStableFunc(order, func(a, b *rewrite.Reg) int { return cmp.Compare(lives[a.Index].From, lives[b.Index].From) })
	regs := make([]slot, len(f.Regs))
	ending := make([][]*rewrite.Reg, len(f.Insts)+1) // registers by the end of their lifetime, after which their slots are free
	at := 0
	for _, r := range order {
		for ; at < lives[r.Index].From; at++ {
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
		if to := lives[r.Index].To; r.Vec == 1 && to >= 0 {
			ending[to] = append(ending[to], r)
		}
	}
	for ; at < len(ending); at++ {
		for _, e := range ending[at] {
			free[slotBits(e.Type)] = append(free[slotBits(e.Type)], regs[e.Index])
		}
	}
	for _, c := range copies {
		if c.Special != nil {
			k := specialRegOf(c.Special)
			value, _ := specialValueOf(k.name)
			regs[c.To.Index] = d.preloaded(k, value, c.Special.Special.Type)
		}
	}
	return &registers{regs, copies, fixed}
}

// isIdentity reports whether an unguarded instruction copies to a register the bits of another one, or of a special register that
// does not change, of 32 or 64 bits.
func isIdentity(in *rewrite.Inst) bool {
	switch in.Instr.Name {
	case "mov":
	case "cvta":
		if gmem.SpaceBase(in.Space) != 0 {
			return false
		}
	default:
		return false
	}
	to, from, bits := &in.Operands[0], &in.Operands[1], in.Type(0).Bits()
	if in.Guard != nil || bits < 32 || !plainReg(to, uint64(bits/8)) {
		return false
	}
	if from.Kind != rewrite.OperandSpecial {
		return plainReg(from, uint64(bits/8))
	}
	_, constant := specialValueOf(from.Special.Name)
	return constant && from.Special.Type.Bits() == bits
}

// The preface. What a thread computes of kernel parameters, constants and its place in the block is the same in every block, and
// the warps of the next block get the registers of an earlier one. A warp computes it once in a launch, before its first block.

// maxFixed limits the instructions of a preface, as their registers share no slots with others.
const maxFixed = 64

// computesFixed reports whether an instruction computes one register, and does nothing else, from constants, parameters of the
// kernel, special registers that are the same in every block, and known registers.
func computesFixed(in *rewrite.Inst, known func(*rewrite.Reg) bool) bool {
	if in.Guard != nil || len(in.Operands) < 2 || in.Operands[0].Kind != rewrite.OperandReg || in.Operands[0].Member != "" || in.Operands[0].Reg.Vec != 1 {
		return false
	}
	switch in.Instr.Class {
	case isa.ClassMemory:
		return loadsParam(in)
	case isa.ClassInteger, isa.ClassFloat, isa.ClassCompare, isa.ClassLogic, isa.ClassMove:
	default:
		return false
	}
	if Refuses(in) != "" || in.Effects() != 0 || in.Access.Kind != isa.AccessNone {
		return false
	}
	for i := range in.Operands[1:] {
		switch op := &in.Operands[1+i]; op.Kind {
		case rewrite.OperandImm:
		case rewrite.OperandReg:
			if op.Member != "" || op.Reg.Vec != 1 || in.Role(1+i) == isa.RoleDst || !known(op.Reg) {
				return false
			}
		case rewrite.OperandSpecial:
			if v, ok := specialValueOf(op.Special.Name); !ok || v.varies == perBlock {
				return false
			}
		case rewrite.OperandSymbol:
			if v, ok := op.Sym.(*rewrite.Var); !ok || v.Space != isa.SpaceShared && v.Space != isa.SpaceGlobal {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// loadsParam reports whether an instruction loads a whole register from a parameter of the kernel.
func loadsParam(in *rewrite.Inst) bool {
	op := &in.Operands[1]
	v, ok := op.Sym.(*rewrite.Var)
	return in.Instr.Name == "ld" && in.Access.Kind == isa.AccessLoad && in.Space == isa.SpaceParam && op.Kind == rewrite.OperandAddr && ok && op.Reg == nil &&
		slices.Contains(in.Func.Params, v) && op.Off >= 0 && uint64(op.Off)+uint64(in.Access.Size) <= v.Size && uint64(op.Off)%uint64(in.Access.Size) == 0
}

// preface decodes the instructions of the preface.
func (d *decoder) preface() (errs ptxgrammar.ErrorList) {
	if len(d.fixed) == 0 {
		return nil
	}
	code := d.fn.code
	d.fn.code = nil
	for _, i := range d.fixed {
		if err := d.appendUnder(d.body.src.Insts[i], int32(i), slotTrue, 0, 0); err != nil {
			errs = appendError(errs, d.body.src.Insts[i], err)
		}
	}
	end := inst{body: execNothing, guard: slotTrue, src: -1}
	d.fn.preface = &function{src: d.fn.src, code: append(d.fn.code, end), formalBytes: d.fn.formalBytes}
	d.fn.code = code
	return errs
}
