package emu

import (
	"math"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu/internal/program"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// Conversions with random bits, and those from and to powers of two and fixed point (PTX ISA
// 9.7.9.21, 5.2.3 and 5.2.4).

// scaleOf is the factor in the byte at a bit of the last operand, 1 when there is none.
func scaleOf(v []uint64, at uint) float64 {
	if len(v) == 0 {
		return 1
	}
	return powerOfTwo(v[0] >> at & 0xff)
}

// powerOfTwo is a number of ue8m0.
func powerOfTwo(code uint64) float64 {
	if code == 0xff {
		return math.NaN()
	}
	x := 1.0
	for ; code > 127; code-- {
		x *= 2
	}
	for ; code < 127; code++ {
		x /= 2
	}
	return x
}

// eachSpelling calls f for the spellings of the forms of cvt that have a modifier.
func eachSpelling(mod string, f func(s *specimen)) {
	in, _ := isa.Lookup("cvt")
	for _, form := range in.Forms {
		for _, mods := range form.Spellings() {
			d, err := in.Decode(mods, len(form.Operands))
			if s := (&specimen{in, mods, d}); err == nil && d.Form == form && program.NotEmulated(d) == "" && s.has(mod) {
				f(s)
			}
		}
	}
}

// interesting are f32 at which conversions to powers of two and s2f6 change, of both signs.
func interesting() []uint64 {
	var list []uint64
	for exp := uint64(0); exp < 256; exp += 5 {
		for _, m := range []uint64{0, 1, 0x3fffff, 0x400000, 0x400001, 0x7fffff} {
			list = append(list, exp<<23|m)
		}
	}
	for n := 0.0; n <= 130; n += 0.5 {
		x := uint64(math.Float32bits(float32(n / 64)))
		list = append(list, x, x+1, max(x, 1)-1)
	}
	list = append(list, 0x7f000000, 0x7f000001, 0x7f7fffff, 0x7f800000, 0x7fc00000, 0x00200000, 0x00400000, 0x00400001)
	for _, v := range list[:len(list):len(list)] {
		list = append(list, v|1<<31)
	}
	return list
}

// TestConformanceScales converts to and from ue8m0.
func TestConformanceScales(t *testing.T) {
	toScale := func(s *specimen, x float64) uint64 {
		x = math.Abs(x)
		switch {
		case x != x:
			return 0xff
		case s.has("rz"):
			for code := uint64(0xfe); code > 0; code-- {
				if powerOfTwo(code) <= x && (!math.IsInf(x, 0) || s.has("satfinite")) {
					return code
				}
			}
			if math.IsInf(x, 0) {
				return 0xff
			}
			return 0
		}
		for code := uint64(0); code < 0xff; code++ {
			if powerOfTwo(code) >= x {
				return code
			}
		}
		if s.has("satfinite") {
			return 0xfe
		}
		return 0xff
	}
	eachSpelling("ue8m0x2", func(s *specimen) {
		c := form{text: s.String() + " $d, $a", args: "16 32"}
		var tuples [][]uint64
		bits := interesting()
		switch {
		case s.has("f32"):
			c = form{text: s.String() + " $d, $a, $b", args: "16 f32 f32", want: func(v []uint64) uint64 {
				return toScale(s, f32v(v[0]))<<8 | toScale(s, f32v(v[1]))
			}}
			for i, v := range bits {
				tuples = append(tuples, []uint64{v, bits[(i*7+3)%len(bits)]})
			}
		case strings.HasSuffix(s.String(), "bf16x2"):
			c.want = func(v []uint64) uint64 {
				return toScale(s, f32v(v[0]&0xffff0000))<<8 | toScale(s, f32v(v[0]<<16&0xffff0000))
			}
			for i, v := range bits {
				tuples = append(tuples, []uint64{v | bits[(i*7+3)%len(bits)]>>16})
			}
		default:
			c.args = "32 16"
			to := realFormats[isa.BF16]
			widen := func(code uint64) uint64 {
				if code == 0xff {
					return to.nan
				}
				return to.write(realOfFloat(powerOfTwo(code)), "rn")
			}
			c.want = func(v []uint64) uint64 { return widen(v[0]>>8&0xff)<<16 | widen(v[0]&0xff) }
			for code := range uint64(256) {
				tuples = append(tuples, []uint64{code<<8 | (code*5+3)&0xff})
			}
		}
		c.check(t, tuples)
	})
}

// TestConformanceFixed converts to and from s2f6.
func TestConformanceFixed(t *testing.T) {
	toFixed := func(s *specimen, x float64) uint64 {
		if x != x {
			return 127
		}
		x = max(min(x, 4), -4) // beyond the range, where all distances would be the same
		best, distance := 0, math.Inf(1)
		for code := -128; code <= 127; code++ {
			if d := math.Abs(x*64 - float64(code)); d < distance || d == distance && code%2 == 0 {
				best, distance = code, d
			}
		}
		if s.has("relu") {
			best = max(best, 0)
		}
		return uint64(best) & 0xff
	}
	eachSpelling("s2f6x2", func(s *specimen) {
		c := form{text: s.String() + " $d, $a", args: "16 32"}
		var tuples [][]uint64
		bits := interesting()
		switch {
		case s.has("f32"):
			c = form{text: s.String() + " $d, $a, $b", args: "16 f32 f32", want: func(v []uint64) uint64 {
				return toFixed(s, f32v(v[0])/scaleOf(v[2:], 8))<<8 | toFixed(s, f32v(v[1])/scaleOf(v[2:], 0))
			}}
			for i, v := range bits {
				tuples = append(tuples, []uint64{v, bits[(i*7+3)%len(bits)]})
			}
		case strings.HasSuffix(s.String(), "bf16x2"):
			c.want = func(v []uint64) uint64 {
				return toFixed(s, f32v(v[0]&0xffff0000)/scaleOf(v[1:], 8))<<8 | toFixed(s, f32v(v[0]<<16&0xffff0000)/scaleOf(v[1:], 0))
			}
			for i, v := range bits {
				tuples = append(tuples, []uint64{v | bits[(i*7+3)%len(bits)]>>16})
			}
		default:
			c.args = "32 16"
			to := realFormats[isa.BF16]
			widen := func(code uint64, scale float64) uint64 {
				if scale != scale {
					return to.nan
				}
				return s.finish(to, s.finite(to, to.write(realOfFloat(float64(int8(code))/64*scale), "rn")))
			}
			c.want = func(v []uint64) uint64 {
				return widen(v[0]>>8, scaleOf(v[1:], 8))<<16 | widen(v[0], scaleOf(v[1:], 0))
			}
			for code := range uint64(256) {
				tuples = append(tuples, []uint64{code<<8 | (code*5+3)&0xff})
			}
		}
		if s.has("scaled::n2::ue8m0") {
			c.text += ", $" + string("abc"[len(tuples[0])])
			c.args += " 16"
			for i := range tuples {
				tuples[i] = append(tuples[i], []uint64{0x7f7f, 0x807e, 0x7d85, 0xff00, 0x00fe, 0xfe01}[i%6])
			}
		}
		c.check(t, tuples)
	})
}

// randomFormat is a format that conversions with .rs give.
type randomFormat struct {
	mant uint // bits of mantissa
	emin int  // exponent of the least normal number
	max  uint64
	inf  uint64 // infinity, the greatest number where there is none
	nan  uint64
	bits uint // width of a number in the result
	// from is the position of the random bits of each number, n how many they are.
	from []uint
	n    uint
}

var randomFormats = map[string]*randomFormat{
	"f16x2":  {10, -14, 0x7bff, 0x7c00, 0x7fff, 16, []uint{16, 0}, 13},
	"bf16x2": {7, -126, 0x7f7f, 0x7f80, 0x7fff, 16, []uint{16, 0}, 16},
	"e4m3x4": {3, -6, 0x7e, 0x7e, 0x7f, 8, []uint{16, 16, 0, 0}, 16},
	"e5m2x4": {2, -14, 0x7b, 0x7b, 0x7f, 8, []uint{16, 16, 0, 0}, 16},
	"e2m3x4": {3, 0, 0x1f, 0x1f, 0x1f, 8, []uint{16, 16, 0, 0}, 16},
	"e3m2x4": {2, -2, 0x1f, 0x1f, 0x1f, 8, []uint{16, 16, 0, 0}, 16},
	"e2m1x4": {1, 0, 0x7, 0x7, 0x7, 4, []uint{24, 8, 16, 0}, 8},
}

// round adds the random bits to the discarded bits of the mantissa of an f32, as integers.
func (f *randomFormat) round(s *specimen, v, random uint64) uint64 {
	sign, e, m := v>>31&1, int(v>>23&0xff), v&(1<<23-1)
	signBit := sign << (map[bool]uint{true: 5, false: f.bits - 1}[f.max == 0x1f])
	most := f.max
	if !s.has("satfinite") {
		most = f.inf
	}
	switch {
	case e == 0xff && m != 0:
		return f.nan
	case sign != 0 && s.has("relu"):
		return 0
	case e == 0xff:
		return signBit | most
	case e != 0:
		m |= 1 << 23
	}
	e = max(e, 1) - 127 // the number is m * 2^(e-23)
	drop := 23 - int(f.mant) + max(f.emin-e, 0)
	kept, carry := uint64(0), uint64(0)
	if drop < 64 {
		kept = m >> drop
	}
	discarded := m
	if drop < 64 {
		discarded = m & (1<<drop - 1)
	}
	if align := drop - int(f.n); align < 64 {
		carry = (discarded>>align + random) >> f.n
	}
	code := kept + carry
	if e >= f.emin {
		code += uint64(e-f.emin) << f.mant
	}
	if code > f.max {
		code = most
	}
	return signBit | code
}

// TestConformanceStochastic converts with .rs: with random bits of zeros and ones, and with those
// that just carry and just do not.
func TestConformanceStochastic(t *testing.T) {
	eachSpelling("rs", func(s *specimen) {
		name := s.one("f16x2", "bf16x2", "e4m3x4", "e5m2x4", "e2m3x4", "e3m2x4", "e2m1x4")
		f := randomFormats[name]
		args := map[int]string{2: "32 f32 f32 32", 4: "32 64 64 32"}[len(f.from)]
		c := form{text: s.String() + " $d, $a, $b, $c", args: args}
		if len(f.from) == 4 {
			c.text = "mov.b64 {%f1, %f2}, $a; mov.b64 {%f3, %f4}, $b; " + s.String() + " $d, {%f2, %f1, %f4, %f3}, $c"
		}
		if name == "e2m1x4" {
			c.args = "16 64 64 32"
		}
		c.want = func(v []uint64) uint64 {
			r := uint64(0)
			for k, from := range f.from {
				x := v[k%2]
				if len(f.from) == 4 {
					x = v[k/2] >> (32 - 32*(k%2)) & 0xffffffff
				}
				r = r<<f.bits | f.round(s, x, v[2]>>from&(1<<f.n-1))
			}
			return r
		}
		var tuples [][]uint64
		list := f.borders()
		at := func(i int) uint64 { return list[i%len(list)] }
		for i := range list {
			// Bits that make the first number carry just so, and one less.
			exact := (1<<f.n - at(i)>>(23-f.mant-min(f.n, 23-f.mant))&(1<<f.n-1)) & (1<<f.n - 1) << f.from[0]
			for _, random := range []uint64{0, 0xffffffff, exact, exact - 1, uint64(i) * 0x9e3779b97f4a7c15 >> 32} {
				v := []uint64{at(i), at(i*7 + 5), random & 0xffffffff}
				if len(f.from) == 4 {
					v = []uint64{at(i)<<32 | at(i*7+5), at(i*3+1)<<32 | at(i*11+2), random & 0xffffffff}
				}
				tuples = append(tuples, v)
			}
		}
		c.check(t, tuples)
	})
}

// borders are f32 around numbers of the format, of both signs.
func (f *randomFormat) borders() []uint64 {
	list := []uint64{0, 1, 0x007fffff, 0x00800000, 0x7f7fffff, 0x7f800000, 0x7fc00000}
	step := max(1, f.max/60)
	for code := uint64(0); code <= f.max+1; code += step {
		e, m := int(code>>f.mant), float64(code&(1<<f.mant-1))
		if e != 0 {
			m += math.Ldexp(1, int(f.mant))
		}
		v := uint64(math.Float32bits(float32(math.Ldexp(m, max(e, 1)-1+f.emin-int(f.mant)))))
		list = append(list, v, v+1, max(v, 1)-1, v+0x123456, v+0x0ff000)
	}
	for i, v := range list {
		if i%2 == 1 {
			list[i] = v | 1<<31
		}
	}
	return list
}
