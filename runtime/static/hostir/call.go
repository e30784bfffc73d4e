// Calls of the CUDA runtime, of functions of the module, and of others.

package hostir

import (
	"strconv"
	"strings"

	"github.com/ptxsan/ptxsan/runtime/static/expr"
	"github.com/ptxsan/ptxsan/runtime/static/host"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// baseName returns the name of a function without parameters and template arguments, from its mangled name in the Itanium ABI. in
// has the enclosing classes and namespaces.
func baseName(mangled string) (name string, in []string) {
	mangled = unprefixed(mangled)
	rest, ok := strings.CutPrefix(mangled, "_Z")
	if !ok {
		return mangled, nil
	}
	rest = strings.TrimPrefix(rest, "L")
	nested := strings.HasPrefix(rest, "N")
	if nested {
		rest = strings.TrimLeft(rest[1:], "KVr")
	}
	for _, std := range []string{"St", "Sa", "Ss", "Si", "So", "Sb", "Sd"} {
		if r, found := strings.CutPrefix(rest, std); found {
			in, rest = append(in, "std"), r
			break
		}
	}
	for {
		rest = strings.TrimPrefix(rest, "L")
		digits := 0
		for digits < len(rest) && rest[digits] >= '0' && rest[digits] <= '9' {
			digits++
		}
		n, err := strconv.Atoi(rest[:digits])
		if err != nil || n < 1 || digits+n > len(rest) {
			break
		}
		if name != "" {
			in = append(in, name)
		}
		name, rest = rest[digits:digits+n], rest[digits+n:]
		if !nested {
			break
		}
	}
	return name, in
}

// unprefixed returns a name without the prefix that identifies its file.
func unprefixed(name string) string { return name[strings.IndexByte(name, ':')+1:] }

// ofStandard reports whether a function belongs to the standard library.
func ofStandard(in []string) bool {
	return len(in) > 0 && (in[0] == "std" || in[0] == "__gnu_cxx")
}

// fails reports whether a block only ends the program because a condition does not hold.
func (f *function) fails(b *block) bool {
	for n := 0; b != nil && n < 4; n++ {
		asserts := false
		for _, in := range b.instrs {
			if in.callee.kind == opGlobal {
				name, list := baseName(in.callee.name)
				asserts = asserts || strings.Contains(strings.ToLower(name+strings.Join(list, "")), "assert") || host.Asserting(name)
			}
		}
		to := f.targets(b)
		if asserts && len(to) == 0 {
			return true
		}
		if len(to) != 1 {
			return false
		}
		b = to[0]
	}
	return false
}

// call executes a call. If it does not return, x.st is nil.
func (x *executor) call(in *instr) value {
	args := make([]value, len(in.args))
	for i, a := range in.args {
		args[i] = x.operand(a)
	}
	if in.callee.kind != opGlobal {
		x.unknown(args)
		return value{}
	}
	name, scopes := baseName(in.callee.name)
	if strings.HasPrefix(in.callee.name, "llvm.") {
		return x.intrinsic(in, args)
	}
	if f := x.functions[in.callee.name]; f != nil && !x.opaque(f, scopes) {
		return x.inline(f, in, args)
	}
	if v, ok := x.runtime(name, args); ok {
		return v
	}
	if v, ok := x.onStrings(name, in, args); ok {
		return v
	}
	if len(scopes) == 0 && host.Parsing(name) {
		return x.input(name, in, args)
	}
	if host.Harmless(name) || ofStandard(scopes) {
		for i, a := range args {
			if host.Reading(name) && a.to != nil && a.to.args || host.Copies(name) && i > 0 {
				continue
			}
			if a.to != nil && !a.to.konst {
				x.st.escapeAll(a.to)
				delete(x.st.mem, a.to)
			}
		}
	} else {
		x.unknown(args)
	}
	return x.result(in, name)
}

// result returns an unknown result of a function.
func (x *executor) result(in *instr, name string) value {
	if in.typ == nil || in.typ.kind != tyInt || in.typ.bits < 8 || in.name == "" {
		return value{}
	}
	hint := x.usedAs(in)
	if hint == "" {
		hint = name
	}
	return x.leaf(hint, in.typ.bits, true)
}

// usedAs returns the variable in which the result of an instruction is stored soon after.
func (x *executor) usedAs(in *instr) string {
	for _, b := range x.frame.f.blocks {
		for i, c := range b.instrs {
			if c != in {
				continue
			}
			name := in.name
			for _, d := range b.instrs[i+1 : min(i+5, len(b.instrs))] {
				switch {
				case (d.op == "trunc" || d.op == "sext" || d.op == "zext") && len(d.args) > 0 && d.args[0].name == name:
					name = d.name
				case d.op == "store" && len(d.args) == 2 && d.args[0].name == name && d.args[1].kind == opLocal:
					return d.args[1].name
				}
			}
		}
	}
	return ""
}

// input returns the result of a function that returns the same for the same argument.
func (x *executor) input(name string, in *instr, args []value) value {
	key := ""
	if len(args) > 0 && args[0].to != nil && args[0].off != nil {
		key = name + " " + strconv.Itoa(args[0].to.id) + " " + args[0].off.String()
		if v, ok := x.pure[key]; ok {
			return v
		}
	}
	v := x.fromOutside(func() value { return x.result(in, name) })
	if key != "" {
		x.pure[key] = v
	}
	return v
}

// opaque reports whether a function of the module is not followed: a function of the standard library that is not small.
func (x *executor) opaque(f *function, scopes []string) bool {
	if !ofStandard(scopes) {
		return false
	}
	n := 0
	for _, b := range f.blocks {
		n += len(b.instrs)
	}
	return n > 40
}

// unknown makes everything unknown that an unknown function may change.
func (x *executor) unknown(args []value) {
	for _, a := range args {
		x.st.escape(a.to)
		for _, p := range a.parts {
			x.st.escape(p.v.to)
		}
	}
	x.st.forgetShared()
	clear(x.pure)
}

// inline executes a function of the module at a call.
func (x *executor) inline(f *function, in *instr, args []value) value {
	for fr, depth := x.frame, 0; fr != nil; fr, depth = fr.outer, depth+1 {
		if fr.f == f || depth >= maxCalls || f.shape().tangled { // recursive, nested too deep, or not executable
			x.cut = x.cut || x.reach[f]
			x.unknown(args)
			return x.result(in, f.name)
		}
	}
	fr := &frame{f: f, outer: x.frame, site: in, regs: make(map[string]value)}
	x.frame = fr
	for i, p := range f.params {
		if i >= len(args) {
			break
		}
		if p.byval != nil && args[i].to != nil && args[i].to.kind != device { // passed as a copy
			o := x.object(local, p.name, p.byval)
			o.owner = fr
			if at, ok := int64(0), args[i].off != nil; ok {
				if at, ok = args[i].off.Int64(); ok {
					x.st.copyCells(o, 0, args[i].to, at, p.byval.size())
				}
			}
			args[i] = value{to: o, off: expr.Const(0)}
		}
		fr.regs[p.name] = args[i]
	}
	v, ok := x.run()
	x.frame, x.at = fr.outer, in
	if !ok {
		x.st = nil
		return value{}
	}
	return v
}

// intrinsic executes an LLVM intrinsic.
func (x *executor) intrinsic(in *instr, args []value) value {
	parts := strings.Split(in.callee.name, ".")
	size := int64(0)
	for len(args) < 3 && strings.HasPrefix(parts[1], "mem") {
		args = append(args, value{})
	}
	if len(args) > 2 && args[2].num != nil {
		size, _ = args[2].num.Int64()
	}
	switch parts[1] {
	case "memcpy", "memmove":
		to, at, ok := placeOf(args[0])
		from, fromAt, ok2 := placeOf(args[1])
		if v := (value{}); ok && ok2 && size > 0 && from.kind != device {
			if got, known := x.st.get(from, fromAt, size); known {
				v = got
			}
			x.put(value{to: to, off: expr.Const(at)}, size, v)
			return value{}
		}
		x.lose(args[0])
	case "memset":
		if to, at, ok := placeOf(args[0]); ok && size > 0 && size <= 1<<16 && args[1].num != nil {
			if k, constant := args[1].num.Int64(); constant && k == 0 {
				x.put(value{to: to, off: expr.Const(at)}, size, value{num: expr.Const(0), signed: true, bits: 8 * size})
				return value{}
			}
		}
		x.lose(args[0])
	case "smax", "smin", "umax", "umin":
		if len(args) == 2 && args[0].known() && args[1].known() {
			n, m, signed := args[0].asSigned(), args[1].asSigned(), parts[1][0] == 's'
			if !signed {
				n, m = args[0].asUnsigned(), args[1].asUnsigned()
			}
			if strings.HasSuffix(parts[1], "min") {
				return value{num: expr.Min(n, m), signed: signed, bits: args[0].bits}
			}
			return value{num: expr.Max(n, m), signed: signed, bits: args[0].bits}
		}
	case "abs":
		if len(args) > 0 && args[0].known() {
			n := args[0].asSigned()
			return value{num: expr.Max(n, expr.Neg(n)), signed: true, bits: args[0].bits}
		}
	}
	return value{}
}

// placeOf returns the target of a pointer, if it is known.
func placeOf(v value) (o *object, at int64, ok bool) {
	if v.to == nil || v.off == nil {
		return nil, 0, false
	}
	at, ok = v.off.Int64()
	return v.to, at, ok
}

// lose makes the target of a pointer unknown.
func (x *executor) lose(p value) {
	if p.to == nil {
		x.st.forget(func(o *object) bool { return !o.konst && (o.kind != local || x.st.escaped[o]) })
		return
	}
	p.off = nil
	x.put(p, 0, value{})
}
