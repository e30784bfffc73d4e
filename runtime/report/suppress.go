// Suppressions: known findings that are not reported.

package report

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/ptxsan/ptxsan/internal/yamldoc"
)

// Suppression describes known races, and faults that stop nothing, which are not to be reported. Empty fields match
// everything; kernel, function and symbol are globs (path.Match).
type Suppression struct {
	ID       string // Race.ID
	Kernel   string // mangled or demangled
	Function string // of one of the accesses, mangled or demangled
	Symbol   string // data, data[17], smem+0x4; without an index or offset, the whole symbol
	Cause    string // of a race, or the class of a fault
	Source   string // file:line or file of one access, in the source or in the PTX
	With     string // of the other access
	Reason   string

	pos    string
	used   bool
	record *record        // from a file of compute-sanitizer, in place of all the above
	race   *regexp.Regexp // from a file of ThreadSanitizer, in place of all the above
	unused bool           // a comment in a source, which other runs may need
}

// Suppressions holds the entries of a suppression file.
type Suppressions []*Suppression

// ParseSuppressions parses a suppression file. It is either YAML with the list suppressions, whose entries have the
// fields of Suppression in lower case and at least one besides reason, or XML of compute-sanitizer, or lines of
// ThreadSanitizer. Errors begin with file:line:col.
func ParseSuppressions(name string, src []byte) (Suppressions, error) {
	if bytes.HasPrefix(bytes.TrimSpace(src), []byte("<")) {
		return parseXMLSuppressions(name, src)
	}
	if isTSan(src) {
		return parseTSan(name, src)
	}
	root, err := yamldoc.Parse(name, src)
	switch {
	case err != nil:
		return nil, err
	case root == nil || root.Kind != yaml.MappingNode || len(root.Content) != 2 ||
		root.Content[0].Value != "suppressions":
		return nil, fmt.Errorf("%s:1:1: expected \"suppressions:\" and a list, nothing else", name)
	}
	list := root.Content[1]
	if list.Kind != yaml.SequenceNode {
		return nil, fmt.Errorf("%s: expected a list of suppressions", at(name, list))
	}
	var out Suppressions
	for _, n := range list.Content {
		s, err := parseSuppression(name, n)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

func at(name string, n *yaml.Node) string { return fmt.Sprintf("%s:%d:%d", name, n.Line, n.Column) }

func parseSuppression(name string, n *yaml.Node) (*Suppression, error) {
	s := &Suppression{pos: at(name, n)}
	fields := []struct {
		name string
		to   *string
		glob bool
	}{
		{"id", &s.ID, false},
		{"kernel", &s.Kernel, true},
		{"function", &s.Function, true},
		{"symbol", &s.Symbol, false},
		{"cause", &s.Cause, false},
		{"source", &s.Source, false},
		{"with", &s.With, false},
		{"reason", &s.Reason, false},
	}
	if n.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("%s: expected a suppression such as {source: k.cu:17, with: k.cu:24}", s.pos)
	}
	if key, first := yamldoc.Duplicate(n); key != nil {
		return nil, fmt.Errorf("%s: duplicate field %q, first given in line %d", at(name, key), key.Value, first)
	}
next:
	for i := 0; i < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		var names []string
		for _, f := range fields {
			names = append(names, f.name)
			if f.name != k.Value {
				continue
			}
			if v.Kind != yaml.ScalarNode || v.Value == "" {
				return nil, fmt.Errorf("%s: expected a word for %s", at(name, v), f.name)
			}
			if _, err := path.Match(v.Value, ""); f.glob && err != nil {
				return nil, fmt.Errorf("%s: %s: %q is not a glob", at(name, v), f.name, v.Value)
			}
			*f.to = v.Value
			continue next
		}
		return nil, fmt.Errorf("%s: unknown field %q; expected one of: %s", at(name, k), k.Value,
			strings.Join(names, ", "))
	}
	if s.ID+s.Kernel+s.Function+s.Symbol+s.Cause+s.Source+s.With == "" {
		return nil, fmt.Errorf("%s: the suppression would match every race; expected a field besides reason", s.pos)
	}
	return s, nil
}

// Suppress moves the races and faults that match an entry to Suppressed and SuppressedFaults, and adds a note for each
// entry without a match. Call it after Finish.
func (r *Report) Suppress(list Suppressions) {
	var kept []*Race
	for _, x := range r.Races {
		hit, rest := list.divide(x)
		switch {
		case hit == nil:
			kept = append(kept, x)
		case rest == nil:
			r.Suppressed = append(r.Suppressed, x)
			x.set(hit)
		default:
			y := &Race{Schedules: x.Schedules}
			y.set(hit)
			r.Suppressed = append(r.Suppressed, y)
			x.set(rest)
			kept = append(kept, x)
		}
	}
	r.Races = kept
	r.Faults = slices.DeleteFunc(r.Faults, func(f *FaultEvent) bool {
		f.Suppressed = list.matching(f)
		if f.Suppressed != nil {
			r.SuppressedFaults = append(r.SuppressedFaults, f)
		}
		return f.Suppressed != nil
	})
	for _, s := range list {
		switch {
		case s.record != nil && s.record.useless != "":
			r.Notes = append(r.Notes, s.pos+": "+s.record.useless)
		case !s.used && !s.unused:
			r.Notes = append(r.Notes, s.pos+": the suppression matches no finding")
		}
	}
	r.Finish()
}

