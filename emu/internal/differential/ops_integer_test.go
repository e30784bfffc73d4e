// Operations on integers.

package differential

import "fmt"

var (
	wordTypes  = []scalar{typeU32, typeI32, typeU64, typeI64}
	shortTypes = []scalar{typeU16, typeI16, typeU32, typeI32}
	allWords   = []scalar{typeU16, typeI16, typeU32, typeI32, typeU64, typeI64}
)

// integers adds arithmetic on one type.
func (t *opTable) integers() {
	for _, x := range allWords {
		u := x.wide()
		t.add("min_"+x.c, x, same(x, 2), "min."+x.ptx, "a < b ? a : b")
		t.add("max_"+x.c, x, same(x, 2), "max."+x.ptx, "a > b ? a : b")
		t.add("sad_"+x.c, x, same(x, 3), "sad."+x.ptx, fmt.Sprintf("(%s)((%s)c + (a < b ? (%[2]s)b - (%[2]s)a : (%[2]s)a - (%[2]s)b))", x.c, u))
		t.add("mad_lo_"+x.c, x, same(x, 3), "mad.lo."+x.ptx, fmt.Sprintf("(%s)((%s)a * (%[2]s)b + (%[2]s)c)", x.c, u))
		if x.signed {
			t.add("abs_"+x.c, x, same(x, 1), "abs."+x.ptx, fmt.Sprintf("(%s)(a < 0 ? 0 - (%s)a : (%[2]s)a)", x.c, u))
			t.add("neg_"+x.c, x, same(x, 1), "neg."+x.ptx, fmt.Sprintf("(%s)(0 - (%s)a)", x.c, u))
		}
		t.shifts(x)
	}
	t.add("add_128", typeU64, same(typeU64, 4), "{ .reg .u64 l; add.cc.u64 l, %a, %c; addc.u64 %r, %b, %d; xor.b64 %r, %r, l; }",
		"u64 l = a + c; return (b + d + (l < a)) ^ l")
	t.add("sub_96", typeU32, same(typeU32, 4), "{ .reg .u32 l; sub.cc.u32 l, %a, %c; subc.cc.u32 l, %b, %d; subc.u32 %r, %a, %b; xor.b32 %r, %r, l; }",
		"i64 l = (i64)a - c, h = (i64)b - d - (l < 0); return (u32)(a - b - (h < 0)) ^ (u32)h")
	t.add("mad_carry", typeU32, same(typeU32, 3), "{ .reg .u32 l, h; mad.lo.cc.u32 l, %a, %b, %c; madc.hi.u32 h, %a, %b, %c; xor.b32 %r, l, h; }",
		"u64 p = (u64)a * b, l = (u32)p + (u64)c; return (u32)l ^ (u32)((p >> 32) + c + (l >> 32))")
	t.add("slct_i32", typeU32, []scalar{typeU32, typeU32, typeI32}, "slct.u32.s32", "c >= 0 ? a : b")
	t.add("slct_f32", typeU64, []scalar{typeU64, typeU64, typeF32}, "slct.u64.f32", "c >= 0 ? a : b")
	t.add("cnot_b32", typeU32, same(typeU32, 1), "cnot.b32", "a == 0")
	t.add("cnot_b64", typeU64, same(typeU64, 1), "cnot.b64", "a == 0")
}

// shifts adds shifts by any amount: an amount beyond the width counts as the width.
func (t *opTable) shifts(x scalar) {
	args := []scalar{x, typeU32}
	beyond := "0"
	if x.signed {
		beyond = "a < 0 ? -1 : 0"
	}
	t.add("shr_"+x.c, x, args, "shr."+x.ptx, fmt.Sprintf("(%s)(b >= %d ? %s : a >> b)", x.c, x.bits, beyond))
	if !x.signed {
		t.add("shl_"+x.c, x, args, fmt.Sprintf("shl.b%d", x.bits), fmt.Sprintf("(%s)(b >= %d ? 0 : (%s)a << b)", x.c, x.bits, x.wide()))
	}
}

