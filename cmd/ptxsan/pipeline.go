// Flags of pipelines, and running a pipeline under them.

package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/limits"
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/all"
	"github.com/ptxsan/ptxsan/rewrite"
)

// pipelineFlags choose a pipeline of passes and watch it run.
func pipelineFlags() []cli.Flag {
	return append([]cli.Flag{
		passesFlag(""),
		&cli.StringFlag{Name: "passes-file", Usage: "read the pipeline from `FILE`: a line holds passes, # starts a comment", Category: catPasses},
	}, driverFlags()...)
}

// driverFlags watch a pipeline run.
func driverFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "print-after", Usage: "print the module after `PASS` on standard error; repeatable", Category: catPasses},
		&cli.BoolFlag{Name: "time-passes", Usage: "print the time that each pass takes on standard error", Category: catPasses},
		&cli.BoolFlag{Name: "verify-each", Usage: "after each pass read its text again and run the pass a second time, which must make the same text", Category: catPasses},
	}
}

func statsFlag() cli.Flag {
	return &cli.BoolFlag{Name: "stats", Usage: "print what each pass instrumented and left out, how the program grew, and what detectors say of themselves, on standard error", Category: catOutput}
}

// pipelineOf reads --passes and --passes-file.
func pipelineOf(c *cli.Context) (passes.Pipeline, error) {
	if !c.IsSet("passes-file") {
		return parsePipeline(c.String("passes"))
	}
	if c.IsSet("passes") {
		return passes.Pipeline{}, usagef("--passes and --passes-file exclude each other")
	}
	name := c.String("passes-file")
	src, err := readInput(c, name, limits.PassesBytes)
	if err != nil {
		return passes.Pipeline{}, err
	}
	p, err := passes.ParsePipelineFile(displayName(name), string(src), all.Passes)
	return p, badInput(err)
}

// parsePipeline reads the value of --passes.
func parsePipeline(s string) (passes.Pipeline, error) {
	p, err := passes.ParsePipeline(s, all.Passes)
	if err != nil {
		return p, usagef("--passes: %w", err)
	}
	return p, nil
}

// passTimer runs a pipeline as the driver flags say.
type passTimer struct {
	pipeline     passes.Pipeline
	driver       passes.Driver
	w            io.Writer // of what the flags print
	timed, stats bool
}

// passTimerOf reads the driver flags.
func passTimerOf(c *cli.Context, p passes.Pipeline) (*passTimer, error) {
	for _, name := range c.StringSlice("print-after") {
		if err := inPipeline(p, name); err != nil {
			return nil, err
		}
	}
	return newPassTimer(c, p), nil
}

// newPassTimer is passTimerOf for a part of a pipeline that has been checked.
func newPassTimer(c *cli.Context, p passes.Pipeline) *passTimer {
	k := &passTimer{pipeline: p, w: c.App.ErrWriter, timed: c.Bool("time-passes"), stats: c.Bool("stats")}
	printed := c.StringSlice("print-after")
	k.driver.VerifyEach = c.Bool("verify-each")
	k.driver.After = func(pass *passes.Pass, m *rewrite.Module) error {
		if slices.Contains(printed, pass.Name) {
			fmt.Fprintf(k.w, "// after pass %s\n%s", pass.Name, text(m))
		}
		return nil
	}
	return k
}

// inPipeline checks that a pass will run.
func inPipeline(p passes.Pipeline, name string) error {
	pass, err := all.Named(name)
	if err != nil {
		return usagef("--print-after: %w", err)
	}
	for _, q := range p.Passes() {
		if q == pass || slices.Contains(q.Requires, pass) {
			return nil
		}
	}
	return usagef("--print-after %s: the pipeline %q does not run that pass", name, p)
}

// run runs the pipeline and prints what the flags ask for.
func (k *passTimer) run(mod *rewrite.Module) (*passes.Output, error) {
	var meter passes.Meter
	out, err := meter.Run(k.pipeline, mod, k.driver)
	if err != nil {
		return nil, badInput(err)
	}
	if k.timed {
		meter.WriteTimes(k.w)
	}
	if k.stats {
		meter.WriteStats(k.w)
	}
	return out, nil
}
