// The flag --minimise.

package main

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// --minimise: a recorded schedule without the turns that do not matter for what the
// run has shown.

func minimiseFlag() cli.Flag {
	return &cli.BoolFlag{Name: "minimise", Usage: "with --record: leave turns out of the schedule as long as a run by it shows the same", Category: command.CatExecution}
}

// checkMinimise refuses --minimise without --record, but for explore, which records
// what it finds.
func checkMinimise(c *cli.Context) error {
	if c.Command.Name != "explore" && c.Bool("minimise") && c.String("record") == "" {
		return command.Usagef("--minimise: expected --record as well, which says where the schedule goes")
	}
	return nil
}

// record writes the schedule of a session, if it has been recorded, shortened when
// --minimise asks for that.
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
