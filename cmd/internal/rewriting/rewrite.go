// Package rewriting implements the commands that write programs: rewrite, diff, extract, embed and
// fmt.
package rewriting

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Rewrite returns the command rewrite.
func Rewrite() *cli.Command {
	return &cli.Command{
		Name:      "rewrite",
		Category:  "Rewriting",
		Usage:     "run a pipeline of passes over PTX and write the result",
		ArgsUsage: "FILE.ptx",
		Description: `Runs the passes in order and writes PTX that any NVIDIA GPU accepts. With the
empty pipeline the output is the input, byte for byte.

With --link, the modules are first linked into one: names that are .visible or .weak
mean the same in all of them, others are renamed where they collide. Two definitions
of one name, and declarations that differ, are errors.

Examples:
   ptxsan rewrite --passes 'iguard<granularity=4>' -o k.iguard.ptx k.ptx
   ptxsan rewrite --link util.ptx --link math.ptx -o all.ptx k.ptx`,
		Flags: append(command.PipelineFlags(),
			&cli.StringSliceFlag{Name: "link", Usage: "link the module in `FILE` to the program before the passes run; repeatable", Category: command.CatPasses},
			command.NoCheckFlag(), command.TimeoutFlag(), command.OutputFlag(), command.StatsFlag()),
		Action: command.Timed(rewriteAction),
	}
}

func rewriteAction(c *cli.Context) error {
	name, err := command.OneFile(c)
	if err != nil {
		return err
	}
	p, err := command.PipelineOf(c)
	if err != nil {
		return err
	}
	k, err := command.PassTimerOf(c, p)
	if err != nil {
		return err
	}
	mod, err := readLinked(c, append([]string{name}, c.StringSlice("link")...))
	if err != nil {
		return err
	}
	out, err := k.Run(mod)
	if err != nil {
		return err
	}
	for _, d := range out.Diagnostics {
		warn(c, d)
	}
	return command.WriteBytes(c, c.String("output"), command.Text(out.Module))
}

// readLinked reads modules and links them into the first. It prints warnings about parts that are lost.
func readLinked(c *cli.Context, names []string) (*rewrite.Module, error) {
	var list []*rewrite.Module
	for _, name := range names {
		m, err := command.ReadModule(c, name)
		if err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	mod, notes, err := rewrite.LinkAll(list...)
	if err != nil {
		return nil, command.BadInput(err)
	}
	for _, note := range notes {
		warn(c, note)
	}
	return mod, nil
}

// warn prints a warning about the input that does not prevent a result.
func warn(c *cli.Context, what any) { fmt.Fprintf(c.App.ErrWriter, "ptxsan: warning: %v\n", what) }
