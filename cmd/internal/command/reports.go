// What commands in other packages do with reports.

package command

import (
	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/runtime/report"
)

// Reports holds the functions of the command line that handle reports.
type Reports struct {
	Check func(*cli.Context) error                 // reads the files that flags name, before anything runs
	Known func(*cli.Context, *report.Report) error // removes findings that do not count, and completes the report
	Write func(*cli.Context, *report.Report) error
	Code  func(c *cli.Context, rep *report.Report) int // the exit code
}
