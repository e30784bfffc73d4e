// Patches of CUDA source that check prints, and checks that repeat when the source changes.

package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/cmd/internal/limits"
	"github.com/ptxsan/ptxsan/internal/fix"
	"github.com/ptxsan/ptxsan/internal/fix/trial"
	"github.com/ptxsan/ptxsan/internal/panics"
	"github.com/ptxsan/ptxsan/internal/static/hostcode"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
	"github.com/ptxsan/ptxsan/runtime/session/source"
)

func watchFlag() cli.Flag {
	return &cli.BoolFlag{
		Name:  "watch",
		Usage: "check again whenever the file or a header of it changes, and say which findings are new and which are gone, until an interrupt", Category: command.CatExecution,
	}
}

func patchFlag() cli.Flag {
	return &cli.StringFlag{Name: "patch", Usage: "write the patch of CUDA source to `FILE`", DefaultText: "after the text report", Category: command.CatOutput}
}

func noPatchFlag() cli.Flag {
	return &cli.BoolFlag{
		Name: "no-patch", Usage: "do not look for a patch of CUDA source",
		Category: command.CatExecution,
	}
}

func patchBudgetFlag(value int, without string) cli.Flag {
	usage := fmt.Sprintf("end the search for a patch after `N` runs of kernels with %d instructions of threads each; "+
		"a compilation counts as %d runs; 0 for no limit", instructionsPerRun, trial.CompileRuns)
	return &cli.IntFlag{
		Name: "patch-budget", Value: value, DefaultText: without, Usage: usage,
		Category: command.CatExecution,
	}
}

// The budget of a search for a patch: on a machine with two processors it takes some 20 seconds.
const (
	patchRuns          = 6000
	instructionsPerRun = 40_000
)

// patchBudget returns the value of --patch-budget.
func patchBudget(c *cli.Context) (trial.Budget, error) {
	n := c.Int("patch-budget")
	if n < 0 || uint64(n) > math.MaxUint64/instructionsPerRun {
		return trial.Budget{}, command.Usagef("--patch-budget: expected a number from 0 on, found %d", n)
	}
	return trial.Budget{Runs: n, Instructions: uint64(n) * instructionsPerRun}, nil
}

// conclude writes the report of the plan and then, for CUDA source that has races, looks for a patch, and returns the
// verdict, which the search does not change. Text on standard output comes before the search; documents and files come
// after it, and have the patch.
func (k *checker) conclude(ctx context.Context, c *cli.Context, rep *report.Report) error {
	if c.IsSet("patch") { // no patch of an earlier run stays
		if err := command.WriteOutput(c, c.String("patch"), func(io.Writer) error { return nil }); err != nil {
			return err
		}
	}
	if err := completeReport(c, rep, k.plan.File); err != nil {
		return err
	}
	verdict := verdictOf(c, rep, k.plan.File)
	if !k.patches(c, rep) {
		if name := c.Args().First(); source.Is(name) {
			rep.Await("no edit has been verified: ptxsan fix " + name + " looks for one")
		}
		return cmp.Or(writeReport(c, rep), verdict)
	}
	first := func(f command.Format) bool { return f.Name() == textForm && toStdout(c, f) }
	printed, early := rep.Clone(), rep.Clone()
	early.Await("none is known yet: the search for a patch looks for one, below")
	if err := writeForms(c, early, first); err != nil {
		return err
	}
	p := k.searchPatch(ctx, c, rep)
	if err := writeForms(c, rep, func(f command.Format) bool { return !first(f) }); err != nil {
		return err
	}
	return cmp.Or(p.write(c, printed, rep), verdict)
}

// patches reports whether a patch is looked for: of CUDA source that has races, by detectors that listen, and nothing
// is wrong beside them but faults of other kernels of a template.
func (k *checker) patches(c *cli.Context, rep *report.Report) bool {
	var code *command.Error
	verdict := verdictOf(c, rep, k.plan.File)
	inside := slices.ContainsFunc(k.options.Detectors, func(d *session.Detector) bool { return !d.Listens() })
	if k.plan.File.Guessed {
		rep = cmp.Or(rep.Without(rep.Faulted), rep)
	}
	return source.Is(c.Args().First()) && rep.Verdict == report.Racy && !c.Bool("no-patch") && k.options.GPU == nil &&
		k.other == nil &&
		!inside && (verdict == nil || errors.As(verdict, &code) && code.Err == nil)
}

// patchSearch is the outcome of a search for a patch of CUDA source.
type patchSearch struct {
	result *fix.Result    // nil if there is none
	source *fix.SourceFix // nil without a repair
	why    string         // why the search was not finished, "" for a finished one
}

// searchPatch looks for a patch, and says so before it begins. The report gets the patch, advice that the same runs
// have verified, or a note why the search was not finished. The search may fail, and need not obey the end of the
// context: the report does not depend on it.
func (k *checker) searchPatch(ctx context.Context, c *cli.Context, rep *report.Report) *patchSearch {
	command.Concluding(ctx)
	if textOnly(c) {
		limit := "without a limit"
		if n := c.Int("patch-budget"); n > 0 {
			limit = fmt.Sprintf("for at most %d runs (--patch-budget)", n)
		}
		fmt.Fprintf(c.App.Writer,
			"%s PATCH: looking for a patch of %s, %s; Ctrl-C ends the search, --no-patch omits it\n",
			report.Prefix, c.Args().First(), limit)
	}
	k.progress.Step("looking for a patch (Ctrl-C ends the search)")
	defer k.progress.Done()
	plan, cost := k.raced(rep), fix.RunCost(k.plan, rep)
	p := attempt(ctx, func() *patchSearch { return k.search(ctx, c, plan, cost) })
	p.report(rep)
	return p
}

