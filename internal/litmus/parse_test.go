package litmus_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/litmus"
)

// place surrounds instructions of one thread with the rest of a test.
func place(rows string) string {
	return "PTX t\n{ x=0; u64 w=0; s @ surface aliases x; }\nP0@cta 0,gpu 0 ;\n" + rows + "\nexists (x == 0)\n"
}

// TestErrors: each error has the place, what is there, and what was expected.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", `1:1: unexpected the end of the file, expected "PTX", which a litmus test begins with`},
		{"X86 sb", `1:1: unexpected "X86", expected "PTX": tests of other languages are not supported`},
		{"PTX sb", `1:7: no "{" with the initial values follows the name of the test`},
		{"PTX {", `1:5: unexpected "{", expected the name of the test`},
		{"PTX t\n{ x=0", `2:6: unexpected the end of the file, expected ";"`},
		{"PTX t\n{ x=y; }", `2:5: no location "y" is declared before`},
		{"PTX t\n{ x=0; x=1; }", `2:8: location "x" is declared twice`},
		{"PTX t\n{ y @ alias aliases x; }", `2:7: unexpected "alias", expected generic, texture, surface or constant`},
		{"PTX t\n{ P1:r0=0; }\nP0@cta 0,gpu 0;\nexists (1==1)", `2:3: a register of thread "P1", which the test does not have`},
		{"PTX t\n{ }\nP0@block 0;", `3:4: unexpected "block", expected cta, cluster or gpu`},
		{"PTX t\n{ }\nP0@cta 0 | P0@cta 1;", `3:12: thread "P0" is declared twice`},
		{"PTX t\n{ }\nP0@cta 0;\nld.weak r0, x | ld.weak r1, x;", `4:17: more columns than the 1 threads`},
		{"PTX t\n{ } (* P0", `2:5: the comment does not end, expected "*)"`},
		{place("mul.hi r0, r1, 2 ;"), `4:1: unexpected "mul.hi", expected "mul" without modifiers`},
		{place("mul r0, x, 2 ;"), `4:9: unexpected location "x", expected a register`},
		{place("lds r0, x ;"), `4:1: unknown instruction "lds", expected ld, st, atom, red, fence, bar, an arithmetic instruction or a branch`},
		{place("ld.weak.gpu r0, x ;"), `4:1: "ld.weak.gpu": an access that is weak has no scope`},
		{place("ld.relaxed r0, x ;"), `4:1: "ld.relaxed" has no scope, expected cta, cluster, gpu or sys`},
		{place("ld.release.gpu r0, x ;"), `4:1: unexpected ".release" in "ld.release.gpu", expected one of weak, relaxed, acquire, volatile, a scope or a type`},
		{place("atom.relaxed.gpu r0, x, 1 ;"), `4:1: "atom.relaxed.gpu" has no operation, expected add, sub, and, or, xor, min, max, exch or cas`},
		{place("fence.sc ;"), `4:1: unexpected "fence.sc", expected fence.sc or fence.acq_rel with a scope, or fence.proxy`},
		{place("fence.proxy.async ;"), `4:1: "fence.proxy.async": expected the proxy texture, surface, constant or alias`},
		{place("st.weak r1, 1 ;"), `4:9: unexpected register "r1", expected a location: addresses in registers are not supported`},
		{place("ld.weak x, x ;"), `4:9: unexpected location "x", expected a register`},
		{place("goto LC01 ;"), `4:1: no label "LC01" in thread P0`},
		{place("LC1: ;\nLC1: ;"), `5:1: label "LC1" is there twice`},
		{place("ld.weak.u16 r0, x+3 ;"), `4:1: 2 bytes at x+3: x has 4 bytes`},
		{place("ld.weak.u16 r0, x+1 ;"), `4:1: 2 bytes at x+1: the offset is not a multiple of the size`},
		{place("ld.weak.u16 r0, x+9223372036854775806 ;"), `4:1: 2 bytes at x+9223372036854775806: x has 4 bytes`},
		{place("st.relaxed.gpu x, 99999999999 ;"), `4:19: 99999999999 does not fit into 32 bits, expected -2147483648 to 4294967295`},
		{place("st.weak.u8 x, 256 ;"), `4:15: 256 does not fit into 8 bits, expected -128 to 255`},
		{place("st.weak.u16 x, -32769 ;"), `4:16: -32769 does not fit into 16 bits, expected -32768 to 65535`},
		{place("atom.relaxed.gpu.cas r0, x, 0, 0x100000000 ;"), `4:32: 4294967296 does not fit into 32 bits, expected -2147483648 to 4294967295`},
		{place("mov r0, 4294967296 ;"), `4:9: 4294967296 does not fit into 32 bits, expected -2147483648 to 4294967295`},
		{place("L: ;\nbeq r0, -2147483649, L ;"), `5:9: -2147483649 does not fit into 32 bits, expected -2147483648 to 4294967295`},
		{place("bar.cta.sync 0, 4294967296 ;"), `4:17: 4294967296 does not fit into 32 bits, expected -2147483648 to 4294967295`},
		{place("st.weak.u64 w, 9223372036854775808 ;"), `4:16: unexpected "9223372036854775808", expected a number`},
		{"PTX t\n{ x=4294967296; }", `2:5: 4294967296 does not fit into 32 bits, expected -2147483648 to 4294967295`},
		{"PTX t\n{ P0:r0=4294967296; }\nP0@cta 0;\nexists (true)", `2:9: 4294967296 does not fit into 32 bits, expected -2147483648 to 4294967295`},
		{"PTX t\n{ x=0; }\nP0@cta 0;\nexists (x == 4294967295)", `4:14: x is never 4294967295: its final value is a signed number of 32 bits, expected -2147483648 to 2147483647`},
		{"PTX t\n{ P0:r0=0; }\nP0@cta 0;\nforall (-2147483649 < P0:r0)", `4:9: P0:r0 is never -2147483649: its final value is a signed number of 32 bits, expected -2147483648 to 2147483647`},
		{place("ld.weak r0, x"), `5:1: unexpected "exists", expected ";"`},
		{"PTX t\n{ x=0; }\nP0@cta 0;\nexists (x == 1", `4:15: unexpected the end of the file, expected ")"`},
		{"PTX t\n{ x=0; }\nP0@cta 0;\nexists (P0:r1 == 1)", `4:12: thread P0 has no register "r1"`},
		{"PTX t\n{ x=0; }\nP0@cta 0;\nexists (P3:r1 == 1)", `4:9: no thread "P3"`},
		{"PTX t\n{ x=0; }\nP0@cta 0;\nexists (z == 1)", `4:9: no location "z"`},
		{"PTX t\n{ x=0; }\nP0@cta 0;\nexists (x)", `4:10: unexpected ")", expected a comparison such as ==`},
		{"PTX t\n{ x=0; }\nP0@cta 0;\nexists (x==1) x", `4:15: unexpected "x", expected the end of the test`},
		{"PTX t\n{ x=0; }\nP0@cta 0;\nexists " + strings.Repeat("(", 100), `4:72: more than 64 parentheses and negations, one in the other`},
		{"PTX t\n" + strings.Repeat("x", 1<<16), `1:1: the test has 65542 bytes, expected at most 65536`},
	} {
		_, err := litmus.Parse("t.litmus", []byte(c.text))
		if err == nil || err.Error() != "t.litmus:"+c.want {
			t.Errorf("%.80q: got %v, want %s", c.text, err, c.want)
		}
	}
}

