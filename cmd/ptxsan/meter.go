package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/all"
	"github.com/ptxsan/ptxsan/passes/boundscheck"
	"github.com/ptxsan/ptxsan/passes/coverage"
	"github.com/ptxsan/ptxsan/passes/instcount"
	"github.com/ptxsan/ptxsan/passes/memtrace"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/profile"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// meterFlags name files for what measuring passes find; each is named like its
// pass, and adds it to the pipeline.
func meterFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: coverage.Pass.Name, Usage: "add the pass coverage and write an lcov tracefile to `FILE`", Category: catOutput},
		&cli.StringFlag{Name: instcount.Pass.Name, Usage: "add the pass instcount and write instruction counts to `FILE`", Category: catOutput},
		&cli.StringFlag{Name: memtrace.Pass.Name, Usage: "add the pass memtrace and write memory accesses to `FILE`", Category: catOutput},
	}
}

// meteredPipeline is the pipeline with the passes of the meter flags: before the
// others, one of which may have to be the last.
func meteredPipeline(c *cli.Context) (passes.Pipeline, error) {
	p, err := pipelineOf(c)
	if err != nil {
		return p, err
	}
	given := map[string]bool{}
	for _, pass := range p.Passes() {
		given[pass.Name] = true
	}
	var added passes.Pipeline
	for _, f := range meterFlags() {
		name := f.Names()[0]
		if c.String(name) == "" || given[name] {
			continue
		}
		one, err := passes.ParsePipeline(name, all.Passes)
		if err != nil {
			return p, err
		}
		added = added.Append(one)
	}
	return added.Append(p), nil
}

// meter is the host half of a measuring pass. Functions that it does not need are
// nil.
type meter struct {
	pass    string
	prepare func() error                                  // before each launch
	collect func(p planned) ([]*report.FaultEvent, error) // after each launch
	write   func(w io.Writer) error                       // after the last
}

// newMeters makes the host halves of the passes that ran.
func newMeters(user *rewrite.Module, out *passes.Output, p passes.Pipeline, dev *device, trace *traceFile) []meter {
	var list []meter
	for _, pass := range p.Passes() {
		switch pass {
		case coverage.Pass:
			list = append(list, meter{pass: pass.Name, write: func(w io.Writer) error {
				r, err := profile.ReadCoverage(dev, out.Results[pass.Name].(*abi.CoverageMap))
				if err != nil {
					return err
				}
				return r.WriteLCOV(w)
			}})
		case instcount.Pass:
			list = append(list, meter{pass: pass.Name, write: func(w io.Writer) error {
				r, err := profile.ReadInstCount(dev, out.Results[pass.Name].(*abi.InstMap))
				if err != nil {
					return err
				}
				return r.WriteText(w)
			}})
		case memtrace.Pass:
			list = append(list, traceMeter(user, out, dev, trace))
		case boundscheck.Pass:
			list = append(list, boundsMeter(user, out, dev))
		}
	}
	return list
}

// traceMeter writes the trace of each launch when the launch has ended.
func traceMeter(user *rewrite.Module, out *passes.Output, dev *device, file *traceFile) meter {
	t := profile.NewMemTrace(profile.DefaultTraceRecords)
	names := naming{user: user, sites: out.Sites, dev: dev}
	file.text = profile.NewTraceText(cmp.Or(file.w, io.Discard), out.Sites, names.symbol)
	return meter{
		pass:    memtrace.Pass.Name,
		prepare: func() error { return t.Prepare(dev) },
		collect: func(p planned) ([]*report.FaultEvent, error) {
			return nil, t.Collect(dev, report.Demangle(p.kernel.Name), p.Grid, file.text)
		},
	}
}

// traceFile is where the trace of the memory accesses goes while kernels run.
type traceFile struct {
	w    io.Writer          // nil to write nothing
	text *profile.TraceText // nil before there is a device
}

// around runs body, which runs kernels, with the file open when the pipeline makes a
// trace. The file appears when the run is over, and not when it fails.
func (f *traceFile) around(c *cli.Context, p passes.Pipeline, body func() error) error {
	if !slices.Contains(p.Passes(), memtrace.Pass) {
		return body()
	}
	var failed error
	err := writeOutput(c, c.String(memtrace.Pass.Name), func(w io.Writer) error {
		f.w = w
		if failed = body(); f.text != nil {
			if lost := f.text.Flush(); lost != nil {
				failed = nil
				return lost
			}
		}
		return failed
	})
	if failed != nil {
		return failed
	}
	return err
}

func boundsMeter(user *rewrite.Module, out *passes.Output, dev *device) meter {
	b := profile.NewBoundsCheck(dev.allocations(user), out.Sites)
	return meter{
		pass:    boundscheck.Pass.Name,
		prepare: func() error { return b.Prepare(dev) },
		collect: func(p planned) ([]*report.FaultEvent, error) {
			faults, err := b.Collect(dev, p.Grid, p.Block)
			var events []*report.FaultEvent
			for i := range faults {
				events = append(events, boundsEvent(&faults[i], &out.Sites[faults[i].Site-1], p))
			}
			return events, err
		},
	}
}

// boundsEvent describes what the accesses of a site did out of bounds.
func boundsEvent(f *profile.BoundsFault, site *abi.Site, p planned) *report.FaultEvent {
	e := &report.FaultEvent{
		Class: "out-of-bounds", Message: fmt.Sprintf("the address %s", f.Near), Kernel: p.kernel.Name,
		Block: f.Block, Thread: f.Thread, Address: report.Hex(f.Address),
		PTX:         report.Place{File: site.PTX.File, Line: site.PTX.Line},
		Instruction: site.Instruction, Access: site.Access, Space: "global", Size: site.Size,
	}
	if f.Count > 1 {
		e.Message += fmt.Sprintf("; %d accesses of this instruction were out of bounds", f.Count)
	}
	if s := site.Source; s != nil {
		e.Source = &report.Source{File: s.File, Line: s.Line, Column: s.Column}
		for at := s.InlinedAt; at != nil; at = at.InlinedAt {
			e.Source.InlinedAt = append(e.Source.InlinedAt, report.Frame{File: at.File, Line: at.Line, Column: at.Column})
		}
	}
	return e
}

// allocations are the memory that the user's program may access: the launch file's
// buffers and the variables of the user's module.
func (d *device) allocations(user *rewrite.Module) []profile.Allocation {
	var list []profile.Allocation
	for i := range d.file.Buffers {
		b := &d.file.Buffers[i]
		list = append(list, profile.Allocation{Name: b.Name, Base: d.address[b.Name], Size: b.Size()})
	}
	for _, v := range user.Globals {
		if addr, size, ok := d.Symbol(v.Name); ok {
			list = append(list, profile.Allocation{Name: v.Name, Base: addr, Size: size})
		}
	}
	return list
}
