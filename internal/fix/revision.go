// The search for a repair in the CUDA source, where the PTX has no place for one: edits for one race after the other
// are made in the source, compiled and run. Compilers remove the places where statements of the source would be.

package fix

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/fix/repair"
	"github.com/ptxsan/ptxsan/internal/fix/source"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Limits of the search.
const (
	maxRevisions = 12 // texts that are compiled
	maxTexts     = 6  // of these, for one race
	maxPlaces    = 2  // of an edit
)

// revision is a text of the source, compiled and run up to the first race.
type revision struct {
	text  string
	fixer *fixer
	races []*report.Race // of its module
}

// revisions searches a text without a race.
type revisions struct {
	*compilation
	source *SourceFix
	seen   map[string]bool
	made   int
}

// search sets the text to one without a race, if it finds one, and reports whether it does. It goes on from the text
// that leaves the fewest races.
func (s *revisions) search(ctx context.Context) (bool, error) {
	if _, err := s.result.fixer.confirmation(ctx, ofRepair); err != nil {
		return false, err
	}
	at, err := s.revise(ctx, s.source.old())
	for err == nil && len(at.races) > 0 {
		var best *revision
		for _, text := range s.texts(at) {
			if s.made >= maxRevisions {
				return false, nil
			}
			x, wrong := s.revise(ctx, text)
			switch {
			case ctx.Err() != nil:
				return false, ctx.Err()
			case wrong != nil:
			case len(x.races) == 0 && s.check(ctx, text, nil) == nil:
				s.source.Text = s.least(ctx, text)
				return true, nil
			case len(x.races) > 0 && (best == nil || len(x.races) < len(best.races)):
				best = x
			}
		}
		if best == nil || len(best.races) >= len(at.races) {
			return false, nil
		}
		at = best
	}
	return false, err
}

// revise compiles a text and runs it up to the first race. The error is that of the compiler, or a new fault.
func (s *revisions) revise(ctx context.Context, text string) (*revision, error) {
	s.made++
	f := s.result.fixer
	plan, err := s.compile(ctx, text, nil)
	if err != nil {
		return nil, err
	}
	o := f.Options
	o.Plan = plan
	x := &revision{text: text, fixer: newFixer(o)}
	x.fixer.Moved = s.origin(text)
	x.fixer.usual.Faults = f.usual.Faults
	rep, _, err := x.fixer.explore(ctx, x.fixer.usual, nil, plan, nil)
	if err != nil {
		return nil, err
	}
	s.ran = verifiedBy(rep)
	if fault := x.fixer.usual.NewFault(nil, rep); fault != nil {
		return nil, fmt.Errorf("%w: %s", errRacy, fault.Message)
	}
	x.races = x.fixer.pairs(x.fixer.original, rep)
	return x, nil
}

// texts returns further texts, the likeliest first: with the barriers between the accesses of all races, and with a
// barrier, or another edit, that orders the first of them.
func (s *revisions) texts(at *revision) (list []string) {
	pairs := at.pairs()
	if len(pairs) == 0 {
		return nil
	}
	list = s.edited(at, pairs, repair.Separate(pairs, at.fixer.origins))
	list = append(list, s.barriers(at, pairs[0])...)
	for _, e := range repair.Candidates(pairs[0], at.fixer.origins) {
		if e.Op != repair.Grid && e.Op != repair.Split && e.Op != repair.Strong {
			list = append(list, s.edited(at, pairs, []*repair.Edit{e})...)
		}
	}
	list = slices.DeleteFunc(list, func(text string) bool { return s.seen[text] })
	list = list[:min(len(list), maxTexts)]
	for _, text := range list {
		s.seen[text] = true
	}
	return list
}

// edited returns texts with edits at some of their places.
func (s *revisions) edited(at *revision, pairs []*repair.Race, edits []*repair.Edit) (list []string) {
	m := at.fixer.original
	r := &Result{Races: at.races, Original: m, Module: m, fixer: at.fixer, Edits: edits, pairs: pairs}
	layouts := r.layouts(source.New(s.source.Name, at.text))
	for _, l := range layouts[:min(len(layouts), maxPlaces)] {
		if text, left := r.editSource(s.source.Name, []byte(at.text), l); len(left) == 0 && text != at.text {
			list = append(list, text)
		}
	}
	return list
}

// barriers returns texts with a barrier between the lines of a race, or in front of them: the PTX may have no place for
// it that all threads reach.
func (s *revisions) barriers(at *revision, r *repair.Race) (list []string) {
	first, second := session.SourceOf(r.First), session.SourceOf(r.Second)
	if first == nil || second == nil || r.Kind == detect.InterBlock {
		return nil
	}
	statement := "__syncthreads();\n"
	if r.Kind == detect.IntraWarp {
		statement = "__syncwarp();\n"
	}
	p, q := report.Apart(first, second)
	from, to := min(p.Line, q.Line), max(p.Line, q.Line)
	for n := to; n > max(from-source.MaxStatement, 0); n-- {
		x := source.New(s.source.Name, at.text)
		if x.LineOf(&report.Source{File: p.File, Line: n}) == n && x.Insert(n, repair.Before, statement) {
			list = append(list, x.Text())
		}
	}
	return list
}

// pairs returns the races by pairs of instructions, the most urgent first.
func (x *revision) pairs() (list []*repair.Race) {
	races := slices.Clone(x.races)
	slices.SortStableFunc(races, func(a, b *report.Race) int { return urgency(a) - urgency(b) })
	for _, race := range races {
		if r := x.fixer.raceOf(x.fixer.original, race); r != nil {
			list = append(list, r)
		}
	}
	return list
}

// least leaves out inserted lines without which a text has no race either.
func (s *revisions) least(ctx context.Context, text string) string {
	for n := len(strings.SplitAfter(text, "\n")) - 1; n >= 0; n-- {
		lines := strings.SplitAfter(text, "\n")
		if _, line := s.origin(text)(s.name, n+1); line != 0 || strings.TrimSpace(lines[n]) == "}" {
			continue
		}
		fewer := strings.Join(slices.Delete(lines, n, n+1), "")
		if fewer != s.source.old() && s.check(ctx, fewer, nil) == nil {
			text = fewer
		}
	}
	return text
}

// statements describes the patch: the lines that it inserts, with their places, and the lines that it changes.
func (x *SourceFix) statements() string {
	var words []string
	lines := strings.Split(x.old(), "\n")
	name := report.Frame{File: x.Name}
	for _, p := range replacements(x.old(), x.Text) {
		name.Line = p.Line
		text := strings.Join(strings.Fields(p.Text), " ")
		if p.Count == 0 && p.Line <= len(lines) {
			words = append(words, fmt.Sprintf("%s before %s", strings.TrimSuffix(text, ";"), name))
		} else {
			words = append(words, fmt.Sprintf("%s at %s", text, name))
		}
	}
	return strings.Join(words, "; and ")
}
