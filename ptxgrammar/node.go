// Access to the parts of syntax nodes.

package ptxgrammar

// These methods are the interface for other packages to instructions and operands. Strings are parts of the source text
// and need no allocation.

// Text returns the source of a range.
func (m *Module) Text(r Range) string { return m.text[r.Start:r.End] }

// tokText returns the source of a token.
func (m *Module) tokText(tok uint32) string { return m.text[m.toks[tok].Off:m.toks[tok].End()] }

// tokSpan returns the byte range of the tokens [from, to).
func (m *Module) tokSpan(from, to uint32) Range {
	if from == to {
		return Range{m.toks[from].Off, m.toks[from].Off}
	}
	return Range{m.toks[from].Off, m.toks[to-1].End()}
}

// InstRange returns the byte range of an instruction, guard and semicolon included.
func (m *Module) InstRange(i *Inst) Range { return m.tokSpan(i.First, i.End) }

// Opcode returns the base opcode ("ld").
func (m *Module) Opcode(i *Inst) string { return m.tokText(i.opcode) }

// OpcodeRange returns the byte range of opcode and modifiers ("ld.global.u32").
func (m *Module) OpcodeRange(i *Inst) Range {
	return m.tokSpan(i.opcode, i.opcode+1+uint32(i.nMods))
}

// Mods appends the modifiers without dots, in source order. The bank of .const[2] is
// not part of the modifier.
func (m *Module) Mods(dst []string, i *Inst) []string {
	for t := i.opcode + 1; t <= i.opcode+uint32(i.nMods); t++ {
		s := m.tokText(t)[1:]
		if s[len(s)-1] == ']' {
			s = "const"
		}
		dst = append(dst, s)
	}
	return dst
}

// Guard returns the guard predicate's register name, "" when there is none.
func (m *Module) Guard(i *Inst) string {
	if !i.HasGuard {
		return ""
	}
	return m.tokText(i.opcode - 1)
}

// GuardRange returns the byte range of "@!%p", empty without guard.
func (m *Module) GuardRange(i *Inst) Range { return m.tokSpan(i.First, i.opcode) }

// InstOperands returns the top-level operands.
func (m *Module) InstOperands(i *Inst) []Operand {
	return m.Operands[i.firstOp : i.firstOp+i.nOps : i.firstOp+i.nOps]
}

// Children returns the operand's children.
func (m *Module) Children(o *Operand) []Operand {
	return m.Operands[o.first : o.first+o.n : o.first+o.n]
}

// OperandRange returns the byte range of an operand. Parentheses around it are not part
// of it.
func (m *Module) OperandRange(o *Operand) Range { return m.tokSpan(o.tok, o.end) }

// OperandText returns the source text of an operand.
func (m *Module) OperandText(o *Operand) string { return m.Text(m.OperandRange(o)) }

// Name returns the identifier of an OperandName, without its member, or of an OperandCall.
func (m *Module) Name(o *Operand) string { return m.tokText(o.tok) }

// Member returns ".x" of %tid.x and ".unified" of [a].unified, "" when absent.
func (m *Module) Member(o *Operand) string {
	switch {
	case o.Kind == OperandName && o.end > o.tok+1:
		return m.Text(m.tokSpan(o.tok+1, o.end))
	case o.Kind == OperandAddr && m.toks[o.end-1].Kind() == tokDOTID:
		return m.tokText(o.end - 1)
	}
	return ""
}

// Operator returns the operator of a unary, binary or conditional node ("+", "|", "<<", "?").
func (m *Module) Operator(o *Operand) string { return operators[o.op] }

// CastType returns the type of an OperandCast, with the dot (".u64").
func (m *Module) CastType(o *Operand) string { return m.tokText(o.tok + 1) }
