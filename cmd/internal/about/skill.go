// The command skill: the page for agents.

package about

import (
	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/docs"
)

// Skill returns the command skill.
func Skill() *cli.Command {
	return &cli.Command{
		Name:     "skill",
		Category: category,
		Usage:    "print the skill file for agents: when to use which command, how to read verdicts",
		Description: `Prints docs/agents.md, a skill file for programs that write and review kernels.

Example:
   ptxsan skill -o SKILL.md`,
		Flags: []cli.Flag{command.OutputFlag()},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return command.Usagef("skill: expected no arguments, found %q", c.Args().Slice())
			}
			return command.WriteText(c, docs.Agents)
		},
	}
}
