// The flags --suppressions and --baseline: races that do not count.

package app

import (
	"slices"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/cmd/internal/limits"
	"github.com/ptxsan/ptxsan/internal/input"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// suppressionsOf reads the suppression file, if there is one.
func suppressionsOf(c *cli.Context) (report.Suppressions, error) {
	name := c.String("suppressions")
	if name == "" {
		return nil, nil
	}
	src, err := input.Read(name, limits.SuppressionBytes)
	if err != nil {
		return nil, command.BadInput(err)
	}
	list, err := report.ParseSuppressions(name, src)
	return list, command.BadInput(err)
}

// knownOf reads the files of --suppressions and --baseline, before anything runs.
func knownOf(c *cli.Context) (list report.Suppressions, before *report.Report, err error) {
	if list, err = suppressionsOf(c); err == nil && c.String("baseline") != "" {
		before, err = readReport(c, c.String("baseline"))
	}
	return list, before, err
}

// knownRace returns a function that reports whether a finding is known: by the suppression file, the baseline, or a
// comment in the source.
func knownRace(c *cli.Context) (func(*report.Race) bool, error) {
	list, before, err := knownOf(c)
	if err != nil {
		return nil, err
	}
	read := textOptions(c, nil).Excerpt
	var mu sync.Mutex // of the list, which notes what matches, and of the lines read
	return func(x *report.Race) bool {
		mu.Lock()
		defer mu.Unlock()
		one := report.Report{Races: []*report.Race{x}}
		return before.Has(x) || slices.Concat(list, one.Ignored(read)).Match(x)
	}, nil
}

// settle removes from a report the races that the suppression file and the baseline contain, and adds to it what the
// command line demands in vain.
func settle(c *cli.Context, rep *report.Report) error {
	list, before, err := knownOf(c)
	if err != nil {
		return err
	}
	list = append(list, rep.Ignored(textOptions(c, rep).Excerpt)...)
	if list != nil {
		rep.Suppress(list)
	}
	if before != nil {
		rep.Against(before)
	}
	require(c, rep)
	return nil
}

// require adds to a report what the flags of the command line demand and the report does not have.
func require(c *cli.Context, rep *report.Report) {
	rep.Require("--require-check", c.StringSlice("require-check"), false)
	if c.Bool(command.AllSchedules) {
		rep.RequireSchedules("--" + command.AllSchedules)
	}
}
