// The text of a decoded instruction: its operation, operands, flags and vector form; names of slots, registers,
// constants and addresses.

package emu

import (
	"fmt"
	"math/bits"
	"reflect"
	"runtime"
	"strings"

	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/rewrite"
)

// instText prints instructions.
type instText struct{ operand func(slot) string }

// text returns the instruction with its operands as slots.
func (in *inst) text() string {
	return instText{operand: func(s slot) string { return fmt.Sprintf("@%x", uint32(s)) }}.of(in)
}

// of returns the text of an instruction: guard, operation, operands, flags and vector form.
func (t instText) of(in *inst) string {
	var s strings.Builder
	if in.guard != slotTrue || in.guardXor != 0 {
		s.WriteString("if " + vector.GuardText(uint32(in.guardXor)) + t.operand(in.guard) + " ")
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

// operation names the body of an instruction and, if there is one, the operation in assembly.
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

// funcName returns the name of a body; for a closure, that of the function that made it.
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

// text returns the properties of an operation in assembly.
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
		fmt.Fprintf(&s, " {%s}", f.seq[i].Text(func(s uint32) string { return t.operand(slot(s)) }, siteText))
	}
	return s.String()
}

// flagNames are the texts of flags.
var flagNames = map[instFlags]string{
	flagVisible: "visible", flagFaults: "may fault", flagControl: "control", flagBlockEnd: "ends a block",
	flagBranch: "branch", flagStep: "step", flagResumable: "resumable", flagNothing: "counts only",
	flagLoop: "jumps back", flagCounted: "counted",
}

// text returns the flags in brackets, in the order of their bits.
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

// registerName returns the name of a register, with the function that it belongs to if that is inlined.
func registerName(b *body, r *rewrite.Reg, k int) string {
	name := r.Name
	if r.Vec > 1 {
		name += "." + vectorMembers[k:k+1]
	}
	if b.place == nil {
		return name
	}
	return fmt.Sprintf("%s of %s", name, b.src.Name)
}

// fixedSlots names the slots that are filled in when a frame is made or entered.
func fixedSlots(fn *function) map[slot]string {
	names := map[slot]string{slotTrue: "true"}
	for _, c := range fn.constants {
		names[c.slot] = c.text()
	}
	for _, s := range fn.specials {
		names[s.slot] = s.reg.name
		if s.reg.dim != 0 {
			names[s.slot] += "." + string(rune(s.reg.dim))
		}
	}
	for _, r := range fn.stackRefs {
		names[r.slot] = fmt.Sprintf("&stack+%d", r.off)
	}
	for _, r := range fn.sharedRefs {
		names[r.slot] = fmt.Sprintf("&%s+%d", r.v.Name, r.off)
	}
	return names
}

// text returns the value of a constant.
func (c *constant) text() string {
	switch {
	case c.each != nil:
		return fmt.Sprintf("#[0x%x, 0x%x, …, 0x%x]", c.each[0], c.each[1], c.each[warpSize-1])
	case c.val < 10:
		return fmt.Sprintf("#%d", c.val)
	}
	return fmt.Sprintf("#0x%x", c.val)
}

// operand returns a slot as named in a body; a nil body stands for the function's own.
func (l *listing) operand(b *body, s slot) string {
	if name := l.slotName(b, s); name != "" {
		return fmt.Sprintf("%s@%x", name, uint32(s))
	}
	return fmt.Sprintf("@%x", uint32(s))
}

// slotName returns the name of the value in a slot in a body, "" for a temporary.
func (l *listing) slotName(b *body, s slot) string {
	if name, ok := l.fixed[s]; ok {
		return name
	}
	if b == nil {
		b = l.own()
	}
	found := ""
	for ; b != nil; b = b.outer {
		for _, r := range b.src.Regs {
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
func registerAt(b *body, r *rewrite.Reg, s slot) string {
	for k := range max(r.Vec, 1) {
		at := b.regs[r.Index] + slot(k)*vectorStride(r.Type)
		switch {
		case at == s:
			return registerName(b, r, k)
		case r.Type.Bits() == 128 && at+8*warpSize == s:
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
	src := l.fn.code[pc].src
	if src < 0 {
		return ""
	}
	return guardedText(l.fn.sources[src].in)
}

// bodyAt returns the innermost body that contains an instruction of the code, that of the function itself for
// instructions of none.
func (l *listing) bodyAt(pc int32) *body {
	if b := l.fn.bodyAt(pc); b != nil {
		return b
	}
	return l.own()
}

// siteText names the memory of a site.
func siteText(site uint32) string {
	if site >= numCommonSites {
		return fmt.Sprint(site)
	}
	kind := []string{"shared", "local", "param"}[site/siteSizes]
	return fmt.Sprintf("%s/%d bytes", kind, 1<<(site%siteSizes))
}
