package num

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// edges are operands at which integer operations go wrong.
var edges = []uint64{
	0, 1, 2, 3, 5, 31, 32, 33, 63, 64, 255, 256, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffff, 0x800000, 0xffffff,
	0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff, 0xaaaaaaaaaaaaaaaa, 0x5555555555555555,
}

// draw is an edge value, a small number, or random bits.
func draw(rng *rand.Rand) uint64 {
	switch rng.IntN(3) {
	case 0:
		return edges[rng.IntN(len(edges))]
	case 1:
		return uint64(rng.IntN(70)) - 3
	}
	return rng.Uint64()
}

// wrap is the low bits of x as an unsigned number.
func wrap(x *big.Int, bits uint) uint64 {
	m := new(big.Int).Lsh(big.NewInt(1), bits)
	return new(big.Int).Mod(x, m).Uint64()
}

// signedBig and unsignedBig read the low bits of v.
func signedBig(v uint64, bits uint) *big.Int {
	x := unsignedBig(v, bits)
	if x.Bit(int(bits-1)) == 1 {
		x.Sub(x, new(big.Int).Lsh(big.NewInt(1), bits))
	}
	return x
}

func unsignedBig(v uint64, bits uint) *big.Int {
	return new(big.Int).SetUint64(v << (64 - bits) >> (64 - bits))
}

func hexOf(a ...uint64) []uint64 { return a }