// attempt returns the outcome of a search, or that it has failed or has not ended with the context.
func attempt(ctx context.Context, search func() *patchSearch) (p *patchSearch) {
	found := make(chan *patchSearch, 1)
	go func() {
		var result *patchSearch
		if failed := panics.Attempt(func() { result = search() }); failed != nil {
			result = &patchSearch{why: searchFailed + panics.Brief(failed)}
		}
		found <- result
	}()
	select {
	case p = <-found:
	case <-ctx.Done():
		select {
		case p = <-found:
		case <-time.After(command.Grace):
			p = &patchSearch{why: session.Ended(ctx).Error()}
		}
	}
	return p
}

// searchFailed begins the reason for a search that has ended with a panic.
const searchFailed = "the search has failed, which is an error of ptxsan: "

// raced returns the plan that has shown races, without the kernels that a fault has stopped.
func (k *checker) raced(rep *report.Report) *session.Plan {
	plan := cmp.Or(k.shown, k.plan)
	return cmp.Or(plan.Only(func(kernel string) bool { return !rep.Faulted(kernel) }), plan)
}

// search looks for a patch of a plan. cost is that of one run.
func (k *checker) search(ctx context.Context, c *cli.Context, plan *session.Plan, cost uint64) *patchSearch {
	p := &patchSearch{}
	known, err := knownRace(c)
	if err != nil {
		return &patchSearch{why: err.Error()}
	}
	o := k.options
	o.Timeline, o.SaveTrace, o.Emulator.Record, o.Starting = nil, nil, nil, nil
	p.result, err = fix.Run(ctx, fix.Options{
		Subject: trial.Subject{Plan: plan, Session: o, Workers: c.Int("jobs"), Known: known},
		Budget:  k.budget, Cost: cost, Unproved: true,
	})
	if p.result != nil && p.result.Undecided == "" {
		p.source, err = sourcePatch(ctx, c, p.result, c.Args().First())
	}
	switch {
	case ctx.Err() != nil:
		p.why = session.Ended(ctx).Error()
	case err != nil:
		p.why = err.Error()
	case p.result.Undecided != "":
		p.why = p.result.Undecided
	case p.source != nil && p.source.Verdict == fix.NotDecided:
		p.why = p.source.Why
	}
	return p
}

// report adds the outcome to a report.
func (p *patchSearch) report(rep *report.Report) {
	if p.result != nil && p.result.Undecided == "" {
		p.result.Advise(rep)
		p.result.Refute(rep, p.source)
	}
	if p.source != nil {
		rep.Patch = p.source.ForReport(p.result)
	}
	if p.why != "" {
		rep.Notes = append(rep.Notes, "the search for a patch was not finished: "+p.why)
	}
}

// write prints, in text, one line for each finding of the printed report with the result of the search, and then the
// patch.
func (p *patchSearch) write(c *cli.Context, printed, rep *report.Report) error {
	if textOnly(c) {
		for _, line := range p.result.Findings(printed, rep, p.source, p.why) {
			fmt.Fprintf(c.App.Writer, "%s PATCH: %s\n", report.Prefix, line)
		}
	}
	if p.result == nil || !c.IsSet("patch") && !textOnly(c) {
		return nil
	}
	write := command.WriteOutput
	if c.IsSet("patch") { // for other programs
		write = command.WriteData
	}
	return write(c, c.String("patch"), func(w io.Writer) error {
		return p.result.Write(w, fix.Form{Name: fix.FormNames[0], Source: p.source, Brief: true})
	})
}

// sourcePatch applies a repair to a source file, and checks the result.
func sourcePatch(ctx context.Context, c *cli.Context, res *fix.Result, name string) (*fix.SourceFix, error) {
	src, err := command.ReadInput(c, name, limits.SourceBytes)
	if err != nil {
		return nil, err
	}
	return res.FixSource(ctx, name, src, hostcode.Options{
		Defines:  c.StringSlice("define"),
		Includes: c.StringSlice("include"),
	}), nil
}

// textOnly reports whether standard output has nothing but text.
func textOnly(c *cli.Context) bool {
	list, err := command.ReportFormats(c.String("format"))
	other := func(f command.Format) bool { return f.Name() != textForm && toStdout(c, f) }
	return err == nil && !slices.ContainsFunc(list, other)
}

const textForm = "text"

// toStdout reports whether a form of a report is written to standard output.
func toStdout(c *cli.Context, f command.Format) bool {
	file := cmp.Or(f.File, c.String("output"))
	return file == "" || file == "-"
}

// watch checks a file, and again whenever it changes, until an interrupt. The end is that of the last check.
func watch(c *cli.Context) error {
	name, err := command.OneFile(c)
	if err != nil {
		return err
	}
	changes := source.Watch(name)
	var before *report.Report
	for {
		rep, verdict := checkOnce(c)
		var code *command.Error
		switch {
		case errors.Is(verdict, command.ErrInterrupted):
			return verdict
		case errors.As(verdict, &code) && code.Err == nil || verdict == nil:
			if before != nil {
				if err = report.Compare(before, rep).WriteText(c.App.Writer); err != nil {
					return err
				}
			}
			before = rep
		default:
			fmt.Fprintf(c.App.ErrWriter, "ptxsan: %v\n", verdict)
		}
		if read := append([]string{name}, command.FilesRead(c)...); len(read) > 1 {
			changes.Also(read...)
			changes.Only(read...)
		}
		fmt.Fprintf(c.App.ErrWriter, "ptxsan: waiting for a change of %s\n", name)
		if !changes.Wait(c.Context) {
			return verdict
		}
	}
}
