// The instructions of LLVM, other than jumps and phis: what each computes, in one switch.

package hostir

import (
	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/hostir/llvm"
	"github.com/ptxsan/ptxsan/internal/static/hostir/memory"
)

// execute executes an instruction other than a jump.
func (x *executor) execute(in *llvm.Instr) {
	v := x.computed(in)
	if v.Num != nil && (v.Num.Size() > maxTerms || !v.Num.Uniform()) || v.Cond != nil && v.Cond.Size() > maxTerms {
		v = memory.Value{}
	}
	if in.Name != "" {
		x.frame.regs[in.Name] = v
	}
}

// computed executes an instruction and returns its result. Those that are in neither switch make everything unknown
// that they mention.
func (x *executor) computed(in *llvm.Instr) memory.Value {
	switch in.Op {
	case "alloca":
		return x.variable(in)
	case "load":
		return x.load(in)
	case "store":
		x.store(in)
		return memory.Value{}
	case "call", "invoke":
		return x.call(in)
	case "icmp":
		return x.compare(in)
	}
	v := x.calculation(in)
	x.keepsAddresses(in, v)
	return v
}

// calculation returns the result of an instruction that does not access memory (LLVM Language Reference, "Instruction
// Reference").
func (x *executor) calculation(in *llvm.Instr) memory.Value {
	if _, ok := llvm.Arithmetic[in.Op]; ok {
		return x.arith(in)
	}
	switch in.Op {
	case "getelementptr":
		return x.address(in)
	case "select":
		return x.selected(in)
	case "trunc", "zext", "sext":
		return x.convert(in)
	case "fptosi", "fptoui":
		return x.toInteger(in)
	case "sitofp", "uitofp":
		return x.toReal(in)
	case "fadd", "fsub", "fmul", "fdiv", "fneg", "fptrunc", "fpext":
		return x.realResult(in)
	case "fcmp":
		return x.compareReals(in)
	case "freeze", "bitcast", "addrspacecast":
		return x.same(in)
	case "extractvalue":
		return x.member(in)
	case "insertvalue":
		return x.inserted(in)
	case "ptrtoint", "inttoptr":
		return x.reinterpreted(in)
	case "frem", "extractelement", "insertelement", "shufflevector", "landingpad":
		return memory.Value{} // not followed
	}
	x.unknown(x.operands(in)) // a read-modify-write, a fence, or an instruction that is not understood
	return memory.Value{}
}

// variable returns the address of a variable of a function.
func (x *executor) variable(in *llvm.Instr) memory.Value {
	o := x.object(memory.Local, in.Name, in.Type)
	o.Owner, o.Keep = x.frame, x.frame.f.Unsigned()[in.Name]
	return memory.Value{To: o, Offset: expr.Const(0)}
}

// same returns the operand of an instruction that does not change it.
func (x *executor) same(in *llvm.Instr) memory.Value {
	if len(in.Args) == 0 {
		return memory.Value{}
	}
	return x.operand(in.Args[0])
}

// reinterpreted returns a pointer as an integer of its size, or such an integer as a pointer.
func (x *executor) reinterpreted(in *llvm.Instr) memory.Value {
	v := x.same(in)
	if !isPointer(v) || in.Type == nil || in.Type.Size() != 8 {
		return memory.Value{}
	}
	return v
}

// member returns the value of extractvalue.
func (x *executor) member(in *llvm.Instr) memory.Value {
	at, size, ok := memberOf(in.Type, in.Index)
	if !ok {
		return memory.Value{}
	}
	return x.operand(in.Args[0]).Piece(at, size)
}

// selected returns the value of select.
func (x *executor) selected(in *llvm.Instr) memory.Value {
	if len(in.Args) != 3 {
		return memory.Value{}
	}
	a, b := x.operand(in.Args[1]), x.operand(in.Args[2])
	c := x.operand(in.Args[0]).Bool()
	if k, ok := c.Const(); ok && k {
		return a
	} else if ok {
		return b
	}
	return x.either(x.newFork(c), a, b, nil, 0, 0)
}

// operands returns the values of the operands of an instruction.
func (x *executor) operands(in *llvm.Instr) []memory.Value {
	list := make([]memory.Value, len(in.Args))
	for i, a := range in.Args {
		list[i] = x.operand(a)
	}
	return list
}

// keepsAddresses records that the objects have escaped whose addresses are operands of an instruction, but not in its
// result.
func (x *executor) keepsAddresses(in *llvm.Instr, v memory.Value) {
	for _, a := range in.Args {
		if w := x.operand(a); w.Points() && !v.Has(w) {
			x.st.Lost(w)
		}
	}
}

// memberOf returns the offset and size of a member of a struct value.
func memberOf(t *llvm.Type, index []int) (at, size int64, ok bool) {
	for _, i := range index {
		d, next, ok := llvm.Step(t, 1, int64(i))
		if t == nil || !ok {
			return 0, 0, false
		}
		at, t = at+d, next
	}
	if t == nil {
		return 0, 0, false
	}
	return at, t.Size(), t.Size() > 0
}

// inserted returns the value of insertvalue.
func (x *executor) inserted(in *llvm.Instr) memory.Value {
	at, size, ok := memberOf(in.Type, in.Index)
	if !ok || len(in.Args) < 2 {
		return memory.Value{}
	}
	st := &memory.State{Mem: make(map[*memory.Object][]memory.Cell)}
	o := &memory.Object{}
	st.Put(o, 0, in.Type.Size(), x.operand(in.Args[0]))
	st.Put(o, at, size, x.operand(in.Args[1]))
	return memory.Value{Parts: st.Mem[o]}
}
