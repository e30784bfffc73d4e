package isa

// Lookup returns the row of a base opcode.
func Lookup(name string) (*Instr, bool) { panic("stub") }

// All returns the rows in table order. Do not modify.
func All() []*Instr { panic("stub") }

// Decode matches an instruction's modifiers (without dots, in source order) and
// its number of top-level operands against the row's forms. The result is
// cached and shared. The error names the offending modifier or the operand
// count and lists the closest form. Safe for concurrent use.
func (in *Instr) Decode(mods []string, operands int) (*Decoded, error) { panic("stub") }

// Mod returns the modifier matched for the named set, "" when absent.
func (d *Decoded) Mod(set string) string { panic("stub") }

// Has reports whether the literal modifier (such as "ftz" or "wide") is present.
func (d *Decoded) Has(mod string) bool { panic("stub") }

// SpecialReg describes a predefined register such as %tid or %laneid.
type SpecialReg struct {
	Name  string // with the percent sign, without .x
	Type  Type   // of one component
	Dim   bool   // has .x .y .z (and .w)
	Since Version
	MinSM int
}

// Special returns the special register named s ("%tid", "%clock64").
func Special(s string) (SpecialReg, bool) { panic("stub") }
