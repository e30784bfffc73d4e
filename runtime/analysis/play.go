// Possible pairs that the launch file decides: its launches are executed as they are, with the
// buffers, textures and tensor maps that it describes.

package analysis

import (
	"context"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/passes/hgrd"
	"github.com/ptxsan/ptxsan/passes/hgrd/facts"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// played is a launch file and what its execution showed.
type played struct {
	file *launch.File
	rep  *report.Report // nil when the file is not one to learn from
}

// play executes the launch file, unless that was done already, for the pairs of a kernel that
// are possible for one of its launches. A kernel that the file launches several times is left
// out: a report does not say which of the launches races.
func (out *Outcome) play(ctx context.Context, k *rewrite.Func, g *facts.Given, r *hgrd.Result, o *Options) error {
	l := launchOf(o.File, k, g)
	if l == nil || !undecided(r, nil) || r.Verdict == hgrd.Clean {
		return nil
	}
	if out.played == nil {
		if o.Step != nil {
			o.Step("executing the launches of " + o.File.Name)
		}
		out.played = &played{file: o.File}
		if small(o.File) {
			rep, err := out.exploreFile(ctx, o.File, emu.Config{MaxSteps: triedSteps}, triedRuns, nil)
			if err != nil {
				return err
			}
			if disqualifies(rep) == nil {
				out.played.rep = rep
			}
		}
	}
	if out.played.rep == nil {
		return nil
	}
	for _, p := range decide(k, r, &hgrd.Witness{Grid: l.Grid, Block: l.Block, Cluster: l.Cluster}, out.played.rep) {
		out.byFile[p] = true
	}
	return nil
}

// launchOf is the only launch of a kernel in a file, when it is the one that facts are of; else nil.
func launchOf(file *launch.File, k *rewrite.Func, g *facts.Given) (found *launch.Launch) {
	if file == nil {
		return nil
	}
	for i := range file.Launches {
		l := &file.Launches[i]
		if !names(l.Kernel, k.Name) {
			continue
		}
		if found != nil {
			return nil
		}
		found = l
	}
	if found == nil || g.Site != (facts.Pos{File: found.Pos.File, Line: found.Pos.Line, Col: found.Pos.Col}).String() {
		return nil
	}
	return found
}

// small reports whether a launch file is executed for what it may tell.
func small(file *launch.File) bool {
	var bytes uint64
	for i := range file.Buffers {
		bytes += file.Buffers[i].Size()
	}
	return bytes <= maxWitnessBytes && !slices.ContainsFunc(file.Launches, func(l launch.Launch) bool {
		return threads(&hgrd.Witness{Grid: l.Grid, Block: l.Block}) > maxTriedThreads
	})
}

// text is the witness of what the execution showed: the launch file.
func (p *played) text() string {
	if len(p.file.DataFiles()) > 0 {
		return "" // it reads files beside it
	}
	return string(p.file.Text)
}
