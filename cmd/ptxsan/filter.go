package main

import (
	"path"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/input"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// Which races are reported: not those of excluded kernels, nor those that a suppression
// file names.

// exclude takes the kernels of --kernel-exclude out of a plan: they run, but their races
// are not reported. A glob must match a kernel, and a launch must be left.
func exclude(c *cli.Context, mod *rewrite.Module, plan []planned) error {
	globs := c.StringSlice("kernel-exclude")
	for _, glob := range globs {
		if _, err := path.Match(glob, ""); err != nil {
			return usagef("--kernel-exclude: %q is not a glob: %w", glob, err)
		}
		found := false
		for _, k := range mod.Kernels() {
			found = found || matchKernel(glob, k.Name)
		}
		if glob == "" || !found {
			return usagef("--kernel-exclude %q matches no kernel; %s", glob, kernelList(mod))
		}
	}
	left := false
	for i := range plan {
		p := &plan[i]
		for _, glob := range globs {
			p.checked = p.checked && !matchKernel(glob, p.kernel.Name)
		}
		left = left || p.checked
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
	src, err := input.Read(name, maxSuppressionBytes)
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
