// Error messages for instructions that match no form.

package isa

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// explain returns an error that says why no form matches.
func (in *Instr) explain(mods []string, operands int) error {
	spelled := in.Name
	for _, m := range mods {
		spelled += "." + m
	}
	if forms := in.matching(mods); len(forms) > 0 {
		if why := faultOfAll(forms, mods); why != "" {
			return fmt.Errorf("%s: %s", spelled, why)
		}
		return countError(spelled, mods, operands, forms)
	}
	for _, m := range mods {
		if !in.accepts(m) {
			return in.unknownModifier(spelled, m, mods)
		}
	}
	f, fit := in.closest(mods)
	missing := ""
	if i := slices.IndexFunc(fit.missing, func(s *ModSlot) bool { return !s.Optional }); i >= 0 {
		missing = fit.missing[i].expectation()
	}
	switch {
	case len(fit.left) == 0:
		return fmt.Errorf("%s: missing %s: form %s", spelled, missing, f.Syntax())
	case missing != "":
		return fmt.Errorf("%s: %q does not go with the other modifiers: the closest form is %s, with %s", spelled,
			"."+fit.left[0], f.Syntax(), missing)
	}
	return fmt.Errorf("%s: %q does not go with the other modifiers: the closest form is %s", spelled, "."+fit.left[0],
		f.Syntax())
}

// faultOfAll returns the fault of the first of forms if the modifiers suit none of them.
func faultOfAll(forms []*Form, mods []string) (why string) {
	for _, f := range forms {
		fault := f.fault(f.assign(mods))
		if fault == "" {
			return ""
		}
		why = cmp.Or(why, fault)
	}
	return why
}

// matching returns the forms that the modifiers match, in the manual's order if any does.
func (in *Instr) matching(mods []string) []*Form {
	for _, loose := range []bool{false, true} {
		var forms []*Form
		for _, f := range in.Forms {
			if f.match(mods, loose) != nil {
				forms = append(forms, f)
			}
		}
		if len(forms) > 0 {
			return forms
		}
	}
	return nil
}

// countError returns an error with the numbers of operands that the forms accept.
func countError(spelled string, mods []string, operands int, forms []*Form) error {
	lo, hi := forms[0].arity(mods)
	for _, f := range forms[1:] {
		l, h := f.arity(mods)
		lo, hi = min(lo, l), max(hi, h)
	}
	want := fmt.Sprint(lo)
	if hi > lo {
		want = fmt.Sprintf("%d to %d", lo, hi)
		if hi == lo+1 {
			want = fmt.Sprintf("%d or %d", lo, hi)
		}
	}
	noun := "operands"
	if want == "1" {
		noun = "operand"
	}
	return fmt.Errorf("%s takes %s %s, got %d: form %s", spelled, want, noun, operands, forms[0].Syntax())
}

// accepts reports whether any form accepts the modifier.
func (in *Instr) accepts(mod string) bool {
	return slices.ContainsFunc(in.Forms, func(f *Form) bool {
		return slices.ContainsFunc(f.Mods, func(s ModSlot) bool { return s.accept(mod) != "" })
	})
}

// unknownModifier returns an error with values similar to the misspelt one, or else the modifiers that the closest form
// still accepts.
func (in *Instr) unknownModifier(spelled, mod string, mods []string) error {
	var all []string
	for _, f := range in.Forms {
		for _, s := range f.Mods {
			all = append(all, s.Values...)
		}
	}
	if near := Nearest(mod, slices.Values(all)); near != "" {
		return fmt.Errorf("%s: unknown modifier %q (did you mean %q?)", spelled, "."+mod, "."+near)
	}
	f, fit := in.closest(mods)
	var expected []string
	for _, s := range fit.missing {
		expected = append(expected, s.values()...)
	}
	if len(expected) == 0 {
		return fmt.Errorf("%s: unknown modifier %q (the form is %s)", spelled, "."+mod, f.Syntax())
	}
	return fmt.Errorf("%s: unknown modifier %q (expected one of %s)", spelled, "."+mod, list(expected))
}

// fit describes how well modifiers match a form.
type fit struct {
	left     []string   // modifiers without a free slot
	missing  []*ModSlot // slots without a modifier
	required int        // number of missing slots that are required
}

// closest returns the form with the fewest unmatched modifiers and, among those, the fewest missing ones; the first of
// equals.
func (in *Instr) closest(mods []string) (*Form, fit) {
	best, bestFit := in.Forms[0], in.Forms[0].fit(mods)
	for _, f := range in.Forms[1:] {
		x := f.fit(mods)
		if c := cmp.Compare(len(x.left), len(bestFit.left)); c < 0 || c == 0 && x.required < bestFit.required {
			best, bestFit = f, x
		}
	}
	return best, bestFit
}

func (f *Form) fit(mods []string) fit {
	var x fit
	out := make([]string, len(f.Mods))
	for _, m := range mods {
		i := 0
		for i < len(f.Mods) && (out[i] != "" || f.Mods[i].accept(m) == "") {
			i++
		}
		if i == len(f.Mods) {
			x.left = append(x.left, m)
			continue
		}
		out[i] = m
	}
	x.missing = f.missing(out)
	for _, s := range x.missing {
		if !s.Optional {
			x.required++
		}
	}
	return x
}

func (m *ModSlot) values() []string {
	dotted := make([]string, len(m.Values))
	for i, v := range m.Values {
		dotted[i] = "." + v
	}
	return dotted
}

// expectation returns ".type (one of .u16 .u32)" or ".f32".
func (m *ModSlot) expectation() string {
	if m.Set == "" {
		return "." + m.Values[0]
	}
	return fmt.Sprintf(".%s (one of %s)", m.Set, list(m.values()))
}

const listLimit = 24

func list(words []string) string {
	if len(words) > listLimit {
		words = append(words[:listLimit:listLimit], "...")
	}
	return strings.Join(words, " ")
}

// Suggest returns the opcode most similar to a misspelt one, "" when none is similar.
func Suggest(name string) string {
	return Nearest(name, func(yield func(string) bool) {
		for _, in := range All() {
			if !yield(in.Name) {
				return
			}
		}
	})
}
