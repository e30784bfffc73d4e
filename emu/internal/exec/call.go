// Calls, returns, and the passing of arguments and results through .param variables.

package exec

import (
	"encoding/binary"

	"github.com/ptxsan/ptxsan/emu/internal/barriers"
	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/groups"
	"github.com/ptxsan/ptxsan/emu/internal/inlining"
	"github.com/ptxsan/ptxsan/emu/internal/memory"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// execCall executes the call for the lanes in m.
func execCall(c *state.CallSite, x *state.Engine, in *state.Inst, m state.Lanes) {
	g := x.Running
	callee := c.Callee
	if c.Target != 0 {
		if callee, m = resolve(c, x, in, m); callee == nil {
			return
		}
	}
	if c.Extern != nil {
		usesArguments(x, in, c, m)
		c.Extern(x, in, c, m)
		if g.State == state.GroupReady {
			g.PC++
		}
		return
	}
	call(x, g, c, callee, m)
}

// usesArguments checks that the arguments of a function without a body have been written.
func usesArguments(x *state.Engine, in *state.Inst, c *state.CallSite, m state.Lanes) {
	for k := range c.Args {
		for rest := m; x.M.Cfg.Uninitialised && !c.Args[k].IsReg && rest != 0; rest &= rest - 1 {
			readLocal(x, in, rest.First(), x.Frame.StackBase+c.Args[k].Off, c.Args[k].Size)
		}
	}
}

// readLocal checks n bytes of local memory of lane i that a function without a body reads.
func readLocal(x *state.Engine, in *state.Inst, i int, off, n uint64) {
	ac := state.Access{Space: isa.SpaceLocal, Kind: isa.AccessLoad}
	memory.TrackSpan(&ac, x, in, off, n, i)
}

// arg returns lane i's value of the n-th argument.
func arg(c *state.CallSite, x *state.Engine, n, i int) uint64 {
	return loadVar(&c.Args[n], x.Warp, x.Frame, i)
}

// result sets lane i's return value, if the call has one.
func result(c *state.CallSite, x *state.Engine, i int, v uint64) {
	if len(c.Rets) > 0 {
		storeVar(&c.Rets[0], x.Warp, x.Frame, i, v)
	}
}

// resolve finds the callee of an indirect call: that of the first lane. Lanes that call another function become a
// separate group, which calls later; all lanes reconverge after the call.
func resolve(c *state.CallSite, x *state.Engine, in *state.Inst, m state.Lanes) (*state.Function, state.Lanes) {
	target := x.Frame.R64(c.Target)
	addr := target[m.First()]
	same := equalLanes64(target, m, addr)
	fn := functionAt(x.M, addr)
	switch {
	case fn == nil:
		faults.Raise(x, in, m.First(), "out-of-bounds", addr,
			"call through 0x%x, which is not the address of a function", addr)
		return nil, 0
	case len(fn.Params) != len(c.Args) || len(fn.Returns) != len(c.Rets):
		faults.Raise(x, in, m.First(), "out-of-bounds", addr, "indirect call with %s and %s of %s, which has %s and %s",
			diag.Plural(len(c.Args), "argument"), diag.Plural(len(c.Rets), "result"), fn.Src.Name,
			diag.Plural(len(fn.Params), "parameter"), diag.Plural(len(fn.Returns), "result"))
		return nil, 0
	}
	if rest := m &^ same; rest != 0 {
		g := x.Running
		g.Join = joinAt(x, g, g.PC+1)
		x.Sched.Diverged(x, groups.Split(x, g, rest, g.PC, g.Join))
	}
	return fn, same
}

// call makes the lanes in m of the running group enter fn. They reconverge after the call.
func call(x *state.Engine, g *state.Group, c *state.CallSite, fn *state.Function, m state.Lanes) {
	caller := g.Frame
	f := groups.EnterFrame(x, g.Warp, fn, caller)
	if f == nil {
		return
	}
	groups.FreshLocals(g.Warp, f, m)
	for i := range c.Args {
		move(g.Warp, caller, f, &c.Args[i], &fn.Params[i], m)
	}
	parent := g.Join
	if rest := g.Mask &^ m; rest != 0 { // the guard predicate is false in these lanes: they wait at the instruction after the call
		parent = joinAt(x, g, g.PC+1)
		groups.Wait(x, parent, rest)
		g.Mask = m
	}
	f.Live, f.Site = m, c
	f.Ret = groups.NewJoin(x, caller, g.PC+1, m, parent)
	g.Frame, g.PC, g.Join = f, 0, f.Ret
}

// ret returns the lanes in m of the running group to the caller; from a kernel it exits them.
func ret(x *state.Engine, g *state.Group, m state.Lanes) {
	f := g.Frame
	if f.Caller == nil {
		barriers.Exit(x, g, m)
		return
	}
	for i := range f.Site.Rets {
		move(g.Warp, f, f.Caller, &f.Fn.Returns[i], &f.Site.Rets[i], m)
	}
	if rest := g.Mask &^ m; rest != 0 { // the others continue in the callee
		groups.Ready(x, groups.Split(x, g, rest, g.PC+1, g.Join))
	}
	groups.LeaveUntil(x, g.Join, f.Ret, m)
	g.Frame, g.PC, g.Join = f.Caller, f.Ret.PC, f.Ret
	groups.LeaveFrame(x, f, m)
}

// move copies an argument or result of the lanes in m from one activation to another.
func move(w *state.Warp, from, to *state.Frame, src, dst *state.StackVar, m state.Lanes) {
	size := min(src.Size, dst.Size)
	switch {
	case src.IsReg && dst.IsReg && src.Reg.Wide() && dst.Reg.Wide():
		moveLanes(to.R64(dst.Reg.Slot), from.R64(src.Reg.Slot), m)
	case src.IsReg && dst.IsReg && inWord(src) && inWord(dst):
		moveLanes(to.R32(dst.Reg.Slot), from.R32(src.Reg.Slot), m)
	case src.IsReg || dst.IsReg:
		for ; m != 0; m &= m - 1 {
			i := m.First()
			storeVar(dst, w, to, i, loadVar(src, w, from, i))
		}
	default:
		a, b := from.StackBase+src.Off, to.StackBase+dst.Off
		for ; m != 0; m &= m - 1 {
			lane := groups.Local(w, m.First(), 0, w.StackStride)
			copy(lane[b:b+size], lane[a:a+size])
			at := uint64(m.First()) * w.StackStride
			w.Shadow.Copy(at+b, w.Shadow, at+a, size)
		}
	}
}

// inWord reports whether the type of the register has exactly 32 bits.
func inWord(v *state.StackVar) bool { return v.Reg.Typ.Bits() == 32 }

// moveLanes copies the lanes in m of a register.
func moveLanes[T uint32 | uint64](dst, src *[state.WarpSize]T, m state.Lanes) {
	if m == state.AllLanes {
		*dst = *src
		return
	}
	for ; m != 0; m &= m - 1 {
		dst[m.First()] = src[m.First()]
	}
}

// loadVar returns lane i's value of a parameter of up to 8 bytes.
func loadVar(v *state.StackVar, w *state.Warp, f *state.Frame, i int) uint64 {
	switch {
	case !v.IsReg:
		var b [8]byte
		copy(b[:], groups.Local(w, i, f.StackBase+v.Off, min(v.Size, 8)))
		return binary.LittleEndian.Uint64(b[:])
	case v.Reg.Typ == isa.Pred:
		return uint64(*f.P(v.Reg.Slot) >> uint(i) & 1)
	case v.Reg.Wide():
		return f.R64(v.Reg.Slot)[i]
	}
	return uint64(f.R32(v.Reg.Slot)[i])
}

// storeVar sets lane i's value of a parameter of up to 8 bytes.
func storeVar(v *state.StackVar, w *state.Warp, f *state.Frame, i int, val uint64) {
	switch {
	case !v.IsReg:
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], val)
		copy(groups.Local(w, i, f.StackBase+v.Off, v.Size), b[:])
		groups.WroteLocal(w, i, f.StackBase+v.Off, v.Size)
	case v.Reg.Typ == isa.Pred:
		p, bit := f.P(v.Reg.Slot), state.Lanes(1)<<uint(i)
		if *p &^= bit; val&1 != 0 {
			*p |= bit
		}
	case v.Reg.Wide():
		f.R64(v.Reg.Slot)[i] = val
	default:
		f.R32(v.Reg.Slot)[i] = uint32(val)
	}
}

