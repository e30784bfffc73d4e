package emu

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu/internal/program"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// Conversions from and to the formats of 8 bits and fewer, two at a time, and to tf32 (PTX ISA
// 9.7.9.21 and 5.2.3, "Alternate Floating-Point Data Formats").

// narrowFormat is a format whose numbers are few enough to list.
type narrowFormat struct {
	bits, mant uint // of which bits of mantissa
	emin       int  // exponent of the least normal number
	largest    uint64
	nan        uint64 // result for NaN: the greatest number if the format has no NaN
}

var narrowFormats = map[string]*narrowFormat{
	"e4m3x2": {8, 3, -6, 0x7e, 0x7f},
	"e5m2x2": {8, 2, -14, 0x7b, 0x7f},
	"e2m3x2": {6, 3, 0, 0x1f, 0x1f},
	"e3m2x2": {6, 2, -2, 0x1f, 0x1f},
	"e2m1x2": {4, 1, 0, 0x7, 0x7},
	"tf32":   {19, 10, -126, 0x3fbff, 0x3ffff},
}

// value is a number of the format, without its sign.
func (f *narrowFormat) value(code uint64) float64 {
	e, m := int(code>>f.mant), float64(code&(1<<f.mant-1))
	if e == 0 {
		return math.Ldexp(m, f.emin-int(f.mant))
	}
	return math.Ldexp(m+float64(uint64(1)<<f.mant), e-1+f.emin-int(f.mant))
}

// nearest returns the code of the number nearest to x, of two the even one, or with rz the next one towards zero;
// numbers beyond the largest become the largest.
func (f *narrowFormat) nearest(x float64, rnd string) uint64 {
	sign := uint64(0)
	if math.Signbit(x) {
		sign, x = 1<<(f.bits-1), -x
	}
	lo, hi := uint64(0), f.largest
	if x >= f.value(hi) {
		return sign | hi
	}
	for hi-lo > 1 { // value(lo) <= x < value(hi)
		if mid := (lo + hi) / 2; f.value(mid) <= x {
			lo = mid
		} else {
			hi = mid
		}
	}
	below, above := x-f.value(lo), f.value(hi)-x // exact: they have no more bits than x
	if rnd == "rn" && (above < below || above == below && lo&1 != 0) {
		lo = hi
	}
	return sign | lo
}

// narrowed is one number converted to the format.
func (s *specimen) narrowed(f *narrowFormat, x float64) uint64 {
	switch {
	case x != x:
		return f.nan
	case s.has("relu") && math.Signbit(x):
		return 0
	}
	return f.nearest(x, s.rounding())
}

// widened is one number of the format converted to f16 or bf16, which have all of them, times a
// power of two, which bf16 may have and rounds.
func (s *specimen) widened(f *narrowFormat, code uint64, scale float64) uint64 {
	sign, abs := code>>(f.bits-1)&1, code&(1<<(f.bits-1)-1)
	to := realFormats[isa.F16]
	if s.has("bf16x2") {
		to = realFormats[isa.BF16]
	}
	switch {
	case abs > f.largest && abs == f.largest+1 && f.mant == 2 && f.bits == 8 && scale == scale: // e5m2 has an infinity
		return s.finish(to, s.finite(to, sign<<15|to.inf()))
	case abs > f.largest || scale != scale:
		return to.nan
	}
	v := realOfFloat(f.value(abs) * scale)
	v.neg = sign != 0
	return s.finish(to, s.finite(to, to.write(v, "rn")))
}

// finite replaces an infinity when the instruction says so.
func (s *specimen) finite(f *realFormat, v uint64) uint64 {
	if s.has("satfinite") && v&^(1<<(f.bits-1)) == f.inf() {
		return v - 1
	}
	return v
}

// narrowFormatOf is the narrow format that is converted from or to, and its name.
func (s *specimen) narrowFormatOf() (string, *narrowFormat) {
	name := s.one("e4m3x2", "e5m2x2", "e2m3x2", "e3m2x2", "e2m1x2", "tf32")
	return name, narrowFormats[name]
}

// field is the width that a number of the format takes in a register.
func (f *narrowFormat) field() uint {
	if f.bits == 6 {
		return 8
	}
	return f.bits
}

// TestConformanceNarrow converts every number of the narrow formats, and to them every number,
// every middle between two and the f32 or f16 next to those.
func TestConformanceNarrow(t *testing.T) {
	in, _ := isa.Lookup("cvt")
	for _, form := range in.Forms {
		for _, mods := range form.Spellings() {
			d, err := in.Decode(mods, len(form.Operands))
			if err != nil || d.Form != form || program.NotEmulated(d) != "" {
				continue
			}
			s := &specimen{in, mods, d}
			name, f := s.narrowFormatOf()
			if f == nil || s.has("rna") || s.has("rs") {
				continue
			}
			if strings.HasSuffix(s.mods[len(s.mods)-1], name) {
				s.checkWidening(t, f)
			} else {
				s.checkNarrowing(t, f)
			}
		}
	}
}

