// Patches of the CUDA source, checked by compiling them.

package fix

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ptxsan/ptxsan/passes/repair"
	"github.com/ptxsan/ptxsan/rewrite/diff"
	"github.com/ptxsan/ptxsan/runtime/hostcode"
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
	NotDecided Verdict = "not decided" // an interrupt or a limit of time
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
	return diff.Unified("a/"+x.Name, string(x.Old), "b/"+x.Name, x.Text, 2)
}

// maxPatches is the maximum number of patches of a source that are compiled.
const maxPatches = 9

// FixSource applies the repair to a CUDA source file from which the module was compiled, as far as its edits have a form there. If
// clang compiles the file to kernels with the race, FixSource also compiles and runs the edited file. If an inserted statement has
// several possible places, it takes the first one that leaves no race.
func (r *Result) FixSource(ctx context.Context, name string, src []byte, o hostcode.Options) *SourceFix {
	x := &SourceFix{Name: name, Old: src, Verdict: NotChecked, Why: "there is no repair"}
	if x.Text = string(src); !r.Mended() {
		return x
	}
	x.Text, x.Left = r.editSource(name, src, nil)
	if x.Text == string(src) {
		x.Why = "no edit has a form in the source"
		return x
	}
	o.Includes = append([]string{filepath.Dir(name)}, o.Includes...)
	c := &compiled{result: r, options: o, name: filepath.Base(name)}
	switch err := c.check(ctx, string(src)); {
	case err == nil:
		x.Why = "what clang makes of the source has no race in these launches"
	case errors.Is(err, errRacy):
		x.choose(ctx, c, append([]string{x.Text}, r.otherTexts(name, src, len(x.Left))...))
	default:
		x.fails(ctx, NotChecked, err)
	}
	return x
}

// choose compiles and runs texts up to the first one without a race.
func (x *SourceFix) choose(ctx context.Context, c *compiled, texts []string) {
	for i, text := range texts[:min(len(texts), maxPatches)] {
		err := c.check(ctx, text)
		if err == nil {
			x.Text, x.Verdict = text, Checked
			x.Why = fmt.Sprintf("compiled with clang, the mended source has no race and no new fault under %d schedules", c.result.fixer.Schedules)
			return
		}
		if i == 0 || ctx.Err() != nil {
			x.fails(ctx, Wrong, err)
		}
		if ctx.Err() != nil {
			return
		}
	}
}

// fails sets a verdict for an error, or that there is none when the context has ended.
func (x *SourceFix) fails(ctx context.Context, v Verdict, err error) {
	if ctx.Err() != nil {
		v, err = NotDecided, session.Ended(ctx)
	}
	if x.Verdict, x.Why = v, err.Error(); v == Wrong {
		x.Why = "compiled with clang, the edited source is not mended: " + x.Why
	}
}

// otherTexts returns sources in which one of the inserted statements has another place: before or after the lines of a race's
// accesses. No more edits than given are left out of them.
func (r *Result) otherTexts(name string, src []byte, most int) (list []string) {
	for _, e := range r.Edits {
		for _, x := range r.pairs {
			for _, at := range []spot{
				{session.SourceOf(x.Second), repair.Before},
				{session.SourceOf(x.First), repair.After},
				{session.SourceOf(x.First), repair.Before},
				{session.SourceOf(x.Second), repair.After},
			} {
				if text, left := r.editSource(name, src, map[*repair.Edit]spot{e: at}); len(left) <= most {
					list = append(list, text)
				}
			}
		}
	}
	return list
}

// compiled compiles sources and runs the resulting modules.
type compiled struct {
	result  *Result
	options hostcode.Options
	name    string
}

// errRacy says that a source compiles and has a race or a new fault.
var errRacy = errors.New("a race or a new fault")

// check compiles a source and runs the launches on it.
func (c *compiled) check(ctx context.Context, text string) error {
	dir, err := os.MkdirTemp("", "ptxsan-fix-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	name := filepath.Join(dir, c.name)
	if err = os.WriteFile(name, []byte(text), 0o600); err != nil {
		return err
	}
	f := c.result.fixer
	arch := "sm_70"
	if t := f.original.AST.Target; len(t) > 0 {
		arch = t[0]
	}
	ptx, err := hostcode.CompileDevice(ctx, name, arch, c.options)
	if err != nil {
		return err
	}
	p, err := session.Parse(c.name, ptx)
	if err != nil {
		return err
	}
	plan, err := session.NewPlan(p, f.Plan.File, f.Session.Emulator.MaxSteps)
	if err != nil {
		return err
	}
	return c.explore(ctx, plan)
}

// explore runs the launches on a compiled module as the repair was verified.
func (c *compiled) explore(ctx context.Context, plan *session.Plan) error {
	f := c.result.fixer
	for _, way := range []*runs{f.usual, f.strict} {
		rep, err := way.without(ctx, plan)
		if err == nil {
			_, err = f.results(rep, c.result.Edits)
		}
		if err != nil {
			return err
		}
	}
	v := &c.result.Verified
	for _, s := range f.shapes {
		if other := plan.Reshaped(s.threads); other != nil && len(v.Others) == 0 && v.Remaining == "" {
			if _, err := s.without(ctx, other); err != nil {
				return fmt.Errorf("with blocks of %d threads: %w", s.threads, err)
			}
		}
	}
	return nil
}

// without runs a plan of another module, which must show no race and no new fault.
func (r *runs) without(ctx context.Context, plan *session.Plan) (*report.Report, error) {
	rep, _, err := r.explore(ctx, nil, plan, nil, true)
	if err != nil {
		return nil, err
	}
	if x := r.newFault(nil, rep); x != nil {
		return nil, fmt.Errorf("%w: %s", errRacy, x.Message)
	}
	if races := r.counted(rep); len(races) > 0 {
		return nil, fmt.Errorf("%w: %s and %s", errRacy, place(&races[0].First), place(&races[0].Second))
	}
	return rep, nil
}
