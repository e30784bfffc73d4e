// Comparison of instructions without regard to layout and names.

package diff

import "github.com/ptxsan/ptxsan/ptxgrammar"

// Program is a syntax tree to compare. Origin, set for a program that passes made from the other one, returns the
// origin of a line.
type Program struct {
	Name   string
	Tree   *ptxgrammar.Module
	Origin func(line int) Origin
}

// Semantic compares the meaning of two programs rather than their layout.
//
// Functions are paired by name, in any order; text outside of functions, including their declarations, is compared in
// order. Rows are statements: instructions, labels that something refers to, directives, and declarations other than of
// registers. The comparison ignores layout, comments, .loc, .file and .section, braces of scopes, the base of integers,
// and the names of symbols that a function declares: two functions are the same if a one-to-one renaming of registers,
// labels, parameters and variables turns one into the other.
//
// Statements are paired by origin if B has origins: a statement that a pass left in place is paired with itself, even
// if the pass changed it. Otherwise they are aligned twice: with their names, and with a renaming that agrees with most
// mentions in statements of the same shape. The alignment with more pairs is used.
func Semantic(a, b Program) *Diff {
	d := &Diff{
		A: Text{a.Name, string(a.Tree.File.Src)}, B: Text{b.Name, string(b.Tree.File.Src)},
		semantic: true, origin: b.Origin,
	}
	if d.A.Text == d.B.Text {
		return d
	}
	s := semantic{a: a.Tree, b: b.Tree, origin: b.Origin, literals: make(map[string]uint32)}
	d.Sections = append(d.Sections, s.compare("", s.reader(a.Tree).module(), s.reader(b.Tree).module()))
	for _, p := range pairFuncs(a.Tree, b.Tree) {
		d.Sections = append(d.Sections, s.function(p))
	}
	return d
}

type semantic struct {
	a, b     *ptxgrammar.Module
	origin   func(line int) Origin
	literals map[string]uint32
}

func (s *semantic) reader(m *ptxgrammar.Module) *reader { return &reader{m: m, literals: s.literals} }

// funcPair is a function of both sides; one of them may be nil.
type funcPair struct{ a, b *ptxgrammar.Func }

// pairFuncs pairs the defined functions by name: those of both sides in B's order, then those only in A, then those
// only in B.
func pairFuncs(a, b *ptxgrammar.Module) []funcPair {
	inA := make(map[string]*ptxgrammar.Func)
	for i := range a.Funcs {
		if f := &a.Funcs[i]; f.Body >= 0 {
			inA[f.Name] = f
		}
	}
	var pairs, added []funcPair
	for i := range b.Funcs {
		f := &b.Funcs[i]
		if f.Body < 0 {
			continue
		}
		if inA[f.Name] == nil {
			added = append(added, funcPair{b: f})
			continue
		}
		pairs = append(pairs, funcPair{inA[f.Name], f})
		delete(inA, f.Name)
	}
	for i := range a.Funcs {
		if f := &a.Funcs[i]; inA[f.Name] == f {
			pairs = append(pairs, funcPair{a: f})
		}
	}
	return append(pairs, added...)
}

// function compares a function.
func (s *semantic) function(p funcPair) Section {
	switch {
	case p.a == nil:
		return s.compare(p.b.Name, &code{}, s.reader(s.b).function(p.b))
	case p.b == nil:
		return s.compare(p.a.Name, s.reader(s.a).function(p.a), &code{})
	case s.a.Text(p.a.Range) == s.b.Text(p.b.Range):
		return Section{Name: p.b.Name}
	}
	return s.compare(p.b.Name, s.reader(s.a).function(p.a), s.reader(s.b).function(p.b))
}

// compare pairs the statements of two pieces of code and returns their rows.
func (s *semantic) compare(name string, a, b *code) Section {
	c := &comparison{a: a, b: b}
	var p statementPairs
	if s.origin != nil {
		p = c.pairing(c.byOrigin(s.origin))
	} else {
		p = c.byStructure()
	}
	sec := Section{Name: name, Rows: c.rows(p), names: c.renamings(p.names)}
	sec.Stat = c.stat(sec.Rows)
	return sec
}
