// Measurements: workloads at their sizes, each the least time of several runs.

package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// results holds everything that was measured.
type results struct {
	machine   string
	workloads [][]row // of each workload, by size
	speedups  []speedup
	decode    decodeTime
	peak      string // memory in manyThreads
	large     []largeRun
	listener  string // the detector of the columns of listening
}

// row is a workload at one size.
type row struct {
	name     string
	size     uint32
	units    float64
	stats    emu.Stats
	plain    time.Duration
	native   time.Duration // 0 when not measured
	checked  time.Duration // instrumented, 0 when not measured
	every    time.Duration // instrumented, with a check of every access; 0 when not measured
	listened time.Duration // with a listener, 0 when not measured
	random   time.Duration // under the random schedule, 0 when not measured
	seeded   emu.Stats     // statistics of the run under the random schedule
}

// measureAll measures what the settings select. Progress is written to w.
func measureAll(ctx context.Context, s *settings, w io.Writer) (*results, error) {
	runtime.LockOSThread() // processorTime is the clock of one thread
	defer runtime.UnlockOSThread()
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	nt, err := buildNative(ctx, s.compiler, dir)
	if err != nil {
		return nil, err
	}
	if nt == nil {
		fmt.Fprintf(w, "no compiler %q: no comparison with native code\n", s.compiler)
	}
	b := &bench{ctx: ctx, settings: s, native: nt}
	if b.kernels, err = loadKernels(); err != nil {
		return nil, err
	}
	res := &results{machine: machineName(), listener: s.listener}
	if s.memory {
		if err = manyRegisters(ctx, b.kernels, manyThreads); err != nil {
			return nil, fmt.Errorf("registers: %w", err)
		}
		res.peak = peakMemory()
	}
	if s.large {
		if res.large, err = measureLarge(ctx, b.kernels, largeThreads); err != nil {
			return nil, err
		}
	}
	for _, wl := range s.chosen() {
		rows, failed := b.workload(wl, w)
		if failed != nil {
			return nil, fmt.Errorf("%s: %w", wl.name, failed)
		}
		res.workloads = append(res.workloads, rows)
		if !s.cores {
			continue
		}
		gains, failed := b.speedups(wl)
		if failed != nil {
			return nil, fmt.Errorf("%s: %w", wl.name, failed)
		}
		res.speedups = append(res.speedups, gains...)
	}
	res.decode, err = measureDecode(ctx, s.budget)
	return res, err
}

// bench holds the inputs of measurements.
type bench struct {
	ctx      context.Context
	settings *settings
	native   *native
	kernels  *session.Program
}

func (b *bench) workload(wl *workload, w io.Writer) ([]row, error) {
	var rows []row
	for i, n := range b.settings.sizesOf(wl) {
		r, err := b.row(wl, n, i < wl.checked)
		if err != nil {
			return nil, fmt.Errorf("size %d: %w", n, err)
		}
		fmt.Fprintln(w, &r)
		rows = append(rows, r)
	}
	return rows, nil
}

func (b *bench) row(wl *workload, n uint32, detectors bool) (r row, err error) {
	pr := wl.build(n)
	r = row{name: wl.name, size: n, units: wl.units(n)}
	reps := 0
	coming, err := b.launches(pr)
	if err != nil {
		return r, err
	}
	if r.plain, r.stats, reps, err = b.best(pr, setup{coming: coming}); err != nil {
		return r, err
	}
	if b.native != nil {
		if r.native, err = b.native.run(b.ctx, wl, n, pr.want, max(reps, 3)); err != nil {
			return r, err
		}
	}
	if detectors && b.settings.detectors {
		if err = b.instrumented(&r, pr, coming); err != nil {
			return r, fmt.Errorf("instrumented: %w", err)
		}
	}
	if detectors && b.settings.random {
		if r.random, r.seeded, _, err = b.best(pr, setup{
			coming: coming,
			config: emu.Config{Policy: emu.Random},
		}); err != nil {
			return r, fmt.Errorf("random schedule: %w", err)
		}
	}
	if name := b.settings.listener; detectors && name != "" {
		if r.listened, _, _, err = b.best(pr, setup{coming: coming, detector: name}); err != nil {
			return r, fmt.Errorf("with %s: %w", name, err)
		}
	}
	return r, nil
}

// launches returns the launches of a problem.
func (b *bench) launches(pr *problem) ([]launchPlan, error) {
	d, err := newDevice(b.ctx, b.kernels, pr, setup{})
	if err == nil {
		err = pr.run(d)
	}
	if err != nil {
		return nil, err
	}
	return d.launched, nil
}

// instrumented measures a problem with iguard, once as "check" instruments it and once with a check of every access.
func (b *bench) instrumented(r *row, pr *problem, coming []launchPlan) (err error) {
	if r.checked, _, _, err = b.best(pr, setup{coming: coming, detector: "iguard"}); err == nil {
		r.every, _, _, err = b.best(pr, setup{coming: coming, detector: "iguard<elide=false>"})
	}
	return err
}

// best runs a problem until the budget is spent, at least three times unless that takes very long, and verifies every
// result. It returns the least time.
func (b *bench) best(pr *problem, how setup) (best time.Duration, stats emu.Stats, reps int, err error) {
	const least, patience = 3, 8
	how.config.Seed = 1
	for spent := time.Duration(0); spent < b.settings.budget ||
		reps < least && spent < patience*b.settings.budget; reps++ {
		d, err := newDevice(b.ctx, b.kernels, pr, how)
		if err != nil {
			return 0, stats, reps, err
		}
		if err := pr.run(d); err != nil {
			return 0, stats, reps, err
		}
		if err := d.verify(pr); err != nil {
			return 0, stats, reps, err
		}
		if reps == 0 || d.time < best {
			best = d.time
		}
		spent += d.time
		stats = d.stats
	}
	return best, stats, reps, nil
}

// machineName describes the machine.
func machineName() string {
	return fmt.Sprintf("%s/%s, %s, %s", runtime.GOOS, runtime.GOARCH, processorName(), runtime.Version())
}
