// The flag --kernel.

package main

import (
	"path"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// planOf is the plan of a launch file. With --kernel and --kernel-exclude the races of
// some launches are not reported; at least one must be left.
func planOf(c *cli.Context, mod *rewrite.Module, file *launch.File, exec execution) (*session.Plan, error) {
	glob := c.String("kernel")
	if _, err := kernelsMatching(mod, glob); err != nil {
		return nil, err
	}
	plan, err := session.NewPlan(session.NewProgram(mod), file, exec.config.MaxSteps)
	if err != nil {
		return nil, err
	}
	selected := false
	for i := range plan.Launches {
		matches := session.MatchKernel(glob, plan.KernelName(i))
		plan.Launches[i].Unreported = !matches
		selected = selected || matches
	}
	if !selected {
		return nil, usagef("--kernel %q matches no launch of %s", glob, file.Name)
	}
	return plan, exclude(c, plan)
}

// kernelsMatching are the kernels that a --kernel flag selects; selecting none is
// an error, because a check of nothing must not look clean.
func kernelsMatching(mod *rewrite.Module, glob string) ([]*rewrite.Func, error) {
	if _, err := path.Match(glob, ""); err != nil {
		return nil, usagef("--kernel: %q is not a glob: %w", glob, err)
	}
	var out []*rewrite.Func
	for _, k := range mod.Kernels() {
		if session.MatchKernel(glob, k.Name) {
			out = append(out, k)
		}
	}
	if len(out) == 0 && glob != "" {
		return nil, usagef("--kernel %q matches no kernel; %s", glob, session.KernelList(mod))
	}
	return out, nil
}
