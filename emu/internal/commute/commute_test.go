// Tests of commutative operations: which instructions are ones, and what merging does.

package commute

import (
	"slices"
	"testing"
	"unsafe"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

// TestOpsOf has an instruction of each kind that is commutative, and of each that is not.
func TestOpsOf(t *testing.T) {
	const head = ".version 9.0\n.target sm_100\n.address_size 64\n.shared .u32 s;\n.visible .entry k(.param .u64 a)\n{\n.reg .b64 %a; .reg .b32 %r<4>; .reg .f32 %f<3>;\n"
	for text, want := range map[string]Op{
		"red.global.add.u32 [%a], 1;":                                    {"add", 4},
		"red.add.u64 [%a], 1;":                                           {"add", 8},
		"red.global.xor.b32 [%a], 1;":                                    {"xor", 4},
		"atom.global.add.u32 %r0, [%a], 1;":                              {"add", 4},
		"atom.global.add.u32 %r0, [%a], 1;\nst.global.u32 [%a+16], %r0;": {},
		"red.global.max.u32 [%a], 1;":                                    {},
		"red.global.add.f32 [%a], 0f3f800000;":                           {},
		"red.global.add.v2.f32 [%a], {%f1, %f2};":                        {},
		"red.shared.add.u32 [s], 1;":                                     {},
		"red.async.mmio.release.sys.global.add.u32 [%a], %r1;":           {},
	} {
		f := function(t, head+text+"\n}\n")
		ops, _ := OpsOf(f)
		if ops[0] != want {
			t.Errorf("%s: %v, want %v", text, ops[0], want)
		}
		in := f.Insts[0]
		form := *in.Decoded // which instructions share
		form.Operands = slices.Clone(form.Operands)
		form.Operands[in.Access.Addr+1].Vec = 2
		if in.Decoded = &form; opOf(in) != (Op{}) {
			t.Errorf("%s: of a vector of two", text)
		}
	}
}

// function returns the first function of a module.
func function(t *testing.T, text string) *rewrite.Func {
	t.Helper()
	tree, err := ptxgrammar.Parse("k.ptx", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	m, err := rewrite.Load(tree)
	if err != nil {
		t.Fatal(err)
	}
	return m.Funcs[0]
}

// TestMerge merges words of both widths; the bytes behind the last whole word stay.
func TestMerge(t *testing.T) {
	for _, c := range []struct {
		op   Op
		want [12]byte
	}{
		{Op{"add", 4}, [12]byte{0: 254, 1: 1, 4: 1, 8: 3}},
		{Op{"add", 8}, [12]byte{0: 254, 1: 1, 4: 1, 8: 1}},
		{Op{"xor", 4}, [12]byte{4: 1, 8: 3}},
		{Op{"xor", 8}, [12]byte{4: 1, 8: 1}},
	} {
		to, from := [2]uint64{255, 1}, [2]uint64{255 | 1<<32, 2}
		got, other := (*[12]byte)(unsafe.Pointer(&to)), (*[12]byte)(unsafe.Pointer(&from))
		c.op.Merge(got[:], other[:])
		if *got != c.want {
			t.Errorf("%v: %v, want %v", c.op, *got, c.want)
		}
	}
}
