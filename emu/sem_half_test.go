package emu

import (
	"testing"

	"github.com/ptxsan/ptxsan/emu/internal/num"
)

// TestFmaOOB: the result is 0 when an operand is the NaN that stands for what lies
// outside a tensor, and that of fma otherwise.
func TestFmaOOB(t *testing.T) {
	const one, two, three, nan = 0x3c00, 0x4000, 0x4200, 0x7e00 // f16
	half := [][4]uint64{                                        // a, b, c, a*b+c
		{one, two, one, three},
		{one, two, num.OOBNaN, 0},
		{num.OOBNaN, nan, one, 0},
		{one, num.OOBNaN, one, 0},
		{nan, one, one, 0x7fff},
		{0xc000, one, one, 0xbc00},
	}
	results := func(relu bool) map[[3]uint64]uint64 {
		m := map[[3]uint64]uint64{}
		for _, h := range half {
			if m[[3]uint64(h[:3])] = h[3]; relu && h[3] == 0xbc00 {
				m[[3]uint64(h[:3])] = 0
			}
		}
		return m
	}
	var single, pairs [][]uint64
	for i, h := range half {
		g := half[(i+1)%len(half)]
		single = append(single, h[:3])
		pairs = append(pairs, []uint64{g[0]<<16 | h[0], g[1]<<16 | h[1], g[2]<<16 | h[2]})
	}
	for _, mod := range []string{"", ".relu"} {
		want := results(mod != "")
		form{text: "fma.rn.oob" + mod + ".f16 $d, $a, $b, $c", args: "16 16 16 16", want: func(v []uint64) uint64 {
			return want[[3]uint64(v)]
		}}.check(t, single)
		form{text: "fma.rn.oob" + mod + ".f16x2 $d, $a, $b, $c", args: "32 32 32 32", want: func(v []uint64) uint64 {
			lo := want[[3]uint64{v[0] & 0xffff, v[1] & 0xffff, v[2] & 0xffff}]
			return want[[3]uint64{v[0] >> 16, v[1] >> 16, v[2] >> 16}]<<16 | lo
		}}.check(t, pairs)
	}
}
