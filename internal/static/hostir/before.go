// What runs before main: constructors and initialisers of variables of the module.

package hostir

import (
	"maps"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/hostir/llvm"
	"github.com/ptxsan/ptxsan/internal/static/hostir/memory"
)

// beforeMain gives the variables of the module their initial values and executes what runs before main. Afterwards
// those that other files know are unknown if there are such files, and all if the order of files matters.
func (x *executor) beforeMain() {
	for _, name := range slices.Sorted(maps.Keys(x.Globals)) {
		x.initial(name, x.Globals[name])
	}
	files := 0
	for _, list := range x.Ctors {
		for _, c := range list {
			if x.runs(c.Function) {
				files++
				break
			}
		}
	}
	for _, list := range x.Ctors {
		for _, c := range list {
			if x.constructs(c.Function); x.st == nil {
				x.st = memory.NewState()
				return
			}
		}
	}
	if files > 1 {
		x.st.ForgetShared()
	}
	if x.foreign {
		x.st.Forget(func(o *memory.Object) bool { return o.Kind == memory.Static && !o.Constant && !o.Hidden })
	}
}

// runs reports whether a function that runs before main is more than what announces kernels to the runtime.
func (x *executor) runs(o llvm.Operand) bool {
	return o.Kind != llvm.OpGlobal || unprefixed(o.Name) != "__cuda_module_ctor"
}

// starts reports whether a function runs before main.
func starts(m *llvm.Module, f *llvm.Function) bool {
	for _, list := range m.Ctors {
		for _, c := range list {
			if c.Function.Name == f.Name {
				return true
			}
		}
	}
	return false
}

// constructs executes a function that runs before main.
func (x *executor) constructs(o llvm.Operand) {
	f := x.Functions[o.Name]
	switch {
	case !x.runs(o):
	case o.Kind != llvm.OpGlobal || f == nil || len(f.Params) > 0:
		x.unknown(nil)
	default:
		x.inline(f, &llvm.Instr{Op: "call", Callee: o, Type: new(llvm.Type)}, nil)
	}
}

// table reports whether an initial value is a small table of numbers.
func table(o llvm.Operand) bool {
	for _, e := range o.List {
		if e.Kind != llvm.OpInt && e.Kind != llvm.OpZero {
			return false
		}
	}
	return o.Kind == llvm.OpList && len(o.List) <= maxTable
}

// initial sets the initial value of a variable of the module.
func (x *executor) initial(name string, g *llvm.Global) {
	var v memory.Value
	switch g.Init.Kind {
	case llvm.OpInt:
		v = memory.NewConstant(g.Init.Num, g.Type.Bits)
	case llvm.OpZero:
		v = memory.Value{Num: expr.Const(0), Signed: true, Bits: 8 * g.Type.Size()}
	case llvm.OpGlobal:
		x.frame.regs[""] = memory.Value{}
		v = x.operand(g.Init)
	case llvm.OpText, llvm.OpList:
		if x.args == nil && !table(g.Init) {
			return
		}
		v = x.operand(g.Init)
	case llvm.OpReal:
		v = x.operand(g.Init)
	case llvm.OpLocal, llvm.OpNull, llvm.OpOther:
		return
	}
	if size := g.Type.Size(); size > 0 {
		x.st.Put(x.static(name), 0, size, v)
	}
}