// decodeCall: call{.uni} (rets), fname or address, (args), prototype.
func decodeCall(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	c, ok := in.Call()
	if !ok {
		return state.Inst{}, decode.Errorf(d, in, "%s is not a call", in.Text())
	}
	site := &state.CallSite{}
	var err error
	var params, returns []ptxgrammar.Var
	switch {
	case c.Func != nil:
		f := decode.Definition(c.Func)
		params, returns = f.AST.Params, f.AST.Returns
		if site.Callee = d.M.BySource[f]; site.Callee == nil {
			e, known := externOf(f.Name)
			if !known {
				return decode.Refusal(d, in, "the function has no body: it is of another module, which is not here"),
					nil
			}
			if len(c.Args) != e.args {
				return state.Inst{}, decode.Errorf(d, in, "%s is called with %s, expected %d", f.Name,
					diag.Plural(len(c.Args), "argument"), e.args)
			}
			site.Extern = e.call
			break
		}
		d.Fn.Calls = append(d.Fn.Calls, site.Callee)
	case c.Target != nil:
		if c.Target.Type.Bits() != 64 {
			return state.Inst{}, decode.Unsupported(d, in, "call through the 32-bit register %s", c.Target.Name)
		}
		site.Target = d.Regs[c.Target.Index]
		if c.Proto != nil {
			params, returns = c.Proto.Params, c.Proto.Returns
			if len(c.Proto.Funcs) > 0 {
				params, returns = c.Proto.Funcs[0].AST.Params, c.Proto.Funcs[0].AST.Returns
			}
		}
	default:
		return state.Inst{}, decode.Errorf(d, in, "%s: expected a function to call", in.Text())
	}
	if len(params) != len(c.Args) || len(returns) != len(c.Returns) {
		return state.Inst{}, decode.Errorf(d, in, "%s: %s and %s, expected %d and %d", in.Text(),
			diag.Plural(len(c.Args), "argument"), diag.Plural(len(c.Returns), "result"), len(params), len(returns))
	}
	direct := d.Body.Direct[in]
	if direct == nil {
		direct = &inlining.Direct{
			Stores: make([]*rewrite.Inst, len(c.Args)),
			Loads:  make([]*rewrite.Inst, len(c.Returns)),
		}
	}
	if site.Args, err = passed(d, in, c.Args, params, direct.Stores); err != nil {
		return state.Inst{}, err
	}
	if site.Rets, err = passed(d, in, c.Returns, returns, direct.Loads); err != nil {
		return state.Inst{}, err
	}
	return state.Inst{
		Body:  func(x *state.Engine, in *state.Inst, m state.Lanes) { execCall(site, x, in, m) },
		Flags: state.FlagControl,
	}, nil
}

