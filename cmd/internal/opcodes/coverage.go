// Coverage of the instruction set: which forms are emulated, and compared with expected values.

package opcodes

import (
	"maps"
	"strings"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/support"
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
		return "not emulated with " + strings.Join(foldModifiers(f.Without), " ")
	}
}

// newerForms is the version of PTX whose forms are not emulated as a rule, which the document says once.
const newerForms isa.Version = 93

// olderForm is form for what came before newerForms.
func (s formSupport) olderForm(in *isa.Instr, f *isa.Form) string {
	if max(f.Since, in.Since) >= newerForms && s[f].Emulated == 0 {
		return ""
	}
	return s.form(in, f)
}

// foldModifiers returns modifiers with their dots, and on one word those in a row that differ only behind their last
// "::": .collector::b::{fill,use}.
func foldModifiers(modifiers []string) (words []string) {
	for rest := modifiers; len(rest) > 0; {
		prefix := rest[0][:strings.LastIndex(rest[0], "::")+1]
		n := 1
		for n < len(rest) && prefix != "" && rest[n][:strings.LastIndex(rest[n], "::")+1] == prefix {
			n++
		}
		word := "." + rest[0]
		if n > 1 {
			word = "." + prefix + ":{" + strings.ReplaceAll(strings.Join(rest[:n], ","), prefix+":", "") + "}"
		}
		words, rest = append(words, word), rest[n:]
	}
	return words
}

// Markdown returns the text of docs/generated/isa-coverage.md.
func Markdown() string {
	emulated, cases := emulatedForms(), formCases(emu.ConformanceCases())
	return isa.Markdown(isa.Column{
		Title: "emulated", Cell: emulated.opcode,
		Form: func(in *isa.Instr, f *isa.Form) string {
			return strings.Trim(emulated.olderForm(in, f)+"; "+cases.form(in, f, emulated[f]), "; ")
		},
	})
}

// formCases maps forms to the number of their conformance cases.
type formCases map[*isa.Form]int

// form says that a form of the current manual has no case although it is emulated and leaves a result; "" otherwise.
func (n formCases) form(in *isa.Instr, f *isa.Form, emulated support.FormSupport) string {
	if n[f] == 0 && f.Gone == 0 && emulated.Emulated > 0 && emu.HasResult(in, f) {
		return "no case"
	}
	return ""
}
