// The table of decode functions by opcode, decoding with register operands and one body, and which forms are emulated.

package emu

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/emu/internal/cudart"
	"github.com/ptxsan/ptxsan/emu/internal/lowering"
	"github.com/ptxsan/ptxsan/emu/internal/num"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// semanticsTables are the semantics of PTX by opcode, one table per chapter of the manual. To emulate another opcode,
// add an entry to the table of its chapter.
var semanticsTables = []map[string]decodeFunc{
	semControl,
	semSync,
	semInt,
	semCompare,
	semLogic,
	semFloat,
	semMove,
	semConvert,
	semMemory,
	semCache,
	semAtomic,
	semAsync,
	semFabric,
	semTensorMap,
	semBarrierObject,
	semCluster,
	semLaunchControl,
	semMatrix,
	semWarpgroup,
	semTensorMemory,
	semVideo,
	semStack,
	semTexture,
	semSurface,
}

// semantics combines all tables.
var semantics = func() map[string]decodeFunc {
	all := map[string]decodeFunc{}
	for _, t := range semanticsTables {
		for name, f := range t {
			if all[name] != nil {
				panic("BUG: emu: " + name + " has two semantics")
			}
			all[name] = f
		}
	}
	return all
}()

// semCache is the semantics of cache control.
var semCache = map[string]decodeFunc{
	"prefetch":      decodeHint,
	"prefetchu":     decodeHint,
	"applypriority": decodeHint,
	"discard":       decodeDiscard,
	"createpolicy":  decodePolicy,
}

// simple decodes an instruction whose operands are a destination and one to four sources, in the order d, a, b, c, imm.
// A nil body means that the instruction's types are not emulated.
func (d *decoder) simple(in *rewrite.Inst, body bodyFunc) (inst, error) {
	if body == nil {
		return inst{}, d.unsupported(in, "%s", in.Text())
	}
	dst, err := d.dst(in)
	if err != nil {
		return inst{}, err
	}
	out := inst{body: body, d: dst.slot, op: lowering.Arithmetic(in)}
	if err := d.fits(in, 0, dst); err != nil {
		return inst{}, err
	}
	for i := 1; i < len(in.Operands); i++ {
		s, err := d.src(in, i)
		if err != nil {
			return inst{}, err
		}
		if err := d.fits(in, i, s); err != nil {
			return inst{}, err
		}
		switch i {
		case 1:
			out.a = s.slot
		case 2:
			out.b = s.slot
		case 3:
			out.c = s.slot
		default:
			out.imm = int64(s.slot)
		}
	}
	return out, nil
}

// fits checks that a register is as wide as the instruction's operand, as bodies require.
func (d *decoder) fits(in *rewrite.Inst, i int, o operand) error {
	return d.fitsType(in, &in.Operands[i], in.Decoded.Operands[i].Type, o)
}

func (d *decoder) fitsType(in *rewrite.Inst, op *rewrite.Operand, want isa.Type, o operand) error {
	if slotBits(want) == slotBits(o.typ) {
		return nil
	}
	return d.errorf(in, "%s: operand %s is .%s, expected .%s", in.Text(), d.text(op), o.typ, want)
}

// mode returns the rounding, flushing and saturation of the modifiers.
func mode(in *rewrite.Inst) num.Mode {
	m := num.Mode{Ftz: in.Has("ftz"), Sat: in.Has("sat")}
	for _, s := range in.Mods {
		if r, ok := roundings[s]; ok {
			m.Round = r
		}
	}
	return m
}

var roundings = map[string]num.Rounding{
	"rn": num.RN, "rz": num.RZ, "rm": num.RM, "rp": num.RP, "rna": num.RNA,
	"rni": num.RN, "rzi": num.RZ, "rmi": num.RM, "rpi": num.RP,
}

// Queries about the emulator: the emulated opcodes and forms, and how far each is tested. Package support makes lists
// of them.

// Emulates reports whether the opcode has semantics here. A kernel may use a form of it that is not emulated; then
// loading the kernel fails.
func Emulates(op isa.Op) bool { return semantics[op.String()] != nil }

// NotEmulated says why an instruction is not emulated, "" if it is. A thread that executes such an instruction stops
// with the fault "unsupported".
func NotEmulated(in *isa.Decoded) string {
	why, is := in.NotEmulated()
	switch {
	case in.Unknown():
		return "unknown instruction"
	case !is:
		return ""
	case why != "":
		return fmt.Sprintf("instructions of PTX %s are not emulated: %s", in.Requires().Since, why)
	}
	return fmt.Sprintf("instructions of PTX %s are not emulated", in.Requires().Since)
}

// Refusal is the error for an instruction that the emulator does not accept.
type Refusal struct {
	Message string
	Missing bool // the instruction is legal, but not emulated
}

// Refuses is NotEmulated for an instruction with its operands: some special registers are not emulated either.
func Refuses(in *rewrite.Inst) string {
	if why := NotEmulated(in.Decoded); why != "" {
		return why
	}
	return unknownRegister(in.Operands)
}

// unknownRegister says which special register among operands is not emulated, "" for none.
func unknownRegister(ops []rewrite.Operand) string {
	for i := range ops {
		op := &ops[i]
		if _, known := specialValueOf(op.Special.Name); op.Kind == rewrite.OperandSpecial && !known &&
			!IsClock(op.Special.Name) {
			return "special register " + op.Special.Name + " of PTX " + op.Special.Since.String() + " is not emulated"
		}
		if why := unknownRegister(op.Elems); why != "" {
			return why
		}
	}
	return ""
}

// DecodeErrors decodes the instructions of a kernel separately, and returns the refusals by line.
func DecodeErrors(mod *rewrite.Module, kernel string) map[int]Refusal {
	m := NewDevice(Config{}).newMachine(mod, Config{})
	_ = m.loadModule(nil) // returns only the first errors; later results of loading are not needed here
	k, _ := mod.Lookup(kernel)
	d := m.newDecoder(m.bySource[k.(*rewrite.Func)])
	lines := map[int]Refusal{}
	for _, in := range d.fn.src.Insts {
		if why := NotEmulated(in.Decoded); why != "" {
			lines[in.Position().Line] = Refusal{why, true}
		} else if _, err := d.inst(in); err != nil {
			message := appendError(nil, in, err)[0].Msg
			lines[in.Position().Line] = Refusal{message, strings.HasPrefix(message, refusalPrefix)}
		}
	}
	return lines
}

// Decoded reports whether the machine has decoded a function: functions that no kernel can reach are not decoded.
func (m *Machine) Decoded(f *rewrite.Func) bool {
	fn := m.bySource[f]
	return fn != nil && (fn.code != nil || fn.wasInlined)
}

// IsClock reports whether a special register counts time.
func IsClock(register string) bool {
	_, is := clockRegs[register]
	return is
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
