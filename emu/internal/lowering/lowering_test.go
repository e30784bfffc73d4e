// Tests of the choice of operations.

package lowering_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu/internal/lowering"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// inst returns the first instruction of a function with the text.
func inst(t *testing.T, text string) *rewrite.Inst {
	t.Helper()
	tree, err := ptxgrammar.Parse("t.ptx", []byte(".version 8.7\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n"+
		".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .pred %p<9>;\n"+text+"\nret;\n}\n"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := rewrite.Load(tree)
	if err != nil {
		t.Fatal(err)
	}
	return m.Func("k").Insts[0]
}

// TestInstructions has instructions of PTX with their operations; a modifier that changes the result changes the
// operation.
func TestInstructions(t *testing.T) {
	for text, want := range map[string]vector.Op{
		"add.s32 %r1, %r2, %r3;":                    vector.Add32,
		"add.sat.s32 %r1, %r2, %r3;":                vector.Slow,
		"add.rn.ftz.f32 %f1, %f2, %f3;":             vector.AddF32Ftz,
		"mul.wide.u32 %rd1, %r2, %r3;":              vector.MulWideU32,
		"fma.rz.ftz.f32 %f1, %f2, %f3, 0f00000000;": vector.Slow,
	} {
		if got := lowering.Arithmetic(inst(t, text)); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
	for _, name := range lowering.Opcodes() {
		if !strings.Contains(name, ".") {
			t.Errorf("%q is no opcode with a type", name)
		}
	}
}

// TestComparisons has comparisons: "less" is "greater" with swapped sources.
func TestComparisons(t *testing.T) {
	for text, want := range map[string]lowering.Comparison{
		"setp.gt.s32 %p1, %r2, %r3;":      {Op: vector.SetGtS32},
		"setp.lt.s32 %p1, %r2, %r3;":      {Op: vector.SetGtS32, Swap: true},
		"setp.ltu.ftz.f32 %p1, %f2, %f3;": {Op: vector.SetLtUF32Ftz},
	} {
		in := inst(t, text)
		if got := lowering.Compare(in, in.Type(0)); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

// TestMemory has accesses of the state spaces: local memory has loads and stores of one value, and no atomic
// operations.
func TestMemory(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want vector.Op
	}{
		{"load", lowering.Load(isa.S8, isa.S32, isa.SpaceGlobal), vector.LoadS8},
		{"load of local memory", lowering.Load(isa.U8, isa.U32, isa.SpaceLocal), vector.LoadLocalU8},
		{"sign extension to 16 bits", lowering.Load(isa.S8, isa.S16, isa.SpaceGlobal), vector.Slow},
		{"store", lowering.Store(isa.U16, true, isa.SpaceShared), vector.Store16From64},
		{"pair", lowering.LoadTuple(isa.F32, []isa.Type{isa.F32, isa.F32}, isa.SpaceGlobal), vector.LoadV2x32},
		{"pair of local memory", lowering.LoadTuple(isa.F32, []isa.Type{isa.F32, isa.F32}, isa.SpaceLocal), vector.Slow},
		{"pair in wide registers", lowering.StoreTuple(isa.B32, []isa.Type{isa.B64, isa.B64}, isa.SpaceGlobal), vector.Slow},
		{"atom.min", lowering.Atomic("min", isa.S64, isa.SpaceGlobal), vector.AtomMinS64},
		{"atom.cas of 16 bits", lowering.Atomic("cas", isa.B16, isa.SpaceGlobal), vector.Slow},
		{"atom of local memory", lowering.Atomic("add", isa.U32, isa.SpaceLocal), vector.Slow},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
}
