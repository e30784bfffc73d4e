package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// --minimise: a recorded schedule without the turns that do not matter for what the
// run has shown.

func minimiseFlag() cli.Flag {
	return &cli.BoolFlag{Name: "minimise", Usage: "with --record: leave turns out of the schedule as long as a run by it shows the same", Category: catExecution}
}

// checkMinimise refuses --minimise without --record, but for explore, which records
// what it finds.
func checkMinimise(c *cli.Context) error {
	if c.Command.Name != "explore" && c.Bool("minimise") && c.String("record") == "" {
		return usagef("--minimise: expected --record as well, which says where the schedule goes")
	}
	return nil
}

// minimiseRuns is how many runs may be made to minimise a schedule.
const minimiseRuns = 400

// minimise shortens the recorded schedule when that is asked for. same runs the
// program by a schedule and reports whether that shows what the recorded run has shown.
func minimise(ctx context.Context, c *cli.Context, s *emu.Schedule, same func(*emu.Schedule) (bool, error)) error {
	if !c.Bool("minimise") {
		return nil
	}
	before := s.Turns()
	least, err := emu.Minimize(ctx, s, minimiseRuns, same)
	if err != nil {
		return err
	}
	*s = *least
	fmt.Fprintf(c.App.ErrWriter, "ptxsan: the schedule is left with %d of %d turns\n", s.Turns(), before)
	return nil
}

// byFindings is same for check: the races and faults of rep are found again.
func (k *checker) byFindings(ctx context.Context, rep *report.Report) func(*emu.Schedule) (bool, error) {
	again := *k
	again.stdout, again.progress = io.Discard, &progress{io.Discard}
	return func(s *emu.Schedule) (bool, error) {
		again.exec.config.Listener, again.exec.config.Record, again.exec.config.Replay = nil, nil, s
		got, err := again.runOnce(ctx)
		if err != nil {
			return false, err
		}
		for _, want := range rep.Races {
			if !slices.ContainsFunc(got.Races, func(r *report.Race) bool { return r.ID == want.ID }) {
				return false, nil
			}
		}
		return sameFaults(got.Faults, rep.Faults), nil
	}
}

// runOnce is the run of a recorded schedule, which only one detector's run can have.
func (k *checker) runOnce(ctx context.Context) (*report.Report, error) {
	rep := &report.Report{}
	var err error
	if d := k.printing(); d != nil {
		_, rep.Faults, err = k.runInstrumented(ctx, d, rep, k.steps)
	} else {
		_, rep.Faults, err = k.runBare(ctx, rep)
	}
	rep.Finish()
	return rep, err
}

// byOutcome is same for emulate: the faults are the same, and without faults the
// contents of the buffers.
func (e *emulation) byOutcome(ctx context.Context, faults []*report.FaultEvent) (func(*emu.Schedule) (bool, error), error) {
	want, err := e.buffers()
	if err != nil {
		return nil, err
	}
	return func(s *emu.Schedule) (bool, error) {
		again := *e
		again.config.Record, again.config.Replay, again.config.Listener, again.config.Stdout = nil, s, nil, io.Discard
		again.trace = traceFile{}
		if err := again.setUp(); err != nil {
			return false, err
		}
		got, _, err := again.run(ctx)
		if err != nil || len(faults) > 0 || len(got) > 0 {
			return sameFaults(got, faults), err
		}
		data, err := again.buffers()
		return slices.Equal(data, want), err
	}, nil
}

// buffers is the contents of all buffers, one after the other.
func (e *emulation) buffers() ([]byte, error) {
	var all []byte
	for i := range e.file.Buffers {
		b := &e.file.Buffers[i]
		p := make([]byte, b.Size())
		if err := e.dev.Read(e.dev.address[b.Name], p); err != nil {
			return nil, err
		}
		all = append(all, p...)
	}
	return all, nil
}

// sameFaults reports whether faults are of the same classes at the same lines.
func sameFaults(a, b []*report.FaultEvent) bool {
	return slices.EqualFunc(a, b, func(f, g *report.FaultEvent) bool { return f.Class == g.Class && f.PTX == g.PTX })
}
