// The flag --minimise.

package app

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// --minimise removes the turns of a recorded schedule that are irrelevant to the findings of the run.

func minimiseFlag() cli.Flag {
	return &cli.BoolFlag{
		Name:     "minimise",
		Usage:    "with --record: shorten the schedule as long as a run by it shows the same findings",
		Category: command.CatExecution,
	}
}

// checkMinimise returns an error for --minimise without --record. Explore, which records its findings, is exempt.
func checkMinimise(c *cli.Context) error {
	if c.Command.Name != "explore" && c.Bool("minimise") && c.String("record") == "" {
		return command.Usagef("--minimise: expected --record as well, which says where the schedule goes")
	}
	return nil
}

// record writes the recorded schedule of a session, if any. With --minimise it shortens it.
func record(ctx context.Context, c *cli.Context, s *session.Session, plan *session.Plan) error {
	recorded := s.Recorded()
	if recorded == nil {
		return nil
	}
	if c.Bool("minimise") {
		before := recorded.Turns()
		if err := s.Minimise(ctx, plan); err != nil {
			return err
		}
		fmt.Fprintf(c.App.ErrWriter, "ptxsan: the schedule is left with %d of %d turns\n", recorded.Turns(), before)
	}
	return writeRecord(c, recorded)
}
