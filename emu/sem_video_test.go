package emu

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

// The reference for video instructions: the manual's pseudocode (PTX ISA 9.7.18)
// on big numbers.

type videoRef struct {
	op, cmp             string
	d, a, b             string // selectors, "" for none
	sd, sa, sb          bool
	mode, second, scale string
	sat, add, po        bool
	negA, negB, negC    bool
}

func bigPart(v uint64, shift, bits uint, signed bool) *big.Int {
	r := new(big.Int).SetUint64(v >> shift & (1<<bits - 1))
	if signed && r.Bit(int(bits)-1) == 1 {
		r.Sub(r, new(big.Int).Lsh(big.NewInt(1), bits))
	}
	return r
}

func bigClamp(v *big.Int, bits uint, signed bool) *big.Int {
	lo, hi := big.NewInt(0), new(big.Int).Lsh(big.NewInt(1), bits)
	if signed {
		hi.Rsh(hi, 1)
		lo.Neg(hi)
	}
	hi.Sub(hi, big.NewInt(1))
	switch {
	case v.Cmp(lo) < 0:
		return lo
	case v.Cmp(hi) > 0:
		return hi
	}
	return v
}

// wrapTo is v modulo 2^bits, as a signed number.
func wrapTo(v *big.Int, bits uint) *big.Int {
	m := new(big.Int).Lsh(big.NewInt(1), bits)
	r := new(big.Int).Mod(v, m)
	if r.Bit(int(bits)-1) == 1 {
		r.Sub(r, m)
	}
	return r
}

func low32(v *big.Int) uint64 {
	return new(big.Int).Mod(v, new(big.Int).Lsh(big.NewInt(1), 32)).Uint64()
}

func selected(sel string) (shift, bits uint) {
	if sel == "" {
		return 0, 32
	}
	n := uint(sel[2] - '0')
	if sel[1] == 'b' {
		return 8 * n, 8
	}
	return 16 * n, 16
}

func (r *videoRef) primary(a, b *big.Int) *big.Int {
	t := new(big.Int)
	switch r.op {
	case "add":
		return t.Add(a, b)
	case "sub":
		return t.Sub(a, b)
	case "absdiff":
		return t.Abs(t.Sub(a, b))
	case "min", "max":
		if (a.Cmp(b) < 0) == (r.op == "min") {
			return a
		}
		return b
	case "avrg":
		if t.Add(a, b).Sign() >= 0 {
			t.Add(t, big.NewInt(1))
		}
		return t.Rsh(t, 1)
	case "shl":
		return t.Lsh(a, uint(b.Uint64()))
	case "shr":
		return t.Rsh(a, uint(b.Uint64()))
	}
	c := a.Cmp(b)
	holds := map[string]bool{"eq": c == 0, "ne": c != 0, "lt": c < 0, "le": c <= 0, "gt": c > 0, "ge": c >= 0}[r.cmp]
	return t.SetUint64(b2u(holds))
}

func (r *videoRef) scalar(v []uint64) uint64 {
	as, ab := selected(r.a)
	bs, bb := selected(r.b)
	ds, db := selected(r.d)
	a, b := bigPart(v[0], as, ab, r.sa), bigPart(v[1], bs, bb, r.sb)
	switch r.mode {
	case "clamp":
		b = bigClamp(b, 5, false)
		if bigPart(v[1], bs, bb, false).Uint64() >= 32 {
			b = big.NewInt(32)
		}
	case "wrap":
		b = new(big.Int).And(b, big.NewInt(31))
	}
	t := r.primary(a, b)
	if r.sat {
		t = bigClamp(t, db, r.sd)
	}
	t = wrapTo(t, 33)
	if r.second != "" {
		c := bigPart(v[2], 0, 32, r.sd)
		return low32((&videoRef{op: r.second}).primary(t, c))
	}
	if r.d != "" {
		mask := uint64(1<<db-1) << ds
		return v[2]&^mask | low32(t)<<ds&mask
	}
	return low32(t)
}

