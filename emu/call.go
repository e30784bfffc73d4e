// Calls, returns, and the passing of arguments and results through .param variables.

package emu

import (
	"encoding/binary"

	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/emu/internal/inlining"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// callSite is a decoded call instruction.
type callSite struct {
	callee *function // nil for an external or indirect call
	extern externFn
	target slot // 64-bit slot with the callee's address (indirect calls)
	args   []stackVar
	rets   []stackVar
}

// exec executes the call for the lanes in m.
func (c *callSite) exec(x *engine, in *inst, m lanes) {
	g := x.running
	callee := c.callee
	if c.target != 0 {
		if callee, m = c.resolve(x, in, m); callee == nil {
			return
		}
	}
	if c.extern != nil {
		x.usesArguments(in, c, m)
		c.extern(x, in, c, m)
		if g.state == groupReady {
			g.pc++
		}
		return
	}
	x.call(g, c, callee, m)
}

// usesArguments checks that the arguments of a function without a body have been written.
func (x *engine) usesArguments(in *inst, c *callSite, m lanes) {
	for k := range c.args {
		for rest := m; x.m.cfg.Uninitialised && !c.args[k].isReg && rest != 0; rest &= rest - 1 {
			x.readLocal(in, rest.first(), x.frame.stackBase+c.args[k].off, c.args[k].size)
		}
	}
}

// readLocal checks n bytes of local memory of lane i that a function without a body reads.
func (x *engine) readLocal(in *inst, i int, off, n uint64) {
	ac := access{space: isa.SpaceLocal, kind: isa.AccessLoad}
	ac.trackSpan(x, in, off, n, i)
}

// arg returns lane i's value of the n-th argument.
func (c *callSite) arg(x *engine, n, i int) uint64 { return c.args[n].load(x.warp, x.frame, i) }

// result sets lane i's return value, if the call has one.
func (c *callSite) result(x *engine, i int, v uint64) {
	if len(c.rets) > 0 {
		c.rets[0].store(x.warp, x.frame, i, v)
	}
}

// resolve finds the callee of an indirect call: that of the first lane. Lanes that call another function become a
// separate group, which calls later; all lanes reconverge after the call.
func (c *callSite) resolve(x *engine, in *inst, m lanes) (*function, lanes) {
	target := x.frame.r64(c.target)
	addr := target[m.first()]
	same := equalLanes64(target, m, addr)
	fn := x.m.functionAt(addr)
	switch {
	case fn == nil:
		x.raise(in, m.first(), "out-of-bounds", addr, "call through 0x%x, which is not the address of a function", addr)
		return nil, 0
	case len(fn.params) != len(c.args) || len(fn.returns) != len(c.rets):
		x.raise(in, m.first(), "out-of-bounds", addr, "indirect call with %s and %s of %s, which has %s and %s",
			diag.Plural(len(c.args), "argument"), diag.Plural(len(c.rets), "result"), fn.src.Name,
			diag.Plural(len(fn.params), "parameter"), diag.Plural(len(fn.returns), "result"))
		return nil, 0
	}
	if rest := m &^ same; rest != 0 {
		g := x.running
		g.join = x.joinAt(g, g.pc+1)
		x.sched.diverged(x, x.split(g, rest, g.pc, g.join))
	}
	return fn, same
}

// call makes the lanes in m of the running group enter fn. They reconverge after the call.
func (x *engine) call(g *group, c *callSite, fn *function, m lanes) {
	caller := g.frame
	f := x.enterFrame(g.warp, fn, caller)
	if f == nil {
		return
	}
	g.warp.freshLocals(f, m)
	for i := range c.args {
		move(g.warp, caller, f, &c.args[i], &fn.params[i], m)
	}
	parent := g.join
	if rest := g.mask &^ m; rest != 0 { // the guard predicate is false in these lanes: they wait at the instruction after the call
		parent = x.joinAt(g, g.pc+1)
		x.wait(parent, rest)
		g.mask = m
	}
	f.live, f.site = m, c
	f.ret = x.newJoin(caller, g.pc+1, m, parent)
	g.frame, g.pc, g.join = f, 0, f.ret
}

// ret returns the lanes in m of the running group to the caller; from a kernel it exits them.
func (x *engine) ret(g *group, m lanes) {
	f := g.frame
	if f.caller == nil {
		x.exit(g, m)
		return
	}
	for i := range f.site.rets {
		move(g.warp, f, f.caller, &f.fn.returns[i], &f.site.rets[i], m)
	}
	if rest := g.mask &^ m; rest != 0 { // the others continue in the callee
		x.ready(x.split(g, rest, g.pc+1, g.join))
	}
	x.leaveUntil(g.join, f.ret, m)
	g.frame, g.pc, g.join = f.caller, f.ret.pc, f.ret
	x.leaveFrame(f, m)
}

// move copies an argument or result of the lanes in m from one activation to another.
func move(w *warp, from, to *frame, src, dst *stackVar, m lanes) {
	size := min(src.size, dst.size)
	switch {
	case src.isReg && dst.isReg && src.reg.wide() && dst.reg.wide():
		moveLanes(to.r64(dst.reg.slot), from.r64(src.reg.slot), m)
	case src.isReg && dst.isReg && src.inWord() && dst.inWord():
		moveLanes(to.r32(dst.reg.slot), from.r32(src.reg.slot), m)
	case src.isReg || dst.isReg:
		for ; m != 0; m &= m - 1 {
			i := m.first()
			dst.store(w, to, i, src.load(w, from, i))
		}
	default:
		a, b := from.stackBase+src.off, to.stackBase+dst.off
		for ; m != 0; m &= m - 1 {
			lane := w.local(m.first(), 0, w.stackStride)
			copy(lane[b:b+size], lane[a:a+size])
			at := uint64(m.first()) * w.stackStride
			w.shadow.Copy(at+b, w.shadow, at+a, size)
		}
	}
}

// inWord reports whether the type of the register has exactly 32 bits.
func (v *stackVar) inWord() bool { return v.reg.typ.Bits() == 32 }

// moveLanes copies the lanes in m of a register.
func moveLanes[T uint32 | uint64](dst, src *[warpSize]T, m lanes) {
	if m == allLanes {
		*dst = *src
		return
	}
	for ; m != 0; m &= m - 1 {
		dst[m.first()] = src[m.first()]
	}
}

// load returns lane i's value of a parameter of up to 8 bytes.
func (v *stackVar) load(w *warp, f *frame, i int) uint64 {
	switch {
	case !v.isReg:
		var b [8]byte
		copy(b[:], w.local(i, f.stackBase+v.off, min(v.size, 8)))
		return binary.LittleEndian.Uint64(b[:])
	case v.reg.typ == isa.Pred:
		return uint64(*f.p(v.reg.slot) >> uint(i) & 1)
	case v.reg.wide():
		return f.r64(v.reg.slot)[i]
	}
	return uint64(f.r32(v.reg.slot)[i])
}

// store sets lane i's value of a parameter of up to 8 bytes.
func (v *stackVar) store(w *warp, f *frame, i int, val uint64) {
	switch {
	case !v.isReg:
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], val)
		copy(w.local(i, f.stackBase+v.off, v.size), b[:])
		w.wroteLocal(i, f.stackBase+v.off, v.size)
	case v.reg.typ == isa.Pred:
		p, bit := f.p(v.reg.slot), lanes(1)<<uint(i)
		if *p &^= bit; val&1 != 0 {
			*p |= bit
		}
	case v.reg.wide():
		f.r64(v.reg.slot)[i] = val
	default:
		f.r32(v.reg.slot)[i] = uint32(val)
	}
}

