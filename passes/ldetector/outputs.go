// Digests of the results of a region: of registers, and of stores to local and global memory.

package ldetector

import (
	"fmt"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// mixer is an odd number without a bit pattern (2^64 divided by the golden ratio).
const mixer = "0x9E3779B97F4A7C15"

// mix returns statements that add a value of 64 bits to a digest; they execute where the guard, "@%p " or "", holds.
// Each of them is invertible, so that digests that differ once stay different if the same values follow, and the shift
// keeps differences in the highest bits from cancelling each other.
func (b *body) mix(guard, digest, value string) string {
	t := b.reg("mixed", isa.B64)
	return fmt.Sprintf("%[1]sxor.b64 %[2]s, %[2]s, %[3]s;\n%[1]smul.lo.u64 %[2]s, %[2]s, %[5]s;\nshr.u64 %[4]s, %[2]s, 29;\n%[1]sxor.b64 %[2]s, %[2]s, %[4]s;\n",
		guard, digest, value, t, mixer)
}

// widen returns statements that move a register, or a component of one, to a register of 64 bits.
func (b *body) widen(r *rewrite.Reg, member, to string) string {
	name := r.Name + member
	switch bits := r.Type.Bits(); {
	case r.Type == isa.Pred:
		return fmt.Sprintf("selp.u64 %s, 1, 0, %s;\n", to, name)
	case bits == 64:
		return fmt.Sprintf("mov.b64 %s, %s;\n", to, name)
	case bits == 8:
		return fmt.Sprintf("cvt.u64.u8 %s, %s;\n", to, name)
	default:
		t := b.reg(fmt.Sprint("bits", bits), bitType(bits))
		return fmt.Sprintf("mov.b%[1]d %[2]s, %[3]s;\ncvt.u64.u%[1]d %[4]s, %[2]s;\n", bits, t, name, to)
	}
}

func bitType(bits int) isa.Type {
	switch bits {
	case 16:
		return isa.B16
	case 32:
		return isa.B32
	}
	return isa.B64
}

// members returns the components of a register, or "" alone for a scalar.
func members(r *rewrite.Reg) []string {
	if r.Vec <= 1 {
		return []string{""}
	}
	return []string{".x", ".y", ".z", ".w"}[:r.Vec]
}

// digestRegisters returns statements that set a digest to that of registers.
func (b *body) digestRegisters(digest string, regs []*rewrite.Reg) string {
	var text strings.Builder
	fmt.Fprintf(&text, "mov.b64 %s, 0;\n", digest)
	v := b.reg("value", isa.B64)
	for _, r := range regs {
		for _, m := range members(r) {
			text.WriteString(b.widen(r, m, v) + b.mix("", digest, v))
		}
	}
	return text.String()
}

// outward reports whether an instruction may store outside of shared memory.
func outward(in *rewrite.Inst, space isa.Space) bool {
	return plainAccess(in) && in.Access.Writes() && in.Access.Space != isa.SpaceParam && space != isa.SpaceShared
}

// digestStore adds a store to the digest of stores.
func (b *body) digestStore(in *rewrite.Inst) {
	b.ed.InsertBefore(in, b.storeDigest(in, b.reg("stores", isa.B64)))
}

// reportStore reports a store of a called function, which has no digest of its own, to the library.
func (b *body) reportStore(in *rewrite.Inst) {
	digest := b.reg("stores", isa.B64)
	text := fmt.Sprintf("mov.b64 %s, 0;\n%s", digest, b.storeDigest(in, digest))
	call := b.call(abi.LDetectorStored, "", "", "b64 "+digest)
	if in.Guard != nil {
		past := b.ed.FreshLabel(b.f)
		call = fmt.Sprintf("%sbra %s;\n%s%s:\n", guardOf(in, true), past, call, past)
	}
	b.ed.InsertBefore(in, text+call)
}

// storeDigest returns statements that add the address and values of a store to a digest.
func (b *body) storeDigest(in *rewrite.Inst, digest string) string {
	v := b.reg("value", isa.B64)
	guard := guardOf(in, false)
	var text strings.Builder
	fmt.Fprintf(&text, "mov.b64 %s, %d;\n", v, in.Index+1)
	text.WriteString(b.mix(guard, digest, v))
	base, _ := b.base(in, &in.Operands[in.Access.Addr], v)
	text.WriteString(base.text + "\n" + b.mix(guard, digest, base.reg))
	o := *in.Value()
	if o.Kind != rewrite.OperandVector {
		o.Elems = []rewrite.Operand{o}
	}
	for i := range o.Elems {
		if r := o.Elems[i].Reg; r != nil && o.Elems[i].Kind == rewrite.OperandReg {
			for _, m := range membersOf(&o.Elems[i]) {
				text.WriteString(b.widen(r, m, v) + b.mix(guard, digest, v))
			}
		}
	}
	return text.String()
}

// membersOf returns the components of a register operand.
func membersOf(o *rewrite.Operand) []string {
	if o.Member != "" {
		return []string{o.Member}
	}
	return members(o.Reg)
}

// guardOf returns the guard of an instruction, or its negation, as text.
func guardOf(in *rewrite.Inst, opposite bool) string {
	switch {
	case in.Guard == nil:
		return ""
	case in.GuardNot != opposite:
		return "@!" + in.Guard.Name + " "
	}
	return "@" + in.Guard.Name + " "
}
