// The manual page.

package full

import (
	"io"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
)

func manCommand() *cli.Command {
	return &cli.Command{
		Name:     "man",
		Category: "Support",
		Usage:    "print the manual page",
		Description: `Prints a page for man, with all commands and flags.

Example:
   ptxsan man -o ptxsan.1`,
		Flags: []cli.Flag{command.OutputFlag()},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return command.Usagef("man: expected no arguments, found %q", c.Args().Slice())
			}
			text, err := c.App.ToManWithSection(1)
			if err != nil {
				return err
			}
			return command.WriteOutput(c, c.String("output"), func(w io.Writer) error {
				_, err := io.WriteString(w, text)
				return err
			})
		},
	}
}
