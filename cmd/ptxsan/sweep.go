// Sweeps: the launches of a file with other sizes of blocks and other numbers, which --sweep asks for, and which templates get.

package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

func sweepFlag() cli.Flag {
	return &cli.BoolFlag{Name: "sweep", Usage: "run the launches also with blocks of 32 to 1024 threads, and with other numbers; those that do not fit the buffers are left out", Category: command.CatExecution}
}

// variation is a plan that differs from the given one.
type variation struct {
	plan *session.Plan
	what string
	// fits says that the shape of the launch is the given one: that threads wait for ever or are not where others wait is a
	// finding then.
	fits bool
}

// numbers are the changes of sizes: none is a multiple of a warp; fewer, but a multiple; several rounds for each thread.
var numbers = []struct {
	what   string
	change func(n uint64) uint64
}{
	{"sizes less 14, which fill no warp", func(n uint64) uint64 { return n - 14 }},
	{"three quarters of the sizes", func(n uint64) uint64 { return n / 4 * 3 }},
	{"two and a half times the sizes, less 14", func(n uint64) uint64 { return n*5/2 - 14 }},
}

// variations returns the variations of a plan: of its numbers, and of its blocks. Blocks of a template come with other
// contents of what its kernels only read.
func variations(p *session.Plan) (list []variation) {
	for _, n := range numbers {
		if f := p.File.WithNumbers(n.change); f != nil {
			list = append(list, variation{p.Of(f), n.what, true})
		}
	}
	contents := ""
	if f := p.File.WithSmall(p.OnlyRead); f != nil && p.File.Guessed {
		p, contents = p.Of(f), ", buffers of random numbers up to 7"
		list = append(list, variation{p, contents[len(", "):], false})
	}
	for _, n := range session.BlockSizes {
		if q := p.Reshaped(n); q != nil && !oneThread(p.File) {
			list = append(list, variation{q, fmt.Sprintf("blocks of %d threads", n) + contents, false})
		}
	}
	return list
}

// oneThread reports whether a template is for blocks of one thread, since its kernels do not tell threads apart.
func oneThread(f *launch.File) bool {
	return f.Guessed && !slices.ContainsFunc(f.Launches, func(l launch.Launch) bool { return l.Block != [3]uint32{1, 1, 1} })
}

// sweep runs variations of the plan, and adds what they show to a report. A fault of memory is no finding: the buffers and numbers
// of the file may not fit.
func (k *checker) sweep(ctx context.Context, rep *report.Report, run func() (*report.Report, error)) error {
	given := k.plan
	defer func() { k.plan = given }()
	for _, v := range variations(given) {
		k.plan = v.plan
		other, err := run()
		if wrong := new(session.InputError); errors.As(err, &wrong) { // a number that its parameter cannot hold
			continue
		}
		if given.File.Guessed && ctx.Err() != nil && !errors.Is(err, command.ErrInterrupted) {
			rep.Notes = append(rep.Notes, report.Unchecked+"other guesses than those of the template: the time is over")
			break
		}
		if err != nil {
			return err
		}
		if faults := other.Faults; len(faults) > 0 && (!v.fits || !waits(faults)) {
			if !given.File.Guessed {
				rep.Notes = append(rep.Notes, report.Unchecked+v.what+": "+faults[0].Headline())
			}
			continue
		}
		v.name(other, rep)
		rep.Merge(other)
	}
	rep.Finish()
	return nil
}

// waits reports whether all faults are of threads that wait for others.
func waits(faults []*report.FaultEvent) bool {
	return !slices.ContainsFunc(faults, func(f *report.FaultEvent) bool {
		return !slices.Contains([]string{"barrier-divergence", "deadlock", "livelock"}, f.Class)
	})
}

// name names the variation in the findings of its report that others do not show.
func (v variation) name(rep, others *report.Report) {
	for _, x := range rep.Races {
		if !others.Shows(x) {
			x.Variation = v.what
		}
	}
	for _, f := range rep.Faults {
		f.Variation = v.what
	}
}

// sweptSteps is the limit of warp instructions of a variation of a template.
const sweptSteps = 1_000_000

// sweepTemplate runs variations of a template that has shown nothing, since its sizes are guesses: with --sweep all launch files are
// swept.
func (k *checker) sweepTemplate(c *cli.Context, rep *report.Report) bool {
	plain := k.other == nil && k.options.GPU == nil && !slices.ContainsFunc([]string{"record", "replay", "timeline", "save-trace", "stats"}, c.IsSet)
	if !k.plan.File.Guessed || !plain || len(rep.Faults) > 0 || rep.Count(report.Error) > 0 {
		return false
	}
	cfg := &k.options.Emulator
	if cfg.Stdout = nil; cfg.MaxSteps == 0 || cfg.MaxSteps > sweptSteps {
		cfg.MaxSteps = sweptSteps
	}
	return true
}
