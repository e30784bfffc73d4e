// Flow of a kernel's parameters: pieces of them are followed through registers, structs and called functions.

package kernelcode

import (
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Piece is a place in a parameter: a field of a struct, or a plain parameter at offset 0.
type Piece struct {
	Param *rewrite.Var
	Off   int64
}

// flows records the pieces of a kernel's parameters that reach registers, in the kernel and in the functions that it
// calls.
type flows struct {
	kernel  *rewrite.Func
	Funcs   []*rewrite.Func
	Regs    map[*rewrite.Reg]Piece           // registers that hold the value of a piece
	bases   map[*rewrite.Reg]Piece           // registers that hold the address of a parameter
	held    map[*rewrite.Var]map[int64]Piece // parameters of calls, with the piece stored at each offset
	changed bool
}

// FlowsOf follows the parameters of a kernel through moves, conversions, additions and calls, regardless of order.
// Those of another function are followed within it, so that a listing of all functions takes time in proportion to
// their text.
func FlowsOf(k *rewrite.Func) *flows {
	funcs := []*rewrite.Func{k}
	if k.Entry {
		funcs = Reached(k)
	}
	w := &flows{
		kernel: k, Funcs: funcs,
		Regs: make(map[*rewrite.Reg]Piece), bases: make(map[*rewrite.Reg]Piece),
		held: make(map[*rewrite.Var]map[int64]Piece),
	}
	for w.changed = true; w.changed; {
		w.changed = false
		for _, f := range w.Funcs {
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
		w.each(in, at, func(r *rewrite.Reg, at Piece) {
			if in.Access.Kind == isa.AccessLoad {
				w.reaches(r, w.from(at))
			} else if from, known := w.Regs[r]; known {
				w.holds(at, from)
			}
		})
		return
	}
	switch in.Instr.Calc {
	case isa.CalcCopy, isa.CalcConvertAddress, isa.CalcConvert, isa.CalcAdd, isa.CalcSub, isa.CalcMulAdd, isa.CalcAnd,
		isa.CalcSelect, isa.CalcMin, isa.CalcMax:
		w.calculated(in)
	default:
	}
}

// calculated propagates the sources of a calculation to its result.
func (w *flows) calculated(in *rewrite.Inst) {
	var from, base Piece
	for i := 1; i < len(in.Operands); i++ {
		o := &in.Operands[i]
		if v, ok := o.Sym.(*rewrite.Var); ok && v.Space == isa.SpaceParam && in.Instr.Calc == isa.CalcCopy {
			base = Piece{v, o.Off}
		}
		if o.Kind != rewrite.OperandReg || o.Reg.Type.Size() != 8 {
			continue
		}
		if x, known := w.Regs[o.Reg]; known && from.Param == nil {
			from = x
		}
		if x, known := w.bases[o.Reg]; known && (in.Instr.Calc == isa.CalcCopy ||
			in.Instr.Calc == isa.CalcConvertAddress) {
			base = x
		}
	}
	in.Defs(func(r *rewrite.Reg) {
		w.reaches(r, from)
		if _, known := w.bases[r]; !known && base.Param != nil {
			w.bases[r], w.changed = base, true
		}
	})
}

// param returns the place in a parameter that a load or store accesses.
func (w *flows) param(in *rewrite.Inst) (Piece, bool) {
	if in.Access.Kind != isa.AccessLoad && in.Access.Kind != isa.AccessStore || len(in.Operands) != 2 {
		return Piece{}, false
	}
	o := &in.Operands[1]
	if in.Access.Kind == isa.AccessStore {
		o = &in.Operands[0]
	}
	if v, ok := o.Sym.(*rewrite.Var); ok && in.Space == isa.SpaceParam && v.Space == isa.SpaceParam {
		return Piece{v, o.Off}, true
	}
	if base, ok := w.bases[o.Reg]; ok && o.Kind == rewrite.OperandAddr {
		return Piece{base.Param, base.Off + o.Off}, true
	}
	return Piece{}, false
}

// each calls do for the registers that a load or store of a parameter accesses, with the place of each.
func (w *flows) each(in *rewrite.Inst, at Piece, do func(*rewrite.Reg, Piece)) {
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
		at.Off += int64(in.Type(0).Size())
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
				w.holds(Piece{to, off}, from)
			}
		}
		if o.Reg == nil {
			continue
		}
		if to.Reg != nil {
			w.reaches(to.Reg, w.Regs[o.Reg])
		}
		w.holds(Piece{to, 0}, w.Regs[o.Reg])
	}
}

// reaches records that a register holds the value of a piece, unless it holds another already.
func (w *flows) reaches(r *rewrite.Reg, from Piece) {
	if _, known := w.Regs[r]; !known && from.Param != nil {
		w.Regs[r], w.changed = from, true
	}
}