func (r *videoRef) vmad(v []uint64) uint64 {
	as, ab := selected(r.a)
	bs, bb := selected(r.b)
	signed := r.sa || r.sb || r.negA != r.negB || r.negC
	t := new(big.Int).Mul(bigPart(v[0], as, ab, r.sa), bigPart(v[1], bs, bb, r.sb))
	c := bigPart(v[2], 0, 32, signed)
	switch {
	case r.po:
		t.Add(t, big.NewInt(1))
	case r.negA != r.negB:
		t.Neg(t)
	case r.negC: // c is negated in 32 bits: ~c, sign-extended, plus one
		c = bigPart(^v[2]&0xffffffff, 0, 32, signed)
		t.Add(t, big.NewInt(1))
	}
	t.Add(t, c)
	t.Rsh(t, map[string]uint{"": 0, "shr7": 7, "shr15": 15}[r.scale])
	if r.sat {
		t = bigClamp(t, 32, signed)
	}
	return low32(t)
}

func (r *videoRef) simd(v []uint64, lanes int) uint64 {
	width := uint(32 / lanes)
	pair := v[0] | v[1]<<32
	pick := func(sel string, i int) uint { return uint(sel[len(sel)-1-i] - '0') }
	d := v[2]
	for i := range lanes {
		if !strings.ContainsRune(r.d[2:], rune('0'+i)) {
			continue
		}
		t := r.primary(bigPart(pair, pick(r.a, i)*width, width, r.sa), bigPart(pair, pick(r.b, i)*width, width, r.sb))
		if r.sat {
			t = bigClamp(t, width, r.sd)
		}
		if r.add {
			d = (d + low32(t)) & 0xffffffff
			continue
		}
		mask := uint64(1<<width-1) << (uint(i) * width)
		d = d&^mask | low32(t)<<(uint(i)*width)&mask
	}
	return d
}

func typeName(signed bool) string {
	if signed {
		return ".s32"
	}
	return ".u32"
}

func dotted(parts ...string) string {
	var b strings.Builder
	for _, p := range parts {
		if p != "" {
			b.WriteString("." + p)
		}
	}
	return b.String()
}

func choose(rng *rand.Rand, of ...string) string { return of[rng.IntN(len(of))] }

var partSelectors = []string{"", "", ".b0", ".b1", ".b2", ".b3", ".h0", ".h1"}

// TestVideoScalar: vadd to vset, all types, selectors, saturation and secondary
// operations at random.
func TestVideoScalar(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, op := range []string{"add", "sub", "absdiff", "min", "max", "shl", "shr", "set"} {
		for range 60 {
			r := &videoRef{
				op: op, sd: rng.IntN(2) == 0, sa: rng.IntN(2) == 0, sb: rng.IntN(2) == 0, sat: rng.IntN(2) == 0,
				a: choose(rng, partSelectors...), b: choose(rng, partSelectors...), d: choose(rng, partSelectors...),
			}
			if r.d == "" {
				r.second = choose(rng, "", "add", "min", "max")
			}
			opcode := ""
			switch op {
			case "set":
				r.sd, r.sat, r.cmp = false, false, choose(rng, "eq", "ne", "lt", "le", "gt", "ge")
				opcode = "vset" + typeName(r.sa) + typeName(r.sb) + dotted(r.cmp, r.second)
			case "shl", "shr":
				r.sb, r.mode = false, choose(rng, "clamp", "wrap")
				opcode = "v" + op + typeName(r.sd) + typeName(r.sa) + ".u32" + satText(r.sat) + dotted(r.mode, r.second)
			default:
				opcode = "v" + op + typeName(r.sd) + typeName(r.sa) + typeName(r.sb) + satText(r.sat) + dotted(r.second)
			}
			f := form{text: fmt.Sprintf("%s $d%s, $a%s, $b%s", opcode, r.d, r.a, r.b), args: "32 32 32", want: r.scalar}
			if r.d != "" || r.second != "" {
				f.text, f.args = f.text+", $c", "32 32 32 32"
			}
			f.check(t, tuples(f, 64))
		}
	}
}

func satText(sat bool) string {
	if sat {
		return ".sat"
	}
	return ""
}

