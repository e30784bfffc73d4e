// Opcodes whose registers may be wider than the instruction's type.

package isa

// relaxed are the opcodes whose data operands may be wider than the type says, so
// that narrow values can live in registers of the usual widths.
var relaxed = map[string]bool{"ld": true, "ldu": true, "st": true, "cvt": true}

// Relaxed reports whether source and destination registers may be wider than the
// instruction's type (PTX ISA 9.4.1, Operand Size Exceeding Instruction-Type Size).
// That holds for surfaces, too: there are no registers as narrow as their bytes.
func (in *Instr) Relaxed() bool { return relaxed[in.Name] || in.Class == ClassTexture }
