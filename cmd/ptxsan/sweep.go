// The flag --sweep: the launches of a file with other sizes of blocks.

package main

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// sweepSizes are the numbers of threads of a block that a sweep tries.
var sweepSizes = []uint32{32, 64, 128, 256, 512, 1024}

func sweepFlag() cli.Flag {
	return &cli.BoolFlag{Name: "sweep", Usage: "run the launches also with blocks of 32 to 1024 threads; sizes with which a kernel faults are left out", Category: command.CatExecution}
}

// sweep runs the launches with other sizes of blocks, and adds the races to a report. A fault is no finding: the buffers and
// numbers of the file may not fit the size.
func (k *checker) sweep(ctx context.Context, c *cli.Context, rep *report.Report) (*report.Report, error) {
	given := k.plan
	defer func() { k.plan = given }()
	for _, n := range sweepSizes {
		if k.plan = given.Reshaped(n); k.plan == nil {
			continue
		}
		other, err := k.check(ctx, c)
		if err != nil {
			return nil, err
		}
		if faults := other.Faults; len(faults) > 0 {
			rep.Notes = append(rep.Notes, fmt.Sprintf("%sblocks of %d threads: %s", report.Unchecked, n, faults[0].Headline()))
			continue
		}
		rep.Merge(other)
	}
	rep.Finish()
	return rep, nil
}
