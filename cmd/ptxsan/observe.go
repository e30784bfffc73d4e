package main

import (
	"compress/gzip"
	"errors"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/observe"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// observeFlags choose what is shown of a run while it happens.
func observeFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "trace", Usage: "write every instruction and memory access to `FILE`", Category: catOutput},
		timelineFlag(""),
		traceFilterFlag("--trace and --timeline"),
		&cli.BoolFlag{Name: "stats", Usage: "print statistics of the run; those of the passes on standard error", Category: catOutput},
	}
}

func timelineFlag(more string) cli.Flag {
	return &cli.StringFlag{Name: "timeline", Usage: "write what warps do" + more + " to `FILE`, for ui.perfetto.dev (.json or .json.gz)", Category: catOutput}
}

func traceFilterFlag(of string) cli.Flag {
	return &cli.StringFlag{Name: "trace-filter", Usage: "only that part of " + of + ": `KEY=VALUE,...` with kernel=, block=, warp=, line=", Category: catOutput}
}

// observers are the listeners that the flags ask for.
type observers struct {
	names     observe.Names
	filter    *observe.Filter
	stats     *observe.Stats // nil without --stats
	listeners []emu.Listener
}

func observersOf(c *cli.Context, e *emulation) (*observers, error) {
	o := &observers{names: observedNames(func() *naming { return &naming{user: e.user, dev: e.dev} })}
	if c.String("trace") == "-" && c.String("timeline") == "-" {
		return nil, usagef("--trace and --timeline cannot both go to standard output")
	}
	if text := c.String("trace-filter"); text != "" {
		if c.String("trace") == "" && c.String("timeline") == "" {
			return nil, usagef("--trace-filter: expected --trace or --timeline as well")
		}
		f, err := observe.ParseFilter(text)
		if err != nil {
			return nil, usagef("--trace-filter: %w", err)
		}
		o.filter = f
	}
	if c.Bool("stats") {
		o.stats = observe.NewStats(o.names)
		o.listeners = append(o.listeners, o.stats)
	}
	return o, nil
}

// observedNames names what runs as reports do. The device may be made later.
func observedNames(now func() *naming) observe.Names {
	places := map[*rewrite.Inst]observe.Place{}
	return observe.Names{
		Kernel: report.Demangle,
		Symbol: func(addr uint64) string { return now().symbol(addr) },
		Source: func(in *rewrite.Inst) (string, int) {
			p, ok := places[in]
			if s := sourceOf(in); !ok && s != nil {
				own := s.Own()
				p = observe.Place{File: own.File, Line: own.Line}
			}
			places[in] = p
			return p.File, p.Line
		},
	}
}

// writer is a listener that writes as it listens.
type writer interface {
	emu.StepListener
	Close() error
}

// around executes the program under the observers: body must make the machine with
// the listener that it is given.
func (o *observers) around(c *cli.Context, body func(emu.Listener) error) error {
	run := func() error { return body(observe.Tee(o.listeners...)) }
	listen := func(l writer) writer {
		o.listeners = append(o.listeners, l)
		return l
	}
	run = into(c, c.String("trace"), run, func(w io.Writer) writer { return listen(observe.NewTrace(w, o.names, o.filter)) })
	run = into(c, c.String("timeline"), run, func(w io.Writer) writer { return listen(observe.NewTimeline(w, o.names, o.filter)) })
	return run()
}

// into is run after make has made one more listener, which writes to a file. When the
// run fails, the file is not written and its error is that of the run.
func into(c *cli.Context, file string, run func() error, make func(io.Writer) writer) func() error {
	if file == "" {
		return run
	}
	return func() error {
		var failed error
		err := writeOutput(c, file, func(w io.Writer) error {
			finish := func() error { return nil }
			if strings.HasSuffix(file, ".gz") {
				z := gzip.NewWriter(w)
				w, finish = z, z.Close
			}
			l := make(w)
			if failed = run(); failed != nil {
				return failed
			}
			return errors.Join(l.Close(), finish())
		})
		if failed != nil {
			return failed
		}
		return err
	}
}