// decodeCall: call{.uni} (rets), fname or address, (args), prototype.
func decodeCall(d *decoder, in *rewrite.Inst) (inst, error) {
	c, ok := in.Call()
	if !ok {
		return inst{}, d.errorf(in, "%s is not a call", in.Text())
	}
	site := &callSite{}
	var err error
	var params, returns []ptxgrammar.Var
	switch {
	case c.Func != nil:
		f := definition(c.Func)
		params, returns = f.AST.Params, f.AST.Returns
		if site.callee = d.m.bySource[f]; site.callee == nil {
			e, known := externOf(f.Name)
			if !known {
				return d.refusal(in, "the function has no body: it is of another module, which is not here"), nil
			}
			if len(c.Args) != e.args {
				return inst{}, d.errorf(in, "%s is called with %s, expected %d", f.Name,
					diag.Plural(len(c.Args), "argument"), e.args)
			}
			site.extern = e.call
			break
		}
		d.fn.calls = append(d.fn.calls, site.callee)
	case c.Target != nil:
		if c.Target.Type.Bits() != 64 {
			return inst{}, d.unsupported(in, "call through the 32-bit register %s", c.Target.Name)
		}
		site.target = d.regs[c.Target.Index]
		if c.Proto != nil {
			params, returns = c.Proto.Params, c.Proto.Returns
			if len(c.Proto.Funcs) > 0 {
				params, returns = c.Proto.Funcs[0].AST.Params, c.Proto.Funcs[0].AST.Returns
			}
		}
	default:
		return inst{}, d.errorf(in, "%s: expected a function to call", in.Text())
	}
	if len(params) != len(c.Args) || len(returns) != len(c.Returns) {
		return inst{}, d.errorf(in, "%s: %s and %s, expected %d and %d", in.Text(),
			diag.Plural(len(c.Args), "argument"), diag.Plural(len(c.Returns), "result"), len(params), len(returns))
	}
	direct := d.body.direct[in]
	if direct == nil {
		direct = &inlining.Direct{
			Stores: make([]*rewrite.Inst, len(c.Args)),
			Loads:  make([]*rewrite.Inst, len(c.Returns)),
		}
	}
	if site.args, err = d.passed(in, c.Args, params, direct.Stores); err != nil {
		return inst{}, err
	}
	if site.rets, err = d.passed(in, c.Returns, returns, direct.Loads); err != nil {
		return inst{}, err
	}
	return inst{body: func(x *engine, in *inst, m lanes) { site.exec(x, in, m) }, flags: flagControl}, nil
}