// TestIntegerArithmetic compares with big integers.
func TestIntegerArithmetic(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 15000 {
		a, b, c := draw(rng), draw(rng), draw(rng)
		check := func(name string, got uint64, want *big.Int, bits uint) {
			t.Helper()
			if w := wrap(want, bits); got != w {
				t.Fatalf("%s %x = %x, want %x", name, hexOf(a, b, c), got, w)
			}
		}
		mul := func(read func(uint64, uint) *big.Int, bits uint) *big.Int {
			return new(big.Int).Mul(read(a, bits), read(b, bits))
		}
		check("mul.hi.u16", uint64(MulHiU16(uint16(a), uint16(b))), new(big.Int).Rsh(mul(unsignedBig, 16), 16), 16)
		check("mul.hi.s16", uint64(uint16(MulHiS16(int16(a), int16(b)))), new(big.Int).Rsh(mul(signedBig, 16), 16), 16)
		check("mul.hi.u32", uint64(MulHiU32(uint32(a), uint32(b))), new(big.Int).Rsh(mul(unsignedBig, 32), 32), 32)
		check("mul.hi.s32", uint64(uint32(MulHiS32(int32(a), int32(b)))), new(big.Int).Rsh(mul(signedBig, 32), 32), 32)
		check("mul.hi.u64", MulHiU64(a, b), new(big.Int).Rsh(mul(unsignedBig, 64), 64), 64)
		check("mul.hi.s64", uint64(MulHiS64(int64(a), int64(b))), new(big.Int).Rsh(mul(signedBig, 64), 64), 64)
		check("mul24.lo.u32", uint64(Mul24(uint32(a), uint32(b), false, false)), mul(unsignedBig, 24), 32)
		check("mul24.lo.s32", uint64(Mul24(uint32(a), uint32(b), true, false)), mul(signedBig, 24), 32)
		check("mul24.hi.u32", uint64(Mul24(uint32(a), uint32(b), false, true)), new(big.Int).Rsh(mul(unsignedBig, 24), 16), 32)
		check("mul24.hi.s32", uint64(Mul24(uint32(a), uint32(b), true, true)), new(big.Int).Rsh(mul(signedBig, 24), 16), 32)

		sad := func(read func(uint64, uint) *big.Int, bits uint) *big.Int {
			d := new(big.Int).Sub(read(a, bits), read(b, bits))
			return d.Add(d.Abs(d), read(c, bits))
		}
		check("sad.u32", uint64(Sad(uint32(a), uint32(b), uint32(c))), sad(unsignedBig, 32), 32)
		check("sad.s32", uint64(uint32(Sad(int32(a), int32(b), int32(c)))), sad(signedBig, 32), 32)
		check("sad.s16", uint64(uint16(Sad(int16(a), int16(b), int16(c)))), sad(signedBig, 16), 16)
		check("sad.s64", uint64(Sad(int64(a), int64(b), int64(c))), sad(signedBig, 64), 64)

		if uint32(b) != 0 {
			check("div.u32", uint64(Div(uint32(a), uint32(b))), new(big.Int).Quo(unsignedBig(a, 32), unsignedBig(b, 32)), 32)
			check("div.s32", uint64(uint32(Div(int32(a), int32(b)))), new(big.Int).Quo(signedBig(a, 32), signedBig(b, 32)), 32)
			check("rem.s32", uint64(uint32(Rem(int32(a), int32(b)))), new(big.Int).Rem(signedBig(a, 32), signedBig(b, 32)), 32)
		}
		if b != 0 {
			check("div.s64", uint64(Div(int64(a), int64(b))), new(big.Int).Quo(signedBig(a, 64), signedBig(b, 64)), 64)
			check("rem.u64", Rem(a, b), new(big.Int).Rem(unsignedBig(a, 64), unsignedBig(b, 64)), 64)
		}
		if uint16(b) != 0 {
			check("div.s16", uint64(uint16(Div(int16(a), int16(b)))), new(big.Int).Quo(signedBig(a, 16), signedBig(b, 16)), 16)
		}

		carry := c&1 != 0
		cin := new(big.Int).SetUint64(c & 1)
		s32, c32 := Add32(uint32(a), uint32(b), carry)
		sum := new(big.Int).Add(unsignedBig(a, 32), unsignedBig(b, 32))
		sum.Add(sum, cin)
		check("addc.u32", uint64(s32), sum, 32)
		if c32 != (sum.Bit(32) == 1) {
			t.Fatalf("addc.u32 %x carry %v", hexOf(a, b, c), c32)
		}
		d64, b64 := Sub64(a, b, carry)
		diff := new(big.Int).Sub(unsignedBig(a, 64), unsignedBig(b, 64))
		diff.Sub(diff, cin)
		check("subc.u64", d64, diff, 64)
		if b64 != (diff.Sign() < 0) {
			t.Fatalf("subc.u64 %x borrow %v", hexOf(a, b, c), b64)
		}
		s64, c64 := Add64(a, b, carry)
		sum = new(big.Int).Add(unsignedBig(a, 64), unsignedBig(b, 64))
		sum.Add(sum, cin)
		check("addc.u64", s64, sum, 64)
		if c64 != (sum.Bit(64) == 1) {
			t.Fatalf("addc.u64 %x carry %v", hexOf(a, b, c), c64)
		}
		d32, b32 := Sub32(uint32(a), uint32(b), carry)
		diff = new(big.Int).Sub(unsignedBig(a, 32), unsignedBig(b, 32))
		diff.Sub(diff, cin)
		check("subc.u32", uint64(d32), diff, 32)
		if b32 != (diff.Sign() < 0) {
			t.Fatalf("subc.u32 %x borrow %v", hexOf(a, b, c), b32)
		}

		dot := unsignedBig(c, 32)
		dot2 := unsignedBig(c, 32)
		for i := range uint(4) {
			dot.Add(dot, new(big.Int).Mul(signedBig(a>>(8*i), 8), unsignedBig(b>>(8*i), 8)))
		}
		for i := range uint(2) {
			dot2.Add(dot2, new(big.Int).Mul(unsignedBig(a>>(16*i), 16), signedBig(b>>(16+8*i), 8)))
		}
		check("dp4a.s32.u32", uint64(Dp4a(uint32(a), uint32(b), uint32(c), true, false)), dot, 32)
		check("dp2a.hi.u32.s32", uint64(Dp2a(uint32(a), uint32(b), uint32(c), false, true, true)), dot2, 32)
	}
}

