// Kernels and races that are not reported.

package main

import (
	"path"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/limits"
	"github.com/ptxsan/ptxsan/runtime/input"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Which races are reported: not those of excluded kernels, nor those that a suppression
// file names.

// exclude takes the kernels of --kernel-exclude out of a plan: they run, but their races
// are not reported. A glob must match a kernel, and a launch must be left.
func exclude(c *cli.Context, plan *session.Plan) error {
	globs, mod := c.StringSlice("kernel-exclude"), plan.Program.Module
	for _, glob := range globs {
		if _, err := path.Match(glob, ""); err != nil {
			return usagef("--kernel-exclude: %q is not a glob: %w", glob, err)
		}
		found := false
		for _, k := range mod.Kernels() {
			found = found || session.MatchKernel(glob, k.Name)
		}
		if glob == "" || !found {
			return usagef("--kernel-exclude %q matches no kernel; %s", glob, session.KernelList(mod))
		}
	}
	left := false
	for i := range plan.Launches {
		l := &plan.Launches[i]
		for _, glob := range globs {
			l.Unreported = l.Unreported || session.MatchKernel(glob, plan.KernelName(i))
		}
		left = left || !l.Unreported
	}
	if !left {
		return usagef("--kernel-exclude: no launch is left to check")
	}
	return nil
}

// suppressionsOf reads the suppression file, if there is one.
func suppressionsOf(c *cli.Context) (report.Suppressions, error) {
	name := c.String("suppressions")
	if name == "" {
		return nil, nil
	}
	src, err := input.Read(name, limits.SuppressionBytes)
	if err != nil {
		return nil, badInput(err)
	}
	list, err := report.ParseSuppressions(name, src)
	return list, badInput(err)
}

// suppress takes the races that the suppression file names out of the report.
func suppress(c *cli.Context, rep *report.Report) error {
	list, err := suppressionsOf(c)
	if err == nil && list != nil {
		rep.Suppress(list)
	}
	return err
}
