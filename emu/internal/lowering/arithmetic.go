// Arithmetic, copies and conversions.

package lowering

import (
	"maps"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// arithmetic maps an opcode with its modifiers to the operation of the assembly code that computes it. The operands of
// such an instruction are d, a, b, c in this order, one of which may be an immediate.
var arithmetic = opsByName([]spelled{
	{vector.Add32, "add.u32 add.s32"},
	{vector.Sub32, "sub.u32 sub.s32"},
	{vector.Mul32, "mul.lo.u32 mul.lo.s32 mul.wide.u16"},
	{vector.Mad32, "mad.lo.u32 mad.lo.s32 mad.wide.u16"},
	{vector.MulHiU32, "mul.hi.u32"},
	{vector.MulHiS32, "mul.hi.s32"},
	{vector.MulWideS16, "mul.wide.s16"},
	{vector.MulWideU32, "mul.wide.u32"},
	{vector.MulWideS32, "mul.wide.s32"},
	{vector.MadWideU32, "mad.wide.u32"},
	{vector.MadWideS32, "mad.wide.s32"},
	{vector.Add16, "add.u16 add.s16"},
	{vector.Sub16, "sub.u16 sub.s16"},
	{vector.Mul16, "mul.lo.u16 mul.lo.s16"},
	{vector.Mad16, "mad.lo.u16 mad.lo.s16"},
	{vector.Add64, "add.u64 add.s64"},
	{vector.Sub64, "sub.u64 sub.s64"},
	{vector.Mul64, "mul.lo.u64 mul.lo.s64"},
	{vector.Mad64, "mad.lo.u64 mad.lo.s64"},
	{vector.Abs32, "abs.s32"},
	{vector.Abs64, "abs.s64"},
	{vector.Neg32, "neg.s32"},
	{vector.Neg64, "neg.s64"},
	{vector.MinS32, "min.s32"},
	{vector.MaxS32, "max.s32"},
	{vector.MinU32, "min.u32"},
	{vector.MaxU32, "max.u32"},
	{vector.MinS64, "min.s64"},
	{vector.MaxS64, "max.s64"},
	{vector.MinU64, "min.u64"},
	{vector.MaxU64, "max.u64"},
	{vector.And32, "and.b32 and.b16"},
	{vector.Or32, "or.b32 or.b16"},
	{vector.Xor32, "xor.b32 xor.b16"},
	{vector.Not32, "not.b32"},
	{vector.Not16, "not.b16"},
	{vector.And64, "and.b64"},
	{vector.Or64, "or.b64"},
	{vector.Xor64, "xor.b64"},
	{vector.Not64, "not.b64"},
	{vector.AndPred, "and.pred"},
	{vector.OrPred, "or.pred"},
	{vector.XorPred, "xor.pred"},
	{vector.NotPred, "not.pred"},
	{vector.Shl32, "shl.b32"},
	{vector.ShrU32, "shr.u32 shr.b32"},
	{vector.ShrS32, "shr.s32"},
	{vector.Shl64, "shl.b64"},
	{vector.ShrU64, "shr.u64 shr.b64"},
	{vector.ShrS64, "shr.s64"},
	{vector.Shl16, "shl.b16"},
	{vector.ShrU32, "shr.u16 shr.b16"},
	{vector.ShrS16, "shr.s16"},
	{vector.BfeU32, "bfe.u32"},
	{vector.BfeS32, "bfe.s32"},
	{vector.Bfi32, "bfi.b32"},
	{vector.Popc32, "popc.b32"},
	{vector.Brev32, "brev.b32"},
	{vector.DivU32, "div.u32"},
	{vector.RemU32, "rem.u32"},
	{vector.DivS32, "div.s32"},
	{vector.RemS32, "rem.s32"},
	{vector.DivU64, "div.u64"},
	{vector.RemU64, "rem.u64"},
	{vector.DivS64, "div.s64"},
	{vector.RemS64, "rem.s64"},
	{vector.Permute, "prmt.b32"},
	{vector.ShfLeftWrap, "shf.l.wrap.b32"},
	{vector.ShfLeftClamp, "shf.l.clamp.b32"},
	{vector.ShfRightWrap, "shf.r.wrap.b32"},
	{vector.ShfRightClamp, "shf.r.clamp.b32"},
	{vector.Select32, "selp.b32 selp.u32 selp.s32 selp.f32 selp.b16 selp.u16 selp.s16"},
	{vector.Select64, "selp.b64 selp.u64 selp.s64 selp.f64"},
	{vector.AddF32, "add.f32 add.rn.f32"},
	{vector.SubF32, "sub.f32 sub.rn.f32"},
	{vector.MulF32, "mul.f32 mul.rn.f32"},
	{vector.FmaF32, "fma.rn.f32 mad.rn.f32"},
	{vector.DivF32, "div.rn.f32 div.full.f32"},
	{vector.RcpF32, "rcp.rn.f32 rcp.approx.f32"},
	{vector.SqrtF32, "sqrt.rn.f32 sqrt.approx.f32"},
	{vector.AddF32Ftz, "add.ftz.f32 add.rn.ftz.f32"},
	{vector.SubF32Ftz, "sub.ftz.f32 sub.rn.ftz.f32"},
	{vector.MulF32Ftz, "mul.ftz.f32 mul.rn.ftz.f32"},
	{vector.FmaF32Ftz, "fma.rn.ftz.f32 mad.rn.ftz.f32"},
	{vector.DivF32Ftz, "div.rn.ftz.f32 div.full.ftz.f32"},
	{vector.RcpF32Ftz, "rcp.rn.ftz.f32 rcp.approx.ftz.f32"},
	{vector.SqrtF32Ftz, "sqrt.rn.ftz.f32 sqrt.approx.ftz.f32"},
	{vector.DivApproxF32, "div.approx.f32"},
	{vector.DivApproxF32Ftz, "div.approx.ftz.f32"},
	{vector.AddF32Sat, "add.sat.f32 add.rn.sat.f32"},
	{vector.SubF32Sat, "sub.sat.f32 sub.rn.sat.f32"},
	{vector.MulF32Sat, "mul.sat.f32 mul.rn.sat.f32"},
	{vector.FmaF32Sat, "fma.rn.sat.f32 mad.rn.sat.f32"},
	{vector.AddF32FtzSat, "add.ftz.sat.f32 add.rn.ftz.sat.f32"},
	{vector.SubF32FtzSat, "sub.ftz.sat.f32 sub.rn.ftz.sat.f32"},
	{vector.MulF32FtzSat, "mul.ftz.sat.f32 mul.rn.ftz.sat.f32"},
	{vector.FmaF32FtzSat, "fma.rn.ftz.sat.f32 mad.rn.ftz.sat.f32"},
	{vector.Ex2F32, "ex2.approx.f32"},
	{vector.Ex2F32Ftz, "ex2.approx.ftz.f32"},
	{vector.RsqrtF32, "rsqrt.approx.f32"},
	{vector.RsqrtF32Ftz, "rsqrt.approx.ftz.f32"},
	{vector.AddF32Down, "add.rm.f32"},
	{vector.SubF32Down, "sub.rm.f32"},
	{vector.MulF32Down, "mul.rm.f32"},
	{vector.FmaF32Down, "fma.rm.f32 mad.rm.f32"},
	{vector.AddF32Up, "add.rp.f32"},
	{vector.SubF32Up, "sub.rp.f32"},
	{vector.MulF32Up, "mul.rp.f32"},
	{vector.FmaF32Up, "fma.rp.f32 mad.rp.f32"},
	{vector.AddF32Zero, "add.rz.f32"},
	{vector.SubF32Zero, "sub.rz.f32"},
	{vector.MulF32Zero, "mul.rz.f32"},
	{vector.FmaF32Zero, "fma.rz.f32 mad.rz.f32"},
	{vector.MinF32Ftz, "min.ftz.f32"},
	{vector.MaxF32Ftz, "max.ftz.f32"},
	{vector.AbsF32Ftz, "abs.ftz.f32"},
	{vector.NegF32Ftz, "neg.ftz.f32"},
	{vector.MinF32, "min.f32"},
	{vector.MaxF32, "max.f32"},
	{vector.AbsF32, "abs.f32"},
	{vector.NegF32, "neg.f32"},
	{vector.AddF64, "add.f64 add.rn.f64"},
	{vector.SubF64, "sub.f64 sub.rn.f64"},
	{vector.MulF64, "mul.f64 mul.rn.f64"},
	{vector.FmaF64, "fma.rn.f64 mad.rn.f64"},
	{vector.DivF64, "div.rn.f64"},
	{vector.RcpF64, "rcp.rn.f64"},
	{vector.SqrtF64, "sqrt.rn.f64"},
	{vector.AbsF64, "abs.f64"},
	{vector.NegF64, "neg.f64"},
	{vector.AddF16, "add.f16 add.rn.f16 add.f16x2 add.rn.f16x2"},
	{vector.SubF16, "sub.f16 sub.rn.f16 sub.f16x2 sub.rn.f16x2"},
	{vector.MulF16, "mul.f16 mul.rn.f16 mul.f16x2 mul.rn.f16x2"},
	{vector.FmaF16, "fma.rn.f16 fma.rn.f16x2"},
	{vector.MinF16, "min.f16 min.f16x2"},
	{vector.MaxF16, "max.f16 max.f16x2"},
	{vector.AbsHalves, "abs.f16 abs.f16x2 abs.bf16 abs.bf16x2"},
	{vector.NegHalf, "neg.f16 neg.bf16"},
	{vector.NegHalves, "neg.f16x2 neg.bf16x2"},
	{vector.AddBF16, "add.bf16 add.rn.bf16 add.bf16x2 add.rn.bf16x2"},
	{vector.SubBF16, "sub.bf16 sub.rn.bf16 sub.bf16x2 sub.rn.bf16x2"},
	{vector.MulBF16, "mul.bf16 mul.rn.bf16 mul.bf16x2 mul.rn.bf16x2"},
	{vector.FmaBF16, "fma.rn.bf16 fma.rn.bf16x2"},
	{vector.MinBF16, "min.bf16 min.bf16x2"},
	{vector.MaxBF16, "max.bf16 max.bf16x2"},
	{vector.F16x2FromF32, "cvt.rn.f16x2.f32"},
	{vector.BF16x2FromF32, "cvt.rn.bf16x2.f32"},
})

type spelled struct {
	op    vector.Op
	names string
}

func opsByName(list []spelled) map[string]vector.Op {
	m := map[string]vector.Op{}
	for _, s := range list {
		for _, n := range strings.Fields(s.names) {
			m[n] = s.op
		}
	}
	return m
}

// Arithmetic returns the operation of an instruction in the table, Slow for others.
func Arithmetic(in *rewrite.Inst) vector.Op {
	ast := in.Func.Module.AST
	return arithmetic[ast.Text(ast.OpcodeRange(in.AST))]
}

// Move returns the operation that copies a register of a width in bits.
func Move(bits int) vector.Op {
	switch bits {
	case 1:
		return vector.MovPred
	case 32:
		return vector.Mov32
	case 64:
		return vector.Mov64
	}
	return vector.Slow
}

// conversions has the operations of conversions between types that are as wide as their registers.
var conversions = opsByName([]spelled{
	{vector.Extend, "cvt.u64.u32 cvt.s64.u32 cvt.u64.u16 cvt.s64.u16"},
	{vector.ExtendSigned, "cvt.s64.s32 cvt.u64.s32"},
	{vector.Truncate, "cvt.u32.u64 cvt.s32.u64 cvt.u32.s64 cvt.s32.s64"},
	{vector.Truncate16, "cvt.u16.u64 cvt.s16.u64 cvt.u16.s64 cvt.s16.s64"},
	{vector.Mov64, "cvt.u64.u64 cvt.s64.s64 cvt.u64.s64 cvt.s64.u64"},
	{vector.Mov32, "cvt.u32.u32 cvt.s32.s32 cvt.u32.s32 cvt.s32.u32 cvt.u32.u16 cvt.s32.u16"},
	{vector.Low16, "cvt.u16.u32 cvt.s16.u32 cvt.u16.s32 cvt.s16.s32"},
	{vector.Sign16, "cvt.s32.s16 cvt.u32.s16"},
	{vector.F32FromS32, "cvt.rn.f32.s32 cvt.rn.f32.u16"},
	{vector.F32FromS16, "cvt.rn.f32.s16"},
	{vector.F32FromU32, "cvt.rn.f32.u32"},
	{vector.F64FromS32, "cvt.f64.s32 cvt.rn.f64.s32"},
	{vector.F64FromU32, "cvt.f64.u32 cvt.rn.f64.u32"},
	{vector.F64FromF32, "cvt.f64.f32"},
	{vector.F32FromF64, "cvt.rn.f32.f64"},
	{vector.S32FromF32, "cvt.rzi.s32.f32"},
	{vector.S32FromF32Even, "cvt.rni.s32.f32"},
	{vector.S32FromF32Down, "cvt.rmi.s32.f32"},
	{vector.S32FromF32Up, "cvt.rpi.s32.f32"},
	{vector.U32FromF32, "cvt.rzi.u32.f32"},
	{vector.U32FromF32Even, "cvt.rni.u32.f32"},
	{vector.U32FromF32Down, "cvt.rmi.u32.f32"},
	{vector.U32FromF32Up, "cvt.rpi.u32.f32"},
	{vector.SatF32, "cvt.sat.f32.f32"},
	{vector.SatF32Ftz, "cvt.ftz.sat.f32.f32"},
	{vector.RoundEven, "cvt.rni.f32.f32"},
	{vector.RoundDown, "cvt.rmi.f32.f32"},
	{vector.RoundUp, "cvt.rpi.f32.f32"},
	{vector.RoundZero, "cvt.rzi.f32.f32"},
	{vector.F32FromF16, "cvt.f32.f16"},
	{vector.F32FromBF16, "cvt.f32.bf16"},
	{vector.F16FromF32, "cvt.rn.f16.f32"},
	{vector.BF16FromF32, "cvt.rn.bf16.f32"},
})

// Conversion returns the operation of cvt from a type to another, Slow if there is none. dst and src are the types of
// the registers.
func Conversion(in *rewrite.Inst, to, from, dst, src isa.Type) vector.Op {
	ast := in.Func.Module.AST
	name := ast.Text(ast.OpcodeRange(in.AST))
	switch {
	case dst.Bits() == to.Bits() && src.Bits() == from.Bits():
		return conversions[name]
	case src.Bits() == 64 || dst.Bits() == 64:
	case name == "cvt.u32.u8" || name == "cvt.s32.u8" || name == "cvt.u16.u8" || name == "cvt.s16.u8":
		if dst.Bits() == to.Bits() {
			return vector.Low8
		}
	case name == "cvt.s32.s8" || name == "cvt.u32.s8":
		if dst.Bits() == to.Bits() {
			return vector.Sign8
		}
	case name == "cvt.rn.f32.u8" && dst.Bits() == to.Bits():
		return vector.F32FromU8
	case name == "cvt.rn.f32.s8" && dst.Bits() == to.Bits():
		return vector.F32FromS8
	}
	return vector.Slow
}

// Opcodes returns the opcodes, with modifiers, of the tables of arithmetic and conversions, sorted.
func Opcodes() []string {
	return slices.Sorted(func(yield func(string) bool) {
		maps.Keys(arithmetic)(yield)
		maps.Keys(conversions)(yield)
	})
}

// Votes has the operations of vote.sync, by mode.
var Votes = map[string]vector.Op{"ballot": vector.Ballot, "all": vector.VoteAll, "any": vector.VoteAny}
