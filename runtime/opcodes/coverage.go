// Coverage of the instruction set: which forms are emulated, compared with expected values, and
// instrumented.

package opcodes

import (
	"fmt"
	"maps"
	"strings"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/support"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// formSupport maps forms to the number of their spellings that the emulator executes.
type formSupport map[*isa.Form]support.FormSupport

// supportOf returns the support of an opcode's forms.
func supportOf(in *isa.Instr) formSupport {
	s := formSupport{}
	for i, f := range support.Forms(in) {
		s[in.Forms[i]] = f
	}
	return s
}

// emulatedForms returns the support of the forms of all opcodes.
func emulatedForms() formSupport {
	s := formSupport{}
	for _, in := range isa.All() {
		maps.Copy(s, supportOf(in))
	}
	return s
}

// opcode says whether an opcode is emulated: in all forms, in some, or not.
func (s formSupport) opcode(in *isa.Instr) string {
	whole, some := true, false
	for _, f := range in.Forms {
		whole = whole && s[f].Emulated > 0 && s[f].Emulated == s[f].Spellings
		some = some || s[f].Emulated > 0
	}
	switch {
	case whole:
		return "yes"
	case some:
		return "in part"
	}
	return "no"
}

// form says which part of a form is not emulated; "" when all of it is.
func (s formSupport) form(_ *isa.Instr, f *isa.Form) string {
	switch f := s[f]; {
	case f.Emulated == 0:
		return "not emulated"
	case f.Emulated == f.Spellings:
		return ""
	case len(f.Without) == 0:
		return "emulated in part"
	default:
		return "not emulated with ." + strings.Join(f.Without, " .")
	}
}

// Markdown returns the text of docs/isa-coverage.md: a row for each opcode and each of its forms.
func Markdown() string {
	always := func(*isa.Instr) string { return "yes" }
	emulated, cases := emulatedForms(), formCases(emu.ConformanceCases())
	return isa.Markdown(
		isa.Column{Title: "parses", Cell: always},
		isa.Column{Title: "checked", Cell: always},
		isa.Column{Title: "emulated", Cell: emulated.opcode, Form: emulated.form},
		isa.Column{Title: "cases", Cell: cases.opcode, Form: cases.form},
		isa.Column{Title: "instrumented", Cell: instrumentedBy},
	)
}

// formCases maps forms to the number of their conformance cases.
type formCases map[*isa.Form]int

// opcode returns the number of cases of all forms of an opcode.
func (n formCases) opcode(in *isa.Instr) string {
	sum := 0
	for _, f := range in.Forms {
		sum += n[f]
	}
	return fmt.Sprint(sum)
}

// form returns the number of cases of a form, or the reason why it has none.
func (n formCases) form(in *isa.Instr, f *isa.Form) string {
	switch {
	case n[f] > 0:
		return fmt.Sprintf("%d cases", n[f])
	case emu.Emulates(in.Op) && !emu.HasResult(in, f):
		return "no result to compare"
	}
	return ""
}
