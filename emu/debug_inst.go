// The text of a decoded instruction: its operation, operands, flags and vector form; names of slots, registers,
// constants and addresses.

package emu

import (
	"fmt"
	"math/bits"
	"reflect"
	"runtime"
	"strings"

	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/exec"
	"github.com/ptxsan/ptxsan/emu/internal/program"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/rewrite"
)

// instText prints instructions.
type instText struct{ operand func(state.Slot) string }

// textOfInst returns the instruction with its operands as slots.
func textOfInst(in *state.Inst) string {
	return instText{operand: func(s state.Slot) string { return fmt.Sprintf("@%x", uint32(s)) }}.of(in)
}

// of returns the text of an instruction: guard, operation, operands, flags and vector form.
func (t instText) of(in *state.Inst) string {
	var s strings.Builder
	if in.Guard != state.SlotTrue || in.GuardXor != 0 {
		s.WriteString("if " + vector.GuardText(uint32(in.GuardXor)) + t.operand(in.Guard) + " ")
	}
	s.WriteString(operation(in))
	for _, o := range []struct {
		name string
		slot state.Slot
	}{{"d", in.D}, {"a", in.A}, {"b", in.B}, {"c", in.C}} {
		if o.slot != 0 {
			s.WriteString(" " + o.name + "=" + t.operand(o.slot))
		}
	}
	switch {
	case in.Flags&state.FlagBranch != 0 && in.Imm == exec.JoinAtReturn:
		fmt.Fprintf(&s, " to %d, lanes meet in the caller or as they part", in.Tgt)
	case in.Flags&state.FlagBranch != 0:
		fmt.Fprintf(&s, " to %d, lanes meet at %d", in.Tgt, in.Imm)
	default:
		if in.Imm != 0 {
			fmt.Fprintf(&s, " imm=%d", in.Imm)
		}
		if in.Tgt != 0 {
			fmt.Fprintf(&s, " target=%d", in.Tgt)
		}
	}
	if in.Form != nil {
		s.WriteString(textOfForm(in.Form, t))
	}
	s.WriteString(textOfFlags(in.Flags))
	if in.Src < 0 {
		s.WriteString(" [not in the source]")
	}
	return s.String()
}

// operation names the body of an instruction and, if there is one, the operation in assembly.
func operation(in *state.Inst) string {
	name := funcName(in.Body)
	if in.Flags&state.FlagBranch != 0 {
		name = "branch"
	}
	if in.Op != vector.Slow {
		name += "/" + in.Op.String()
	}
	return name
}

// funcName returns the name of a body; for a closure, that of the function that made it.
func funcName(f state.BodyFunc) string {
	if f == nil {
		return "none"
	}
	name := runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name()
	name = name[strings.LastIndexByte(name, '/')+1:]
	_, name, _ = strings.Cut(name, ".")
	name, _, _ = strings.Cut(name, "[")
	name = strings.NewReplacer("(*", "", ")", "").Replace(name)
	parts := strings.Split(name, ".")
	for last := len(parts) - 1; last > 0; last-- {
		if p := parts[last]; !strings.HasPrefix(p, "func") && strings.Trim(p, "0123456789") != "" {
			return p
		}
	}
	return parts[0]
}

// textOfForm returns the properties of an operation in assembly.
func textOfForm(f *state.VectorForm, t instText) string {
	var s strings.Builder
	if ac := f.Ac; ac != nil {
		fmt.Fprintf(&s, " %s %d bytes of .%s at a+%d", ac.Kind.Word(), ac.Size, ac.Space, int64(ac.Off))
	}
	if f.Site != 0 {
		fmt.Fprintf(&s, " site %d", f.Site)
	}
	for i, r := range f.Regs {
		fmt.Fprintf(&s, " reg%d=%s", i, t.operand(r))
	}
	for i := range f.Seq {
		fmt.Fprintf(&s, " {%s}", f.Seq[i].Text(func(s uint32) string { return t.operand(state.Slot(s)) }, siteText))
	}
	return s.String()
}

// flagNames are the texts of flags.
var flagNames = map[state.InstFlags]string{
	state.FlagVisible: "visible", state.FlagFaults: "may fault", state.FlagControl: "control",
	state.FlagBlockEnd: "ends a block",
	state.FlagBranch:   "branch", state.FlagStep: "step", state.FlagResumable: "resumable",
	state.FlagNothing: "counts only",
	state.FlagLoop:    "jumps back", state.FlagCounted: "counted",
}

