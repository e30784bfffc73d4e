// Operations on bits.

package differential

import "fmt"

// bits adds the operations on the bits of words.
func (t *opTable) bits() {
	for _, x := range []scalar{typeU32, typeU64} {
		one := same(x, 1)
		b := fmt.Sprintf(".b%d", x.bits)
		loop := fmt.Sprintf("for (int i = 0; i < %d; i++)", x.bits)
		t.add("popc_"+x.c, typeU32, one, "popc"+b, "u32 r = 0; "+loop+" r += a >> i & 1; return r")
		t.add("clz_"+x.c, typeU32, one, "clz"+b, fmt.Sprintf("u32 r = %d; %s if (a >> i & 1) r = %d - i; return r", x.bits, loop, x.bits-1))
		t.add("brev_"+x.c, x, one, "brev"+b, fmt.Sprintf("%s r = 0; %s r |= (a >> i & 1) << (%d - i); return r", x.c, loop, x.bits-1))
		t.add("bfi_"+x.c, x, []scalar{x, x, typeU32, typeU32}, "bfi"+b,
			fmt.Sprintf("u32 p = c & 255, n = d & 255; for (u32 i = 0; i < n && p + i < %d; i++) b = (b & ~((%s)1 << (p + i))) | (a >> i & 1) << (p + i); return b", x.bits, x.c))
	}
	for _, x := range wordTypes {
		t.fieldOps(x)
	}
	t.funnel()
	t.permutations()
	for _, lut := range []int{0x96, 0xe8, 0xca, 0x1d, 0x80, 0xfe} {
		t.add(fmt.Sprintf("lop3_%02x", lut), typeU32, same(typeU32, 3), fmt.Sprintf("lop3.b32 %%r, %%a, %%b, %%c, %d;", lut),
			fmt.Sprintf("u32 r = 0; for (int i = 0; i < 32; i++) r |= (%du >> ((a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1)) & 1) << i; return r", lut))
	}
	t.masks()
}

// fieldOps adds bfe and bfind, as the manual's pseudo-code defines them.
func (t *opTable) fieldOps(x scalar) {
	sign := "0"
	find := "a"
	if x.signed {
		sign = fmt.Sprintf("n == 0 ? 0 : a >> (p + n - 1 > %d ? %[1]d : p + n - 1) & 1", x.bits-1)
		find = "(a < 0 ? ~a : a)"
	}
	t.add("bfe_"+x.c, x, []scalar{x, typeU32, typeU32}, "bfe."+x.ptx,
		fmt.Sprintf("u32 p = b & 255, n = c & 255; u64 s = %s, r = 0; for (u32 i = 0; i < %d; i++) r |= (i < n && p + i < %[2]d ? (u64)(a >> (p + i)) & 1 : s) << i; return (%s)r",
			sign, x.bits, x.c))
	t.add("bfind_"+x.c, typeU32, same(x, 1), "bfind."+x.ptx,
		fmt.Sprintf("u32 r = ~0u; for (int i = 0; i < %d; i++) if (%s >> i & 1) r = i; return r", x.bits, find))
	t.add("bfind_shift_"+x.c, typeU32, same(x, 1), "bfind.shiftamt."+x.ptx,
		fmt.Sprintf("u32 r = ~0u; for (int i = 0; i < %d; i++) if (%s >> i & 1) r = %d - i; return r", x.bits, find, x.bits-1))
}

// funnel adds shf; b is the upper word.
func (t *opTable) funnel() {
	args := same(typeU32, 3)
	for _, m := range []struct{ mode, amount string }{{"wrap", "c & 31"}, {"clamp", "c < 32 ? c : 32"}} {
		t.add("shf_l_"+m.mode, typeU32, args, "shf.l."+m.mode+".b32", fmt.Sprintf("u64 v = (u64)b << 32 | a; u32 n = %s; return (u32)((v << n) >> 32)", m.amount))
		t.add("shf_r_"+m.mode, typeU32, args, "shf.r."+m.mode+".b32", fmt.Sprintf("u64 v = (u64)b << 32 | a; u32 n = %s; return (u32)(v >> n)", m.amount))
	}
}

// permutations adds prmt in all its modes.
func (t *opTable) permutations() {
	args := same(typeU32, 3)
	const choose = "u64 v = (u64)b << 32 | a; u32 r = 0; for (u32 i = 0; i < 4; i++) { %s; r |= (u32)(u8)byte << 8 * i; } return r"
	t.add("prmt", typeU32, args, "prmt.b32",
		fmt.Sprintf(choose, "u32 s = c >> 4 * i; i8 byte = (i8)(v >> 8 * (s & 7)); if (s & 8) byte = byte < 0 ? -1 : 0"))
	const pick = "u32 s = %s; u8 byte = (u8)(v >> 8 * s)"
	for _, m := range []struct{ mode, source string }{
		{"f4e", "(c & 3) + i"},
		{"b4e", "((c & 3) - i) & 7"},
		{"rc8", "c & 3"},
		{"ecl", "i > (c & 3) ? i : c & 3"},
		{"ecr", "i < (c & 3) ? i : c & 3"},
		{"rc16", "(c & 1) * 2 + (i & 1)"},
	} {
		t.add("prmt_"+m.mode, typeU32, args, "prmt.b32."+m.mode, fmt.Sprintf(choose, fmt.Sprintf(pick, m.source)))
	}
}

// masks adds the operations that make masks.
func (t *opTable) masks() {
	args := same(typeU32, 2)
	t.add("bmsk_clamp", typeU32, args, "bmsk.clamp.b32", "u32 r = 0; for (u32 i = a; i < 32 && i - a < b; i++) r |= 1u << i; return r").sm = 70
	t.add("bmsk_wrap", typeU32, args, "bmsk.wrap.b32", "u32 r = 0; for (u32 i = a & 31; i < 32 && i - (a & 31) < (b & 31); i++) r |= 1u << i; return r").sm = 70
	t.add("szext_clamp_u32", typeU32, args, "szext.clamp.u32", "b >= 32 ? a : a & ((1u << b) - 1)").sm = 70
	t.add("szext_wrap_i32", typeI32, []scalar{typeI32, typeU32}, "szext.wrap.s32",
		"u32 n = b & 31; return n == 0 ? 0 : (i32)((u32)a << (32 - n)) >> (32 - n)").sm = 70
}
