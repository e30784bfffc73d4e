// Instructions that the table lacks, assumed to do anything.

package isa

// NewestVersion is the newest PTX ISA that a module may ask for. What the table lacks of it
// is reported where it stands.
const NewestVersion Version = 94

// anything is a place for an operand of an instruction that the table lacks: a register
// there may be read and written.
var anything = OperandSpec{Name: "a", Role: RoleDst, Reads: true}

// Unknown describes an instruction that the table lacks, whose opcode or modifiers are of
// a newer PTX ISA: it may read and write every register among its operands, wait for other
// threads and order memory, and continue at a label among them or behind it.
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

// Unknown reports whether the table lacks the instruction.
func (d *Decoded) Unknown() bool { return len(d.Instr.Forms) == 0 }
