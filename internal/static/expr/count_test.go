package expr

import (
	"math/big"
	"math/bits"
	"testing"
)

// TestCountsAreExact compares functions of the bits of all numbers of small widths with package math/bits: their
// values, also where the number is reduced first, their intervals, and their texts.
func TestCountsAreExact(t *testing.T) {
	for width := 1; width <= 7; width++ {
		for _, low := range []int64{0, 1, 3, -5} {
			for high := low; high < 1<<width+3; high += 1 + high/9 {
				x := Var("x", low, high)
				for k := low; k <= high; k++ {
					v := uint64(k) & (1<<width - 1)
					want := map[Op]uint64{OpLen: uint64(bits.Len64(v)), OpOnes: uint64(bits.OnesCount64(v)), OpFlip: bits.Reverse64(v) >> (64 - width)}
					for op, f := range map[Op]func(*Int, int) *Int{OpLen: Len, OpOnes: Ones, OpFlip: Flip} {
						z := f(x, width)
						m := NewModel()
						m.Ints["x"] = big.NewInt(k)
						is := big.NewInt(int64(want[op]))
						if got, err := z.Eval(m); err != nil || got.Cmp(is) != 0 {
							t.Fatalf("%s for x = %d is %v (%v), want %d", z, k, got, err, is)
						}
						if lo, hi := z.Range(); lo.Cmp(is) > 0 || hi.Cmp(is) < 0 {
							t.Fatalf("%s for x = %d in [%d, %d] is %d, outside of [%d, %d]", z, k, low, high, is, lo, hi)
						}
						if y := f(Const(k), width); !y.Equal(Big(is)) {
							t.Fatalf("%s of %d is %s, want %d", op.Name(width), k, y, is)
						}
						if low == high {
							continue // a constant
						}
						if y, err := ParseInt(z.String(), func(string) (*Int, *Bool, error) { return x, nil, nil }); err != nil || !y.Equal(z) {
							t.Fatalf("%s is parsed as %v: %v", z, y, err)
						}
					}
				}
			}
		}
	}
}