// TestConstants: constants that fit are read, those of 64 bits in a test with accesses of that size.
func TestConstants(t *testing.T) {
	for _, rows := range []string{
		"st.weak.u8 x, 255 ;", "st.weak.u8 x, -128 ;", "st.weak x, 0xffffffff ;", "st.weak x, -2147483648 ;", "st.weak.u64 w, -9223372036854775808 ;",
		"st.weak.u64 w, 9223372036854775807 ;", "ld.weak.u64 r0, w ;\nmov r1, 4294967296 ;", "mov r0, 4294967295 ;",
	} {
		if _, err := litmus.Parse("t.litmus", []byte(place(rows))); err != nil {
			t.Errorf("%s: %v", rows, err)
		}
	}
}

// TestLimits: tests at the limits are read, larger ones are refused.
func TestLimits(t *testing.T) {
	test := func(locations, threads, registers, instructions int) error {
		var b strings.Builder
		b.WriteString("PTX t\n{ ")
		for i := range locations {
			fmt.Fprintf(&b, "x%d=0; ", i)
		}
		b.WriteString("}\n")
		for i := range threads {
			fmt.Fprintf(&b, "%sP%d@cta %d,gpu 0", strings.Repeat("|", min(i, 1)), i, i)
		}
		b.WriteString(";\n")
		for i := range registers {
			fmt.Fprintf(&b, "mov a%d, 1;\n", i)
		}
		b.WriteString(strings.Repeat("fence.sc.gpu;\n", instructions-registers))
		b.WriteString("exists (true)\n")
		_, err := litmus.Parse("t.litmus", []byte(b.String()))
		return err
	}
	const l, th, r, in = litmus.MaxLocations, litmus.MaxThreads, litmus.MaxRegisters, litmus.MaxInstructions
	if err := test(l, th, r, in); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{test(l+1, 1, 1, 1), "more than 32 locations"},
		{test(1, th+1, 1, 1), "more than 16 threads"},
		{test(1, 1, r+1, in+1), "more than 64 registers in a thread"},
		{test(1, 1, 1, in+1), "more than 64 instructions in a thread"},
	} {
		if c.err == nil || !strings.HasSuffix(c.err.Error(), c.want) {
			t.Errorf("%v, want %s", c.err, c.want)
		}
	}
}

