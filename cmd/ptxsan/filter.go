// The flag --suppressions: races that are not reported.

package main

import (
	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/cmd/internal/limits"
	"github.com/ptxsan/ptxsan/runtime/input"
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

// suppress takes the races that the suppression file names out of the report.
func suppress(c *cli.Context, rep *report.Report) error {
	list, err := suppressionsOf(c)
	if err == nil && list != nil {
		rep.Suppress(list)
	}
	return err
}
