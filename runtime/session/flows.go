// Flow of a kernel's parameters: pieces of them are followed through registers, structs and called functions.

package session

import (
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// piece is a place in a parameter: a field of a struct, or a plain parameter at offset 0.
type piece struct {
	param *rewrite.Var
	off   int64
}

// flows records the pieces of a kernel's parameters that reach registers, in the kernel and in the functions that it calls.
type flows struct {
	kernel  *rewrite.Func
	funcs   []*rewrite.Func
	regs    map[*rewrite.Reg]piece           // registers that hold the value of a piece
	bases   map[*rewrite.Reg]piece           // registers that hold the address of a parameter
	held    map[*rewrite.Var]map[int64]piece // parameters of calls, with the piece stored at each offset
	changed bool
}

// flowsOf follows the parameters of a kernel through moves, conversions, additions and calls, regardless of order. Those of another
// function are followed within it, so that a listing of all functions takes time in proportion to their text.
func flowsOf(k *rewrite.Func) *flows {
	funcs := []*rewrite.Func{k}
	if k.Entry {
		funcs = reached(k)
	}
	w := &flows{
		kernel: k, funcs: funcs,
		regs: make(map[*rewrite.Reg]piece), bases: make(map[*rewrite.Reg]piece), held: make(map[*rewrite.Var]map[int64]piece),
	}
	for w.changed = true; w.changed; {
		w.changed = false
		for _, f := range w.funcs {
			for _, in := range f.Insts {
				w.pass(in)
			}
		}
	}
	return w
}

// pass propagates values through one instruction.
func (w *flows) pass(in *rewrite.Inst) {
	if c, calls := in.Call(); calls {
		w.call(&c)
		return
	}
	if at, ok := w.param(in); ok {
		w.each(in, at, func(r *rewrite.Reg, at piece) {
			if in.Access.Kind == isa.AccessLoad {
				w.reaches(r, w.from(at))
			} else if from, known := w.regs[r]; known {
				w.holds(at, from)
			}
		})
		return
	}
	switch in.Instr.Calc {
	case isa.CalcCopy, isa.CalcConvertAddress, isa.CalcConvert, isa.CalcAdd, isa.CalcSub, isa.CalcMulAdd, isa.CalcAnd, isa.CalcSelect, isa.CalcMin, isa.CalcMax:
		w.calculated(in)
	default:
	}
}

// calculated propagates the sources of a calculation to its result.
func (w *flows) calculated(in *rewrite.Inst) {
	var from, base piece
	for i := 1; i < len(in.Operands); i++ {
		o := &in.Operands[i]
		if v, ok := o.Sym.(*rewrite.Var); ok && v.Space == isa.SpaceParam && in.Instr.Calc == isa.CalcCopy {
			base = piece{v, o.Off}
		}
		if o.Kind != rewrite.OperandReg || o.Reg.Type.Size() != 8 {
			continue
		}
		if x, known := w.regs[o.Reg]; known && from.param == nil {
			from = x
		}
		if x, known := w.bases[o.Reg]; known && (in.Instr.Calc == isa.CalcCopy || in.Instr.Calc == isa.CalcConvertAddress) {
			base = x
		}
	}
	in.Defs(func(r *rewrite.Reg) {
		w.reaches(r, from)
		if _, known := w.bases[r]; !known && base.param != nil {
			w.bases[r], w.changed = base, true
		}
	})
}

// param returns the place in a parameter that a load or store accesses.
func (w *flows) param(in *rewrite.Inst) (piece, bool) {
	if in.Access.Kind != isa.AccessLoad && in.Access.Kind != isa.AccessStore || len(in.Operands) != 2 {
		return piece{}, false
	}
	o := &in.Operands[1]
	if in.Access.Kind == isa.AccessStore {
		o = &in.Operands[0]
	}
	if v, ok := o.Sym.(*rewrite.Var); ok && in.Space == isa.SpaceParam && v.Space == isa.SpaceParam {
		return piece{v, o.Off}, true
	}
	if base, ok := w.bases[o.Reg]; ok && o.Kind == rewrite.OperandAddr {
		return piece{base.param, base.off + o.Off}, true
	}
	return piece{}, false
}

// each calls do for the registers that a load or store of a parameter accesses, with the place of each.
func (w *flows) each(in *rewrite.Inst, at piece, do func(*rewrite.Reg, piece)) {
	o := &in.Operands[0]
	if in.Access.Kind == isa.AccessStore {
		o = &in.Operands[1]
	}
	elems := []rewrite.Operand{*o}
	if o.Elems != nil {
		elems = o.Elems
	}
	for i := range elems {
		if r := elems[i].Reg; r != nil {
			do(r, at)
		}
		at.off += int64(in.Type(0).Size())
	}
}

// call propagates arguments to the called function.
func (w *flows) call(c *rewrite.Call) {
	if c.Func == nil {
		return
	}
	for i := range c.Args[:min(len(c.Args), len(c.Func.Params))] {
		o, to := &c.Args[i], c.Func.Params[i]
		if v, ok := o.Sym.(*rewrite.Var); ok {
			for off, from := range w.held[v] {
				w.holds(piece{to, off}, from)
			}
		}
		if o.Reg == nil {
			continue
		}
		if to.Reg != nil {
			w.reaches(to.Reg, w.regs[o.Reg])
		}
		w.holds(piece{to, 0}, w.regs[o.Reg])
	}
}

// reaches records that a register holds the value of a piece, unless it holds another already.
func (w *flows) reaches(r *rewrite.Reg, from piece) {
	if _, known := w.regs[r]; !known && from.param != nil {
		w.regs[r], w.changed = from, true
	}
}

// holds records that a parameter of a call holds the value of a piece, unless it holds another already.
func (w *flows) holds(at, from piece) {
	if from.param == nil {
		return
	}
	if w.held[at.param] == nil {
		w.held[at.param] = make(map[int64]piece)
	}
	if _, known := w.held[at.param][at.off]; !known {
		w.held[at.param][at.off], w.changed = from, true
	}
}

// from returns the piece of the kernel's parameters that a place in a parameter holds.
func (w *flows) from(at piece) piece {
	if slices.Contains(w.kernel.Params, at.param) {
		return at
	}
	return w.held[at.param][at.off]
}

// pointers returns the pieces whose value reaches the base of an address or a cvta, with the type accessed there if it is plain.
func (w *flows) pointers() map[piece]isa.Type {
	out := make(map[piece]isa.Type)
	for _, f := range w.funcs {
		for _, in := range f.Insts {
			for i := range in.Operands {
				o := &in.Operands[i]
				isAddress := o.Kind == rewrite.OperandAddr && in.Instr.Class != isa.ClassTexture
				at, known := w.regs[o.Reg]
				if !known || !isAddress && in.Instr.Calc != isa.CalcConvertAddress {
					continue
				}
				if out[at] == isa.TypeNone {
					out[at] = isa.TypeNone
					if isAddress {
						out[at] = in.Type(0)
					}
				}
			}
		}
	}
	return out
}

// changes returns the pieces whose value reaches the base of an address that is stored to, also by an atomic operation.
func (w *flows) changes() map[piece]bool {
	out := make(map[piece]bool)
	for _, f := range w.funcs {
		for _, in := range f.Insts {
			for _, a := range in.Accesses {
				if !a.Writes() || a.Addr >= len(in.Operands) {
					continue
				}
				if at, known := w.regs[in.Operands[a.Addr].Reg]; known {
					out[at] = true
				}
			}
		}
	}
	return out
}

// shared reports whether the value of a piece reaches the address of an access to shared memory, or is converted from such an
// address to a generic one.
func (w *flows) shared(p piece) bool {
	holds := func(in *rewrite.Inst, operand int) bool {
		at, known := w.regs[in.Operands[operand].Reg]
		return known && at == p
	}
	return slices.ContainsFunc(w.funcs, func(f *rewrite.Func) bool {
		return slices.ContainsFunc(f.Insts, func(in *rewrite.Inst) bool {
			if in.Instr.Calc == isa.CalcConvertAddress && in.Space == isa.SpaceShared && !in.Has("to") {
				return holds(in, 1)
			}
			return slices.ContainsFunc(in.Accesses, func(a isa.Access) bool { return a.Space == isa.SpaceShared && holds(in, a.Addr) })
		})
	})
}

// loads returns the pieces of a parameter that instructions load, each with its largest type.
func (w *flows) loads(v *rewrite.Var) map[int64]isa.Type {
	out := make(map[int64]isa.Type)
	for _, f := range w.funcs {
		for _, in := range f.Insts {
			at, ok := w.param(in)
			if !ok || in.Access.Kind != isa.AccessLoad {
				continue
			}
			w.each(in, at, func(_ *rewrite.Reg, at piece) {
				if from := w.from(at); from.param == v && in.Type(0).Size() > out[from.off].Size() {
					out[from.off] = in.Type(0)
				}
			})
		}
	}
	return out
}
