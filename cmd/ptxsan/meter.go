// Flags of measuring passes.

package main

import (
	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/all"
	"github.com/ptxsan/ptxsan/passes/coverage"
	"github.com/ptxsan/ptxsan/passes/instcount"
	"github.com/ptxsan/ptxsan/passes/memtrace"
)

// meterFlags name files for what measuring passes find; each is named like its
// pass, and adds it to the pipeline.
func meterFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: coverage.Pass.Name, Usage: "add the pass coverage and write an lcov tracefile to `FILE`", Category: command.CatOutput},
		&cli.StringFlag{Name: instcount.Pass.Name, Usage: "add the pass instcount and write instruction counts to `FILE`", Category: command.CatOutput},
		&cli.StringFlag{Name: memtrace.Pass.Name, Usage: "add the pass memtrace and write memory accesses to `FILE`", Category: command.CatOutput},
	}
}

// meteredPipeline is the pipeline with the passes of the meter flags: before the
// others, one of which may have to be the last.
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
