// Races of an edited source, in terms of the source before.

package report

import "slices"

// Moved returns a copy of a finding whose places in sources are those that to returns for them, with the identity that
// belongs to these.
func (x *Race) Moved(to func(file string, line int) (string, int)) *Race {
	y := *x
	y.First.Source, y.Second.Source = x.First.Source.moved(to), x.Second.Source.moved(to)
	y.Also = slices.Clone(x.Also)
	for i, part := range y.Also {
		y.Also[i] = part.Moved(to)
		y.Also[i].ID = y.Also[i].stableID()
	}
	y.ID = y.findingID()
	return &y
}

// moved returns a copy of a place and its callers at other lines.
func (s *Source) moved(to func(file string, line int) (string, int)) *Source {
	if s == nil {
		return nil
	}
	t := *s
	t.File, t.Line = to(s.File, s.Line)
	t.InlinedAt = slices.Clone(s.InlinedAt)
	for i := range t.InlinedAt {
		f := &t.InlinedAt[i]
		f.File, f.Line = to(f.File, f.Line)
	}
	return &t
}
