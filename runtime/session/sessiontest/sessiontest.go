// Package sessiontest checks kernels for data races in Go tests, in one line: Check for PTX with a launch file,
// CheckSource for CUDA source. A test fails with the report, which shows the lines of the source. The package must not
// know command lines.
package sessiontest

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/ptxsan/ptxsan/internal/input"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
	"github.com/ptxsan/ptxsan/runtime/session/source"
)

// TB is the part of *testing.T and *testing.B that the checks need.
type TB interface {
	Helper()
	Fatal(args ...any)
	Skip(args ...any)
	Context() context.Context
}

// Limits of a check.
const (
	schedules = 20
	maxBytes  = 1 << 30
	maxSource = 16 << 20 // of a file of which lines are shown
)

// Check runs the launches of a launch file under several schedules, with the detector precise, and fails the test if
// there is a race that is an error, a fault, a result that the file does not expect, or if nothing was checked.
func Check(t TB, ptx, launches string) {
	t.Helper()
	src, err := input.Read(ptx, maxBytes)
	var program *session.Program
	if err == nil {
		program, err = session.Parse(ptx, src)
	}
	var file *launch.File
	if err == nil {
		file, err = launch.Load(launches, launch.Options{})
	}
	if err != nil {
		t.Fatal(err)
	}
	check(t, ptx, program, file)
}

// CheckSource compiles a file of CUDA source with nvcc or clang, and skips the test where neither is installed. It does
// the same as Check for launches of its kernels: a launch file of the same name, k.yaml for k.cu, or without one a
// template and variations of it, as ptxsan check does.
func CheckSource(t TB, cu string) {
	t.Helper()
	u, err := source.Compile(t.Context(), cu, source.Options{})
	if errors.Is(err, source.ErrNoCompiler) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	mod, err := rewrite.Check(u.Tree)
	if err != nil {
		t.Fatal(err)
	}
	program := session.NewProgram(mod)
	file, err := launch.Load(strings.TrimSuffix(cu, filepath.Ext(cu))+".yaml", launch.Options{})
	if errors.Is(err, fs.ErrNotExist) {
		file, err = source.Launches(t.Context(), cu, program, mod.Kernels(),
			source.ReadHost(t.Context(), cu, source.Options{}))
	}
	if err != nil {
		t.Fatal(err)
	}
	check(t, cu, program, file)
}

func check(t TB, name string, program *session.Program, file *launch.File) {
	t.Helper()
	rep, err := explore(t.Context(), program, file)
	if err != nil {
		t.Fatal(err)
	}
	failed := len(rep.Faults) > 0 || rep.Count(report.Error) > 0 || rep.Unchecked()
	for _, e := range rep.Expect {
		failed = failed || !e.OK
	}
	if !failed {
		return
	}
	folder := filepath.Dir(name)
	read := func(file string) ([]byte, error) { return input.ReadIn(folder, file, maxSource) }
	var text strings.Builder
	if err = rep.WriteText(&text, report.TextOptions{Excerpt: session.Excerpts(folder, read)}); err != nil {
		t.Fatal(err)
	}
	t.Fatal("\n" + text.String())
}

// explore runs the launches, and for a template that shows nothing also variations.
func explore(ctx context.Context, program *session.Program, file *launch.File) (*report.Report, error) {
	plan, err := session.NewPlan(program, file, 0)
	if err != nil {
		return nil, err
	}
	detectors, err := session.ParseDetectors("precise")
	if err != nil {
		return nil, err
	}
	o := session.Options{Detectors: detectors}
	run := func(p *session.Plan) (*report.Report, error) {
		e := session.Exploration{
			Options: o, Scenario: p,
			Search: session.Search{Name: session.SearchNames[0], Runs: schedules},
		}
		return e.Run(ctx)
	}
	rep, err := run(plan)
	if err != nil || !file.Guessed {
		return rep, err
	}
	if silent := plan.WithoutFindings(rep); silent != nil {
		o.LimitSweep()
		_, err = silent.Sweep(ctx, rep, false, run)
	}
	return rep, err
}
