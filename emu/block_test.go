package emu

import (
	"fmt"
	"testing"
)

// TestMostThreads: a block has as many threads as the kernel's directives allow, and at most 1,024.
func TestMostThreads(t *testing.T) {
	for directive, want := range map[string]uint32{"": 1024, ".maxntid 48, 2": 96, ".reqntid 8, 2": 16, ".maxntid 2048": 1024, ".maxntid 4294967295, 4294967295, 4294967295": 1024} {
		m := mustLoad(t, "k.ptx", fmt.Sprintf(".version 8.3\n.target sm_90\n.address_size 64\n.visible .entry k()\n%s\n{\n\tret;\n}\n", directive), Config{})
		if got := MostThreads(m.state.Src.Funcs[0]); got != want {
			t.Errorf("%q: %d threads, want %d", directive, got, want)
		}
	}
}
