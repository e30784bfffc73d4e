package isa

import "testing"

// TestConstants: the values of an operand in a form, and their text in messages.
func TestConstants(t *testing.T) {
	for _, c := range []struct {
		spec, text string
		in, out    []int64
	}{
		{"n#128", "128", []int64{128}, []int64{0, 1, -128, 127, 1 << 32}},
		{"n#4|8|16", "4, 8 or 16", []int64{4, 8, 16}, []int64{0, 12, 32}},
		{"n#-1|1", "-1 or 1", []int64{-1, 1}, []int64{0, 2, -2}},
		{"n#0..15", "0 to 15", []int64{0, 15}, []int64{-1, 16}},
		{"n#24..256/8", "24 to 256 in steps of 8", []int64{24, 256, 32}, []int64{16, 25, 264}},
		{"n#0..", "0 or more", []int64{0, 1 << 40}, []int64{-1}},
		{"n#any", "any", []int64{0, -5, 1 << 40}, nil},
	} {
		o, err := parseOperand(c.spec, false)
		if err != nil || o.Name != "n" || o.Constant == nil {
			t.Fatalf("%s: %+v, %v", c.spec, o, err)
		}
		if o.Constant.String() != c.text || !o.Constant.Admits(o.Constant.Example()) {
			t.Errorf("%s: %q, example %d", c.spec, o.Constant, o.Constant.Example())
		}
		for _, v := range c.in {
			if !o.Constant.Admits(v) {
				t.Errorf("%s refuses %d", c.spec, v)
			}
		}
		for _, v := range c.out {
			if o.Constant.Admits(v) {
				t.Errorf("%s admits %d", c.spec, v)
			}
		}
	}
	for _, bad := range []string{"n#", "n#x", "n#1..x", "n#0..8/0", "n#0../y"} {
		if _, err := parseOperand(bad, false); err == nil {
			t.Errorf("%s is accepted", bad)
		}
	}
}
