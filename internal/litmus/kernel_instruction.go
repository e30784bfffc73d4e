// The instructions of a litmus test as PTX.

package litmus

import (
	"fmt"
	"strings"
)

// instruction writes one instruction of a thread.
func (w *kernelWriter) instruction(i int, th *Thread, in *Instruction) error {
	value := func(n int) string { return w.value(i, in.Args[n]) }
	switch in.Op {
	case Load, Store:
		return w.access(i, in)
	case Atom, Red:
		return w.atomic(i, in)
	case Fence:
		w.line("\tfence.%s.%s;", in.Sem, w.scope(in.Scope))
	case ProxyFence:
		if in.Proxy != Alias {
			return errorAt(in.Pos, `"%s": PTX has no fence between the %s proxy and others: what one writes, the other sees after the kernel has ended`, in.Text, in.Proxy)
		}
		w.line("\tfence.proxy.alias;")
	case Barrier:
		w.barrier(th, in)
	case Compute:
		w.compute(i, in)
	case Branch:
		w.line("\tsetp.%s.s%d %%q, %s, %s;", in.Func, w.bits, w.loaded(i, in.Args[0], 0), value(1))
		w.line("\t@%%q bra %s;", w.label(i, in.Label))
	case Goto:
		w.line("\tbra %s;", w.label(i, in.Label))
	case Label:
		w.line("%s:", w.label(i, in.Label))
	}
	return nil
}

func (w *kernelWriter) label(i int, name string) string { return fmt.Sprintf("L%d_%s", i, name) }

func (w *kernelWriter) value(i int, v Value) string {
	if v.Reg == "" {
		return fmt.Sprint(v.Num)
	}
	return w.reg(i, v.Reg)
}

// loaded returns a register with the value: instructions take no constant as their first operand.
func (w *kernelWriter) loaded(i int, v Value, n int) string {
	if v.Reg != "" || w.bits == 64 {
		return w.value(i, v)
	}
	w.line("\tmov.b32 %%t%d, %d;", n, v.Num)
	return fmt.Sprintf("%%t%d", n)
}

func (w *kernelWriter) compute(i int, in *Instruction) {
	dst := w.reg(i, in.Dst)
	a := w.value(i, in.Args[0])
	if in.Func == "mov" {
		w.line("\tmov.b%d %s, %s;", w.bits, dst, a)
		return
	}
	op := map[string]string{
		"add": "add.s", "sub": "sub.s", "mul": "mul.lo.s", "div": "div.s", "and": "and.b",
		"or": "or.b", "xor": "xor.b",
	}[in.Func]
	w.line("\t%s%d %s, %s, %s;", op, w.bits, dst, w.loaded(i, in.Args[0], 0), w.value(i, in.Args[1]))
}

// scope returns a scope as written: that of a GPU is the cluster's where clusters stand for GPUs.
func (w *kernelWriter) scope(s string) string {
	if w.gpusClusters {
		switch s {
		case "gpu":
			return "cluster"
		case "sys":
			return "gpu"
		}
	}
	return s
}

// access writes a load or store.
func (w *kernelWriter) access(i int, in *Instruction) error {
	addr := fmt.Sprintf("[%%m_%s+%d]", in.Loc.Name, in.Off)
	if in.Proxy != Generic || in.Loc.Proxy != Generic {
		return w.throughObject(i, in)
	}
	op := "." + in.Sem
	if in.Scope != "" {
		op += "." + w.scope(in.Scope)
	}
	if in.Op == Load {
		w.line("\tld%s.global.%s %s, %s;", op, w.loadType(in.Size), w.reg(i, in.Dst), addr)
		return nil
	}
	w.line("\tst%s.global.b%d %s, %s;", op, 8*in.Size, addr, w.stored(i, in.Args[0], in.Size))
	return nil
}

// loadType is the type of a load: what fills a register has no sign, smaller values of 32 bits do.
func (w *kernelWriter) loadType(size int) string {
	if size == 4 && w.bits == 64 {
		return "s32"
	}
	return fmt.Sprintf("u%d", 8*size)
}

// stored returns a register for a store of a size.
func (w *kernelWriter) stored(i int, v Value, size int) string {
	if v.Reg == "" {
		return fmt.Sprint(truncate(v.Num, size))
	}
	return w.value(i, v)
}

func truncate(v int64, size int) int64 {
	if size == 8 {
		return v
	}
	return v & (1<<(8*size) - 1)
}

