// Patches of the CUDA source, checked by compiling them.

package fix

import (
	"context"
	"errors"
	"fmt"
	"path"
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

// SourceFix is the repair in a CUDA source file.
type SourceFix struct {
	Name    string
	Old     []byte
	Text    string         // the source with the edits that are possible there
	Left    []*repair.Edit // the others
	Verdict Verdict        // the outcome of compiling the text
	Why     string         // what the verdict is based on
}

// Verdict is the outcome of compiling and running a source.
type Verdict string

// Verdicts.
const (
	Checked    Verdict = "checked"
	NotChecked Verdict = "not checked" // nothing compiles the source, or it has no race in the launches
	NotDecided Verdict = "not decided" // an interrupt, a limit of time or the budget
	Wrong      Verdict = "wrong"       // a race is left, or something new is wrong
)

// Check returns the outcome as a line.
func (x *SourceFix) Check() string { return string(x.Verdict) + ": " + x.Why }

// Complete reports whether the source has the whole repair, as far as is known.
func (x *SourceFix) Complete() bool {
	return x.Verdict == Checked || x.Verdict == NotChecked && len(x.Left) == 0
}

// Patch returns the repair as a patch of the source.
func (x *SourceFix) Patch() string {
	return diff.Patch(x.Name, string(x.Old), x.Text)
}

// ForReport returns the patch as a part of a report, nil without one that is complete.
func (x *SourceFix) ForReport(r *Result) *report.Patch {
	if !x.Complete() || x.Text == string(x.Old) {
		return nil
	}
	return &report.Patch{
		File: x.Name, Verdict: string(x.Verdict), Why: x.Why, Text: r.description(), Diff: x.Patch(),
		Replacements: replacements(string(x.Old), x.Text),
	}
}

// maxPatches is the maximum number of patches of a source that are compiled.
const maxPatches = 12

// FixSource applies the repair to a CUDA source file from which the module was compiled, as far as its edits have a
// form there. If clang or nvcc compiles the file to kernels with the race, FixSource also compiles and runs the edited
// file. If an inserted statement has several possible places, it takes the first one that leaves no race. Where the PTX
// has no repair, or the source has none of its edits, it searches in the source.
func (r *Result) FixSource(ctx context.Context, name string, src []byte, o hostcode.Options) *SourceFix {
	x := &SourceFix{Name: name, Old: src, Text: string(src), Verdict: NotChecked, Why: "there is no repair"}
	o.Includes = append([]string{filepath.Dir(name)}, o.Includes...)
	c := &compilation{result: r, options: o, name: filepath.Base(name), old: string(src)}
	if r.Mended() {
		x.apply(ctx, c)
	}
	if x.Verdict == Wrong || x.Text == x.old() {
		x.revise(ctx, c)
	}
	return x
}

func (x *SourceFix) old() string { return string(x.Old) }

// apply makes the edits of the PTX in the source, and compiles and runs it.
func (x *SourceFix) apply(ctx context.Context, c *compilation) {
	r, src := c.result, x.Old
	layouts := r.layouts(source.New(x.Name, string(src)))
	x.Text, x.Left = r.editSource(x.Name, src, layouts[0])
	if x.Text == string(src) {
		x.Why = "no edit has a form in the source"
		return
	}
	r.chosen = layouts[0]
	switch err := c.check(ctx, string(src), nil); {
	case err == nil:
		x.Why = "what " + c.compiler + " makes of the source has no race in these launches"
	case errors.Is(err, errRacy):
		x.choose(ctx, c, layouts)
	default:
		x.fails(ctx, NotChecked, err)
	}
}

// revise searches a repair in the source, if the PTX has races that edits of a kernel may remove.
func (x *SourceFix) revise(ctx context.Context, c *compilation) {
	r := c.result
	launches := slices.ContainsFunc(r.Edits, func(e *repair.Edit) bool {
		return e.Op == repair.Grid ||
			e.Op == repair.Split
	})
	if r.Undecided != "" || ctx.Err() != nil || len(r.Races) == 0 || len(r.pairs) == 0 || len(r.Weak) > 0 || launches {
		return
	}
	s := &revisions{compilation: c, source: x, seen: make(map[string]bool)}
	if found, _ := s.search(ctx); found {
		x.Left, x.Verdict, x.Why = nil, Checked, x.checked(c)
		r.revised, r.chosen, r.Why = x, nil, ""
	}
}

// checked says how the text was checked.
func (x *SourceFix) checked(c *compilation) string {
	why := fmt.Sprintf("compiled with %s, the mended source has no race and no new fault under %s",
		c.compiler, c.ran.schedules())
	if how := c.result.Verified.Weak; how != "" {
		why += "; weak outcomes: " + how
	}
	return why
}

// choose compiles and runs the edited source with several places of its edits, up to the first one without a race, and
// leaves edits out that it does not need.
func (x *SourceFix) choose(ctx context.Context, c *compilation, layouts []layout) {
	c.result.chosen = nil
	tried := make(map[string]bool)
	for _, l := range layouts {
		text, left := c.result.editSource(x.Name, x.Old, l)
		if tried[text] || text == string(x.Old) || len(left) > len(x.Left) {
			continue
		}
		if tried[text] = true; len(tried) > maxPatches {
			return
		}
		err := c.check(ctx, text, c.result.Edits)
		if err == nil {
			x.Text, x.Left, x.Verdict = text, left, Checked
			c.result.chosen = x.shorten(ctx, c, l)
			x.overlap(ctx, c)
			x.Why = x.checked(c)
			return
		}
		ended := ctx.Err() != nil || errors.Is(err, trial.ErrSpent)
		if len(tried) == 1 || ended {
			x.fails(ctx, Wrong, err)
		}
		if ended {
			return
		}
	}
}

// shorten leaves out edits without which the source has no race either: a statement may serve several, where the
// compiler has duplicated code. It returns the places of the others.
func (x *SourceFix) shorten(ctx context.Context, c *compilation, l layout) layout {
	for _, e := range c.result.Edits {
		other := l.with(e)
		text, left := c.result.editSource(x.Name, x.Old, other)
		if text != x.Text && text != string(x.Old) && c.check(ctx, text, c.result.Edits) == nil {
			x.Text, x.Left, l = text, left, other
		}
	}
	return l
}

// overlap leaves as many groups of copies pending at a wait of the patch as it can: the source may tell the groups of a
// loop apart where a repair of unrolled code waits for all.
func (x *SourceFix) overlap(ctx context.Context, c *compilation) {
	wait := func(n int) string { return fmt.Sprintf("__pipeline_wait_prior(%d);", n) }
	for n := range maxPatches {
		text := strings.Replace(x.Text, wait(n), wait(n+1), 1)
		if strings.Contains(string(x.Old), wait(n)) || text != x.Text && c.check(ctx, text, c.result.Edits) != nil {
			return
		}
		x.Text = text
	}
}

// fails sets a verdict for an error, or that there is none when the context has ended.
func (x *SourceFix) fails(ctx context.Context, v Verdict, err error) {
	switch {
	case ctx.Err() != nil:
		v, err = NotDecided, session.Ended(ctx)
	case errors.Is(err, trial.ErrSpent):
		v = NotDecided
	}
	if x.Verdict, x.Why = v, trial.Untitled(err); v == Wrong {
		x.Why = "the edited source is not mended: " + x.Why
	}
}

// compilation compiles sources and runs the resulting modules.
type compilation struct {
	result  *Result
	options hostcode.Options
	name    string
	old     string // the source without edits

	compiler string    // of the last text
	ran      *Verified // how the last text was run; only its schedules
}

// errRacy says that a source compiles and has a race or a new fault.
var errRacy = errors.New("a race, a weak outcome or a new fault")

// check compiles a source with edits and runs the launches on it.
func (c *compilation) check(ctx context.Context, text string, edits []*repair.Edit) error {
	plan, err := c.compile(ctx, text, edits)
	if err != nil {
		return err
	}
	f := c.result.fixer
	f.Moved = c.origin(text)
	defer func() { f.Moved = nil }()
	return c.explore(ctx, plan, edits)
}

// compile returns the plan for a source with edits.
func (c *compilation) compile(ctx context.Context, text string, edits []*repair.Edit) (*session.Plan, error) {
	plan, compiler, err := c.result.fixer.Compile(ctx, c.name, text, c.options, edits)
	c.compiler = compiler
	return plan, err
}

// origin returns a function that returns the place in the given source of a line of an edited one, as the original
// module names it.
func (c *compilation) origin(text string) func(file string, line int) (string, int) {
	lines := make(map[int]int)
	for _, s := range diff.Lines(diff.Text{Text: c.old}, diff.Text{Text: text}).Sections {
		for _, row := range s.Rows {
			if row.A.Line > 0 && row.B.Line > 0 {
				lines[int(row.B.Line)] = int(row.A.Line)
			}
		}
	}
	given := c.name
	for _, x := range c.result.pairs {
		if s := session.SourceOf(x.First); s != nil && path.Base(filepath.ToSlash(s.Own().File)) == c.name {
			given = s.Own().File
		}
	}
	return func(file string, line int) (string, int) {
		if path.Base(filepath.ToSlash(file)) != c.name {
			return file, line
		}
		return given, lines[line]
	}
}

// explore runs the launches on a compiled module as the repair was verified.
func (c *compilation) explore(ctx context.Context, plan *session.Plan, edits []*repair.Edit) error {
	f := c.result.fixer
	confirmed, err := f.confirmation(ctx, ofRepair)
	if err != nil {
		return err
	}
	for _, way := range []*trial.Runs{f.usual, confirmed.strict} {
		rep, err := f.without(ctx, way, plan)
		if err == nil && way == f.usual {
			c.ran = verifiedBy(rep)
		}
		if err == nil {
			_, err = f.results(rep, c.result.Edits)
		}
		if err == nil && len(repair.Halved(edits)) > 0 &&
			!slices.Equal(trial.States(rep.Exploration.Outcomes), c.result.Verified.states) {
			err = fmt.Errorf("%w: results that are not those of the mended PTX", errRacy)
		}
		if err != nil {
			return err
		}
	}
	if len(c.result.Weak) > 0 {
		if found, _, err := f.weakOutcomes(ctx, plan); err != nil || len(found) > 0 {
			if err == nil {
				err = fmt.Errorf("%w: %s", errRacy, found[0].Message)
			}
			return err
		}
	}
	v := &c.result.Verified
	for _, s := range confirmed.shapes {
		if other := s.Of(plan); other != nil && len(v.Others) == 0 && v.Remaining == "" {
			if _, err := f.without(ctx, s.Runs, other); err != nil {
				return fmt.Errorf("with %s: %w", s.Name(), err)
			}
		}
	}
	return nil
}

// without runs a plan of another module, which must show no race and no new fault.
func (f *fixer) without(ctx context.Context, r *trial.Runs, plan *session.Plan) (*report.Report, error) {
	rep, _, err := f.explore(ctx, r, nil, plan, nil)
	if err != nil {
		return nil, err
	}
	if x := r.NewFault(nil, rep); x != nil {
		return nil, fmt.Errorf("%w: %s", errRacy, x.Message)
	}
	if races := f.Counted(rep.Races); len(races) > 0 {
		return nil, fmt.Errorf("%w: %s and %s", errRacy, trial.Place(&races[0].First), trial.Place(&races[0].Second))
	}
	return rep, nil
}
