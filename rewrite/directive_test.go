package rewrite

import (
	"strings"
	"testing"
)

// TestHiddenParameter: NVVM 13.1 writes .hidden before parameters that the host does not
// pass.
func TestHiddenParameter(t *testing.T) {
	const body = ".target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p, .hidden .param .align 64 .b8 q[128])\n{\n\tret;\n}\n"
	if got := checkText(t, ".version 9.1\n"+body); got != "" {
		t.Error(got)
	}
	if got := checkText(t, ".version 8.7\n"+body); !strings.Contains(got, ".hidden needs PTX 9.1") {
		t.Error(got)
	}
}

// TestUnknownDirective: a directive of a newer release is kept by Load and refused by
// Check.
func TestUnknownDirective(t *testing.T) {
	const src = header + ".newer 3, \"x\", y.z;\n.visible .entry k()\n{\n\t.inner k;\n\tret;\n}\n"
	m := load(t, "k", src)
	if string(m.Source()) != src || len(m.Func("k").Insts) != 1 {
		t.Errorf("%q", m.Source())
	}
	got := checkText(t, src)
	for _, want := range []string{`k:4:1: unknown directive ".newer"`, `k:7:2: unknown directive ".inner"`} {
		if !strings.Contains(got, want) {
			t.Errorf("%q lacks %q", got, want)
		}
	}
}
