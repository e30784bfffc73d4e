// What package support asks: which forms are emulated, and the errors of decoding.

package emu

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// What the emulator says of itself: which opcodes and forms it has, and how far each is tested.
// Package support makes lists of it.

// Emulates reports whether the opcode has semantics here. A kernel may still ask for
// a form of it that is not emulated; loading it says so.
func Emulates(op isa.Op) bool { return semantics[op.String()] != nil }

// refused are the opcodes without semantics, and why they have none: at present every opcode has some.
var refused = map[string]string{}

// Refusal is what the emulator says of an instruction that it does not accept.
type Refusal struct {
	Message string
	Missing bool // the instruction is legal, and not emulated
}

// DecodeErrors decodes the instructions of a kernel, each by itself. It gives the refusals by
// the instructions' lines.
func DecodeErrors(mod *rewrite.Module, kernel string) map[int]Refusal {
	m := NewDevice(0).newMachine(mod, Config{})
	_ = m.loadModule(nil) // the first errors only; what they leave undone is not needed here
	k, _ := mod.Lookup(kernel)
	d := m.newDecoder(m.bySource[k.(*rewrite.Func)])
	lines := map[int]Refusal{}
	for _, in := range d.fn.src.Insts {
		if _, err := d.inst(in); err != nil {
			message := appendError(nil, in, err)[0].Msg
			lines[in.Position().Line] = Refusal{message, strings.HasPrefix(message, refusalPrefix)}
		}
	}
	return lines
}

// Decoded reports whether the machine has decoded a function: those that no kernel can reach are
// not.
func (m *Machine) Decoded(f *rewrite.Func) bool {
	fn := m.bySource[f]
	return fn != nil && (fn.code != nil || fn.wasInlined)
}

// IsClock reports whether a special register counts time.
func IsClock(register string) bool {
	_, is := clockRegs[register]
	return is
}

// LaunchesGrid reports whether the instruction calls the device runtime to launch a
// kernel.
func LaunchesGrid(in *rewrite.Inst) bool {
	c, ok := in.Call()
	return ok && c.Func != nil && !c.Func.Defined() && strings.HasPrefix(runtimeName(c.Func.Name), "LaunchDevice")
}

// conformanceText has a line for each form with conformance tests: opcode, number of the
// form in the instruction table, cases. The tests of the package fail when they have fewer;
// with -update they write it.
//
//go:embed conformance.txt
var conformanceText string

// ConformanceCases is, for each form of the instruction table that has any, the number of
// cases that the tests of this package compare with results computed from the manual's
// definition: operands of one thread and the result.
func ConformanceCases() map[*isa.Form]int {
	cases := map[*isa.Form]int{}
	for line := range strings.Lines(conformanceText) {
		var name string
		var form, n int
		if _, err := fmt.Sscan(line, &name, &form, &n); err != nil {
			panic("BUG: emu: conformance.txt: " + line)
		}
		if in, ok := isa.Lookup(name); ok && form < len(in.Forms) {
			cases[in.Forms[form]] = n
		}
	}
	return cases
}

// HasResult reports whether a form leaves something that the manual defines, which tests can
// compare. It does not when it only orders, hints, waits or stops, makes a cache policy, or
// leaves memory undefined.
func HasResult(in *isa.Instr, f *isa.Form) bool {
	if in.Name == "createpolicy" || in.Name == "discard" {
		return false
	}
	return f.Effects&isa.WritesMemory != 0 || slices.ContainsFunc(f.Operands, func(o isa.OperandSpec) bool { return o.Role == isa.RoleDst })
}
