package address

import (
	"strconv"
	"strings"
	"testing"
)

// TestRootsOfLongFunctions: analyses of long functions must not cost quadratic time.
func TestRootsOfLongFunctions(t *testing.T) {
	var b strings.Builder
	b.WriteString(".reg .pred %p; .reg .b32 %r<4>; mov.u32 %r1, %tid.x; setp.eq.u32 %p, %r1, 3;\n")
	const diamond = "@%p bra A#;\nadd.u32 %r2, %r2, 1;\nbra B#;\nA#:\nadd.u32 %r2, %r2, 2;\nB#:\n"
	for i := range 20000 {
		b.WriteString(strings.ReplaceAll(diamond, "#", strconv.Itoa(i)))
	}
	b.WriteString("st.global.u32 [0], %r2;\nret;")
	if refs := MemRefsOf(kernel(t, b.String())); len(refs) != 1 || refs[0].Root.Kind != RootAbsolute {
		t.Errorf("the accesses are %v", refs)
	}
}

// TestLooksOfLongFunctions: the loads of a long sum are no looks, which is found without following the sum from each of
// them.
func TestLooksOfLongFunctions(t *testing.T) {
	var b strings.Builder
	b.WriteString(".reg .pred %p; .reg .b32 %r<4>; .reg .b64 %rd;\n")
	for i := range 10000 {
		b.WriteString("ld.global.u32 %r1, [%rd+" + strconv.Itoa(4*i) + "];\nadd.u32 %r2, %r2, %r1;\n")
	}
	b.WriteString("setp.eq.u32 %p, %r2, 0;\n@%p atom.global.cas.b32 %r3, [%rd], 0, 1;\nst.global.u32 [%rd+4], %r2;\nret;")
	if n := len(Looks(kernel(t, b.String()))); n != 0 {
		t.Errorf("%d looks", n)
	}
}

// TestRootOfNoAddress: an operand that is no address has no root.
func TestRootOfNoAddress(t *testing.T) {
	f := kernel(t, ".reg .b32 %r<3>;\nmov.u32 %r1, %ctaid.x;\nadd.u32 %r2, %r1, 1;\nret;")
	in := f.Insts[1]
	if root := RootsOf(f).Address(in, 1); root.Kind != RootUnknown {
		t.Errorf("an operand that is no address has root %s", root)
	}
}
