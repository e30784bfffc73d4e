// Loads on which addresses depend.

package address

import (
	"slices"
	"testing"
)

// TestOrigins: the loads, by the lines of the body, on which the address of the last line depends.
func TestOrigins(t *testing.T) {
	const first, last = "ld.global.u64 %rd2, [%rd1];", "ld.global.u32 %r9, [%rd9];"
	for _, c := range []struct {
		name string
		body []string
		want []int // less 100 if only some paths lead there
	}{
		{"an index", []string{first, "shl.b64 %rd3, %rd2, 2;", "add.s64 %rd9, %rd1, %rd3;", last}, []int{0}},
		{"none", []string{first, "mov.b64 %rd9, %rd1;", last}, nil},
		{"a value of no use", []string{first, "add.s64 %rd3, %rd2, 1;", "mov.b64 %rd9, %rd1;", last}, nil},
		{"one way of two", []string{"mov.b64 %rd9, %rd1;", "@%p1 bra D;", first, "mov.b64 %rd9, %rd2;", "D:", last}, []int{-98}},
		{"overwritten", []string{first, "mov.b64 %rd9, %rd2;", "mov.b64 %rd9, %rd1;", last}, nil},
		{"a loop", []string{"mov.b64 %rd9, %rd1;", "L:", "ld.global.u64 %rd9, [%rd9];", "@%p1 bra L;", last}, []int{2}},
		{"the way into a loop", []string{first, "mov.b64 %rd9, %rd2;", "L:", "add.s64 %rd9, %rd9, 8;", "@%p1 bra L;", last}, []int{0}},
		{"a round of a loop", []string{"mov.b64 %rd9, %rd1;", "L:", first, "@%p1 add.s64 %rd9, %rd9, %rd2;", "@%p1 bra L;", last}, []int{-98}},
		{"a guard", []string{first, "mov.b64 %rd9, %rd1;", "@%p1 mov.b64 %rd9, %rd2;", last}, []int{-100}},
		{"both ways", []string{first, "@%p1 bra D;", "add.s64 %rd9, %rd2, 8;", "bra E;", "D:", "mov.b64 %rd9, %rd2;", "E:", last}, []int{0}},
		{"a load of an address", []string{first, "ld.global.u64 %rd9, [%rd2];", last}, []int{0, 1}},
		{"a choice", []string{first, "setp.eq.u64 %p2, %rd2, 0;", "selp.b64 %rd9, %rd1, %rd3, %p2;", last}, []int{0}},
		{"an atomic operation", []string{"atom.global.add.u64 %rd9, [%rd1], 1;", last}, []int{0}},
		{"through memory", []string{first, "st.global.u64 [%rd1+8], %rd2;", "ld.global.u64 %rd9, [%rd1+8];", last}, []int{2}},
	} {
		text := ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n.reg .pred %p<9>; .reg .b32 %r<10>; .reg .b64 %rd<10>;\n"
		const before = 7
		for _, line := range c.body {
			text += line + "\n"
		}
		f := load(t, "k.ptx", text+"ret;\n}\n").Kernels()[0]
		var got []int
		for _, o := range Origins(f.Insts[len(f.Insts)-2]) {
			line := o.Read.Line - before
			if !o.Always {
				line -= 100
			}
			got = append(got, line)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: lines %v, want %v", c.name, got, c.want)
		}
	}
}
