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
	"github.com/ptxsan/ptxsan/runtime/session"
)

// SourceFix is the repair in a CUDA source file.
type SourceFix struct {
	Name  string
	Old   []byte
	Text  string         // the source with the edits that are possible there
	Left  []*repair.Edit // the others
	Check string         // the outcome of compiling the text
}

// Patch returns the repair as a patch of the source.
func (x *SourceFix) Patch() string {
	return diff.Unified("a/"+x.Name, string(x.Old), "b/"+x.Name, x.Text, 2)
}

// maxPatches is the maximum number of patches of a source that are compiled.
const maxPatches = 9

// FixSource applies the repair to a CUDA source file from which the module was compiled. If clang compiles the file to kernels
// with the race, FixSource also compiles and runs the repaired file. If an inserted statement has several possible places, it
// takes the first one that leaves no race.
func (r *Result) FixSource(ctx context.Context, name string, src []byte, o hostcode.Options) *SourceFix {
	x := &SourceFix{Name: name, Old: src, Check: "nothing to check"}
	x.Text, x.Left = r.editSource(name, src, nil)
	if !r.Mended() || len(x.Left) > 0 || x.Text == string(src) {
		return x
	}
	o.Includes = append([]string{filepath.Dir(name)}, o.Includes...)
	c := &compiled{result: r, options: o, name: filepath.Base(name)}
	switch err := c.check(ctx, string(src)); {
	case err == nil:
		x.Check = "not checked: what clang makes of the source has no race in these launches"
		return x
	case !errors.Is(err, errRacy):
		x.Check = fmt.Sprintf("not checked: %v", err)
		return x
	}
	x.Check = "wrong: compiled with clang, the mended source still has a race"
	for i, text := range append([]string{x.Text}, r.otherTexts(name, src)...) {
		if i == maxPatches {
			break
		}
		if c.check(ctx, text) == nil {
			x.Text, x.Check = text, fmt.Sprintf("checked: compiled with clang, the mended source has no race and no new fault under %d schedules", r.fixer.Schedules)
			break
		}
	}
	return x
}

// otherTexts returns sources in which one of the inserted statements has another place: before or after the lines of a race's
// accesses.
func (r *Result) otherTexts(name string, src []byte) (list []string) {
	for _, e := range r.Edits {
		for _, x := range r.pairs {
			for _, at := range []spot{
				{session.SourceOf(x.Second), repair.Before},
				{session.SourceOf(x.First), repair.After},
				{session.SourceOf(x.First), repair.Before},
				{session.SourceOf(x.Second), repair.After},
			} {
				if text, left := r.editSource(name, src, map[*repair.Edit]spot{e: at}); len(left) == 0 {
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
var errRacy = errors.New("there is a race")

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
	rep, _, err := f.explore(ctx, nil, plan, nil, true)
	switch {
	case err != nil:
		return err
	case len(f.counted(rep)) > 0 || f.newFault(nil, rep) != nil:
		return errRacy
	}
	_, err = f.results(rep, c.result.Edits)
	return err
}
