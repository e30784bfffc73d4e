package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

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
	return pipelineLines(displayName(name), string(src))
}

// pipelineLines reads a file of passes. The comma at the end of a line may be left
// out.
func pipelineLines(name, text string) (passes.Pipeline, error) {
	var p passes.Pipeline
	line := 0
	for s := range strings.Lines(text) {
		line++
		s, _, _ = strings.Cut(s, "#")
		more, err := passes.ParsePipeline(strings.TrimSuffix(strings.TrimSpace(s), ","), all.Passes)
		if err != nil {
			col := 1
			var pe *passes.PipelineError
			if errors.As(err, &pe) {
				col = pe.Col + len(s) - len(strings.TrimLeft(s, " \t"))
				err = errors.New(pe.Msg)
			}
			return p, usagef("%s:%d:%d: %w", name, line, col, err)
		}
		p = p.Append(more)
	}
	return p, nil
}

// parsePipeline reads the value of --passes.
func parsePipeline(s string) (passes.Pipeline, error) {
	p, err := passes.ParsePipeline(s, all.Passes)
	if err != nil {
		return p, usagef("--passes: %w", err)
	}
	return p, nil
}

// watch runs a pipeline as the driver flags say.
type watch struct {
	pipeline passes.Pipeline
	driver   passes.Driver
	w        io.Writer     // of what the flags print
	times    []passTime    // in the order of the runs
	sizes    []programSize // the input's, then after each pass
	timed    bool
	stats    bool
}

type passTime struct {
	name string
	time time.Duration
}

// programSize is the size of a module.
type programSize struct{ bytes, insts int }

// watchOf reads the driver flags.
func watchOf(c *cli.Context, p passes.Pipeline) (*watch, error) {
	for _, name := range c.StringSlice("print-after") {
		if err := inPipeline(p, name); err != nil {
			return nil, err
		}
	}
	return watcher(c, p), nil
}

// watcher is watchOf for a part of a pipeline that has been checked.
func watcher(c *cli.Context, p passes.Pipeline) *watch {
	k := &watch{pipeline: p, w: c.App.ErrWriter, timed: c.Bool("time-passes"), stats: c.Bool("stats")}
	printed := c.StringSlice("print-after")
	k.driver.VerifyEach = c.Bool("verify-each")
	var started time.Time
	k.driver.Before = func(*passes.Pass) { started = time.Now() }
	k.driver.After = func(pass *passes.Pass, m *rewrite.Module) error {
		k.times = append(k.times, passTime{pass.Name, time.Since(started)})
		k.sizes = append(k.sizes, sizeOf(m))
		if slices.Contains(printed, pass.Name) {
			fmt.Fprintf(k.w, "// after pass %s\n%s", pass.Name, text(m))
		}
		return nil
	}
	return k
}

// inPipeline checks that a pass will run.
func inPipeline(p passes.Pipeline, name string) error {
	pass, err := passOf(name)
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

func sizeOf(m *rewrite.Module) programSize {
	s := programSize{bytes: len(m.Source())}
	for _, f := range m.Funcs {
		s.insts += len(f.Insts)
	}
	return s
}

// run runs the pipeline and prints what the flags ask for.
func (k *watch) run(mod *rewrite.Module) (*passes.Output, error) {
	k.times, k.sizes = nil, []programSize{sizeOf(mod)}
	out, err := k.pipeline.RunWith(mod, k.driver)
	if err != nil {
		return nil, badInput(err)
	}
	if k.timed {
		k.printTimes()
	}
	if k.stats {
		k.printStats(out)
	}
	return out, nil
}

func (k *watch) printTimes() {
	total := time.Duration(0)
	for _, t := range k.times {
		total += t.time
		fmt.Fprintf(k.w, "%10.3f ms  %s\n", milliseconds(t.time), t.name)
	}
	fmt.Fprintf(k.w, "%10.3f ms  total\n", milliseconds(total))
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// printStats prints a line for each pass that ran.
func (k *watch) printStats(out *passes.Output) {
	for i, s := range out.Stats {
		var words []string
		for _, n := range s.Counts {
			words = append(words, fmt.Sprintf("%d %s", n.N, n.Name))
		}
		from, to := k.sizes[i], k.sizes[i+1]
		if from != to {
			words = append(words, fmt.Sprintf("instructions %d -> %d", from.insts, to.insts), fmt.Sprintf("bytes %d -> %d (%.2fx)", from.bytes, to.bytes, float64(to.bytes)/float64(from.bytes)))
		}
		fmt.Fprintf(k.w, "pass %s: %s\n", s.Pass, strings.Join(words, ", "))
	}
}