// products adds multiplications that keep the upper half, and sums of products.
func (t *opTable) products() {
	for _, x := range shortTypes {
		double := map[string]scalar{"u16": typeU32, "i16": typeI32, "u32": typeU64, "i32": typeI64}[x.c]
		exact := fmt.Sprintf("(%s)a * (%[1]s)b", double.c)
		t.add("mul_wide_"+x.c, double, same(x, 2), "mul.wide."+x.ptx, exact)
		t.add("mad_wide_"+x.c, double, []scalar{x, x, double}, "mad.wide."+x.ptx, fmt.Sprintf("(%s)((%s)(%s) + (%[2]s)c)", double.c, double.wide(), exact))
		t.add("mul_hi_"+x.c, x, same(x, 2), "mul.hi."+x.ptx, fmt.Sprintf("(%s)((%s) >> %d)", x.c, exact, x.bits))
	}
	t.add("mul_hi_u64", typeU64, same(typeU64, 2), "mul.hi.u64", "(u64)((unsigned __int128)a * b >> 64)")
	t.add("mul_hi_i64", typeI64, same(typeI64, 2), "mul.hi.s64", "(i64)((__int128)a * b >> 64)")
	t.add("mad_hi_u32", typeU32, same(typeU32, 3), "mad.hi.u32", "(u32)((u64)a * b >> 32) + c")
	t.add("mad_hi_i32", typeI32, same(typeI32, 3), "mad.hi.s32", "(i32)((u32)((i64)a * b >> 32) + (u32)c)")
	t.add("mul24_u32", typeU32, same(typeU32, 2), "mul24.lo.u32", "(u32)((u64)(a & 0xffffff) * (b & 0xffffff))")
	t.add("mul24_hi_u32", typeU32, same(typeU32, 2), "mul24.hi.u32", "(u32)((u64)(a & 0xffffff) * (b & 0xffffff) >> 16)")
	t.add("mad24_i32", typeI32, same(typeI32, 3), "mad24.lo.s32", "(i32)((u32)((i64)((i32)((u32)a << 8) >> 8) * ((i32)((u32)b << 8) >> 8)) + (u32)c)")
	t.dotProducts()
}

// dotProducts adds dp4a and dp2a with all combinations of signs.
func (t *opTable) dotProducts() {
	bytesOf := map[scalar]string{typeU32: "u8", typeI32: "i8"}
	halvesOf := map[scalar]string{typeU32: "u16", typeI32: "i16"}
	for _, x := range []scalar{typeU32, typeI32} {
		for _, y := range []scalar{typeU32, typeI32} {
			sum := typeI32
			if !x.signed && !y.signed {
				sum = typeU32
			}
			suffix := "_" + x.c + "_" + y.c
			form := "." + x.ptx + "." + y.ptx
			args := []scalar{x, y, sum}
			t.add("dp4a"+suffix, sum, args, "dp4a"+form,
				fmt.Sprintf("u32 r = (u32)c; for (u32 i = 0; i < 32; i += 8) r += (u32)((%s)(a >> i) * (%s)(b >> i)); return (%s)r",
					bytesOf[x], bytesOf[y], sum.c)).sm = 61
			for i, half := range []string{"lo", "hi"} {
				t.add("dp2a_"+half+suffix, sum, args, "dp2a."+half+form,
					fmt.Sprintf("u32 r = (u32)c; for (u32 i = 0; i < 2; i++) r += (u32)((%s)(a >> i * 16) * (%s)(b >> (i * 8 + %d))); return (%s)r",
						halvesOf[x], bytesOf[y], 16*i, sum.c)).sm = 61
			}
		}
	}
}

// saturating adds arithmetic and conversions that clamp to the type.
func (t *opTable) saturating() {
	clamp := "return (i32)(r > 0x7fffffffll ? 0x7fffffffll : r < -0x80000000ll ? -0x80000000ll : r)"
	t.add("add_sat", typeI32, same(typeI32, 2), "add.sat.s32", "i64 r = (i64)a + b; "+clamp)
	t.add("sub_sat", typeI32, same(typeI32, 2), "sub.sat.s32", "i64 r = (i64)a - b; "+clamp)
	t.add("mad_hi_sat", typeI32, same(typeI32, 3), "mad.hi.sat.s32", "i64 r = ((i64)a * b >> 32) + c; "+clamp)
	for _, from := range wordTypes {
		for _, to := range allWords {
			t.saturatingConversion(from, to)
		}
		for _, to := range []scalar{typeU8, typeI8} {
			register := map[bool]scalar{true: typeI32, false: typeU32}[to.signed]
			low, high := limits(to)
			t.add("sat_"+to.c+"_"+from.c, register, same(from, 1), "cvt.sat."+to.ptx+"."+from.ptx, clampExpr(from, register, low, high))
		}
	}
}

func (t *opTable) saturatingConversion(from, to scalar) {
	if to.bits > from.bits || from == to {
		return
	}
	low, high := limits(to)
	t.add("sat_"+to.c+"_"+from.c, to, same(from, 1), "cvt.sat."+to.ptx+"."+from.ptx, clampExpr(from, to, low, high))
}

// limits returns the least and the greatest number of an integer type, in C.
func limits(t scalar) (low, high string) {
	if t.signed {
		return fmt.Sprintf("(-(__int128)1 << %d)", t.bits-1), fmt.Sprintf("(((__int128)1 << %d) - 1)", t.bits-1)
	}
	return "(__int128)0", fmt.Sprintf("(((__int128)1 << %d) - 1)", t.bits)
}

func clampExpr(from, to scalar, low, high string) string {
	return fmt.Sprintf("__int128 v = (%s)a; return (%s)(v < %s ? %[3]s : v > %s ? %[4]s : v)", from.c, to.c, low, high)
}
