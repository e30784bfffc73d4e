// Variables in device memory that the host may change.

package hostir

import (
	"maps"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/static/facts"
)

// overwritten returns the variables in device memory that may hold something else than their declarations say: those
// that the code of the host names other than to read them, for which clang makes variables of the host with the value
// undef, and those that it asks the driver for. It is facts.AnyVariable where the host asks by a name that the text
// does not show, or where not all of the text was read.
func (m *module) overwritten() []string {
	found := make(map[string]bool)
	if m.instrs >= maxInstrs {
		found[facts.AnyVariable] = true
	}
	for name, g := range m.globals {
		if name = unprefixed(name); g.shadow && (m.mentioned[name] || m.inCode[name]) {
			found[name] = true
		}
	}
	for _, f := range m.order {
		for _, b := range f.blocks {
			for _, in := range b.instrs {
				if strings.Contains(in.callee.name, "GetGlobal") {
					m.asked(in, found)
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// asked adds the variable for which a call asks the driver.
func (m *module) asked(call *instr, found map[string]bool) {
	name := facts.AnyVariable
	for _, a := range call.args {
		if g := m.globals[a.name]; a.kind == opGlobal && g != nil && g.konst && g.init.kind == opText && a.offset == 0 {
			name = strings.TrimRight(g.init.name, "\x00")
		}
	}
	found[name] = true
}

// name notes the globals in the text of an instruction, unless it only reads variables in device memory or announces
// them to the runtime, and those of which it does not only load or store the value.
func (m *module) name(in *instr, text []token) {
	for i := range text {
		if name := text[i].text; text[i].kind == tokGlobal && !in.names(name) {
			m.addressed[name] = true
		}
	}
	if readsSymbol(in.callee.name) || strings.HasPrefix(in.callee.name, "__cudaRegister") {
		return
	}
	for i := range text {
		if text[i].kind == tokGlobal {
			m.inCode[text[i].text] = true
		}
	}
}

// names reports whether an instruction is a load or a store of a variable of the module, and uses it otherwise in no
// way.
func (in *instr) names(global string) bool {
	is := func(o operand) bool { return o.kind == opGlobal && o.name == global }
	switch {
	case in.op == "load" && len(in.args) == 1:
		return is(in.args[0])
	case in.op == "store" && len(in.args) == 2:
		return is(in.args[1]) && (in.args[0].kind == opLocal || in.args[0].kind == opInt || in.args[0].kind == opNull ||
			in.args[0].kind == opZero)
	}
	return false
}
