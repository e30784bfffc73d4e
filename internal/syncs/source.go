// The set in the CUDA source: what is left out or weakened there, compiled and run again. A barrier of the source also
// keeps the compiler from holding values in registers.

package syncs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/fix/repair"
	"github.com/ptxsan/ptxsan/internal/fix/source"
	"github.com/ptxsan/ptxsan/internal/fix/trial"
	"github.com/ptxsan/ptxsan/internal/static/hostcode"
	"github.com/ptxsan/ptxsan/rewrite/diff"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// SourcePatch is the set of changes in a CUDA source file.
type SourcePatch struct {
	Name     string
	Old      []byte
	Text     string    // the source with the changes that are possible there; that of Old without any
	Left     []*Answer // changes of the set that have no form in the source, or do not stand there
	Compiler string
	Why      string // why the first of Left does not stand; "" if none has been compiled in vain
}

// Source makes the changes of the set in the CUDA source file from which the module was compiled, and compiles and runs
// the text: it has the changes with which the compiled program shows no race, no fault and no result that the original
// does not show. An error is the end of the context, or a compiler's about the source without changes.
func (r *Result) Source(ctx context.Context, name string, src []byte, o hostcode.Options) (*SourcePatch, error) {
	p := &SourcePatch{Name: name, Old: src, Text: string(src)}
	o.Includes = append([]string{filepath.Dir(name)}, o.Includes...)
	var chosen []*Answer
	for _, a := range r.Answers {
		if a.Chosen {
			chosen = append(chosen, a)
		}
	}
	if len(chosen) == 0 {
		return p, nil
	}
	if err := r.compiled(ctx, p, p.Text, o); err != nil {
		return p, err
	}
	if text, left := p.edited(chosen); len(left) < len(chosen) && r.compiled(ctx, p, text, o) == nil {
		p.Text, p.Left = text, left
		return p, nil
	}
	var made []*Answer
	for _, a := range chosen { // those that stand one by one
		text, left := p.edited(append(slices.Clone(made), a))
		var err error
		if len(left) == 0 {
			err = r.compiled(ctx, p, text, o)
		}
		switch {
		case ctx.Err() != nil:
			return p, session.Ended(ctx)
		case len(left) > 0 || err != nil:
			if p.Left = append(p.Left, a); err != nil && p.Why == "" {
				p.Why = trial.Untitled(err)
			}
		default:
			made, p.Text = append(made, a), text
		}
	}
	return p, nil
}

// Diff returns the changes as a patch of the source, "" without any.
func (p *SourcePatch) Diff() string {
	if p.Text == string(p.Old) {
		return ""
	}
	return diff.Patch(p.Name, string(p.Old), p.Text)
}

// Summary says how the patch was verified, and which changes of the set it does not have.
func (p *SourcePatch) Summary() string {
	var b strings.Builder
	if p.Text != string(p.Old) {
		fmt.Fprintf(&b, "%s PATCH: compiled with %s, the patched source has no race, no fault and no other result in these launches\n",
			report.Prefix, p.Compiler)
	}
	for _, a := range p.Left {
		fmt.Fprintf(&b, "%s not in the patch: %s: %s", report.Prefix, a.Place(), session.OpcodeText(a.First()))
		if p.Why != "" {
			fmt.Fprintf(&b, ": %s", p.Why)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// edited returns the source with the changes of answers, and the answers whose changes have no form there.
func (p *SourcePatch) edited(list []*Answer) (text string, left []*Answer) {
	file := source.New(p.Name, string(p.Old))
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b *Answer) int { return cmp.Compare(b.column(), a.column()) })
	for _, a := range list {
		for _, e := range a.edits() {
			if !file.Edit(e, spots(e)) {
				left = append(left, a)
				break
			}
		}
	}
	return file.Text(), left
}

// column returns the column of a site. Changes of one line are made from its end on, so that columns stay.
func (a *Answer) column() int {
	if at := a.Source(); at != nil {
		return at.Own().Column
	}
	return 0
}

// spots returns the places of an edit in the source.
func spots(e *repair.Edit) (list []source.Spot) {
	for i := range e.Changes {
		if at := source.At(session.SourceOf(e.Changes[i].At), repair.Instead); at.Line != nil {
			list = append(list, at)
		}
	}
	return list
}

// compiled compiles a text and runs the launches on it. The error says what the original does not show, or that the
// text does not compile.
func (r *Result) compiled(ctx context.Context, p *SourcePatch, text string, o hostcode.Options) error {
	plan, compiler, err := r.judge.Compile(ctx, filepath.Base(p.Name), text, o, nil)
	if err != nil {
		return err
	}
	p.Compiler = compiler
	for _, way := range []*trial.Runs{r.judge.usual, r.judge.strict} {
		rep, _, err := way.Explore(ctx, plan, nil, nil)
		if err != nil {
			return err
		}
		if way == r.judge.usual && r.judge.every(r.judge.base) && !r.judge.every(rep) {
			return errors.New("compiled, the order of threads may matter")
		}
		if races := r.judge.Counted(rep.Races); len(races) > 0 {
			return fmt.Errorf("compiled, %s and %s race", trial.Brief(&races[0].First), trial.Brief(&races[0].Second))
		}
		if x := way.NewFault(nil, rep); x != nil {
			return errors.New(x.Message)
		}
		if other := r.judge.different(rep.Exploration.Outcomes, r.judge.results); other != "" {
			return errors.New(other)
		}
	}
	return nil
}
