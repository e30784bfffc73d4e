package main

import (
	"fmt"
	"io"

	"github.com/urfave/cli/v2"
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
		Flags:  append(pipelineFlags(), noCheckFlag(), outputFlag(), statsFlag()),
		Action: rewriteAction,
	}
}

func rewriteAction(c *cli.Context) error {
	name, err := oneFile(c)
	if err != nil {
		return err
	}
	p, err := pipelineOf(c)
	if err != nil {
		return err
	}
	k, err := watchOf(c, p)
	if err != nil {
		return err
	}
	mod, err := readModule(c, name)
	if err != nil {
		return err
	}
	out, err := k.run(mod)
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
