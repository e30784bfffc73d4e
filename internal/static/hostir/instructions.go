// The instructions of LLVM, other than jumps and phis: what each computes, in one switch.

package hostir

import "github.com/ptxsan/ptxsan/internal/static/expr"

// execute executes an instruction other than a jump.
func (x *executor) execute(in *instr) {
	v := x.computed(in)
	if v.num != nil && (v.num.Size() > maxTerms || !v.num.Uniform()) || v.cond != nil && v.cond.Size() > maxTerms {
		v = value{}
	}
	if in.name != "" {
		x.frame.regs[in.name] = v
	}
}

// computed executes an instruction and returns its result. Those that are in neither switch make everything unknown
// that they mention.
func (x *executor) computed(in *instr) value {
	switch in.op {
	case "alloca":
		return x.variable(in)
	case "load":
		return x.load(in)
	case "store":
		x.store(in)
		return value{}
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
func (x *executor) calculation(in *instr) value {
	if _, ok := arithmetic[in.op]; ok {
		return x.arith(in)
	}
	switch in.op {
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
	case "frem", "ptrtoint", "inttoptr", "extractelement", "insertelement", "shufflevector", "landingpad":
		return value{} // not followed
	}
	x.unknown(x.operands(in)) // a read-modify-write, a fence, or an instruction that is not understood
	return value{}
}

// variable returns the address of a variable of a function.
func (x *executor) variable(in *instr) value {
	o := x.object(local, in.name, in.typ)
	o.owner, o.keep = x.frame, x.frame.f.unsigned()[in.name]
	return value{to: o, off: expr.Const(0)}
}

// same returns the operand of an instruction that does not change it.
func (x *executor) same(in *instr) value {
	if len(in.args) == 0 {
		return value{}
	}
	return x.operand(in.args[0])
}

// member returns the value of extractvalue.
func (x *executor) member(in *instr) value {
	at, size, ok := memberOf(in.typ, in.index)
	if !ok {
		return value{}
	}
	return x.operand(in.args[0]).piece(at, size)
}

// selected returns the value of select.
func (x *executor) selected(in *instr) value {
	if len(in.args) != 3 {
		return value{}
	}
	a, b := x.operand(in.args[1]), x.operand(in.args[2])
	c := x.operand(in.args[0]).bool()
	if k, ok := c.Const(); ok && k {
		return a
	} else if ok {
		return b
	}
	if !c.Uniform() {
		c = nil
	}
	return x.either(c, a, b, nil, 0, 0)
}

// operands returns the values of the operands of an instruction.
func (x *executor) operands(in *instr) []value {
	list := make([]value, len(in.args))
	for i, a := range in.args {
		list[i] = x.operand(a)
	}
	return list
}

// keepsAddresses records that the objects have escaped whose addresses are operands of an instruction, but not in its
// result.
func (x *executor) keepsAddresses(in *instr, v value) {
	for _, a := range in.args {
		if w := x.operand(a); w.points() && !v.has(w) {
			x.st.lost(w)
		}
	}
}

// memberOf returns the offset and size of a member of a struct value.
func memberOf(t *typ, index []int) (at, size int64, ok bool) {
	for _, i := range index {
		d, next, ok := step(t, 1, int64(i))
		if t == nil || !ok {
			return 0, 0, false
		}
		at, t = at+d, next
	}
	if t == nil {
		return 0, 0, false
	}
	return at, t.size(), t.size() > 0
}

// inserted returns the value of insertvalue.
func (x *executor) inserted(in *instr) value {
	at, size, ok := memberOf(in.typ, in.index)
	if !ok || len(in.args) < 2 {
		return value{}
	}
	st := &state{mem: make(map[*object][]cell)}
	o := &object{}
	st.put(o, 0, in.typ.size(), x.operand(in.args[0]))
	st.put(o, at, size, x.operand(in.args[1]))
	return value{parts: st.mem[o]}
}
