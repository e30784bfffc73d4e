// Patches of CUDA source that check prints, and checks that repeat when the source changes.

package main

import (
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
	return &cli.BoolFlag{Name: "watch", Usage: "check again whenever the file changes, and say which findings are new and which are gone, until an interrupt", Category: command.CatExecution}
}

func patchFlag() cli.Flag {
	return &cli.StringFlag{Name: "patch", Usage: "write the patch of CUDA source to `FILE`", DefaultText: "after the text report", Category: command.CatOutput}
}

func noPatchFlag() cli.Flag {
	return &cli.BoolFlag{Name: "no-patch", Usage: "do not look for a patch of CUDA source", Category: command.CatExecution}
}

// patched looks for a patch of CUDA source, after its report was written with a verdict of races, and returns that verdict.
func (k *checker) patched(ctx context.Context, c *cli.Context, rep *report.Report, verdict error) error {
	name := c.Args().First()
	if c.IsSet("patch") { // no patch of an earlier run stays
		if err := command.WriteOutput(c, c.String("patch"), func(io.Writer) error { return nil }); err != nil {
			return err
		}
	}
	var code *command.Error
	if !source.Is(name) || rep.Verdict != report.Racy || c.Bool("no-patch") || k.options.GPU != nil || k.other != nil || verdict != nil && (!errors.As(verdict, &code) || code.Err != nil) {
		return verdict
	}
	if !c.IsSet("patch") && !textOnly(c) || slices.ContainsFunc(k.options.Detectors, func(d *session.Detector) bool { return !d.Listens() }) {
		return verdict
	}
	plan := k.plan
	if k.shown != nil {
		plan = k.shown
	}
	k.options.Timeline, k.options.SaveTrace, k.options.Emulator.Record = nil, nil, nil
	res, err := fix.Run(ctx, fix.Options{Plan: plan, Session: k.options, Workers: c.Int("jobs")})
	var patch *fix.SourceFix
	if res != nil && res.Mended() {
		patch, err = sourcePatch(ctx, c, res, name)
	}
	k.progress.Done()
	switch {
	case ctx.Err() != nil:
		err = unfinished(ctx, "the search for a patch was not finished", session.Ended(ctx))
		if res == nil {
			return err
		}
	case err != nil:
		return err
	}
	err = errors.Join(err, command.WriteOutput(c, c.String("patch"), func(w io.Writer) error {
		return res.Write(w, fix.Form{Name: fix.FormNames[0], Source: patch, Brief: true})
	}))
	if err != nil {
		return err
	}
	return verdict
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
		fmt.Fprintf(c.App.ErrWriter, "ptxsan: waiting for a change of %s\n", name)
		if !changes.Wait(c.Context) {
			return verdict
		}
	}
}