// textOfFlags returns the flags in brackets, in the order of their bits.
func textOfFlags(f state.InstFlags) string {
	if f == 0 {
		return ""
	}
	var words []string
	for rest := f; rest != 0; rest &= rest - 1 {
		flag := state.InstFlags(1) << bits.TrailingZeros32(uint32(rest))
		name, ok := flagNames[flag]
		if !ok {
			name = fmt.Sprintf("0x%x", uint32(flag))
		}
		words = append(words, name)
	}
	return " [" + strings.Join(words, ", ") + "]"
}

// registerName returns the name of a register, with the function that it belongs to if that is inlined.
func registerName(b *state.Body, r *rewrite.Reg, k int) string {
	name := r.Name
	if r.Vec > 1 {
		name += "." + decode.VectorMembers[k:k+1]
	}
	if b.Place == nil {
		return name
	}
	return fmt.Sprintf("%s of %s", name, b.Src.Name)
}

// fixedSlots names the slots that are filled in when a frame is made or entered.
func fixedSlots(fn *state.Function) map[state.Slot]string {
	names := map[state.Slot]string{state.SlotTrue: "true"}
	for _, c := range fn.Constants {
		names[c.Slot] = textOfConstant(&c)
	}
	for _, s := range fn.Specials {
		names[s.Slot] = s.Reg.Name
		if s.Reg.Dim != 0 {
			names[s.Slot] += "." + string(rune(s.Reg.Dim))
		}
	}
	for _, r := range fn.StackRefs {
		names[r.Slot] = fmt.Sprintf("&stack+%d", r.Off)
	}
	for _, r := range fn.SharedRefs {
		names[r.Slot] = fmt.Sprintf("&%s+%d", r.V.Name, r.Off)
	}
	return names
}

// textOfConstant returns the value of a constant.
func textOfConstant(c *state.Constant) string {
	switch {
	case c.Each != nil:
		return fmt.Sprintf("#[0x%x, 0x%x, …, 0x%x]", c.Each[0], c.Each[1], c.Each[state.WarpSize-1])
	case c.Val < 10:
		return fmt.Sprintf("#%d", c.Val)
	}
	return fmt.Sprintf("#0x%x", c.Val)
}

// operand returns a slot as named in a body; a nil body stands for the function's own.
func (l *listing) operand(b *state.Body, s state.Slot) string {
	if name := l.slotName(b, s); name != "" {
		return fmt.Sprintf("%s@%x", name, uint32(s))
	}
	return fmt.Sprintf("@%x", uint32(s))
}

// slotName returns the name of the value in a slot in a body, "" for a temporary.
func (l *listing) slotName(b *state.Body, s state.Slot) string {
	if name, ok := l.fixed[s]; ok {
		return name
	}
	if b == nil {
		b = l.own()
	}
	found := ""
	for ; b != nil; b = b.Outer {
		for _, r := range b.Src.Regs {
			name := registerAt(b, r, s)
			if name != "" && mentions(l.text, r.Name) {
				return name
			}
			if found == "" {
				found = name
			}
		}
	}
	return found
}

// registerAt returns the name of a register, or of a component, if it is at s; else "".
func registerAt(b *state.Body, r *rewrite.Reg, s state.Slot) string {
	for k := range max(r.Vec, 1) {
		at := b.Regs[r.Index] + state.Slot(k)*decode.VectorStride(r.Type)
		switch {
		case at == s:
			return registerName(b, r, k)
		case r.Type.Bits() == 128 && at+8*state.WarpSize == s:
			return registerName(b, r, k) + ".high"
		}
	}
	return ""
}

// mentions reports whether the text of an instruction contains the name as a word.
func mentions(text, name string) bool {
	for rest := text; ; {
		_, after, ok := strings.Cut(rest, name)
		if !ok {
			return false
		}
		if after == "" || strings.ContainsRune(" ,;.]})|+-", rune(after[0])) {
			return true
		}
		rest = after
	}
}

// sourceText returns the text of the source instruction at pc, "" for none.
func (l *listing) sourceText(pc int32) string {
	src := l.fn.Code[pc].Src
	if src < 0 {
		return ""
	}
	return guardedText(l.fn.Sources[src].In)
}

// bodyAt returns the innermost body that contains an instruction of the code, that of the function itself for
// instructions of none.
func (l *listing) bodyAt(pc int32) *state.Body {
	if b := program.BodyAt(l.fn, pc); b != nil {
		return b
	}
	return l.own()
}

// siteText names the memory of a site.
func siteText(site uint32) string {
	if site >= program.NumCommonSites {
		return fmt.Sprint(site)
	}
	kind := []string{"shared", "local", "param"}[site/program.SiteSizes]
	return fmt.Sprintf("%s/%d bytes", kind, 1<<(site%program.SiteSizes))
}
