// The text of insertions at one place: guards, labels, order.

package rewrite

import (
	"fmt"
	"slices"
)

// site writes the insertions around an instruction or a call sequence.
func (w *editWriter) site(fe *funcEdit, s *site) {
	first, last := fe.f.Insts[s.first], fe.f.Insts[s.last]
	_, replaced := fe.replaced[s.first]
	r := &siteWriter{fe: fe, s: s}
	if s.first == s.last && !replaced && first.Guard != nil && s.guarded() {
		r.wrap(first)
		guard := w.m.AST.GuardRange(first.AST)
		w.add(guard.Start, w.m.AST.OpcodeRange(first.AST).Start, "", first.Line)
	} else {
		r.around()
	}
	start, end := w.m.AST.InstRange(first.AST).Start, w.m.AST.InstRange(last.AST).End
	if len(r.before) > 0 {
		w.before(start, r.before, w.indent(start), first.Line)
	}
	if len(r.after) > 0 {
		at, text := w.afterText(end, r.after, w.indent(start))
		w.add(at, at, text, last.Line)
	}
}

// guarded reports whether some piece depends on a guard.
func (s *site) guarded() bool {
	has := func(p piece) bool { return p.guard != nil }
	return slices.ContainsFunc(s.before, has) || slices.ContainsFunc(s.after, has)
}

// siteWriter orders the pieces of a site.
type siteWriter struct {
	fe            *funcEdit
	s             *site
	before, after []string
}

// wrap makes one branch around the guarded pieces and the instruction, whose own guard must be removed.
func (r *siteWriter) wrap(in *Inst) {
	skip := r.fe.names.label("skip")
	r.before = appendPieces(r.before, r.s.before, false)
	r.before = append(r.before, skipUnless(in.Guard.Name, in.GuardNot, skip))
	r.before = appendPieces(r.before, r.s.before, true)
	r.before = append(r.before, r.s.inner...)
	r.after = appendPieces(r.after, r.s.after, true)
	r.after = append(r.after, skip+":")
	r.after = appendPieces(r.after, r.s.after, false)
}

// appendPieces appends the guarded or the other pieces.
func appendPieces(dst []string, pieces []piece, guarded bool) []string {
	for _, p := range pieces {
		if (p.guard != nil) == guarded {
			dst = append(dst, p.lines...)
		}
	}
	return dst
}

// skipUnless returns a branch to label in lanes where the guard does not hold.
func skipUnless(pred string, not bool, label string) string {
	if not {
		return fmt.Sprintf("@%s bra %s;", pred, label)
	}
	return fmt.Sprintf("@!%s bra %s;", pred, label)
}

// around keeps the instructions as they are: every guarded piece gets a branch of its own. After the instructions, the
// guard is a copy made before them.
func (r *siteWriter) around() {
	copies := make(map[*Inst]string)
	var captures []string
	for _, p := range r.s.after {
		if in := p.guard; in != nil && in.Guard != nil && copies[in] == "" {
			copies[in] = r.fe.temp(r.s, classPred)
			captures = append(captures, fmt.Sprintf("mov.pred %s, %s;", copies[in], in.Guard.Name))
		}
	}
	for _, p := range r.s.before {
		r.before = append(r.before, r.conditional(p, p.guardName())...)
	}
	r.before = append(append(r.before, captures...), r.s.inner...)
	for _, p := range r.s.after {
		r.after = append(r.after, r.conditional(p, copies[p.guard])...)
	}
}

// guardName returns the predicate that a piece depends on, "" for none.
func (p piece) guardName() string {
	if p.guard == nil || p.guard.Guard == nil {
		return ""
	}
	return p.guard.Guard.Name
}

// conditional returns the piece inside a branch on pred, or as it is if it depends on no guard.
func (r *siteWriter) conditional(p piece, pred string) []string {
	if p.guardName() == "" {
		return p.lines
	}
	skip := r.fe.names.label("skip")
	lines := []string{skipUnless(pred, p.guard.GuardNot, skip)}
	return append(append(lines, p.lines...), skip+":")
}
