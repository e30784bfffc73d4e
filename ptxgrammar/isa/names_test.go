package isa_test

import (
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// TestSpecial compares with chapter 10 of the manual.
func TestSpecial(t *testing.T) {
	for _, c := range []struct {
		name     string
		typ      isa.Type
		dim      bool
		volatile bool
	}{
		{"%tid", isa.U32, true, false},
		{"%nctaid", isa.U32, true, false},
		{"%laneid", isa.U32, false, false},
		{"%smid", isa.U32, false, true},
		{"%gridid", isa.U64, false, false},
		{"%is_explicit_cluster", isa.Pred, false, false},
		{"%cluster_ctaid", isa.U32, true, false},
		{"%cluster_ctarank", isa.U32, false, false},
		{"%lanemask_lt", isa.U32, false, false},
		{"%clock", isa.U32, false, true},
		{"%clock64", isa.U64, false, true},
		{"%pm7", isa.U32, false, true},
		{"%pm0_64", isa.U64, false, true},
		{"%envreg31", isa.B32, false, false},
		{"%globaltimer_hi", isa.U32, false, true},
		{"%reserved_smem_offset_1", isa.B32, false, false},
		{"%dynamic_smem_size", isa.U32, false, false},
		{"%current_graph_exec", isa.U64, false, false},
	} {
		r, ok := isa.Special(c.name)
		if !ok || r.Name != c.name || r.Type != c.typ || r.Dim != c.dim || r.Volatile != c.volatile || r.Since < 10 || r.Doc == "" || r.Count != 0 {
			t.Errorf("%s: %+v, %v", c.name, r, ok)
		}
	}
	for _, name := range []string{"", "%", "%r1", "tid", "%tid.x", "%pm", "%pm8", "%pm#", "%pm01", "%envreg32", "%envreg#", "%pm8_64", "%clock32"} {
		if r, ok := isa.Special(name); ok {
			t.Errorf("%q is no special register, got %+v", name, r)
		}
	}
}

// TestWhoDiffers: who of a grid reads different values (PTX ISA, "Special Registers").
func TestWhoDiffers(t *testing.T) {
	for name, want := range map[string]struct{ lane, block bool }{
		"%tid": {true, false}, "%laneid": {true, false}, "%ctaid": {false, true}, "%clusterid": {false, true},
		"%cluster_ctaid": {false, true}, "%cluster_ctarank": {false, true}, "%ntid": {false, false}, "%nctaid": {false, false},
	} {
		if r, _ := isa.Special(name); r.PerLane != want.lane || r.PerBlock != want.block {
			t.Errorf("%s differs by lane %t, by block %t", name, r.PerLane, r.PerBlock)
		}
	}
}

// TestTypes checks widths and kinds against the names.
func TestTypes(t *testing.T) {
	for _, c := range []struct {
		name        string
		bits, lanes int
		wide        isa.Type
	}{
		{"pred", 1, 1, isa.TypeNone},
		{"u16", 16, 1, isa.U32},
		{"s32", 32, 1, isa.S64},
		{"s64", 64, 1, isa.TypeNone},
		{"b128", 128, 1, isa.TypeNone},
		{"f16x2", 32, 2, isa.F64},
		{"bf16", 16, 1, isa.TF32},
		{"u16x2", 32, 2, isa.U64},
		{"f32x2", 64, 2, isa.TypeNone},
		{"e4m3x4", 32, 4, isa.F64},
		{"e2m1x2", 8, 2, isa.F16},
	} {
		typ, ok := isa.TypeOf(c.name)
		if !ok || typ.String() != c.name || typ.Bits() != c.bits || typ.Lanes() != c.lanes {
			t.Errorf("%s: %v, %d bits, %d lanes", c.name, typ, typ.Bits(), typ.Lanes())
		}
		if k := typ.Kind(); (k == isa.KindUnsigned || k == isa.KindSigned) && typ.Widened() != c.wide {
			t.Errorf("%s widens to %s, want %s", c.name, typ.Widened(), c.wide)
		}
	}
}
