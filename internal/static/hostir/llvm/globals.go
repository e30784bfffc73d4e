// Functions that run before main, as the module lists them, and the globals that instructions name.

package llvm

import "slices"

// ctor is a function that runs before main; those of lower priorities first.
type ctor struct {
	priority int64
	Function Operand
}

// ctorsOf returns the functions in the initial value of llvm.global_ctors, in the order in which they run.
func ctorsOf(list Operand) (out []ctor) {
	for _, e := range list.List {
		if len(e.List) < 2 || e.List[0].Kind != OpInt {
			out = append(out, ctor{})
			continue
		}
		out = append(out, ctor{e.List[0].Num.Int64(), e.List[1].Operand})
	}
	if list.Kind != OpList { // not understood
		out = append(out, ctor{})
	}
	slices.SortStableFunc(out, func(a, b ctor) int { return int(a.priority - b.priority) })
	return out
}

// name notes the globals in the text of an instruction, unless it only calls a function that does not change them, and
// those of which it does not only load or store the value.
func (m *Module) name(in *Instr, text []token) {
	for i := range text {
		if name := text[i].text; text[i].kind == tokGlobal && !in.names(name) {
			m.Addressed[name] = true
		}
	}
	if m.reading(in.Callee.Name) {
		return
	}
	for i := range text {
		if text[i].kind == tokGlobal {
			m.InCode[text[i].text] = true
		}
	}
}

// names reports whether an instruction is a load or a store of a variable of the module, and uses it otherwise in no
// way.
func (in *Instr) names(global string) bool {
	is := func(o Operand) bool { return o.Kind == OpGlobal && o.Name == global }
	switch {
	case in.Op == "load" && len(in.Args) == 1:
		return is(in.Args[0])
	case in.Op == "store" && len(in.Args) == 2:
		return is(in.Args[1]) && (in.Args[0].Kind == OpLocal || in.Args[0].Kind == OpInt || in.Args[0].Kind == OpNull ||
			in.Args[0].Kind == OpZero)
	}
	return false
}
