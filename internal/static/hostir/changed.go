// Variables in device memory: those that the host may change, and whether a kernel finds the others as declared.

package hostir

import (
	"maps"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/hostir/llvm"
)

// overwritten returns the variables in device memory that may hold something else than their declarations say: those
// that the code of the host names other than to read them, for which clang makes variables of the host with the value
// undef, and those that it asks the driver for. It is facts.AnyVariable where the host asks by a name that the text
// does not show, or where not all of the text was read.
func overwritten(m *llvm.Module) []string {
	found := make(map[string]bool)
	if m.Instrs >= llvm.MaxInstrs {
		found[facts.AnyVariable] = true
	}
	for name, g := range m.Globals {
		if name = unprefixed(name); g.Shadow && (m.Mentioned[name] || m.InCode[name]) {
			found[name] = true
		}
	}
	for _, f := range m.Order {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if strings.Contains(in.Callee.Name, "GetGlobal") {
					asked(m, in, found)
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// asked adds the variable for which a call asks the driver.
func asked(m *llvm.Module, call *llvm.Instr, found map[string]bool) {
	name := facts.AnyVariable
	for _, a := range call.Args {
		if g := m.Globals[a.Name]; a.Kind == llvm.OpGlobal && g != nil && g.Constant && g.Init.Kind == llvm.OpText &&
			a.Offset == 0 {
			name = strings.TrimRight(g.Init.Name, "\x00")
		}
	}
	found[name] = true
}

// single reports whether the program makes one launch alone: one instruction of main names a kernel, in no loop, and
// nothing calls main or launches a graph, which may have the launch.
func (x *executor) single() bool {
	var at []*llvm.Block
	for _, f := range x.Order {
		if _, isStub := kernelOf(f.Name); isStub && x.Mentioned[unprefixed(f.Name)] || f.Calls["main"] {
			return false
		} else if isStub {
			continue
		}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if strings.Contains(in.Callee.Name, "GraphLaunch") {
					return false
				}
				if len(kernels(in)) > 0 {
					at = append(at, b)
				}
			}
		}
	}
	main := x.Functions["main"]
	if main == nil || main.Unread || len(at) != 1 || !slices.Contains(main.Blocks, at[0]) || main.Shape().Tangled {
		return false
	}
	for _, l := range main.Shape().Loops {
		if l.In[at[0]] {
			return false
		}
	}
	return true
}

// hasVariables reports whether the module declares variables in device memory.
func hasVariables(m *llvm.Module) bool {
	for _, g := range m.Globals {
		if g.Shadow {
			return true
		}
	}
	return false
}
