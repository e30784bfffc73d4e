package main

import (
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/all"
	"github.com/ptxsan/ptxsan/rewrite"
)

func rewriteCommand() *cli.Command {
	return &cli.Command{
		Name:      "rewrite",
		Category:  "Rewriting",
		Usage:     "run a pipeline of passes over PTX and write the result",
		ArgsUsage: "FILE.ptx",
		Description: `Runs the passes in order and writes PTX that any NVIDIA GPU accepts. With the
empty pipeline the output is the input, byte for byte.

Example:
   ptxsan rewrite --passes 'iguard<granularity=4>' -o k.iguard.ptx k.ptx`,
		Flags:  []cli.Flag{passesFlag(""), outputFlag()},
		Action: rewriteAction,
	}
}

func rewriteAction(c *cli.Context) error {
	name, err := oneFile(c)
	if err != nil {
		return err
	}
	p, err := parsePipeline(c.String("passes"))
	if err != nil {
		return err
	}
	mod, err := readModule(c, name)
	if err != nil {
		return err
	}
	out, err := runPipeline(p, mod)
	if err != nil {
		return err
	}
	for _, d := range out.Diagnostics {
		fmt.Fprintf(c.App.ErrWriter, "ptxsan: warning: %v\n", d)
	}
	return writeOutput(c, c.String("output"), func(w io.Writer) error {
		_, err := w.Write(text(out.Module))
		return err
	})
}

// parsePipeline reads the value of --passes.
func parsePipeline(s string) (passes.Pipeline, error) {
	p, err := passes.ParsePipeline(s, all.Passes)
	if err != nil {
		return p, usagef("--passes: %w", err)
	}
	return p, nil
}

// runPipeline runs a pipeline over a module that was read from input.
func runPipeline(p passes.Pipeline, mod *rewrite.Module) (*passes.Output, error) {
	out, err := p.Run(mod)
	if err != nil {
		return nil, badInput(err)
	}
	return out, nil
}
