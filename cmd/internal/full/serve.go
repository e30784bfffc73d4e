// The command serve.

package full

import (
	"errors"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/cmd/internal/limits"
	"github.com/ptxsan/ptxsan/internal/output"
	"github.com/ptxsan/ptxsan/internal/serve"
)

func serveCommand() *cli.Command {
	return &cli.Command{
		Name:     "serve",
		Category: "Execution",
		Usage:    "serve checks to programs that write kernels",
		Description: `Serves the tools check, explore, fix, analyze and explain in the Model Context Protocol,
over standard input and output, until standard input ends (docs/serve.md).

Example:
   ptxsan serve --mcp --root kernels --self-test`,
		Flags: []cli.Flag{
			&cli.BoolFlag{
				Name:     "mcp",
				Usage:    "speak the Model Context Protocol; required, since there is no other protocol",
				Category: command.CatExecution,
			},
			&cli.StringFlag{Name: "root", Usage: "calls may name files in `DIR` and below it", DefaultText: "none: calls give texts", Category: command.CatInput, Action: command.Folder("root")},
			&cli.BoolFlag{
				Name:     "self-test",
				Usage:    "check and explore: no verdict is clean unless a race planted into the kernel is found",
				Category: command.CatExecution,
			},
			&command.TimeFlag{DurationFlag: cli.DurationFlag{Name: "timeout", Usage: "limit each call to `TIME`, such as 30 (seconds) or 5m, or 0 for no limit", Value: limits.Call, Category: command.CatExecution}},
			&cli.StringFlag{Name: "memory-limit", Usage: "limit device memory of each call to `BYTES` (K, M, G for powers of 1024)", DefaultText: limits.DefaultOf("memory-limit"), Category: command.CatExecution},
			&cli.IntFlag{Name: "jobs", Aliases: []string{"j"}, Usage: "execute `N` calls at a time", DefaultText: "one for each processor", Category: command.CatExecution},
		},
		Action: serveAction,
	}
}

func serveAction(c *cli.Context) error {
	memory, err := limits.ParseBytes(c.String("memory-limit"))
	switch {
	case !c.Bool("mcp"):
		return command.Usagef("serve: expected --mcp, the protocol")
	case c.NArg() > 0:
		return command.Usagef("serve: expected no arguments, found %q: calls name files", c.Args().Slice())
	case err != nil:
		return command.Usagef("--memory-limit: %w", err)
	case c.Int("jobs") < 0:
		return command.Usagef("--jobs: expected a number from 0 on, found %d", c.Int("jobs"))
	}
	if err = command.CheckTimeout(c); err != nil {
		return err
	}
	s := serve.New(serve.Options{
		Root: c.String("root"), Timeout: c.Duration("timeout"), MemoryLimit: memory, Jobs: c.Int("jobs"),
		SelfTest: c.Bool("self-test"),
	})
	err = s.Run(c.Context, c.App.Reader, output.JSON(c.App.Writer))
	if c.Err() != nil && errors.Is(err, c.Err()) {
		return command.Interrupted()
	}
	return err
}
