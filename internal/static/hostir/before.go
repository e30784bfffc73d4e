// What runs before main: constructors and initialisers of variables of the module.

package hostir

import (
	"maps"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
)

// ctor is a function that runs before main; those of lower priorities first.
type ctor struct {
	priority int64
	function operand
}

// ctorsOf returns the functions in the initial value of llvm.global_ctors, in the order in which they run.
func ctorsOf(list operand) (out []ctor) {
	for _, e := range list.list {
		if len(e.list) < 2 || e.list[0].kind != opInt {
			out = append(out, ctor{})
			continue
		}
		out = append(out, ctor{e.list[0].num.Int64(), e.list[1].operand})
	}
	if list.kind != opList { // not understood
		out = append(out, ctor{})
	}
	slices.SortStableFunc(out, func(a, b ctor) int { return int(a.priority - b.priority) })
	return out
}

// beforeMain gives the variables of the module their initial values and executes what runs before main. Afterwards
// those that other files know are unknown if there are such files, and all if the order of files matters.
func (x *executor) beforeMain() {
	for _, name := range slices.Sorted(maps.Keys(x.globals)) {
		x.initial(name, x.globals[name])
	}
	files := 0
	for _, list := range x.ctors {
		for _, c := range list {
			if x.runs(c.function) {
				files++
				break
			}
		}
	}
	for _, list := range x.ctors {
		for _, c := range list {
			if x.constructs(c.function); x.st == nil {
				x.st = newState()
				return
			}
		}
	}
	if files > 1 {
		x.st.forgetShared()
	}
	if x.foreign {
		x.st.forget(func(o *object) bool { return o.kind == static && !o.konst && !o.hidden })
	}
}

// runs reports whether a function that runs before main is more than what announces kernels to the runtime.
func (x *executor) runs(o operand) bool {
	return o.kind != opGlobal || unprefixed(o.name) != "__cuda_module_ctor"
}

// starts reports whether a function runs before main.
func (m *module) starts(f *function) bool {
	for _, list := range m.ctors {
		for _, c := range list {
			if c.function.name == f.name {
				return true
			}
		}
	}
	return false
}

// constructs executes a function that runs before main.
func (x *executor) constructs(o operand) {
	f := x.functions[o.name]
	switch {
	case !x.runs(o):
	case o.kind != opGlobal || f == nil || len(f.params) > 0:
		x.unknown(nil)
	default:
		x.inline(f, &instr{op: "call", callee: o, typ: new(typ)}, nil)
	}
}

// initial sets the initial value of a variable of the module.
func (x *executor) initial(name string, g *global) {
	var v value
	switch g.init.kind {
	case opInt:
		v = constant(g.init.num, g.typ.bits)
	case opZero:
		v = value{num: expr.Const(0), signed: true, bits: 8 * g.typ.size()}
	case opGlobal:
		x.frame.regs[""] = value{}
		v = x.operand(g.init)
	case opText, opList:
		if x.args == nil {
			return
		}
		v = x.operand(g.init)
	case opReal:
		v = x.operand(g.init)
	case opLocal, opNull, opOther:
		return
	}
	if size := g.typ.size(); size > 0 {
		x.st.put(x.static(name), 0, size, v)
	}
}
