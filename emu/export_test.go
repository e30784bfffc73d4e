package emu

import (
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/grids"
	"github.com/ptxsan/ptxsan/emu/internal/lowering"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
)

// WithoutVerifier runs f without the verifier of the engine's state, which allocates.
func WithoutVerifier(f func()) {
	before := verifyTurn
	verifyTurn = nil
	defer func() { verifyTurn = before }()
	f()
}

// VectorOpcodes is the opcodes with modifiers that have a handler in assembly, but
// for those of memory and control flow.
func VectorOpcodes() []string {
	names := lowering.Opcodes()
	for _, t := range []string{"u16", "u32", "s32", "b32", "u64", "s64", "b64", "f32", "f64"} {
		for _, c := range []string{"eq", "ne", "lt", "le", "gt", "ge"} {
			names = append(names, "setp."+c+"."+t, "setp."+c+".and."+t, "setp."+c+".or."+t, "setp."+c+".xor."+t)
		}
	}
	for _, c := range []string{"equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"} {
		names = append(names, "setp."+c+".f32", "setp."+c+".f64", "setp."+c+".ftz.f32")
	}
	for _, c := range []string{"eq", "ne", "lt", "le", "gt", "ge"} {
		names = append(names, "setp."+c+".ftz.f32")
	}
	for _, c := range []string{"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"} {
		names = append(names, "setp."+c+".f16", "setp."+c+".and.bf16")
	}
	names = append(names, "setp.eq.s16", "setp.ne.s16", "mov.b32", "mov.b64", "mov.pred", "lop3.b32",
		"cvt.rn.f32.u8", "cvt.rn.f32.s8", "cvt.u32.u8", "cvt.s32.u8", "cvt.u16.u8", "cvt.s16.u8", "cvt.s32.s8", "cvt.u32.s8")
	slices.Sort(names)
	return names
}

// HasVectors reports whether this machine runs programs in assembly.
func HasVectors() bool { return vector.Available() }

// Inlines reports whether calls are inlined in a kernel that has been launched.
func (m *Machine) Inlines(kernel string) bool {
	fn, err := grids.Kernel(m.state, kernel)
	return err == nil && slices.ContainsFunc(fn.Sources, func(s state.Source) bool { return s.At != nil })
}

// Written reports whether a byte of device memory has been written, for Config.Uninitialised.
func (d *Device) Written(addr uint64) bool {
	a := d.state.Mem.Find(addr)
	return a.Shadow.Holes(addr-a.Base, 1).All == 0
}