// TestIntegerEdges pins what the manual leaves to the machine.
func TestIntegerEdges(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want uint64
	}{
		{"div.u32 by 0", uint64(Div(uint32(7), 0)), 0xffffffff},
		{"div.s64 by 0", uint64(Div(int64(7), 0)), 0xffffffffffffffff},
		{"rem.u32 by 0", uint64(Rem(uint32(7), 0)), 7},
		{"div.s32 min/-1", uint64(uint32(Div(int32(-1<<31), -1))), 0x80000000},
		{"rem.s32 min/-1", uint64(Rem(int32(-1<<31), -1)), 0},
		{"div.s16 min/-1", uint64(uint16(Div(int16(-1<<15), -1))), 0x8000},
		{"rem.s32 sign of dividend", uint64(uint32(Rem(int32(-7), 3))), 0xffffffff},
		{"abs.s32 min", uint64(uint32(Abs(int32(-1 << 31)))), 0x80000000},
		{"abs.s16 min", uint64(uint16(Abs(int16(-1 << 15)))), 0x8000},
		{"sat high", uint64(uint32(SatS32(1 << 31))), 0x7fffffff},
		{"sat low", uint64(uint32(SatS32(-1<<31 - 1))), 0x80000000},
	} {
		if c.got != c.want {
			t.Errorf("%s = %x, want %x", c.name, c.got, c.want)
		}
	}
}

// Reference versions of the bit-field instructions: the manual's pseudo-code.

func bit(v uint64, i int) uint64 { return v >> i & 1 }

func refBfe(a uint64, b, c uint32, msb int, signed bool) uint64 {
	pos, n := int(b&0xff), int(c&0xff)
	var sbit, d uint64
	if signed && n != 0 {
		sbit = bit(a, min(pos+n-1, msb))
	}
	for i := 0; i <= msb; i++ {
		v := sbit
		if i < n && pos+i <= msb {
			v = bit(a, pos+i)
		}
		d |= v << i
	}
	return d
}

func refBfi(a, b uint64, c, d uint32, msb int) uint64 {
	pos, n := int(c&0xff), int(d&0xff)
	f := b
	for i := 0; i < n && pos+i <= msb; i++ {
		f = f&^(1<<(pos+i)) | bit(a, i)<<(pos+i)
	}
	return f
}

func refBmsk(a, b uint32, clamp bool) uint32 {
	a1, b1 := a&31, b&31
	mask0 := ^uint32(0) << a1
	sum := a1 + b1
	mask1 := ^uint32(0) << sum
	over := sum >= 32
	if clamp && a >= 32 {
		over, mask0 = true, 0
	}
	if clamp && b >= 32 {
		over = true
	}
	if over {
		mask1 = 0
	}
	return mask0 &^ mask1
}

func refSzext(a, b uint32, signed, clamp bool) uint32 {
	b1 := b & 31
	large := b >= 32 && clamp
	mask := ^uint32(0) << b1
	if large {
		mask = 0
	}
	sign := a >> ((b1 - 1) & 31) & 1
	if b1 == 0 || large || !signed {
		sign = 0
	}
	d := a &^ mask
	if sign != 0 {
		d |= mask
	}
	return d
}

func refFns(mask, base uint32, offset int32) uint32 {
	if offset == 0 {
		if base < 32 && mask>>base&1 == 1 {
			return base
		}
		return 0xffffffff
	}
	pos, count, inc := int64(base), int64(offset)-1, int64(1)
	if offset < 0 {
		count, inc = -int64(offset)-1, -1
	}
	for pos >= 0 && pos < 32 {
		if mask>>pos&1 == 1 {
			if count == 0 {
				return uint32(pos)
			}
			count--
		}
		pos += inc
	}
	return 0xffffffff
}

func refBfind(a uint64, msb int, signed, shiftamt bool) uint32 {
	if signed && bit(a, msb) == 1 {
		a = ^a
	}
	for i := msb; i >= 0; i-- {
		if bit(a, i) == 1 {
			if shiftamt {
				return uint32(msb - i)
			}
			return uint32(i)
		}
	}
	return 0xffffffff
}

