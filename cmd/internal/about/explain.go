// The command explain: the pages about the causes of races.

package about

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/cmd/internal/habits"
	"github.com/ptxsan/ptxsan/docs"
)

// Explain returns the command explain.
func Explain() *cli.Command {
	return &cli.Command{
		Name:      "explain",
		Category:  category,
		Usage:     "explain the cause of a race: wrong and right code, the manual's words",
		ArgsUsage: "[CAUSE...]",
		Description: `Prints the page of each cause that is named, as Markdown; without names, the list of
causes. Reports name the cause of each race.

Example:
   ptxsan explain missing-barrier`,
		Flags:        []cli.Flag{command.OutputFlag()},
		BashComplete: func(c *cli.Context) { fmt.Fprintln(c.App.Writer, strings.Join(docs.CauseNames(), "\n")) },
		Action: func(c *cli.Context) error {
			if !c.Args().Present() {
				return command.WriteText(c, docs.CauseOverview())
			}
			var pages []string
			for _, name := range c.Args().Slice() {
				page, ok := docs.CausePage(name)
				if !ok {
					return command.Usagef("explain: no cause %q%s; causes: %s", name,
						habits.DidYouMean("", name, docs.CauseNames()), strings.Join(docs.CauseNames(), ", "))
				}
				pages = append(pages, page)
			}
			return command.WriteText(c, strings.Join(pages, "\n"))
		},
	}
}