// passed resolves the arguments or the results of a call to variables on the stack. If accesses has an instruction for
// an operand, this instruction alone accesses the .param variable of the operand. The register or constant of the
// instruction then stands for the variable, which needs no memory.
func passed(d *state.Decoder, in *rewrite.Inst, ops []rewrite.Operand, formal []ptxgrammar.Var,
	accesses []*rewrite.Inst,
) ([]state.StackVar, error) {
	vars := make([]state.StackVar, 0, len(ops))
	for i := range ops {
		op := &ops[i]
		if access := accesses[i]; access != nil {
			vars = append(vars, ValueOf(d, access))
			continue
		}
		if v, ok := op.Sym.(*rewrite.Var); ok && op.Kind == rewrite.OperandSymbol {
			off, ok := d.Stack[v]
			if !ok {
				return nil, decode.Errorf(d, in, "%s: %s is not a .param variable of this function", in.Text(), v.Name)
			}
			vars = append(vars, state.StackVar{Off: off, Size: v.Size})
			continue
		}
		if n := components(op); n != max(formal[i].Vec, 1) {
			return nil, decode.Errorf(d, in, "%s: %s has %s, the parameter has %d", in.Text(), decode.Text(d, op),
				diag.Plural(n, "component"), max(formal[i].Vec, 1))
		} else if n > 1 {
			vars = append(vars, decode.InRegister(d, op.Reg)...)
			continue
		}
		o, err := decode.Value(d, in, op, formal[i].Type)
		if err != nil {
			return nil, err
		}
		vars = append(vars, state.StackVar{Reg: o, IsReg: true, Size: uint64(max(o.Typ.Size(), 1))})
	}
	return vars, nil
}

// ValueOf returns the register or constant that an access of a .param variable stores or loads.
func ValueOf(d *state.Decoder, access *rewrite.Inst) state.StackVar {
	k := 1 - access.Access.Addr
	o, err := decode.Value(d, access, &access.Operands[k], access.Decoded.Operands[k].Type)
	if err != nil {
		panic("BUG: emu: an argument or result that is not a register or constant: " + err.Error())
	}
	return state.StackVar{Reg: o, IsReg: true, Size: uint64(access.Access.Size)}
}

// components returns the number of components of a whole vector register, 1 for any other operand.
func components(op *rewrite.Operand) int {
	if op.Kind == rewrite.OperandReg && op.Member == "" {
		return max(op.Reg.Vec, 1)
	}
	return 1
}

// functionAt returns the function with the address addr, nil if there is none.
func functionAt(m *state.Machine, addr uint64) *state.Function {
	if fn := m.ByAddress[addr]; fn != nil && fn.Code != nil && !fn.Src.Entry {
		return fn
	}
	return nil
}

// CodeWindow is the generic address of the first function of a device; functions are CodeStep apart. These addresses
// cannot be read.
const (
	CodeWindow = 8 << 32
	CodeStep   = 256
)