// TestBits compares the bit-field instructions with the manual's pseudo-code.
func TestBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for range 15000 {
		a, b := draw(rng), draw(rng)
		c, d := uint32(draw(rng)), uint32(draw(rng))
		a32, b32 := uint32(a), uint32(b)
		for _, yes := range []bool{false, true} {
			check := func(name string, got, want uint64) {
				t.Helper()
				if got != want {
					t.Fatalf("%s(%v) %x %x %x %x = %x, want %x", name, yes, a, b, c, d, got, want)
				}
			}
			check("bfe32", uint64(Bfe32(a32, c, d, yes)), refBfe(uint64(a32), c, d, 31, yes))
			check("bfe64", Bfe64(a, c, d, yes), refBfe(a, c, d, 63, yes))
			check("bfi32", uint64(Bfi32(a32, b32, c, d)), refBfi(uint64(a32), uint64(b32), c, d, 31))
			check("bfi64", Bfi64(a, b, c, d), refBfi(a, b, c, d, 63))
			check("bmsk", uint64(Bmsk(c, d, yes)), uint64(refBmsk(c, d, yes)))
			check("szext.s32", uint64(Szext(a32, c, true, yes)), uint64(refSzext(a32, c, true, yes)))
			check("szext.u32", uint64(Szext(a32, c, false, yes)), uint64(refSzext(a32, c, false, yes)))
			check("fns", uint64(Fns(a32, c, int32(d))), uint64(refFns(a32, c, int32(d))))
			check("bfind.u32", uint64(Bfind(uint64(a32), 32, false, yes)), uint64(refBfind(uint64(a32), 31, false, yes)))
			check("bfind.s32", uint64(Bfind(uint64(int64(int32(a32))), 32, true, yes)), uint64(refBfind(uint64(a32), 31, true, yes)))
			check("bfind.s64", uint64(Bfind(a, 64, true, yes)), uint64(refBfind(a, 63, true, yes)))
			n := c
			if yes {
				n &= 31
			}
			n = min(n, 32)
			left, right := uint64(b32)<<n|uint64(a32)>>(32-n), uint64(b32)<<(32-n)|uint64(a32)>>n
			check("shf.l", uint64(Shf(a32, b32, c, true, yes)), left&0xffffffff)
			check("shf.r", uint64(Shf(a32, b32, c, false, yes)), right&0xffffffff)
		}
		lut := uint32(rng.IntN(256))
		var want uint32
		for i := range 32 {
			idx := a32>>i&1<<2 | b32>>i&1<<1 | c>>i&1
			want |= lut >> idx & 1 << i
		}
		if got := Lop3(a32, b32, c, lut); got != want {
			t.Fatalf("lop3 %x %x %x lut %x = %x, want %x", a32, b32, c, lut, got, want)
		}
	}
	if Lop3(0xF0, 0xCC, 0xAA, 0x80)&0xff != 0x80 { // the manual's way to make tables: a & b & c
		t.Error("lop3 table order")
	}
}

// TestPrmt checks every mode against the manual's table, bytes being numbered
// 7..0 over b:a.
func TestPrmt(t *testing.T) {
	const a, b = 0x83020100, 0x87060504 // byte i holds i, bytes 3 and 7 are negative
	for _, c := range []struct {
		mode PrmtMode
		c    uint32
		want uint32
	}{
		{PrmtIndex, 0x3210, 0x83020100},
		{PrmtIndex, 0x7654, 0x87060504},
		{PrmtIndex, 0x0123, 0x00010283},
		{PrmtIndex, 0xb8fb, 0xff00ffff},
		{PrmtIndex, 0xffff3210, 0x83020100},
		{PrmtF4E, 0, 0x83020100},
		{PrmtF4E, 1, 0x04830201},
		{PrmtF4E, 2, 0x05048302},
		{PrmtF4E, 3, 0x06050483},
		{PrmtB4E, 0, 0x05068700},
		{PrmtB4E, 1, 0x06870001},
		{PrmtB4E, 2, 0x87000102},
		{PrmtB4E, 3, 0x00010283},
		{PrmtRC8, 0, 0x00000000},
		{PrmtRC8, 1, 0x01010101},
		{PrmtRC8, 2, 0x02020202},
		{PrmtRC8, 3, 0x83838383},
		{PrmtECL, 0, 0x83020100},
		{PrmtECL, 1, 0x83020101},
		{PrmtECL, 2, 0x83020202},
		{PrmtECL, 3, 0x83838383},
		{PrmtECR, 0, 0x00000000},
		{PrmtECR, 1, 0x01010100},
		{PrmtECR, 2, 0x02020100},
		{PrmtECR, 3, 0x83020100},
		{PrmtRC16, 0, 0x01000100},
		{PrmtRC16, 1, 0x83028302},
		{PrmtRC16, 2, 0x01000100},
		{PrmtRC16, 7, 0x83028302},
	} {
		if got := Prmt(a, b, c.c, c.mode); got != c.want {
			t.Errorf("prmt mode %d %x = %08x, want %08x", c.mode, c.c, got, c.want)
		}
	}
}