// passed resolves the arguments or the results of a call to variables on the stack. If accesses has an instruction for
// an operand, this instruction alone accesses the .param variable of the operand. The register or constant of the
// instruction then stands for the variable, which needs no memory.
func (d *decoder) passed(in *rewrite.Inst, ops []rewrite.Operand, formal []ptxgrammar.Var,
	accesses []*rewrite.Inst,
) ([]stackVar, error) {
	vars := make([]stackVar, 0, len(ops))
	for i := range ops {
		op := &ops[i]
		if access := accesses[i]; access != nil {
			vars = append(vars, d.valueOf(access))
			continue
		}
		if v, ok := op.Sym.(*rewrite.Var); ok && op.Kind == rewrite.OperandSymbol {
			off, ok := d.stack[v]
			if !ok {
				return nil, d.errorf(in, "%s: %s is not a .param variable of this function", in.Text(), v.Name)
			}
			vars = append(vars, stackVar{off: off, size: v.Size})
			continue
		}
		if n := components(op); n != max(formal[i].Vec, 1) {
			return nil, d.errorf(in, "%s: %s has %s, the parameter has %d", in.Text(), d.text(op),
				diag.Plural(n, "component"), max(formal[i].Vec, 1))
		} else if n > 1 {
			vars = append(vars, d.inRegister(op.Reg)...)
			continue
		}
		o, err := d.value(in, op, formal[i].Type)
		if err != nil {
			return nil, err
		}
		vars = append(vars, stackVar{reg: o, isReg: true, size: uint64(max(o.typ.Size(), 1))})
	}
	return vars, nil
}

// valueOf returns the register or constant that an access of a .param variable stores or loads.
func (d *decoder) valueOf(access *rewrite.Inst) stackVar {
	k := 1 - access.Access.Addr
	o, err := d.value(access, &access.Operands[k], access.Decoded.Operands[k].Type)
	if err != nil {
		panic("BUG: emu: an argument or result that is not a register or constant: " + err.Error())
	}
	return stackVar{reg: o, isReg: true, size: uint64(access.Access.Size)}
}

// components returns the number of components of a whole vector register, 1 for any other operand.
func components(op *rewrite.Operand) int {
	if op.Kind == rewrite.OperandReg && op.Member == "" {
		return max(op.Reg.Vec, 1)
	}
	return 1
}

// functionAt returns the function with the address addr, nil if there is none.
func (m *machine) functionAt(addr uint64) *function {
	if fn := m.byAddress[addr]; fn != nil && fn.code != nil && !fn.src.Entry {
		return fn
	}
	return nil
}

// codeWindow is the generic address of the first function of a device; functions are codeStep apart. These addresses
// cannot be read.
const (
	codeWindow = 8 << 32
	codeStep   = 256
)
