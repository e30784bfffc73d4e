// Opcodes whose registers may be wider than the instruction's type.

package isa

// relaxed lists the opcodes whose data operands may be wider than the type, so that narrow values can be in registers
// of the usual widths.
var relaxed = map[string]bool{"ld": true, "ldu": true, "st": true, "cvt": true}

// Relaxed reports whether source and destination registers may be wider than the instruction's type (PTX ISA 9.4.1,
// Operand Size Exceeding Instruction-Type Size). This includes surfaces, since there are no registers of 8 bits.
func (in *Instr) Relaxed() bool { return relaxed[in.Name] || in.Class == ClassTexture }
