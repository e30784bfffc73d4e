// Instructions that are not in the table, with conservative assumptions.

package isa

// NewestVersion is the newest PTX ISA version of a module. Features of it that the table lacks are reported at their
// place.
const NewestVersion Version = 95

// anything is the operand spec of an instruction that is not in the table: a register there may be read and written.
var anything = OperandSpec{Name: "a", Role: RoleDst, Reads: true}

// Unknown describes an instruction that is not in the table, since its opcode or modifiers are of a newer PTX ISA. It
// may read and write every register among its operands, wait for other threads and order memory, and continue at a
// label among them or at the next instruction.
func Unknown(name string, mods []string, operands int) *Decoded {
	effects := Orders | Synchronises | Convergent | ReadsClock
	d := &Decoded{
		Instr: &Instr{Name: name, Class: ClassMisc, Effects: effects, Doc: "unknown"},
		Form:  &Form{opcode: name, Effects: effects},
		Mods:  mods, Vec: 1, Operands: make([]OperandInfo, operands),
	}
	for i := range d.Operands {
		d.Operands[i] = OperandInfo{Spec: &anything, Role: RoleDst}
	}
	return d
}

// Unknown reports whether the instruction is not in the table.
func (d *Decoded) Unknown() bool { return len(d.Instr.Forms) == 0 }
