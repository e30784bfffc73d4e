// The flags --save-trace and --trace of check.

package app

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/internal/input"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Trace files contain the operations of a run that the detector barracuda consumes, to check them again elsewhere.

func traceFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "save-trace", Usage: "write the events that the detector barracuda receives to `FILE`", Category: command.CatOutput},
		&cli.StringFlag{Name: "trace", Usage: "check the events that --save-trace wrote to `FILE`, instead of a program", Category: command.CatExecution},
	}
}

// tracedDetector is the detector that reads trace files.
const tracedDetector = "barracuda"

// savingTrace returns a check that also writes its trace to the file of --save-trace.
func (k *checker) savingTrace(c *cli.Context, check func() error) (func() error, error) {
	dets := k.options.Detectors
	i := slices.IndexFunc(dets, func(d *session.Detector) bool { return d.Name() == tracedDetector })
	switch {
	case i < 0:
		return nil, command.Usagef("--save-trace: expected the detector %s, found %s", tracedDetector,
			session.Names(dets))
	case !dets[i].Listens():
		return nil, command.Usagef("--save-trace: expected the detector %s without the option instrumented",
			tracedDetector)
	}
	return func() error {
		return command.WriteDuring(c, c.String("save-trace"), func(w io.Writer) error {
			k.options.SaveTrace = w
			return check()
		}, nil)
	}, nil
}

// checkTrace implements check for a trace file.
func checkTrace(c *cli.Context) error {
	if c.NArg() > 0 {
		return command.Usagef("--trace: expected no PTX file, found %q", c.Args().Slice())
	}
	spec := tracedDetector
	if c.IsSet("detector") {
		spec = c.String("detector")
	}
	dets, err := parseDetectors(spec)
	if err != nil {
		return err
	}
	if len(dets) != 1 || dets[0].Name() != tracedDetector {
		return command.Usagef("--trace: expected the detector %s, found %s", tracedDetector, session.Names(dets))
	}
	name := c.String("trace")
	f, err := input.Open(name, math.MaxInt64)
	if err != nil {
		return command.BadInput(err)
	}
	defer f.Close()
	ctx, cancel := command.Timeout(c)
	defer cancel()
	rep, statistics, err := session.CheckTrace(bufio.NewReader(input.During(ctx, f)), dets[0])
	switch {
	case c.Err() != nil:
		return command.Interrupted()
	case ctx.Err() != nil:
		return &command.Error{
			Code: command.Failed,
			Err:  fmt.Errorf("%s: the check has not finished in the time allowed, %w", name, context.Cause(ctx)),
		}
	case err != nil:
		return command.BadInput(fmt.Errorf("%s: %w", name, err))
	}
	if c.Bool("stats") {
		for _, line := range statistics {
			fmt.Fprintln(c.App.ErrWriter, line)
		}
	}
	rep.ErrorLevel = c.String("error-level")
	rep.Finish()
	return finishCheck(c, rep, nil)
}
