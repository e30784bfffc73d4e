// Package support lists what the emulator supports: the forms of the instruction table that it emulates, and the
// features of a module that behave differently than on a device. It decodes instructions to find out, and does not
// depend on how they are executed.
package support

import (
	"errors"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// FormSupport says how much of a form of the instruction table is emulated.
type FormSupport struct {
	// Spellings is the number of spellings of the form that were tried, Emulated the number of those that New accepts.
	// For an opcode without semantics none is tried.
	Spellings, Emulated int
	// Without lists the modifiers that no accepted spelling has, in the order of the
	// form. It is nil when no spelling is accepted.
	Without []string
	// Refusal is the error of New for the first spelling that it does not accept.
	Refusal string
}

// Forms returns the support of all forms of an opcode, in the table's order. It decodes instructions of each form: all
// spellings of most forms, and an even selection for forms with very many.
func Forms(in *isa.Instr) []FormSupport {
	out := make([]FormSupport, len(in.Forms))
	if !emu.Emulates(in.Op) {
		return out
	}
	samples := samplesOf(in)
	for _, target := range targetsOf(samples) {
		judge(target, slices.DeleteFunc(slices.Clone(samples), func(s *sample) bool { return s.target != target }))
	}
	for i, f := range in.Forms {
		var accepted, refused []*sample
		for _, s := range samples {
			switch {
			case s.form != f || s.illegal:
			case s.refusal == "":
				accepted = append(accepted, s)
			default:
				refused = append(refused, s)
			}
		}
		out[i] = FormSupport{Spellings: len(accepted) + len(refused), Emulated: len(accepted)}
		if len(refused) > 0 {
			out[i].Refusal = refused[0].refusal
		}
		if len(accepted) > 0 {
			out[i].Without = without(f, accepted, refused)
		}
	}
	return out
}

// without returns the modifiers that occur in refused samples but in no accepted one.
func without(f *isa.Form, accepted, refused []*sample) []string {
	var words []string
	for i := range f.Mods {
		for _, v := range f.Mods[i].Values {
			has := func(s *sample) bool { return slices.Contains(s.mods, v) }
			if !slices.Contains(words, v) && slices.ContainsFunc(refused, has) && !slices.ContainsFunc(accepted, has) {
				words = append(words, v)
			}
		}
	}
	return words
}

// judge determines which samples are emulated, and which of the others are legal PTX at all.
func judge(target string, samples []*sample) {
	for line, r := range emu.DecodeErrors(loadSamples(target, samples, rewrite.Load), sampleKernel) {
		s := samples[line-sampleLine]
		s.refusal, s.illegal = r.Message, !r.Missing
	}
	var refused []*sample
	for _, s := range samples {
		if s.refusal != "" && !s.illegal {
			refused = append(refused, s)
		}
	}
	loadSamples(target, refused, rewrite.Check)
}

// loadSamples loads a kernel with the samples, each on a separate line. Samples that are refused become illegal and are
// omitted.
func loadSamples(target string, samples []*sample,
	load func(*ptxgrammar.Module) (*rewrite.Module, error),
) *rewrite.Module {
	for {
		ast, err := ptxgrammar.Parse("forms.ptx", []byte(sampleModule(target, samples)))
		var mod *rewrite.Module
		if err == nil {
			mod, err = load(ast)
		}
		if err == nil {
			return mod
		}
		found := false
		for line, message := range errorLines(err) {
			if i := line - sampleLine; i >= 0 && i < len(samples) && !samples[i].illegal {
				samples[i].illegal, samples[i].refusal, found = true, message, true
			}
		}
		if !found {
			panic("BUG: emu: samples of forms: " + err.Error())
		}
	}
}

// errorLines returns the messages of an error by line.
func errorLines(err error) map[int]string {
	lines := map[int]string{}
	var list ptxgrammar.ErrorList
	var one *ptxgrammar.Error
	switch {
	case errors.As(err, &list):
		for _, e := range list {
			lines[e.Pos.Line] = e.Msg
		}
	case errors.As(err, &one):
		lines[one.Pos.Line] = one.Msg
	}
	return lines
}
