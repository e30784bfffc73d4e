// Flags that show the course of a run: traces, timelines, statistics.

package app

import (
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/observe"
	"github.com/ptxsan/ptxsan/internal/output"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// observeFlags returns the flags that show the course of a run.
func observeFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "trace", Usage: "write every instruction and memory access to `FILE`", Category: command.CatOutput},
		timelineFlag(""),
		traceFilterFlag("--trace and --timeline"),
		&cli.BoolFlag{
			Name: "stats", Usage: "print statistics of the run; those of the passes on standard error",
			Category: command.CatOutput,
		},
	}
}

func timelineFlag(more string) cli.Flag {
	return &cli.StringFlag{Name: "timeline", Usage: "write a timeline of the warps" + more + " to `FILE`, for ui.perfetto.dev (.json or .json.gz)", Category: command.CatOutput}
}

func traceFilterFlag(of string) cli.Flag {
	return &cli.StringFlag{Name: "trace-filter", Usage: "limit " + of + " to `KEY=VALUE,...`, with kernel=, block=, warp=, line=", Category: command.CatOutput}
}

// observers holds the listeners of the flags.
type observers struct {
	filter *observe.Filter
	stats  *observe.Stats // set by around, nil without --stats
}

func observersOf(c *cli.Context) (*observers, error) {
	o := &observers{}
	if c.String("trace") == "-" && c.String("timeline") == "-" {
		return nil, command.Usagef("--trace and --timeline cannot both go to standard output")
	}
	if text := c.String("trace-filter"); text != "" {
		if c.String("trace") == "" && c.String("timeline") == "" {
			return nil, command.Usagef("--trace-filter: expected --trace or --timeline as well")
		}
		f, err := observe.ParseFilter(text)
		if err != nil {
			return nil, command.Usagef("--trace-filter: %w", err)
		}
		o.filter = f
	}
	return o, nil
}

// writer is a listener that writes as it listens.
type writer interface {
	emu.Listener
	Close() error
}

// around runs a program under the observers.
func (o *observers) around(c *cli.Context, e *emulation, play func() error) error {
	// The listeners must exist when the session is opened, but need it for the names of addresses.
	names := observe.Names{
		Kernel: report.Demangle,
		Symbol: func(addr uint64) string { return e.session.Names().Symbol(addr) },
		Source: session.SourceLines(),
	}
	var listeners []emu.Listener
	if c.Bool("stats") {
		o.stats = observe.NewStats(names)
		listeners = append(listeners, o.stats)
	}
	run := func() error {
		e.options.Emulator.Listener = observe.Tee(listeners...)
		if err := e.open(); err != nil {
			return err
		}
		return play()
	}
	listen := func(l writer) io.Closer {
		listeners = append(listeners, l)
		return l
	}
	run = into(c, c.String("trace"), run,
		func(w io.Writer) io.Closer { return listen(observe.NewTrace(output.Escaping(w), names, o.filter)) })
	run = into(c, c.String("timeline"), run,
		func(w io.Writer) io.Closer { return listen(observe.NewTimeline(output.JSON(w), names, o.filter)) })
	return run()
}

// into calls run with a further listener, which make creates and which writes to a file. If run fails, into writes no
// file and returns the error of run.
func into(c *cli.Context, file string, run func() error, make func(io.Writer) io.Closer) func() error {
	if file == "" {
		return run
	}
	return func() error {
		var open []io.Closer // in the order of closing
		return command.WriteDuring(c, file, func(w io.Writer) error {
			if strings.HasSuffix(file, ".gz") {
				z := gzip.NewWriter(w)
				w, open = z, []io.Closer{z}
			}
			open = append([]io.Closer{make(w)}, open...)
			return run()
		}, func() error {
			var errs []error
			for _, o := range open {
				errs = append(errs, o.Close())
			}
			return errors.Join(errs...)
		})
	}
}

// drawnSteps is the number of warp instructions up to which a check runs once more for the timeline of its page.
const drawnSteps = 200_000

// drawn reports whether a form of the report shows the timeline.
func drawn(c *cli.Context) bool {
	list, err := command.ReportFormats(c.String("format"))
	return err == nil && slices.ContainsFunc(list, func(f command.Format) bool { return f.Name() == "html" })
}

// draw adds the timeline to a report that shows it, by a further run unless --timeline has made one already. The report
// of a long run says how to get it.
func (k *checker) draw(ctx context.Context, c *cli.Context, rep *report.Report) error {
	inside := slices.ContainsFunc(k.options.Detectors, func(d *session.Detector) bool { return !d.Listens() })
	if !drawn(c) || rep.Timeline != nil || k.options.GPU != nil || k.other != nil ||
		len(k.options.Detectors) > 1 && inside {
		return nil
	}
	if n := rep.Stats.WarpInstructions + rep.Stats.InstrumentedWarpInstructions; n > drawnSteps {
		rep.Timeline = &report.Timeline{
			Steps: n,
			Left:  []string{fmt.Sprintf("runs of more than %d steps are drawn with --timeline FILE", drawnSteps)},
		}
		return nil
	}
	plan, options := cmp.Or(k.shown, k.plan), k.options
	t := session.NewTimeline(nil, nil)
	t.Draw()
	options.Timeline, options.SaveTrace, options.Emulator.Record, options.Emulator.Stdout, options.Emulator.Listener = t, nil, nil, nil, nil
	s, err := session.Open(options)
	if err != nil {
		return err
	}
	_, err = plan.Check(ctx, s)
	if err = errors.Join(err, s.Close(), t.Close()); err != nil {
		return err
	}
	rep.Timeline = t.Chart()
	return nil
}

// timelineFilter returns the part of the timeline of check that --trace-filter selects, nil for
// all.
func timelineFilter(c *cli.Context) (*observe.Filter, error) {
	text := c.String("trace-filter")
	switch {
	case text == "":
		return nil, nil
	case c.String("timeline") == "":
		return nil, command.Usagef("--trace-filter: expected --timeline as well")
	}
	f, err := observe.ParseFilter(text)
	if err != nil {
		return nil, command.Usagef("--trace-filter: %w", err)
	}
	return f, nil
}