// TestConvertInt compares integer conversions with big integers.
func TestConvertInt(t *testing.T) {
	types := []Int{{8, false}, {8, true}, {16, false}, {16, true}, {32, false}, {32, true}, {64, false}, {64, true}}
	rng := rand.New(rand.NewPCG(9, 9))
	read := func(ty Int, v uint64) *big.Int {
		if ty.Signed {
			return signedBig(v, ty.Bits)
		}
		return unsignedBig(v, ty.Bits)
	}
	for range 800 {
		v := draw(rng)
		for _, from := range types {
			for _, to := range types {
				x := read(from, v)
				want := read(to, wrap(x, to.Bits))
				if got := from.Convert(v, to, false); got != wrap(want, 64) {
					t.Fatalf("cvt %v <- %v %x = %x, want %x", to, from, v, got, want)
				}
				lo, hi := big.NewInt(0), new(big.Int).Lsh(big.NewInt(1), to.Bits)
				if to.Signed {
					hi.Rsh(hi, 1)
					lo.Neg(hi)
				}
				hi.Sub(hi, big.NewInt(1))
				if x.Cmp(lo) < 0 {
					x = lo
				} else if x.Cmp(hi) > 0 {
					x = hi
				}
				if got := from.Convert(v, to, true); got != wrap(x, 64) {
					t.Fatalf("cvt.sat %v <- %v %x = %x, want %x", to, from, v, got, x)
				}
			}
			for _, f := range allFormats {
				if f == TF32 {
					continue
				}
				for _, r := range directions[:4] {
					got := f.FromInt(from.Extend(v), from.Signed, r)
					want := refRound(exact().SetInt(read(from, v)), false, refs[f], r)
					if got != want {
						t.Fatalf("cvt.%s <- %v %x mode %d = %x, want %x", refs[f].name, from, v, r, got, want)
					}
				}
			}
		}
	}
}

// TestConvertFloatToInt compares with exact rounding and clamping, and checks the
// results for NaN.
func TestConvertFloatToInt(t *testing.T) {
	types := []Int{{8, false}, {8, true}, {16, false}, {16, true}, {32, false}, {32, true}, {64, false}, {64, true}}
	rng := rand.New(rand.NewPCG(10, 9))
	for range 800 {
		for _, f := range allFormats {
			rf := refs[f]
			v := sample(rng, rf)
			if rng.IntN(2) == 0 { // about as large as the integers are
				v = f.FromInt(draw(rng)>>rng.IntN(64), true, RZ)
			}
			if !isFinite(v, rf) {
				continue
			}
			x := refValue(v, rf)
			for _, ty := range types {
				for _, r := range directions[:4] {
					want := clampInt(roundInt(x, r), ty)
					if got := ty.FromFloat(f, v, r, false); got != want {
						t.Fatalf("cvt %v <- %s %x mode %d = %x, want %x", ty, rf.name, v, r, got, want)
					}
				}
			}
		}
	}
	for _, c := range []struct {
		to   Int
		f    *Format
		v    uint64
		want uint64
	}{
		{Int{32, true}, F32, 0x7fffffff, 0},
		{Int{32, false}, F32, 0xffc00000, 0},
		{Int{64, true}, F32, 0x7fffffff, 1 << 63},
		{Int{32, true}, F64, 0x7ff8000000000000, 0xffffffff80000000},
		{Int{16, false}, F64, 0x7ff8000000000000, 0x8000},
		{Int{32, true}, F32, 0x7f800000, 0x7fffffff},
		{Int{32, true}, F32, 0xff800000, 0xffffffff80000000},
		{Int{8, false}, F16, 0x7c00, 0xff},
		{Int{64, false}, F64, 0xfff0000000000000, 0},
	} {
		if got := c.to.FromFloat(c.f, c.v, RZ, false); got != c.want {
			t.Errorf("cvt %v <- %s %x = %x, want %x", c.to, refs[c.f].name, c.v, got, c.want)
		}
	}
	if got := (Int{32, false}).FromFloat(F32, 1, RP, true); got != 0 {
		t.Errorf("cvt.rpi.ftz.u32.f32 of a subnormal = %d", got)
	}
	if got := (Int{32, false}).FromFloat(F32, 1, RP, false); got != 1 {
		t.Errorf("cvt.rpi.u32.f32 of a subnormal = %d", got)
	}
}

