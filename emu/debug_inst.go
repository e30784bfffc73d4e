// The text of a decoded instruction: its operation, operands, flags and vector form.

package emu

import (
	"fmt"
	"math/bits"
	"reflect"
	"runtime"
	"strings"

	"github.com/ptxsan/ptxsan/emu/internal/vector"
)

// instText prints instructions.
type instText struct{ operand func(slot) string }

// String is the instruction with its operands as slots.
func (in *inst) String() string {
	return instText{operand: func(s slot) string { return fmt.Sprintf("@%x", uint32(s)) }}.of(in)
}

// of is one instruction: guard, operation, operands, flags and what runs in assembly.
func (t instText) of(in *inst) string {
	var s strings.Builder
	if in.guard != slotTrue || in.guardXor != 0 {
		s.WriteString("if " + guardText(in.guardXor) + t.operand(in.guard) + " ")
	}
	s.WriteString(in.operation())
	for _, o := range []struct {
		name string
		slot slot
	}{{"d", in.d}, {"a", in.a}, {"b", in.b}, {"c", in.c}} {
		if o.slot != 0 {
			s.WriteString(" " + o.name + "=" + t.operand(o.slot))
		}
	}
	switch {
	case in.flags&flagBranch != 0 && in.imm == joinAtReturn:
		fmt.Fprintf(&s, " to %d, lanes meet in the caller or as they part", in.tgt)
	case in.flags&flagBranch != 0:
		fmt.Fprintf(&s, " to %d, lanes meet at %d", in.tgt, in.imm)
	default:
		if in.imm != 0 {
			fmt.Fprintf(&s, " imm=%d", in.imm)
		}
		if in.tgt != 0 {
			fmt.Fprintf(&s, " target=%d", in.tgt)
		}
	}
	if in.form != nil {
		s.WriteString(in.form.text(t))
	}
	s.WriteString(in.flags.text())
	if in.src < 0 {
		s.WriteString(" [not in the source]")
	}
	return s.String()
}

// guardText is what stands before the predicate of a guard.
func guardText(xor lanes) string {
	switch xor {
	case 0:
		return ""
	case allLanes:
		return "!"
	}
	return fmt.Sprintf("0x%08x^", uint32(xor))
}

// operation names what executes an instruction: the function of the package and, when
// there is one, the operation in assembly.
func (in *inst) operation() string {
	name := funcName(in.body)
	if in.flags&flagBranch != 0 {
		name = "branch"
	}
	if in.op != vector.Slow {
		name += "/" + in.op.String()
	}
	return name
}

// funcName is the name of a function of this package, that of the function which made it
// for a closure.
func funcName(f bodyFunc) string {
	if f == nil {
		return "none"
	}
	name := runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name()
	name = name[strings.LastIndexByte(name, '/')+1:]
	name, _, _ = strings.Cut(strings.TrimPrefix(name, "emu."), "[")
	name = strings.NewReplacer("(*", "", ")", "").Replace(name)
	if method, ok := strings.CutSuffix(name, "-fm"); ok {
		return method
	}
	parts := strings.Split(name, ".")
	for last := len(parts) - 1; last > 0; last-- {
		if p := parts[last]; !strings.HasPrefix(p, "func") && strings.Trim(p, "0123456789") != "" {
			return p
		}
	}
	return parts[0]
}

// text is what a form says about an operation in assembly.
func (f *vectorForm) text(t instText) string {
	var s strings.Builder
	if ac := f.ac; ac != nil {
		fmt.Fprintf(&s, " %s %d bytes of .%s at a+%d", ac.kind.Word(), ac.size, ac.space, int64(ac.off))
	}
	if f.site != 0 {
		fmt.Fprintf(&s, " site %d", f.site)
	}
	for i, r := range f.regs {
		fmt.Fprintf(&s, " reg%d=%s", i, t.operand(r))
	}
	for i := range f.seq {
		fmt.Fprintf(&s, " {%s}", vectorText(&f.seq[i], t.operand))
	}
	return s.String()
}

// flagNames are the flags in words, by bit.
var flagNames = map[instFlags]string{
	flagVisible: "visible", flagFaults: "may fault", flagControl: "control", flagBlockEnd: "ends a block",
	flagBranch: "branch", flagStep: "step", flagResumable: "resumable", flagNothing: "counts only", flagLoop: "jumps back",
}

// text is the flags in brackets, in the order of their bits.
func (f instFlags) text() string {
	if f == 0 {
		return ""
	}
	var words []string
	for rest := f; rest != 0; rest &= rest - 1 {
		flag := instFlags(1) << bits.TrailingZeros32(uint32(rest))
		name, ok := flagNames[flag]
		if !ok {
			name = fmt.Sprintf("0x%x", uint32(flag))
		}
		words = append(words, name)
	}
	return " [" + strings.Join(words, ", ") + "]"
}
