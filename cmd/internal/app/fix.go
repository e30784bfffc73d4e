// The command fix.

package app

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/internal/fix"
	"github.com/ptxsan/ptxsan/internal/fix/trial"
	"github.com/ptxsan/ptxsan/runtime/session"
	"github.com/ptxsan/ptxsan/runtime/session/source"
)

func fixCommand() *cli.Command {
	flags := []cli.Flag{
		command.LaunchFlag(), command.RootFlag(), command.KernelFlag(), command.NoCheckFlag(),
		command.SuppressionsFlag(), command.BaselineFlag(), detectorFlag(), command.ErrorLevelFlag(),
		schedulesFlag("verify a repair under `N` schedules; by default 100"),
		&cli.IntFlag{Name: "attempts", Usage: "try at most `N` sets of edits", Value: fix.DefaultAttempts, Category: command.CatExecution},
		&cli.BoolFlag{
			Name: "diff", Usage: "print the repair as a patch, and nothing else",
			Category: command.CatOutput,
		},
		&cli.StringFlag{Name: "format", Usage: "print the result in `FORMAT`: text, json with the edits, or sarif with a fix of each race", Value: "text", Category: command.CatOutput},
		&cli.StringFlag{Name: "apply-source", Usage: "print the repair as a patch of the CUDA source `FILE`, and nothing else; --write applies it", Category: command.CatOutput},
		&cli.BoolFlag{
			Name:     "write",
			Usage:    "also apply the patch to the CUDA source, if it was compiled and run and leaves no race",
			Category: command.CatOutput,
		},
		patchBudgetFlag(0, "no limit"),
		command.OutputFlag(),
	}
	return &cli.Command{
		Name:      "fix",
		Category:  "Rewriting",
		Usage:     "find a repair of the races of kernels, verify it and show it",
		ArgsUsage: "FILE.ptx|FILE.cu",
		Description: `Runs the launches of the launch file under many schedules, searches for the cheapest
edits that leave no race (barriers, fences, scopes, atomic operations, waits), verifies
them by running the edited kernels, and prints the races, the repair and a patch. With
--memory ptx it mends weak outcomes, too, of any severity.
The exit code is 0 when there is no race and no fault, or all are repaired, 4 when the
search was interrupted, otherwise 1. Of CUDA source, which is compiled and runs on a
template without --launch, it prints a patch of the source, as with --apply-source;
--write applies the patch to the file. An interrupt ends the search: what was found
until then is printed.

Examples:
   ptxsan fix k.cu
   ptxsan fix --write k.cu
   ptxsan fix --launch k.yaml k.ptx
   ptxsan fix --launch k.yaml --diff k.ptx | patch k.ptx`,
		Flags:  slices.Concat(flags, command.SourceFlags(), command.DriverFlags(), exploredFlags()),
		Action: fixAction,
	}
}

func fixAction(c *cli.Context) error {
	if f := c.String("format"); !slices.Contains(fix.FormNames, f) {
		return command.Usagef("--format: expected text, json or sarif, found %q", f)
	}
	if err := checkWrite(c); err != nil {
		return err
	}
	ctx, cancel := command.Timeout(c)
	defer cancel()
	k, err := checkerOf(c)
	if err != nil {
		return err
	}
	if _, err = searchOf(c, ""); err != nil {
		return err
	}
	plan := k.plan
	if source.Is(c.Args().First()) && plan.File.Guessed {
		rep, wrong := k.swept(ctx, c)
		if wrong != nil {
			return wrong
		}
		plan = k.raced(rep)
	}
	known, err := knownRace(c)
	if err != nil {
		return err
	}
	command.Concluding(ctx)
	res, err := fix.Run(ctx, fix.Options{
		Subject:   trial.Subject{Plan: plan, Session: k.options, Known: known, Workers: c.Int("jobs")},
		Schedules: c.Int("schedules"), Attempts: c.Int("attempts"), Budget: k.budget,
	})
	k.progress.Done()
	ended := unfinished(ctx, "the search for a fix was not finished", err)
	if res == nil {
		return ended
	}
	if err = settle(c, res.Report); err != nil {
		return err
	}
	form := fix.Form{Name: c.String("format"), Patch: c.Bool("diff")}
	if name := sourceOf(c); name != "" {
		if form.Source, err = sourcePatch(ctx, c, res, name); err != nil {
			return err
		}
	}
	if c.IsSet("output") && res.Mended() {
		if err = command.WriteBytes(c, c.String("output"), command.Text(res.Module)); err != nil {
			return err
		}
	}
	if err = command.WriteOutput(c, "", func(w io.Writer) error { return res.Write(w, form) }); err != nil {
		return err
	}
	if c.Bool("write") {
		if err = applyPatch(c, form.Source); err != nil {
			return err
		}
	}
	return cmp.Or(ended, fixVerdict(ctx, res, form.Source))
}

// checkWrite refuses --write where there is no file of CUDA source to apply a patch to.
func checkWrite(c *cli.Context) error {
	switch {
	case !c.Bool("write"):
	case c.Args().First() == "-" || sourceOf(c) == "-":
		return command.Usagef("--write: expected PTX or CUDA source in a file, found standard input")
	case sourceOf(c) == "":
		return command.Usagef("--write: there is nothing to write: expected CUDA source, FILE.cu without --diff or --apply-source FILE")
	}
	return nil
}

// applyPatch replaces a CUDA source by the edited one, whole or not at all, if that was compiled and run.
func applyPatch(c *cli.Context, x *fix.SourceFix) error {
	if x.Verdict != fix.Checked {
		fmt.Fprintf(c.App.ErrWriter, "ptxsan: %s is not changed: %s\n", x.Name, x.Check())
		return nil
	}
	if err := command.Replace(c, x.Name, x.Old, []byte(x.Text)); err != nil {
		return err
	}
	fmt.Fprintf(c.App.ErrWriter, "ptxsan: %s is changed\n", x.Name)
	return nil
}

// sourceOf returns the CUDA source to patch, "" for none.
func sourceOf(c *cli.Context) string {
	if name := c.Args().First(); source.Is(name) && !c.Bool("diff") {
		return cmp.Or(c.String("apply-source"), name)
	}
	return c.String("apply-source")
}

// fixVerdict returns the end of the command for a result that was written, and a patch of the source unless that is
// nil.
func fixVerdict(ctx context.Context, res *fix.Result, source *fix.SourceFix) error {
	switch {
	case source != nil && source.Verdict == fix.NotDecided:
		return unfinished(ctx, "the patch of the source was not checked to the end", session.Ended(ctx))
	case !res.Complete() || source != nil && !source.Complete():
		return command.Exit(command.Findings)
	}
	return nil
}
