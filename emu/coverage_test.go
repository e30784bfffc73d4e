package emu

import (
	"slices"
	"testing"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/exec"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// TestCoverage: every opcode of the instruction table has semantics, apart from those of which the table says that they
// are not emulated.
func TestCoverage(t *testing.T) {
	for _, in := range isa.All() {
		if (exec.Semantics[in.Name] != nil) != in.Emulated() {
			t.Errorf("%s: semantics: %t, in the table: %t", in.Name, exec.Semantics[in.Name] != nil, in.Emulated())
		}
	}
	for name := range exec.Semantics {
		if !slices.ContainsFunc(isa.All(), func(in *isa.Instr) bool { return in.Name == name }) {
			t.Errorf("semantics of %s, which is not an opcode", name)
		}
	}
}

// TestSizes checks the sizes of the structs that the inner loop reads.
func TestSizes(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want uintptr
	}{
		{"inst", unsafe.Sizeof(state.Inst{}), 64},
		{"group", unsafe.Sizeof(state.Group{}), 144},
		{"join", unsafe.Sizeof(state.Join{}), 48},
	} {
		if c.got != c.want {
			t.Errorf("%s has %d bytes, expected %d", c.name, c.got, c.want)
		}
	}
}