// TestVmad: negated operands, plus one, scaling and saturation.
func TestVmad(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 150 {
		r := &videoRef{
			sd: rng.IntN(2) == 0, sa: rng.IntN(2) == 0, sb: rng.IntN(2) == 0, sat: rng.IntN(2) == 0,
			a: choose(rng, partSelectors...), b: choose(rng, partSelectors...), scale: choose(rng, "", "shr7", "shr15"),
		}
		switch rng.IntN(5) {
		case 0:
			r.po = true
		case 1:
			r.negA, r.negB = rng.IntN(2) == 0, rng.IntN(2) == 0
		case 2:
			r.negC = true
		}
		po, signs := "", [3]string{}
		if r.po {
			po = ".po"
		}
		for i, neg := range []bool{r.negA, r.negB, r.negC} {
			if neg {
				signs[i] = "-"
			}
		}
		f := form{text: "vmad" + typeName(r.sd) + typeName(r.sa) + typeName(r.sb) + po + satText(r.sat) + dotted(r.scale) +
			fmt.Sprintf(" $d, %s$a%s, %s$b%s, %s$c", signs[0], r.a, signs[1], r.b, signs[2]), args: "32 32 32 32", want: r.vmad}
		f.check(t, tuples(f, 64))
	}
}

// TestVideoSIMD: all instructions on half-words and bytes, with masks and
// selectors at random.
func TestVideoSIMD(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, lanes := range []int{2, 4} {
		masks, kind := []string{".h0", ".h1", ".h10"}, ".h"
		defaults := [3]string{".h10", ".h10", ".h32"}
		if lanes == 4 {
			masks, kind = []string{".b0", ".b3", ".b20", ".b310", ".b3210"}, ".b"
			defaults = [3]string{".b3210", ".b3210", ".b7654"}
		}
		for _, op := range []string{"add", "sub", "avrg", "absdiff", "min", "max", "set"} {
			for range 25 {
				r := &videoRef{op: op, sd: rng.IntN(2) == 0, sa: rng.IntN(2) == 0, sb: rng.IntN(2) == 0, d: choose(rng, masks...), a: kind, b: kind}
				for range lanes {
					r.a += fmt.Sprint(rng.IntN(2 * lanes))
					r.b += fmt.Sprint(rng.IntN(2 * lanes))
				}
				shown := [3]string{r.d, r.a, r.b}
				if rng.IntN(4) == 0 {
					r.d, r.a, r.b, shown = defaults[0], defaults[1], defaults[2], [3]string{}
				}
				r.add = rng.IntN(2) == 0
				last := ""
				if r.add {
					last = "add"
				}
				opcode := fmt.Sprintf("v%s%d", op, lanes)
				if op == "set" {
					r.cmp = choose(rng, "eq", "ne", "lt", "le", "gt", "ge")
					opcode += typeName(r.sa) + typeName(r.sb) + dotted(r.cmp, last)
				} else {
					r.sat = !r.add && rng.IntN(2) == 0
					opcode += typeName(r.sd) + typeName(r.sa) + typeName(r.sb) + satText(r.sat) + dotted(last)
				}
				f := form{
					text: fmt.Sprintf("%s $d%s, $a%s, $b%s, $c", opcode, shown[0], shown[1], shown[2]), args: "32 32 32 32",
					want: func(v []uint64) uint64 { return r.simd(v, lanes) },
				}
				f.check(t, tuples(f, 64))
			}
		}
	}
}

// TestVideoErrors: selectors and negations that the manual does not have.
func TestVideoErrors(t *testing.T) {
	for text, want := range map[string]string{
		"vadd.u32.u32.u32 %r1, %r2.b4, %r3":            "found .b4",
		"vadd.u32.u32.u32 %r1, %r2.h10, %r3":           "found .h10",
		"vadd.u32.u32.u32 %r1.h0, %r2, %r3":            "to merge into",
		"vadd.u32.u32.u32.add %r1.h0, %r2, %r3, %r4":   "cannot go with .add",
		"vmad.u32.u32.u32.po %r1, -%r2, %r3, %r4":      ".po does not go with",
		"vmad.u32.u32.u32 %r1, -%r2, %r3, -%r4":        "cannot both be negated",
		"vadd2.u32.u32.u32 %r1, %r2.h40, %r3, %r4":     "bad selector .h40",
		"vadd2.u32.u32.u32 %r1.h01, %r2, %r3, %r4":     "bad selector .h01",
		"vadd2.u32.u32.u32.sat.add %r1, %r2, %r3, %r4": `".add" does not go with`,
		"vadd4.u32.u32.u32 %r1, %r2.b321, %r3, %r4":    "bad selector .b321",
		"vadd4.u32.u32.u32 %r1.b4, %r2, %r3, %r4":      "bad selector .b4",
	} {
		if _, err := newMachine(Config{}, warpKernel("\t"+text+";\n")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, expected %q in it", text, err, want)
		}
	}
}
