// Calls of the CUDA runtime, of functions of the module, and of others.

package hostir

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ptxsan/ptxsan/internal/static/expr"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// baseName returns the name of a function without parameters and template arguments, from its mangled name in the
// Itanium ABI. in has the enclosing classes and namespaces.
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

// fails reports whether a block only ends the program because a condition does not hold.
func (f *function) fails(b *block) bool {
	for n := 0; b != nil && n < 4; n++ {
		asserts := false
		for _, in := range b.instrs {
			if in.callee.kind == opGlobal {
				name, list := baseName(in.callee.name)
				asserts = asserts || strings.Contains(strings.ToLower(name+strings.Join(list, "")), "assert") ||
					asserting(name)
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
	args := x.operands(in)
	if in.callee.kind != opGlobal {
		x.unknown(args)
		return value{}
	}
	name, scopes := baseName(in.callee.name)
	if strings.HasPrefix(in.callee.name, "llvm.") {
		return x.intrinsic(in, args)
	}
	if f := x.functions[in.callee.name]; f != nil {
		return x.inline(f, in, args)
	}
	if v, ok := x.runtime(runtimeName(in.callee.name), args); ok {
		return v
	}
	if v, ok := x.onStrings(name, in, args); ok {
		return v
	}
	if v, ok := x.calculated(in.callee.name, in, args); ok {
		return v
	}
	if heapAllocators[in.callee.name] {
		return value{to: x.object(heap, name, nil), off: expr.Const(0)}
	}
	x.outsider(in, args)
	if _, parses := parsers[name]; parses && len(scopes) == 0 {
		return x.input(name, in, args)
	}
	return x.result(in, name)
}

// outsider executes a call of a function outside of the program.
func (x *executor) outsider(in *instr, args []value) {
	effect := x.effectOf(in.callee.name)
	if strings.HasPrefix(in.callee.name, "cuda") && x.later {
		effect = changesAll
	}
	if slices.ContainsFunc(args, func(a value) bool { return a.fn != "" }) && effect != changesNothing {
		effect = changesAll // it may call back
	}
	for i, a := range args {
		if a.points() && effect.changes(i) && (a.to == nil ||
			!a.to.konst && (!a.to.args || !printing[in.callee.name])) {
			x.lose(a)
		}
		if in.typ != nil && in.typ.kind == tyPointer { // the result may be the address
			x.st.lost(a)
		}
		if effect == changesFirst && i > 0 && a.to != nil { // what it copies may have addresses
			x.st.escapeAll(a.to)
		}
	}
	if effect == changesAll {
		x.unknown(args)
		x.keepsLater(in.callee.name, args)
	}
	if returnsTwice[in.callee.name] {
		x.wild()
	}
}

// keepsLater records that what runs later, such as a callback of a stream, may write to what the arguments of a call
// point to.
func (x *executor) keepsLater(name string, args []value) {
	if !strings.HasPrefix(name, "cu") {
		return
	}
	for _, a := range args {
		x.st.writtenLater(a.to, write{})
	}
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

// input returns the result of a function that returns the same for the same text.
func (x *executor) input(name string, in *instr, args []value) value {
	if len(args) == 0 || args[0].to == nil || args[0].off == nil {
		return x.fromOutside(func() value { return x.result(in, name) })
	}
	q := question{name, args[0].to, args[0].off.String()}
	v, ok := x.st.pure[q]
	if !ok {
		v = x.fromOutside(func() value { return x.result(in, name) })
		x.st.pure[q] = v
	}
	return v
}

// unknown makes everything unknown that an unknown function may change.
func (x *executor) unknown(args []value) {
	for _, a := range args {
		x.st.lost(a)
	}
	x.st.forgetShared()
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
