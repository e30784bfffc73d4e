package emu

import (
	"errors"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Emulates reports whether the opcode has semantics here. A kernel may still ask for
// a form of it that is not emulated; loading it says so.
func Emulates(op isa.Op) bool { return semantics[op.String()] != nil }

// refused are the opcodes without semantics, and why they have none.
var refused = map[string]string{
	"multimem":             "it needs a multicast object that spans devices, and there is one device here",
	"clusterlaunchcontrol": "devices before sm_100 do not have it",
	"tcgen05":              "devices before sm_100 do not have it",
}

// FormSupport says how much of a form of the instruction table is emulated.
type FormSupport struct {
	// Spellings counts the spellings of the form that were tried, Emulated those of them
	// that New accepts. None is tried of an opcode without semantics.
	Spellings, Emulated int
	// Without lists the modifiers that no accepted spelling has, in the order of the
	// form. It is nil when no spelling is accepted.
	Without []string
	// Refusal is what New says about the first spelling that it does not accept.
	Refusal string
}

// Support is the support of all forms of an opcode, in the table's order. It is found
// by writing instructions of the form and decoding them: all spellings of most
// forms, and an even choice of those with very many.
func Support(in *isa.Instr) []FormSupport {
	out := make([]FormSupport, len(in.Forms))
	if !Emulates(in.Op) {
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

// without are the modifiers that are among those of the refused, but in none of the
// accepted samples.
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

// judge finds out which samples are emulated, and which of the others are in the
// language at all.
func judge(target string, samples []*sample) {
	for line, message := range decodeErrors(loadSamples(target, samples, rewrite.Load)) {
		s := samples[line-sampleLine]
		s.refusal, s.illegal = message, !strings.HasPrefix(message, refusalPrefix)
	}
	var refused []*sample
	for _, s := range samples {
		if s.refusal != "" && !s.illegal {
			refused = append(refused, s)
		}
	}
	loadSamples(target, refused, rewrite.Check)
}

// loadSamples loads a kernel with the samples, each in a line of its own. Those that
// are refused become illegal and are left out.
func loadSamples(target string, samples []*sample, load func(*ptxgrammar.Module) (*rewrite.Module, error)) *rewrite.Module {
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

// decodeErrors are the complaints about the instructions of the kernel, by line.
func decodeErrors(mod *rewrite.Module) map[int]string {
	m := NewDevice(0).newMachine(mod, Config{})
	_ = m.loadModule(nil) // the first errors only; what they leave undone is not needed here
	k, _ := mod.Lookup(sampleKernel)
	d := m.newDecoder(m.bySource[k.(*rewrite.Func)])
	lines := map[int]string{}
	for _, in := range d.fn.src.Insts {
		if _, err := d.inst(in); err != nil {
			lines[in.Position().Line] = appendError(nil, in, err)[0].Msg
		}
	}
	return lines
}

// errorLines are the messages of an error by their lines.
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
