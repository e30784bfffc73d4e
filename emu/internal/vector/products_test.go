package vector

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"
)

func sameNumber(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || math.IsNaN(a) && math.IsNaN(b)
}

// numberOf makes numbers of 26 significant bits, and special ones.
func numberOf(rng *rand.Rand) float64 {
	if rng.IntN(50) == 0 {
		return []float64{math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), math.NaN(), 1 << 100}[rng.IntN(6)]
	}
	return math.Ldexp(float64(rng.IntN(1<<27)-1<<26), rng.IntN(120)-60)
}

func numbersOf(rng *rand.Rand, rows, columns, stride int) Numbers {
	m := Numbers{make([]float64, rows*stride+columns), stride}
	for i := range m.V {
		m.V[i] = numberOf(rng)
	}
	return m
}

// TestAddProducts compares with sums one by one, bit by bit, for all widths and heights that take
// different paths; what lies between the rows stays as it is.
func TestAddProducts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for columns := range 35 {
		for rows := range 10 {
			for _, k := range []int{0, 1, 2, 16, 33} {
				sums := numbersOf(rng, rows, columns, columns+rng.IntN(5))
				a, b := numbersOf(rng, rows, k, k+rng.IntN(5)), numbersOf(rng, k, columns, columns+rng.IntN(5))
				want := slices.Clone(sums.V)
				for row := range rows {
					for n := range columns {
						for i := range k {
							product := a.V[row*a.Stride+i] * b.V[i*b.Stride+n]
							want[row*sums.Stride+n] += product
						}
					}
				}
				AddProducts(sums, a, b, rows, columns, k)
				for i := range want {
					if !sameNumber(sums.V[i], want[i]) {
						t.Fatalf("%d rows, %d columns, k %d: sum %d is %v, want %v", rows, columns, k, i, sums.V[i], want[i])
					}
				}
			}
		}
	}
}

// TestWiden compares elements of every format with the definition of the format, all bit patterns of
// those of 16 bits.
func TestWiden(t *testing.T) {
	if !Available() {
		t.Skip("nothing runs in assembly here, for want of AVX2 or by the build tag purego")
	}
	half := func(v uint16) float64 {
		sign, e, m := 1-2*float64(v>>15), int(v>>10&31), float64(v&1023)
		switch e {
		case 0:
			return math.Copysign(math.Ldexp(m, -24), sign)
		case 31:
			if m != 0 {
				return math.NaN()
			}
			return math.Inf(int(sign))
		}
		return sign * math.Ldexp(1024+m, e-25)
	}
	halves, to := make([]uint16, 1<<16), make([]float64, 1<<16)
	for i := range halves {
		halves[i] = uint16(i)
	}
	for _, c := range []struct {
		f  Format
		of func(v uint16) float64
	}{{F16, half}, {BF16, func(v uint16) float64 { return float64(math.Float32frombits(uint32(v) << 16)) }}} {
		if n := Widen(to, unsafe.Pointer(&halves[0]), c.f); n != len(to) {
			t.Fatalf("%d numbers, want %d", n, len(to))
		}
		for i, got := range to {
			if want := c.of(uint16(i)); !sameNumber(got, want) {
				t.Fatalf("format %d: 0x%x is %v, want %v", c.f, i, got, want)
			}
		}
	}
	rng := rand.New(rand.NewPCG(3, 4))
	words := make([]uint32, 1003)
	for i := range words {
		words[i] = rng.Uint32()
	}
	copy(words, []uint32{0x7f801fff, 0x7f802000, 0xff800001, 1, 0x1fff, 0x80000000})
	for f, mask := range map[Format]uint32{TF32: 0xffffe000, F32: 0xffffffff} {
		n := Widen(to[:len(words)], unsafe.Pointer(&words[0]), f)
		if n != 1000 {
			t.Fatalf("%d numbers, want 1000", n)
		}
		for i, got := range to[:n] {
			if want := float64(math.Float32frombits(words[i] & mask)); !sameNumber(got, want) {
				t.Fatalf("format %d: 0x%x is %v, want %v", f, words[i], got, want)
			}
		}
	}
}

// TestNarrow compares rounded numbers with those that Go rounds; NaN becomes the one of the manual.
func TestNarrow(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	want := func(v float64) uint32 {
		if v != v {
			return 0x7fffffff
		}
		return math.Float32bits(float32(v))
	}
	for n := range 40 {
		from, to := make([]float64, n), make([]uint32, n)
		for i := range from {
			if from[i] = math.Float64frombits(rng.Uint64()); i%2 == 0 {
				from[i] = math.Ldexp(rng.NormFloat64(), rng.IntN(320)-160)
			}
		}
		Narrow(to, from)
		for i, v := range from {
			if to[i] != want(v) {
				t.Fatalf("%v becomes 0x%x, want 0x%x", v, to[i], want(v))
			}
		}
	}
}

// TestPairs writes registers of floats and reads them again.
func TestPairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	m := numbersOf(rng, 8, 8, 11)
	var even, odd [Lanes]uint32
	NarrowPairs(&even, &odd, m)
	for lane := range even {
		row, column := lane/4, lane%4*2
		if e, o := rounded(m.V[row*11+column]), rounded(m.V[row*11+column+1]); even[lane] != e || odd[lane] != o {
			t.Fatalf("lane %d has 0x%x and 0x%x, want 0x%x and 0x%x", lane, even[lane], odd[lane], e, o)
		}
	}
	again := numbersOf(rng, 8, 8, 9)
	kept := slices.Clone(again.V)
	WidenPairs(again, &even, &odd)
	for i, got := range again.V {
		row, column := i/9, i%9
		want := kept[i]
		if row < 8 && column < 8 {
			want = float64(float32(m.V[row*11+column]))
		}
		if !sameNumber(got, want) {
			t.Fatalf("row %d, column %d is %v, want %v", row, column, got, want)
		}
	}
}

// TestTranspose covers blocks and what is no multiple of them.
func TestTranspose(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for rows := range 13 {
		for columns := range 13 {
			from, to := numbersOf(rng, rows, columns, columns+rng.IntN(3)), numbersOf(rng, columns, rows, rows+rng.IntN(3))
			want := slices.Clone(to.V)
			for row := range rows {
				for column := range columns {
					want[column*to.Stride+row] = from.V[row*from.Stride+column]
				}
			}
			Transpose(to, from, rows, columns)
			for i := range want {
				if !sameNumber(to.V[i], want[i]) {
					t.Fatalf("%d by %d: number %d is %v, want %v", rows, columns, i, to.V[i], want[i])
				}
			}
		}
	}
}
