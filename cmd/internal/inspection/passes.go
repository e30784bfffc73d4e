// The command passes.

package inspection

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/passes/all"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Passes returns the command passes.
func Passes() *cli.Command {
	return &cli.Command{
		Name:      "passes",
		Category:  "Inspection",
		Usage:     "list the passes, or describe some of them",
		ArgsUsage: "[NAME...]",
		Description: `Without names, prints one line for each pass. With names, prints their documentation
and options, also of detectors that have no pass.

Example:
   ptxsan passes iguard`,
		Action: passesAction,
	}
}

func passesAction(c *cli.Context) error {
	w := c.App.Writer
	if c.NArg() == 0 {
		for _, p := range all.Passes {
			fmt.Fprintf(w, "%-12s %s\n", p.Name, p.Title())
		}
		return nil
	}
	for i, name := range c.Args().Slice() {
		p, err := all.Named(name)
		if d := session.DetectorPass(name); d != nil {
			p, err = d, nil
		}
		if err != nil {
			return command.Usagef("%w", err)
		}
		if i > 0 {
			fmt.Fprintln(w)
		}
		p.Describe(w)
	}
	return nil
}
