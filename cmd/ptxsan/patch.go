// Patches of CUDA source that check prints, and checks that repeat when the source changes.

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/cmd/internal/limits"
	"github.com/ptxsan/ptxsan/runtime/fix"
	"github.com/ptxsan/ptxsan/runtime/hostcode"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
	"github.com/ptxsan/ptxsan/runtime/source"
)

func watchFlag() cli.Flag {
	return &cli.BoolFlag{Name: "watch", Usage: "check again whenever the file or a header of it changes, and say which findings are new and which are gone, until an interrupt", Category: command.CatExecution}
}

func patchFlag() cli.Flag {
	return &cli.StringFlag{Name: "patch", Usage: "write the patch of CUDA source to `FILE`", DefaultText: "after the text report", Category: command.CatOutput}
}

func noPatchFlag() cli.Flag {
	return &cli.BoolFlag{Name: "no-patch", Usage: "do not look for a patch of CUDA source", Category: command.CatExecution}
}

// conclude writes the report of the plan, with a patch of CUDA source that has races, and returns the verdict.
func (k *checker) conclude(ctx context.Context, c *cli.Context, rep *report.Report) error {
	if c.IsSet("patch") { // no patch of an earlier run stays
		if err := command.WriteOutput(c, c.String("patch"), func(io.Writer) error { return nil }); err != nil {
			return err
		}
	}
	if err := completeReport(c, rep, k.plan.File); err != nil {
		return err
	}
	p := &patching{}
	if k.patches(c, rep) {
		p = k.search(ctx, c, rep)
		k.progress.Done()
	}
	if err := writeReport(c, rep); err != nil {
		return err
	}
	if p.result != nil && (c.IsSet("patch") || textOnly(c)) {
		write := command.WriteOutput
		if c.IsSet("patch") { // for other programs
			write = command.WriteData
		}
		err := write(c, c.String("patch"), func(w io.Writer) error {
			return p.result.Write(w, fix.Form{Name: fix.FormNames[0], Source: p.source, Brief: true})
		})
		if err != nil {
			return errors.Join(p.err, err)
		}
	}
	if p.err != nil {
		return p.err
	}
	return verdictOf(c, rep, k.plan.File)
}

// patches reports whether a patch is looked for: of CUDA source that has races, by detectors that listen, and nothing is wrong beside
// them.
func (k *checker) patches(c *cli.Context, rep *report.Report) bool {
	var code *command.Error
	verdict := verdictOf(c, rep, k.plan.File)
	inside := slices.ContainsFunc(k.options.Detectors, func(d *session.Detector) bool { return !d.Listens() })
	return source.Is(c.Args().First()) && rep.Verdict == report.Racy && !c.Bool("no-patch") && k.options.GPU == nil && k.other == nil &&
		!inside && (verdict == nil || errors.As(verdict, &code) && code.Err == nil)
}

// patching is the outcome of a search for a patch of CUDA source.
type patching struct {
	result *fix.Result    // nil if there is none
	source *fix.SourceFix // nil without a repair
	err    error
}

// search looks for a patch. The report gets it, and advice that the same runs have verified.
func (k *checker) search(ctx context.Context, c *cli.Context, rep *report.Report) *patching {
	known, err := knownRace(c)
	if err != nil {
		return &patching{err: err}
	}
	plan := cmp.Or(k.shown, k.plan)
	k.options.Timeline, k.options.SaveTrace, k.options.Emulator.Record = nil, nil, nil
	p := &patching{}
	p.result, p.err = fix.Run(ctx, fix.Options{Plan: plan, Session: k.options, Workers: c.Int("jobs"), Known: known})
	if p.result != nil && p.result.Mended() {
		p.source, p.err = sourcePatch(ctx, c, p.result, c.Args().First())
	}
	if p.result != nil && p.err == nil {
		p.result.Advise(rep)
	}
	if p.source != nil {
		rep.Patch = p.source.ForReport(p.result)
	}
	if ctx.Err() != nil {
		p.err = unfinished(ctx, "the search for a patch was not finished", session.Ended(ctx))
	}
	return p
}

// sourcePatch applies a repair to a source file, and checks the result.
func sourcePatch(ctx context.Context, c *cli.Context, res *fix.Result, name string) (*fix.SourceFix, error) {
	src, err := command.ReadInput(c, name, limits.SourceBytes)
	if err != nil {
		return nil, err
	}
	return res.FixSource(ctx, name, src, hostcode.Options{Defines: c.StringSlice("define"), Includes: c.StringSlice("include")}), nil
}

// textOnly reports whether standard output has nothing but text.
func textOnly(c *cli.Context) bool {
	list, err := command.ReportFormats(c.String("format"))
	return err == nil && !slices.ContainsFunc(list, func(f command.Format) bool {
		return f.Name() != fix.FormNames[0] && f.File == "" && c.String("output") == ""
	})
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