// throughObject writes an access to the single texel of a texture or surface.
func (w *kernelWriter) throughObject(i int, in *Instruction) error {
	name := "%m_" + in.Loc.Name
	switch {
	case in.Proxy == Constant:
		return errorAt(in.Pos, `"%s": kernels cannot write what they read as constants, so that PTX has no such test`, in.Text)
	case in.Loc.Of != nil && in.Loc.Proxy != in.Proxy && in.Loc.Proxy != Generic:
		return errorAt(in.Pos, `"%s": %s is a name for the %s proxy`, in.Text, in.Loc.Name, in.Loc.Proxy)
	case in.Loc.Proxy != in.Proxy:
		return errorAt(in.Pos, `"%s": %s is no texture or surface, expected "%s @ %s aliases ..." among the initial values`, in.Text, in.Loc.Name, in.Loc.Name, in.Proxy)
	case in.Size != 4 || in.Loc.Size != 4:
		return errorAt(in.Pos, `"%s": accesses of the %s proxy have 32 bits`, in.Text, in.Proxy)
	case in.Op == Load && in.Proxy == Texture:
		w.line("\ttex.1d.v4.s32.s32 {%%t0, %%t1, %%t2, %%t3}, [%s, {0}];", name)
	case in.Op == Load:
		w.line("\tsuld.b.1d.b32.trap %%t0, [%s, {0}];", name)
	default:
		w.narrow(i, in.Args[0], 0)
		w.line("\tsust.b.1d.b32.trap [%s, {0}], %%t0;", name)
		return nil
	}
	w.widen(w.reg(i, in.Dst), "%t0")
	return nil
}

// narrow moves a value into a register of 32 bits.
func (w *kernelWriter) narrow(i int, v Value, n int) {
	if w.bits == 64 && v.Reg != "" {
		w.line("\tcvt.u32.u64 %%t%d, %s;", n, w.value(i, v))
		return
	}
	w.line("\tmov.b32 %%t%d, %s;", n, w.stored(i, v, 4))
}

// widen moves a value of 32 bits into a register of the test.
func (w *kernelWriter) widen(dst, from string) {
	if w.bits == 64 {
		w.line("\tcvt.s64.s32 %s, %s;", dst, from)
		return
	}
	w.line("\tmov.b32 %s, %s;", dst, from)
}

// atomic writes atom or red.
func (w *kernelWriter) atomic(i int, in *Instruction) error {
	if in.Proxy != Generic || in.Loc.Proxy != Generic {
		return errorAt(in.Pos, `"%s": PTX has no atomic operation of the %s proxy with semantics and scope`, in.Text, in.Proxy)
	}
	kind := map[string]string{
		"exch": "b", "cas": "b", "and": "b", "or": "b", "xor": "b", "min": "s",
		"max": "s",
	}[in.Func]
	if kind == "" {
		kind = "u"
	}
	args := w.atomicOperands(i, in)
	name, sep := "red", ""
	dst := ""
	if in.Op == Atom {
		name, sep = "atom", ", "
		if dst = w.reg(i, in.Dst); in.Size == 4 && w.bits == 64 {
			dst = "%t3"
		}
	}
	fn := in.Func
	if fn == "sub" {
		fn = "add"
	}
	w.line("\t%s.%s.%s.global.%s.%s%d %s%s[%%m_%s+%d], %s;", name, semantics(in), w.scope(in.Scope), fn, kind,
		8*in.Size, dst, sep, in.Loc.Name, in.Off, strings.Join(args, ", "))
	if dst == "%t3" {
		w.widen(w.reg(i, in.Dst), dst)
	}
	return nil
}

// semantics returns the semantics of an atomic operation as PTX writes them. Reductions do not acquire: their read
// forms no acquire pattern (PTX ISA, "Release and Acquire Patterns").
func semantics(in *Instruction) string {
	switch {
	case in.Op == Red && in.Sem == "acquire":
		return "relaxed"
	case in.Op == Red && in.Sem == "acq_rel":
		return "release"
	}
	return in.Sem
}

// atomicOperands returns the operands, in registers of the size. That of a subtraction is negated: PTX only adds.
func (w *kernelWriter) atomicOperands(i int, in *Instruction) (args []string) {
	for n, v := range in.Args {
		switch {
		case in.Func == "sub" && v.Reg == "":
			v.Num = -v.Num
		case in.Func == "sub":
			args = append(args, w.negated(i, v, in.Size))
			continue
		}
		if v.Reg != "" && in.Size == 4 && w.bits == 64 {
			w.narrow(i, v, n)
			args = append(args, fmt.Sprintf("%%t%d", n))
			continue
		}
		args = append(args, w.stored(i, v, in.Size))
	}
	return args
}

// negated returns a register with the negative value of a register.
func (w *kernelWriter) negated(i int, v Value, size int) string {
	if size == 8 {
		w.line("\tneg.s64 %%t64, %s;", w.value(i, v))
		return "%t64"
	}
	w.narrow(i, v, 0)
	w.line("\tneg.s32 %%t0, %%t0;")
	return "%t0"
}
