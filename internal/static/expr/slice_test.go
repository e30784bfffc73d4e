package expr

import "testing"

// TestSlices wants the range and the unit of bits taken out of a number, in place.
func TestSlices(t *testing.T) {
	x := Var("x", -1000, 1000)
	for _, c := range []struct {
		x      *Int
		lo, hi int64
		twos   int
	}{
		{And(x, Const(48)), 0, 48, 4},
		{And(x, Const(0x330)), 0, 0x330, 4},
		{Sub(Const(100), And(x, Const(6))), 94, 100, 1},
		{Mul(Const(8), And(x, Const(12))), 0, 96, 5},
		{Or(And(x, Const(48)), And(Var("y", 0, 1000), Const(15))), 0, 63, 0},
		{Sub(Var("y", 0, 1000), Wrap(Var("y", 0, 1000), 3, false)), 0, 1000, 3},
		{Sub(x, Wrap(x, 4, false)), -1008, 1000, 4},
	} {
		lo, hi := c.x.Range()
		if lo.Int64() != c.lo || hi.Int64() != c.hi || Twos(c.x) != c.twos {
			t.Errorf("%s is in [%v, %v] with %d zeros, expected [%d, %d] with %d", c.x, lo, hi, Twos(c.x), c.lo, c.hi, c.twos)
		}
	}
}
