// What the emulator supports, and what users of it ask about code.

package emu

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/emu/internal/cudart"
	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/exec"
	"github.com/ptxsan/ptxsan/emu/internal/grids"
	"github.com/ptxsan/ptxsan/emu/internal/guard"
	"github.com/ptxsan/ptxsan/emu/internal/program"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// AllocatesMemory reports whether a function without a body, which the driver provides, allocates device memory.
func AllocatesMemory(name string) bool { return name == "malloc" || cudart.NameOf(name) == "Malloc" }

// GuardPages places register files, local, shared and small pieces of global memory that are allocated from now on
// directly before an inaccessible page: an access beyond their end crashes. It is for tests, also of programs that use
// the emulator. On systems other than Linux it does nothing.
func GuardPages() { guard.Pages() }

// Decode decodes a kernel and all functions that it may call, unless that has been done. Launch calls it. The error is
// a ptxgrammar.ErrorList, as from Load, unless there is no such kernel.
func (m *Machine) Decode(kernel string) error {
	fn, err := grids.Kernel(m.state, kernel)
	if err != nil || fn.Code != nil {
		return err
	}
	return program.DecodeReachable(m.state, []*state.Function{fn})
}

// Queries about the emulator: the emulated opcodes and forms, and how far each is tested. Package support makes lists
// of them.

// Emulates reports whether the opcode has semantics here. A kernel may use a form of it that is not emulated; then
// loading the kernel fails.
func Emulates(op isa.Op) bool { return exec.Semantics[op.String()] != nil }

// DecodeErrors decodes the instructions of a kernel separately, and returns the refusals by line.
func DecodeErrors(mod *rewrite.Module, kernel string) map[int]Refusal {
	m := newMachineOn(NewDevice(Config{}).state, mod, Config{})
	_ = program.LoadModule(m, nil) // returns only the first errors; later results of loading are not needed here
	k, _ := mod.Lookup(kernel)
	d := program.NewDecoder(m, m.BySource[k.(*rewrite.Func)])
	lines := map[int]Refusal{}
	for _, in := range d.Fn.Src.Insts {
		if why := program.NotEmulated(in.Decoded); why != "" {
			lines[in.Position().Line] = Refusal{Message: why, Missing: true}
		} else if _, err := program.Inst(d, in); err != nil {
			message := program.AppendError(nil, in, err)[0].Msg
			lines[in.Position().Line] = Refusal{
				Message: message,
				Missing: strings.HasPrefix(message, decode.RefusalPrefix),
			}
		}
	}
	return lines
}

// Decoded reports whether the machine has decoded a function: functions that no kernel can reach are not decoded.
func (m *Machine) Decoded(f *rewrite.Func) bool {
	fn := m.state.BySource[f]
	return fn != nil && (fn.Code != nil || fn.WasInlined)
}

// LaunchesGrid reports whether the instruction calls the device runtime to launch a kernel.
func LaunchesGrid(in *rewrite.Inst) bool {
	c, ok := in.Call()
	return ok && c.Func != nil && !c.Func.Defined() && strings.HasPrefix(cudart.NameOf(c.Func.Name), "LaunchDevice")
}

// conformanceText has a line for each form with conformance tests: opcode, number of the
// form in the instruction table, cases. The tests of the package fail when they have fewer;
// with -update they write it.
//
//go:embed conformance.txt
var conformanceText string

// ConformanceCases returns, for each form of the instruction table that has any, the number of cases that the tests of
// this package compare with results computed from the manual's definition: operands of one thread and the result.
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

// HasResult reports whether a form has a result that the manual defines, which tests can compare. Forms without one
// only order, hint, wait or stop, make a cache policy, or leave memory undefined.
func HasResult(in *isa.Instr, f *isa.Form) bool {
	if in.Name == "createpolicy" || in.Name == "discard" {
		return false
	}
	return f.Effects&isa.WritesMemory != 0 || slices.ContainsFunc(f.Operands,
		func(o isa.OperandSpec) bool { return o.Role == isa.RoleDst })
}
