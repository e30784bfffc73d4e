// Flags of measuring passes.

package app

import (
	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/all"
)

// meterFlags returns the flags for the output files of measuring passes. Each has the name of its pass, and adds the
// pass to the pipeline.
func meterFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: all.Coverage.Name, Usage: "add the pass coverage and write an lcov tracefile to `FILE`", Category: command.CatOutput},
		&cli.StringFlag{Name: all.InstCount.Name, Usage: "add the pass instcount and write instruction counts to `FILE`", Category: command.CatOutput},
		&cli.StringFlag{Name: all.MemTrace.Name, Usage: "add the pass memtrace and write memory accesses to `FILE`", Category: command.CatOutput},
	}
}

// meteredPipeline returns the pipeline with the passes of the meter flags. They come first, since one of the others may
// have to be last.
func meteredPipeline(c *cli.Context) (passes.Pipeline, error) {
	p, err := command.PipelineOf(c)
	if err != nil {
		return p, err
	}
	given := map[string]bool{}
	for _, pass := range p.Passes() {
		given[pass.Name] = true
	}
	var added passes.Pipeline
	for _, f := range meterFlags() {
		name := f.Names()[0]
		if c.String(name) == "" || given[name] {
			continue
		}
		one, err := passes.ParsePipeline(name, all.Passes)
		if err != nil {
			return p, err
		}
		added = added.Append(one)
	}
	return added.Append(p), nil
}
