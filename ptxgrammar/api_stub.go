package ptxgrammar

// Tok is a token: byte offset, length and kind.
type Tok struct{ Off, lenKind uint32 }

// Parse reads PTX text. On failure the module is nil and the error is an
// ErrorList: one message per statement in error, naming the offending token and
// what was expected. Parse never panics on any input.
func Parse(name string, src []byte) (*Module, error) { panic("stub") }

// Text is the source of a range.
func (m *Module) Text(r Range) string { return string(m.File.Src[r.Start:r.End]) }

// InstRange is the byte range of an instruction, guard and semicolon included.
func (m *Module) InstRange(i *Inst) Range { panic("stub") }

// Opcode is the base opcode ("ld").
func (m *Module) Opcode(i *Inst) string { panic("stub") }

// OpcodeRange is the byte range of opcode and modifiers ("ld.global.u32").
func (m *Module) OpcodeRange(i *Inst) Range { panic("stub") }

// Mods appends the modifiers without dots, in source order.
func (m *Module) Mods(dst []string, i *Inst) []string { panic("stub") }

// Guard is the guard predicate's register name, "" when there is none.
func (m *Module) Guard(i *Inst) string { panic("stub") }

// GuardRange is the byte range of "@!%p", empty without guard.
func (m *Module) GuardRange(i *Inst) Range { panic("stub") }

// InstOperands are the top-level operands.
func (m *Module) InstOperands(i *Inst) []Operand { panic("stub") }

// Children are the operand's children.
func (m *Module) Children(o *Operand) []Operand { panic("stub") }

// OperandRange is the byte range of an operand.
func (m *Module) OperandRange(o *Operand) Range { panic("stub") }

// Name is the identifier of an OperandName, without its member.
func (m *Module) Name(o *Operand) string { panic("stub") }

// Member is ".x" of %tid.x, "" when absent.
func (m *Module) Member(o *Operand) string { panic("stub") }

// Operator is the operator of a unary or binary node ("+", "|", "<<").
func (m *Module) Operator(o *Operand) string { panic("stub") }

// OperandText is the source text of an operand.
func (m *Module) OperandText(o *Operand) string { panic("stub") }