// divide splits the races of a finding into those matched by an entry and the others.
func (list Suppressions) divide(x *Race) (hit, rest []*Race) {
	for _, p := range x.parts() {
		part := new(Race)
		*part = *p
		part.Suppressed = nil
		for _, s := range list {
			if s.matches(part) || s.ID == x.ID && s.ID != "" && s.but(part) {
				s.used = true
				part.Suppressed = append(part.Suppressed, s.words())
			}
		}
		if part.Suppressed != nil {
			hit = append(hit, part)
		} else {
			rest = append(rest, part)
		}
	}
	return hit, rest
}

// matching returns the entries that match a fault which has stopped nothing. They name its class as the cause; others
// are about races.
func (list Suppressions) matching(f *FaultEvent) (entries []string) {
	for _, s := range list {
		if !f.Stops() && s.record == nil && s.race == nil && s.matchesFault(f) {
			s.used = true
			entries = append(entries, s.words())
		}
	}
	return entries
}

func (s *Suppression) matchesFault(f *FaultEvent) bool {
	at := Access{Kernel: f.Kernel, PTX: f.PTX, Source: f.Source}
	function := f.Kernel
	if f.Call != nil {
		function = f.Call.Function
	}
	return s.Cause == f.Class && s.ID+s.With == "" && globs(s.Kernel, f.Kernel) && globs(s.Function, function) &&
		isSymbol(s.Symbol, f.Symbol) && at.stands(s.Source)
}

// but is matches without the identity of the entry.
func (s *Suppression) but(x *Race) bool {
	t := *s
	t.ID = ""
	return t.matches(x)
}

// Match reports whether the entries match all races of the finding.
func (list Suppressions) Match(x *Race) bool {
	_, rest := list.divide(x)
	return rest == nil
}

// words returns the entry and its reason as text.
func (s *Suppression) words() string {
	if s.Reason == "" {
		return s.pos
	}
	return s.pos + ": " + s.Reason
}

func (s *Suppression) matches(x *Race) bool {
	if s.record != nil {
		return s.record.matches(x)
	}
	if s.race != nil {
		return s.matchesTSan(x)
	}
	a, b := &x.First, &x.Second
	return (s.ID == "" || s.ID == x.ID) &&
		(s.Cause == "" || s.Cause == string(x.Cause)) &&
		globs(s.Kernel, a.Kernel) &&
		(s.Function == "" || globs(s.Function, a.function()) || globs(s.Function, b.function())) &&
		isSymbol(s.Symbol, x.Symbol) &&
		(a.stands(s.Source) && b.stands(s.With) || b.stands(s.Source) && a.stands(s.With))
}

// function returns the function that contains the access.
func (a *Access) function() string {
	if a.Function != "" {
		return a.Function
	}
	return a.Kernel
}

// globs reports whether a glob matches a mangled name, as it is or demangled, with or without parameters.
func globs(glob, name string) bool {
	if glob == "" {
		return true
	}
	for _, n := range spellings(name) {
		if ok, err := path.Match(glob, n); ok && err == nil || glob == n {
			return true
		}
	}
	return false
}

// spellings returns a mangled name as it is, and demangled with and without parameters.
func spellings(name string) []string {
	full := DemangleFull(name)
	short, _, _ := strings.Cut(strings.TrimPrefix(full, "void "), "(")
	return []string{name, full, short}
}

// isSymbol reports whether an object is a symbol or a part of it.
func isSymbol(want, got string) bool {
	if want == "" || want == got {
		return true
	}
	rest, ok := strings.CutPrefix(got, want)
	return ok && (rest[0] == '[' || rest[0] == '+')
}

// stands reports whether the access is at file or file:line, in the source, including places at which it was inlined,
// or in the PTX. If want has no directory, only the last part of file names is compared.
func (a *Access) stands(want string) bool {
	if want == "" {
		return true
	}
	for _, p := range a.places() {
		for _, file := range []string{p.File, base(p.File)} {
			if want == file || want == file+":"+strconv.Itoa(p.Line) {
				return true
			}
		}
	}
	return false
}

// places returns the places of an access: in the PTX, in the source, and where that was inlined.
func (a *Access) places() []Place {
	places := []Place{a.PTX}
	if a.Source != nil {
		for _, f := range a.Source.frames() {
			places = append(places, Place{File: f.File, Line: f.Line})
		}
	}
	return places
}
