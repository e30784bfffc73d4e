// Operands in listings: names of slots, registers, constants and addresses.

package emu

import (
	"fmt"
	"strings"

	"github.com/ptxsan/ptxsan/rewrite"
)

// registerName is a register with the function that it is of, when that is inlined.
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

// fixedSlots names the slots that are filled when a frame is made or entered.
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

// text is the value of a constant.
func (c *constant) text() string {
	switch {
	case c.each != nil:
		return fmt.Sprintf("#[0x%x, 0x%x, …, 0x%x]", c.each[0], c.each[1], c.each[warpSize-1])
	case c.val < 10:
		return fmt.Sprintf("#%d", c.val)
	}
	return fmt.Sprintf("#0x%x", c.val)
}

// operand is a slot as an instruction of a body names it; nil for the function's own.
func (l *listing) operand(b *body, s slot) string {
	if name := l.slotName(b, s); name != "" {
		return fmt.Sprintf("%s@%x", name, uint32(s))
	}
	return fmt.Sprintf("@%x", uint32(s))
}

// slotName is what a slot holds in a body, "" for a temporary.
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

// registerAt is the name of a register, or of the part of it, that lies at s; "" when it
// lies elsewhere.
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

// mentions reports whether the text of an instruction has the name as a word.
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

// sourceText is the text of the source instruction at pc, "" for none.
func (l *listing) sourceText(pc int32) string {
	src := l.fn.code[pc].src
	if src < 0 {
		return ""
	}
	return guardedText(l.fn.sources[src].in)
}

// bodyAt is the body that an instruction of the code was made from, the innermost one.
func (l *listing) bodyAt(pc int32) *body {
	found := l.own()
	for _, b := range l.fn.bodies {
		last := len(b.starts) - 1
		if last >= 0 && b.starts[0] <= pc && pc < b.starts[last] {
			found = b // inner bodies come after those around them
		}
	}
	return found
}
