// Executing the user's launch file to decide possible pairs, with the buffers, textures and tensor maps that it
// describes.

package analysis

import (
	"context"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/static"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// maxPlayed limits the number of launches of a launch file that are executed.
const maxPlayed = 16

// play decides possible pairs of a launch of the launch file: it executes the launch, after those before it in the
// file.
func (out *Outcome) play(ctx context.Context, k *rewrite.Func, g *facts.Given, r *static.Result, o *Options) error {
	i := LaunchAt(o.File, g.Site)
	if i < 0 || !undecided(r, nil) || r.Verdict == static.Clean || out.played == maxPlayed || !small(o.File) {
		return nil
	}
	out.played++
	if o.Step != nil {
		o.Step("executing " + report.Demangle(k.Name) + " launched at " + g.Site)
	}
	rep, err := out.planned(o.File, emu.Config{MaxSteps: triedSteps},
		func(so session.Options, plan *session.Plan) (*report.Report, error) {
			plan.Launches = plan.Launches[:i+1]
			for n := range i {
				plan.Launches[n].Unreported = true
			}
			return exploration(so, plan, func(rep *report.Report) bool {
				return executed(rep) >= triedWork ||
					!undecided(r, rep)
			}).Run(ctx)
		})
	if err != nil || disqualifies(rep) != nil {
		return err
	}
	l := &o.File.Launches[i]
	grid, block, err := emu.InBlocks(k, emu.Dim3{X: l.Grid[0], Y: l.Grid[1], Z: l.Grid[2]},
		emu.Dim3{X: l.Block[0], Y: l.Block[1], Z: l.Block[2]})
	if err != nil {
		return err
	}
	for _, p := range decide(k, r, &static.Witness{
		Grid:  [3]uint32{grid.X, grid.Y, grid.Z},
		Block: [3]uint32{block.X, block.Y, block.Z}, Cluster: l.Cluster,
	}, rep) {
		out.byFile[p] = o.File
	}
	if slices.Contains(o.Without, string(static.ByExecution)) || len(rep.Races)+len(rep.Faults) > 0 {
		return nil
	}
	return out.prove(ctx, &Made{Kernel: k, Given: g, Result: r}, o.File, rep)
}

// small reports whether a launch file is small enough to be executed for an analysis.
func small(file *launch.File) bool {
	var bytes uint64
	for i := range file.Buffers {
		bytes += file.Buffers[i].Size()
	}
	return bytes <= maxWitnessBytes && !slices.ContainsFunc(file.Launches, func(l launch.Launch) bool {
		return (&static.Witness{Grid: l.Grid, Block: l.Block}).Launched() > maxTriedThreads
	})
}
