// Arguments and results in registers.

package inlining

import (
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Passing arguments and results in registers. In PTX they are stored in .param variables and loaded from there. Where
// it makes no difference, the register that is loaded is used as the parameter (a direct call copies the stored
// register to it, an inlined call uses a single register), and the stores and loads are omitted.

// Passing says which parameters of a called function are passed in registers.
type Passing struct {
	Loads  []int // by parameter, the index of its load, -1 for a parameter in memory
	Stores []int // by result, the index of its store, -1 for a result in memory
}

// Direct describes how a call that is not inlined passes arguments and results: by parameter, the store or load that
// the caller omits, nil for variables in memory.
type Direct struct{ Stores, Loads []*rewrite.Inst }

// PassingOf returns the passing of a function with a body.
func PassingOf(f *rewrite.Func) *Passing {
	p := &Passing{}
	for _, v := range f.Params {
		at := -1
		if loads := loadsOf(f, v); len(loads) == 1 &&
			!f.Liveness().In(f.CFG().Blocks[0]).Has(f.Insts[loads[0]].Operands[0].Reg) {
			at = loads[0]
		}
		p.Loads = append(p.Loads, at)
	}
	for _, v := range f.Returns {
		p.Stores = append(p.Stores, resultOf(f, v))
	}
	return p
}

// InMemory describes a function that gets all parameters and returns all results in .param variables.
func InMemory(f *rewrite.Func) *Passing {
	return &Passing{Loads: slices.Repeat([]int{-1}, len(f.Params)), Stores: slices.Repeat([]int{-1}, len(f.Returns))}
}

// Plan is what the calls of a function omit.
type Plan struct {
	src     *rewrite.Func
	uses    map[*rewrite.Var][]int
	omitted map[int]bool
}

// NewPlan returns a plan for the calls of a function. It adds to omitted the indices of the instructions that are
// omitted.
func NewPlan(f *rewrite.Func, omitted map[int]bool) *Plan { return &Plan{f, Uses(f), omitted} }

// Direct decides how call i, which is not inlined, passes arguments and results. The results of a call with a guard are
// not passed in registers: a lane whose guard is false must not write its register.
func (p *Plan) Direct(i int, c rewrite.Call, passing *Passing) *Direct {
	call := &Direct{make([]*rewrite.Inst, len(c.Args)), make([]*rewrite.Inst, len(c.Returns))}
	for k := range c.Args {
		if s := p.storeOf(i, c.Args[k].Sym.(*rewrite.Var)); s >= 0 && passing.Loads[k] >= 0 {
			call.Stores[k], p.omitted[s] = p.src.Insts[s], true
		}
	}
	for k := range c.Returns {
		if l := p.loadOf(i, c.Returns[k].Sym.(*rewrite.Var)); k == 0 && l >= 0 && passing.Stores[k] >= 0 &&
			p.src.Insts[i].Guard == nil {
			call.Loads[k], p.omitted[l] = p.src.Insts[l], true
		}
	}
	return call
}

// Uses returns the indices of the instructions of a function that name each .param variable, ascending.
func Uses(f *rewrite.Func) map[*rewrite.Var][]int {
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

// storeOf returns the index of the store of an argument of the call, if only the two name the variable and the stored
// register still has the value at the call; otherwise -1.
func (p *Plan) storeOf(call int, v *rewrite.Var) int {
	if len(p.uses[v]) != 2 || p.uses[v][1] != call {
		return -1
	}
	i := p.uses[v][0]
	in, cfg := p.src.Insts[i], p.src.CFG()
	if in.Instr.Name != "st" || !wholeVar(in, v) || cfg.BlockOf[i] != cfg.BlockOf[call] {
		return -1
	}
	switch op := &in.Operands[1]; {
	case op.Kind == rewrite.OperandImm:
	case !PlainReg(op, v.Size):
		return -1
	default:
		for _, between := range p.src.Insts[i:call] {
			if defines(between, op.Reg) {
				return -1
			}
		}
	}
	return i
}

// loadsOf returns the indices of the loads of a parameter, if it has no other uses and their registers are written
// nowhere else; otherwise nil.
func loadsOf(f *rewrite.Func, v *rewrite.Var) []int {
	var loads []int
	for i, in := range f.Insts {
		named := false
		eachVar(in.Operands, func(w *rewrite.Var) { named = named || w == v })
		switch {
		case !named:
		case in.Instr.Name != "ld" || !wholeVar(in, v) || !PlainReg(&in.Operands[0], v.Size) ||
			writes(f, in.Operands[0].Reg) != 1:
			return nil
		default:
			loads = append(loads, i)
		}
	}
	return loads
}

// resultOf returns the index of the store of a result, if it is the only use of the variable, in the block that ends
// the function, and the stored register is not written after it; otherwise -1.
func resultOf(f *rewrite.Func, v *rewrite.Var) int {
	found, cfg := -1, f.CFG()
	for i, in := range f.Insts {
		named := false
		eachVar(in.Operands, func(w *rewrite.Var) { named = named || w == v })
		switch {
		case !named:
		case found >= 0 || in.Instr.Name != "st" || !wholeVar(in, v) || !PlainReg(&in.Operands[1], v.Size):
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

// loadOf returns the index of the load of a result, if it follows the call and nothing else names the variable;
// otherwise -1.
func (p *Plan) loadOf(call int, v *rewrite.Var) int {
	if len(p.uses[v]) != 2 || p.uses[v][1] != call+1 {
		return -1
	}
	in, cfg := p.src.Insts[call+1], p.src.CFG()
	if in.Instr.Name != "ld" || !wholeVar(in, v) || !PlainReg(&in.Operands[0], v.Size) ||
		cfg.BlockOf[call+1] != cfg.BlockOf[call] {
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

// PlainReg reports whether an operand is a register of size bytes.
func PlainReg(op *rewrite.Operand, size uint64) bool {
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