// holds records that a parameter of a call holds the value of a piece, unless it holds another already.
func (w *flows) holds(at, from Piece) {
	if from.Param == nil {
		return
	}
	if w.held[at.Param] == nil {
		w.held[at.Param] = make(map[int64]Piece)
	}
	if _, known := w.held[at.Param][at.Off]; !known {
		w.held[at.Param][at.Off], w.changed = from, true
	}
}

// from returns the piece of the kernel's parameters that a place in a parameter holds.
func (w *flows) from(at Piece) Piece {
	if slices.Contains(w.kernel.Params, at.Param) {
		return at
	}
	return w.held[at.Param][at.Off]
}

// pointers returns the pieces whose value reaches the base of an address or a cvta, with the type accessed there if it
// is plain.
func (w *flows) pointers() map[Piece]isa.Type {
	out := make(map[Piece]isa.Type)
	for _, f := range w.Funcs {
		for _, in := range f.Insts {
			for i := range in.Operands {
				o := &in.Operands[i]
				isAddress := o.Kind == rewrite.OperandAddr && in.Instr.Class != isa.ClassTexture
				at, known := w.Regs[o.Reg]
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
func (w *flows) changes() map[Piece]bool {
	out := make(map[Piece]bool)
	for _, f := range w.Funcs {
		for _, in := range f.Insts {
			for _, a := range in.Accesses {
				if !a.Writes() || a.Addr >= len(in.Operands) {
					continue
				}
				if at, known := w.Regs[in.Operands[a.Addr].Reg]; known {
					out[at] = true
				}
			}
		}
	}
	return out
}

// shared reports whether the value of a piece reaches the address of an access to shared memory, or is converted from
// such an address to a generic one.
func (w *flows) shared(p Piece) bool {
	holds := func(in *rewrite.Inst, operand int) bool {
		at, known := w.Regs[in.Operands[operand].Reg]
		return known && at == p
	}
	return slices.ContainsFunc(w.Funcs, func(f *rewrite.Func) bool {
		return slices.ContainsFunc(f.Insts, func(in *rewrite.Inst) bool {
			if in.Instr.Calc == isa.CalcConvertAddress && in.Space == isa.SpaceShared && !in.Has("to") {
				return holds(in, 1)
			}
			return slices.ContainsFunc(in.Accesses, func(a isa.Access) bool {
				return a.Space == isa.SpaceShared &&
					holds(in, a.Addr)
			})
		})
	})
}

// loads returns the pieces of a parameter that instructions load, each with its largest type.
func (w *flows) loads(v *rewrite.Var) map[int64]isa.Type {
	out := make(map[int64]isa.Type)
	for _, f := range w.Funcs {
		for _, in := range f.Insts {
			at, ok := w.param(in)
			if !ok || in.Access.Kind != isa.AccessLoad {
				continue
			}
			w.each(in, at, func(_ *rewrite.Reg, at Piece) {
				if from := w.from(at); from.Param == v && in.Type(0).Size() > out[from.Off].Size() {
					out[from.Off] = in.Type(0)
				}
			})
		}
	}
	return out
}

// Reached returns the functions that a kernel may execute, including itself first, and those of the kernels that it may
// launch.
func Reached(k *rewrite.Func) []*rewrite.Func {
	list, in := []*rewrite.Func{k}, map[*rewrite.Func]bool{k: true}
	add := func(f *rewrite.Func) {
		if f != nil && f.Defined() && !in[f] {
			in[f], list = true, append(list, f)
		}
	}
	added := map[bool]bool{} // whether all functions, or all kernels as well, have been added
	for i := 0; i < len(list); i++ {
		for _, inst := range list[i].Insts {
			c, calls := inst.Call()
			any := calls && c.Func == nil
			if calls && c.Func != nil {
				add(c.Func)
				add(c.Func.Alias)
			}
			if grid := emu.LaunchesGrid(inst); (any || grid) && !added[grid] {
				added[grid] = true
				for _, f := range k.Module.Funcs {
					if f.Entry == grid || grid {
						add(f)
					}
				}
			}
		}
	}
	return list
}

// TextureHandle returns the operand for the texture or surface of an instruction, nil for other instructions.
func TextureHandle(in *rewrite.Inst) *rewrite.Operand {
	if in.Instr.Class != isa.ClassTexture {
		return nil
	}
	i := slices.IndexFunc(in.Operands, func(o rewrite.Operand) bool { return o.Kind == rewrite.OperandAddr })
	if i < 0 {
		return nil
	}
	return &in.Operands[i]
}

// IsSurface reports whether an instruction requires a surface rather than a texture.
func IsSurface(in *rewrite.Inst) bool {
	return in.Instr.Class == isa.ClassTexture && strings.HasPrefix(in.Instr.Name, "su")
}
