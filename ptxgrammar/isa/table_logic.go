// The table: logic and shifts.

package isa

// logicRows: PTX ISA 9.7.8.
var logicRows = []row{
	{name: "and", calc: CalcAnd, since: 10, ref: "9.7.8.1", doc: "bitwise and", forms: bitwiseForms},
	{name: "or", calc: CalcOr, since: 10, ref: "9.7.8.2", doc: "bitwise or", forms: bitwiseForms},
	{name: "xor", calc: CalcXor, since: 10, ref: "9.7.8.3", doc: "bitwise exclusive or", forms: bitwiseForms},
	{name: "not", calc: CalcNot, since: 10, ref: "9.7.8.4", doc: "bitwise complement", forms: `
		.type = pred b16 b32 b64
		not.type d, a`},
	{name: "cnot", calc: CalcNumber, since: 10, ref: "9.7.8.5", doc: "1 when the operand is 0, else 0", forms: `
		.type = b16 b32 b64
		cnot.type d, a`},
	{name: "lop3", calc: CalcNumber, since: 43, minSM: 50, ref: "9.7.8.6", doc: "any bitwise function of three operands", forms: `
		lop3.b32 d, a, b, c, immLut#any
		.BoolOp = or and
		lop3.BoolOp.b32 d|p:pred, a, b, c, immLut#any, q:pred ; 8.2 sm_70`},
	{name: "shf", calc: CalcNumber, since: 31, minSM: 32, ref: "9.7.8.7", doc: "funnel shift", forms: `
		.dir = l r
		.mode = clamp wrap
		shf.dir.mode.b32 d, a, b, c:u32`},
	{name: "shl", calc: CalcShiftLeft, since: 10, ref: "9.7.8.8", doc: "shift left", forms: `
		.type = b16 b32 b64
		shl.type d, a, b:u32`},
	{name: "shr", calc: CalcShiftRight, since: 10, ref: "9.7.8.9", doc: "shift right, with sign or zero fill", forms: `
		.type = b16 b32 b64 u16 u32 u64 s16 s32 s64
		shr.type d, a, b:u32`},
}

// bitwiseForms are the forms of and, or and xor.
const bitwiseForms = `
	.type = pred b16 b32 b64
	OP.type d, a, b`