// roundInt rounds x to an integer.
func roundInt(x *big.Float, r Rounding) *big.Int {
	n, _ := x.Int(nil) // towards zero
	frac := exact().Sub(x, exact().SetInt(n))
	away := big.NewInt(int64(x.Sign()))
	half := frac.Abs(frac).Cmp(big.NewFloat(0.5))
	switch {
	case r == RN && (half > 0 || half == 0 && n.Bit(0) == 1),
		r == RM && x.Sign() < 0 && frac.Sign() != 0,
		r == RP && x.Sign() > 0 && frac.Sign() != 0:
		n.Add(n, away)
	}
	return n
}

func clampInt(n *big.Int, ty Int) uint64 {
	lo, hi := big.NewInt(0), new(big.Int).Lsh(big.NewInt(1), ty.Bits)
	if ty.Signed {
		hi.Rsh(hi, 1)
		lo.Neg(hi)
	}
	hi.Sub(hi, big.NewInt(1))
	switch {
	case n.Cmp(lo) < 0:
		n = lo
	case n.Cmp(hi) > 0:
		n = hi
	}
	return wrap(n, 64)
}

// TestPack checks cvt.pack.
func TestPack(t *testing.T) {
	neg := func(v int32) uint32 { return uint32(v) }
	for _, c := range []struct {
		t       Int
		a, b, c uint32
		want    uint32
	}{
		{Int{16, true}, 40000, neg(-40000), 0, 0x7fff8000},
		{Int{16, false}, neg(-1), 70000, 0, 0x0000ffff},
		{Int{8, false}, 300, 5, 0x1234abcd, 0xabcdff05},
		{Int{8, true}, neg(-200), 100, 0xffff, 0xffff8064},
		{Int{4, true}, 9, neg(-9), 0x00654321, 0x65432178},
		{Int{2, false}, 9, 1, 0x0fffffff, 0xfffffffd},
	} {
		if got := c.t.Pack(c.a, c.b, c.c); got != c.want {
			t.Errorf("cvt.pack %v %x %x %x = %08x, want %08x", c.t, c.a, c.b, c.c, got, c.want)
		}
	}
}

// TestCompare checks every operator on ordered and unordered operands.
func TestCompare(t *testing.T) {
	nan := F32.Float64(0x7fffffff)
	want := map[string][4]bool{ // 1?2, 2?1, 1?1, 1?NaN
		"eq": {false, false, true, false}, "ne": {true, true, false, false}, "lt": {true, false, false, false}, "le": {true, false, true, false},
		"gt": {false, true, false, false}, "ge": {false, true, true, false}, "equ": {false, false, true, true}, "neu": {true, true, false, true},
		"ltu": {true, false, false, true}, "leu": {true, false, true, true}, "gtu": {false, true, false, true}, "geu": {false, true, true, true},
		"num": {true, true, true, false}, "nan": {false, false, false, true},
	}
	for name, w := range want {
		op, ok := CmpOf(name)
		got := [4]bool{Compare(op, 1.0, 2.0), Compare(op, 2.0, 1.0), Compare(op, 1.0, 1.0), Compare(op, 1.0, nan)}
		if !ok || got != w {
			t.Errorf("%s = %v, want %v", name, got, w)
		}
	}
	for name, same := range map[string]string{"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"} {
		a, _ := CmpOf(name)
		b, _ := CmpOf(same)
		if a != b {
			t.Errorf("%s is not %s", name, same)
		}
	}
	if lo, _ := CmpOf("lt"); Compare(lo, int32(-1), 1) == Compare(lo, uint32(0xffffffff), 1) {
		t.Error("signed and unsigned comparisons agree on -1 < 1")
	}
}
