// Flags of pipelines, and running a pipeline with them.

package command

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

// PipelineFlags returns the flags that choose a pipeline of passes, and DriverFlags.
func PipelineFlags() []cli.Flag {
	return append([]cli.Flag{
		passesFlag(""),
		&cli.StringFlag{Name: "passes-file", Usage: "read the pipeline from `FILE`: a line holds passes, # starts a comment", Category: CatPasses},
	}, DriverFlags()...)
}

// DriverFlags returns the flags that print the work of a pipeline.
func DriverFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "print-after", Usage: "print the module after `PASS` on standard error; repeatable", Category: CatPasses},
		&cli.BoolFlag{
			Name: "time-passes", Usage: "print the time that each pass takes on standard error",
			Category: CatPasses,
		},
		&cli.BoolFlag{
			Name:  "verify-each",
			Usage: "after each pass, parse its output again and run the pass a second time on the same input; the output must be the same", Category: CatPasses,
		},
	}
}

// StatsFlag returns the flag that prints statistics of passes.
func StatsFlag() cli.Flag {
	return &cli.BoolFlag{
		Name:  "stats",
		Usage: "print on standard error what each pass instrumented and left out, how the program grew, and statistics of the detectors", Category: CatOutput,
	}
}

// PipelineOf reads --passes and --passes-file.
func PipelineOf(c *cli.Context) (passes.Pipeline, error) {
	if !c.IsSet("passes-file") {
		return parsePipeline(c.String("passes"))
	}
	if c.IsSet("passes") {
		return passes.Pipeline{}, Usagef("--passes and --passes-file exclude each other")
	}
	name := c.String("passes-file")
	src, err := ReadInput(c, name, limits.PassesBytes)
	if err != nil {
		return passes.Pipeline{}, err
	}
	p, err := passes.ParsePipelineFile(DisplayName(name), string(src), all.Passes)
	return p, BadInput(err)
}

// parsePipeline parses the value of --passes.
func parsePipeline(s string) (passes.Pipeline, error) {
	p, err := passes.ParsePipeline(s, all.Passes)
	if err != nil {
		return p, Usagef("--passes: %w", err)
	}
	return p, nil
}

// PassTimer runs a pipeline under the driver flags.
type PassTimer struct {
	pipeline     passes.Pipeline
	Driver       passes.Driver
	w            io.Writer // for the output of the flags
	timed, stats bool
}

// PassTimerOf reads the driver flags.
func PassTimerOf(c *cli.Context, p passes.Pipeline) (*PassTimer, error) {
	for _, name := range c.StringSlice("print-after") {
		if err := inPipeline(p, name); err != nil {
			return nil, err
		}
	}
	return NewPassTimer(c, p), nil
}

// NewPassTimer is PassTimerOf for a part of a checked pipeline.
func NewPassTimer(c *cli.Context, p passes.Pipeline) *PassTimer {
	k := &PassTimer{pipeline: p, w: c.App.ErrWriter, timed: c.Bool("time-passes"), stats: c.Bool("stats")}
	printed := c.StringSlice("print-after")
	k.Driver.VerifyEach = c.Bool("verify-each")
	k.Driver.After = func(pass *passes.Pass, m *rewrite.Module) error {
		if slices.Contains(printed, pass.Name) {
			fmt.Fprintf(k.w, "// after pass %s\n%s", pass.Name, Text(m))
		}
		return nil
	}
	return k
}

// inPipeline checks that a pass is in the pipeline.
func inPipeline(p passes.Pipeline, name string) error {
	pass, err := all.Named(name)
	if err != nil {
		return Usagef("--print-after: %w", err)
	}
	for _, q := range p.Passes() {
		if q == pass || slices.Contains(q.Requires, pass) {
			return nil
		}
	}
	return Usagef("--print-after %s: the pipeline %q does not run that pass", name, p)
}

// Run runs the pipeline and prints the output of the flags.
func (k *PassTimer) Run(mod *rewrite.Module) (*passes.Output, error) {
	var meter passes.Meter
	out, err := meter.Run(k.pipeline, mod, k.Driver)
	if err != nil {
		return nil, BadInput(err)
	}
	if k.timed {
		meter.WriteTimes(k.w)
	}
	if k.stats {
		meter.WriteStats(k.w)
	}
	return out, nil
}
