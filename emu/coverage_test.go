package emu

import (
	"slices"
	"testing"
	"unsafe"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// notEmulated are the opcodes without semantics, by the reason.
var notEmulated = map[string][]string{
	"sm_100":                {"clusterlaunchcontrol"},
	"asynchronous proxy":    {"multimem"},
	"asynchronous matrices": {"tcgen05"},
}

// TestCoverage: every opcode of the instruction table is emulated or listed in
// notEmulated, and no opcode is both.
func TestCoverage(t *testing.T) {
	listed := map[string]bool{}
	for _, names := range notEmulated {
		for _, n := range names {
			if _, ok := isa.Lookup(n); !ok || listed[n] {
				t.Errorf("notEmulated lists %s, which is unknown or listed twice", n)
			}
			listed[n] = true
		}
	}
	var missing []string
	for _, in := range isa.All() {
		switch emulated := semantics[in.Name] != nil; {
		case emulated && listed[in.Name]:
			t.Errorf("%s is emulated: take it off notEmulated", in.Name)
		case !emulated && !listed[in.Name]:
			missing = append(missing, in.Name)
		}
	}
	if len(missing) > 0 {
		t.Errorf("neither emulated nor listed: %q", missing)
	}
	for name := range semantics {
		if !slices.ContainsFunc(isa.All(), func(in *isa.Instr) bool { return in.Name == name }) {
			t.Errorf("semantics of %s, which is not an opcode", name)
		}
	}
}

// TestSizes pins the sizes of what the inner loop walks over.
func TestSizes(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want uintptr
	}{
		{"inst", unsafe.Sizeof(inst{}), 56},
		{"group", unsafe.Sizeof(group{}), 112},
		{"join", unsafe.Sizeof(join{}), 48},
	} {
		if c.got != c.want {
			t.Errorf("%s has %d bytes, expected %d", c.name, c.got, c.want)
		}
	}
}