func (s *specimen) checkWidening(t *testing.T, f *narrowFormat) {
	t.Helper()
	c := form{text: s.String() + " $d, $a", args: "32 16", want: func(v []uint64) uint64 {
		mask := uint64(1)<<f.bits - 1
		return s.widened(f, v[0]&mask, scaleOf(v[1:], 0)) | s.widened(f, v[0]>>f.field()&mask, scaleOf(v[1:], 8))<<16
	}}
	if s.has("scaled::n2::ue8m0") {
		c.text += ", $b"
		c.args += " 16"
	}
	if f.bits == 4 {
		c = bytewise(c, "$a")
	}
	var tuples [][]uint64
	for code := range uint64(1) << f.bits {
		tuples = append(tuples, []uint64{code | (code*5+3)&(1<<f.bits-1)<<f.field(), code * 0x9e3}[:strings.Count(c.args, " ")])
	}
	c.check(t, tuples)
}

func (s *specimen) checkNarrowing(t *testing.T, f *narrowFormat) {
	t.Helper()
	c := form{text: s.String() + " $d, $a, $b", args: "16 f32 f32", want: func(v []uint64) uint64 {
		return s.narrowed(f, f32v(v[0]))<<f.field() | s.narrowed(f, f32v(v[1]))
	}}
	wide := realFormats[isa.F32]
	switch {
	case s.has("f16x2"), s.has("bf16x2"):
		if wide = realFormats[isa.F16]; s.has("bf16x2") {
			wide = realFormats[isa.BF16]
		}
		c = form{text: s.String() + " $d, $a", args: "16 32", want: func(v []uint64) uint64 {
			return s.narrowed(f, s.float(wide, v[0]>>16))<<f.field() | s.narrowed(f, s.float(wide, v[0]&0xffff))
		}}
	case f.bits == 19:
		c = form{text: s.String() + " $d, $a", args: "32 f32", want: func(v []uint64) uint64 { return s.tf32(f32v(v[0])) }}
	}
	if f.bits == 4 {
		c = bytewise(c, "$d")
	}
	list := f.borders(wide)
	var tuples [][]uint64
	for i, v := range list {
		other := list[(i*7+5)%len(list)]
		if wide.bits == 16 {
			tuples = append(tuples, []uint64{v | other<<16})
		} else {
			tuples = append(tuples, []uint64{v, other}[:strings.Count(c.args, " ")])
		}
	}
	c.check(t, tuples)
}

// tf32 is x as tf32 in the upper bits of a word. Only .satfinite keeps what is beyond the
// largest number.
func (s *specimen) tf32(x float64) uint64 {
	f := narrowFormats["tf32"]
	v := s.narrowed(f, x)
	infinite := math.IsInf(x, 0) || s.rounding() == "rn" && math.Abs(x) >= f.value(f.largest)+(f.value(f.largest)-f.value(f.largest-1))/2
	if infinite && !s.has("satfinite") && v != 0 {
		v = v&(1<<18) | f.largest + 1
	}
	if x != x {
		return 0x7fffffff
	}
	return v << 13
}

// bytewise is a form with an operand of 8 bits, which travels through a register of 16.
func bytewise(c form, operand string) form {
	if operand == "$a" {
		c.text = "cvt.u8.u16 %b0, $a; " + strings.Replace(c.text, "$a", "%b0", 1)
	} else {
		c.text = strings.Replace(c.text, "$d", "%b0", 1) + "; cvt.u16.u8 $d, %b0"
	}
	return c
}

// borders are numbers of a wide format, of both signs: those of the narrow format, the middles
// between them, and what is next to these; zeros, subnormal numbers, infinities and NaN.
func (f *narrowFormat) borders(wide *realFormat) []uint64 {
	list := []uint64{0, 1, 1<<wide.mant - 1, wide.inf() - 1, wide.inf(), wide.inf() + 1}
	step := max(1, f.largest/200)
	for code := uint64(0); code <= f.largest; code += step {
		for _, x := range []float64{f.value(code), f.value(code) + (f.value(code+1)-f.value(code))/2} {
			v := wide.write(realOfFloat(x), "rz")
			list = append(list, v, v+1, max(v, 1)-1)
		}
	}
	list = slices.DeleteFunc(list, func(v uint64) bool { return v > wide.inf()+1 })
	for _, v := range slices.Clone(list) {
		list = append(list, v|1<<(wide.bits-1))
	}
	return list
}
