// Calls of the CUDA runtime, of functions of the module, and of others.

package hostir

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/hostir/clib"
	"github.com/ptxsan/ptxsan/internal/static/hostir/llvm"
	"github.com/ptxsan/ptxsan/internal/static/hostir/memory"
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
func fails(f *llvm.Function, b *llvm.Block) bool {
	for n := 0; b != nil && n < 4; n++ {
		asserts := false
		for _, in := range b.Instrs {
			if in.Callee.Kind == llvm.OpGlobal {
				name, list := baseName(in.Callee.Name)
				asserts = asserts || strings.Contains(strings.ToLower(name+strings.Join(list, "")), "assert") ||
					asserting(name)
			}
		}
		to := f.Targets(b)
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
func (x *executor) call(in *llvm.Instr) memory.Value {
	args := x.operands(in)
	if in.Callee.Kind != llvm.OpGlobal {
		x.unknown(args)
		return memory.Value{}
	}
	name, scopes := baseName(in.Callee.Name)
	if strings.HasPrefix(in.Callee.Name, "llvm.") {
		return x.intrinsic(in, args)
	}
	if f := x.Functions[in.Callee.Name]; f != nil {
		if v, ok := x.extremeOf(f, args); ok {
			return v
		}
		return x.inline(f, in, args)
	}
	if v, ok := (cudaRuntime{x}).call(runtimeName(in.Callee.Name), args); ok {
		return v
	}
	if v, ok := (commandLine{x}).onStrings(name, in, args); ok {
		return v
	}
	if v, ok := x.calculated(in.Callee.Name, in, args); ok {
		return v
	}
	if heapAllocators[in.Callee.Name] {
		o := x.object(memory.Heap, name, nil)
		if strings.HasPrefix(name, "_Zn") && len(args) > 0 || name == "malloc" {
			o.Size = args[0].AsSigned()
		}
		return memory.Value{To: o, Offset: expr.Const(0)}
	}
	x.outsider(in, args)
	if clib.ParsesInteger(name) && len(scopes) == 0 {
		return x.input(name, in, args)
	}
	v := x.result(in, name)
	if v.Num != nil && strings.HasPrefix(in.Callee.Name, "cuda") {
		x.statuses[v.Num.Variable().Name] = true
	}
	return v
}

// outsider executes a call of a function outside of the program.
func (x *executor) outsider(in *llvm.Instr, args []memory.Value) {
	effect := effectOf(x.Module, in.Callee.Name)
	if strings.HasPrefix(in.Callee.Name, "cuda") && x.later {
		effect = changesAll
	}
	if slices.ContainsFunc(args, func(a memory.Value) bool { return a.Function != "" }) && effect != changesNothing {
		effect = changesAll // it may call back
	}
	for i, a := range args {
		if a.Points() && effect.changes(i) && (a.To == nil ||
			!a.To.Constant && (!a.To.Args || !printing[in.Callee.Name])) {
			x.lose(a)
		}
		if in.Type != nil && in.Type.Kind == llvm.PointerType { // the result may be the address
			x.st.Lost(a)
		}
		if effect == changesFirst && i > 0 && a.To != nil { // what it copies may have addresses
			x.st.EscapeAll(a.To)
		}
	}
	if effect == changesAll {
		x.unknown(args)
		x.keepsLater(in.Callee.Name, args)
	}
	if returnsTwice[in.Callee.Name] {
		x.wild()
	}
}

// keepsLater records that what runs later, such as a callback of a stream, may write to what the arguments of a call
// point to.
func (x *executor) keepsLater(name string, args []memory.Value) {
	if !strings.HasPrefix(name, "cu") {
		return
	}
	for _, a := range args {
		for _, o := range a.Targets() {
			x.st.WrittenLater(o, memory.Write{})
		}
	}
}

// result returns an unknown result of a function.
func (x *executor) result(in *llvm.Instr, name string) memory.Value {
	if in.Type == nil || in.Type.Kind != llvm.IntType || in.Type.Bits < 8 || in.Name == "" {
		return memory.Value{}
	}
	hint := x.usedAs(in)
	if hint == "" {
		hint = name
	}
	return x.leaf(hint, in.Type.Bits, true)
}

// usedAs returns the variable in which the result of an instruction is stored soon after.
func (x *executor) usedAs(in *llvm.Instr) string {
	for _, b := range x.frame.f.Blocks {
		for i, c := range b.Instrs {
			if c != in {
				continue
			}
			name := in.Name
			for _, d := range b.Instrs[i+1 : min(i+5, len(b.Instrs))] {
				switch {
				case (d.Op == "trunc" || d.Op == "sext" || d.Op == "zext") && len(d.Args) > 0 && d.Args[0].Name == name:
					name = d.Name
				case d.Op == "store" && len(d.Args) == 2 && d.Args[0].Name == name && d.Args[1].Kind == llvm.OpLocal:
					return d.Args[1].Name
				}
			}
		}
	}
	return ""
}

// input returns the result of a function that returns the same for the same text.
func (x *executor) input(name string, in *llvm.Instr, args []memory.Value) memory.Value {
	if len(args) == 0 || args[0].To == nil || args[0].Offset == nil {
		return x.fromOutside(func() memory.Value { return x.result(in, name) })
	}
	q := memory.Question{Function: name, Object: args[0].To, At: args[0].Offset.String()}
	v, ok := x.st.Pure[q]
	if !ok {
		v = x.fromOutside(func() memory.Value { return x.result(in, name) })
		x.st.Pure[q] = v
	}
	return v
}

// unknown makes everything unknown that an unknown function may change.
func (x *executor) unknown(args []memory.Value) {
	for _, a := range args {
		x.st.Lost(a)
	}
	x.st.ForgetShared()
}

// inline executes a function of the module at a call.
func (x *executor) inline(f *llvm.Function, in *llvm.Instr, args []memory.Value) memory.Value {
	for fr, depth := x.frame, 0; fr != nil; fr, depth = fr.outer, depth+1 {
		if fr.f == f || depth >= maxCalls || f.Shape().Tangled { // recursive, nested too deep, or not executable
			x.cut = x.cut || x.reach[f]
			x.unknown(args)
			return x.result(in, f.Name)
		}
	}
	fr := &frame{f: f, outer: x.frame, site: in, regs: make(map[string]memory.Value)}
	x.frame = fr
	for i, p := range f.Params {
		if i >= len(args) {
			break
		}
		if p.Byval != nil && (args[i].Cases != nil || args[i].To != nil && args[i].To.Kind != memory.Device) { // a copy
			o := x.object(memory.Local, p.Name, p.Byval)
			o.Owner = fr
			if at, ok := int64(0), args[i].Offset != nil; ok {
				if at, ok = args[i].Offset.Int64(); ok {
					x.st.CopyCells(o, 0, args[i].To, at, p.Byval.Size())
				}
			}
			args[i] = memory.Value{To: o, Offset: expr.Const(0)}
		}
		fr.regs[p.Name] = args[i]
	}
	v, ok := x.run()
	x.frame, x.at = fr.outer, in
	if !ok {
		x.st = nil
		return memory.Value{}
	}
	return v
}