// TestNoKernel: what the format can say and PTX cannot.
func TestNoKernel(t *testing.T) {
	for _, c := range []struct{ rows, want string }{
		{"fence.proxy.surface ;", "PTX has no fence between the surface proxy and others"},
		{"cold.weak r0, x ;", "kernels cannot write what they read as constants"},
		{"ld.weak r0, s ;", "s is a name for the surface proxy"},
		{"tld.weak r0, s ;", "s is a name for the surface proxy"},
		{"suld.weak r0, x ;", "x is no texture or surface"},
		{"suatom.relaxed.gpu.add r0, s, 1 ;", "PTX has no atomic operation of the surface proxy"},
		{"ld.weak r0, x ;\nbar.cta.sync 1, r0 ;", "register r0 changes"},
		{"bar.cta.sync 1, 1, 99 ;", "a barrier that expects 99 threads"},
	} {
		test, err := litmus.Parse("t.litmus", []byte(place(c.rows)))
		if err == nil {
			_, err = test.Kernel()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "t.litmus:") {
			t.Errorf("%q: got %v, want %s", c.rows, err, c.want)
		}
	}
}

// TestConditions: operators, precedence, quantifiers and filters.
func TestConditions(t *testing.T) {
	x := func(n int64) litmus.State { return litmus.State{{Name: "x"}: n} }
	for _, c := range []struct {
		condition string
		states    []int64
		want      bool
	}{
		{"exists (x == 1)", []int64{0, 1}, true},
		{"exists x = 2", []int64{0, 1}, false},
		{"~exists (x == 2)", []int64{0, 1}, true},
		{"not exists (x == 1)", []int64{0, 1}, false},
		{"forall (x != 2)", []int64{0, 1}, true},
		{"forall (x == 1)", []int64{0, 1}, false},
		{"forall (x == 1)", nil, true},
		{"filter (x == 1) forall (x == 1)", []int64{0, 1}, true},
		{"filter (x == 1) exists (x == 0)", []int64{0, 1}, false},
		{`exists (x == 0 /\ x == 1 \/ x == 2)`, []int64{2}, true},
		{`exists (x == 0 /\ (x == 1 \/ x == 2))`, []int64{2}, false},
		{`exists ~(x == 0 \/ x == 1)`, []int64{1}, false},
		{`exists (x >= 1 && x <= 3 && x > 1 && x < 3 && x <> 4)`, []int64{2}, true},
		{`locations [x;] exists (true)`, []int64{2}, true},
		{`exists (0x10 == x)`, []int64{16}, true},
		{`exists (x == -1)`, []int64{-1}, true},
	} {
		test, err := litmus.Parse("t.litmus", []byte("PTX t\n{ x=0; }\nP0@cta 0,gpu 0;\n"+c.condition))
		if err != nil {
			t.Error(err)
			continue
		}
		var states []litmus.State
		for _, n := range c.states {
			states = append(states, x(n))
		}
		if got := test.Condition.Holds(states); got != c.want {
			t.Errorf("%s of %v: %v", c.condition, c.states, got)
		}
	}
}

// FuzzParse: any text is a test or an error with a place, and a test is PTX or such an error.
func FuzzParse(f *testing.F) {
	f.Add(place("ld.weak.u64 r0, w ;\natom.acq_rel.sys.cas.u64 r1, w, 0, r0 ;\nbar.cta.sync 1, 2, 1 ;\nLC0: ;\nbeq r0, 1, LC0 ;"))
	f.Add("PTX t\n{ P0:r0=1; y @ generic aliases x }\nP0@cta 0, cluster 1, gpu 0 | P1@cta 0 ;\nsust.weak s, 1 | red.relaxed.gpu.add x, r1;\n~exists (P0:r0 = 1 /\\ x == 2)")
	f.Fuzz(func(t *testing.T, text string) {
		test, err := litmus.Parse("t.litmus", []byte(text))
		if err == nil {
			_, err = test.Kernel()
		}
		if err != nil && !strings.HasPrefix(err.Error(), "t.litmus:") {
			t.Fatal(err)
		}
		if test != nil {
			_ = fmt.Sprint(test.Variables())
		}
	})
}
