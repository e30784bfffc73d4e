// The speedup from several processors.

package main

import (
	"fmt"
	"runtime"
	"time"

	"github.com/ptxsan/ptxsan/emu"
)

// speedup is the gain of a workload from several processors.
type speedup struct {
	name string
	with string        // the listening detector, "" for none
	one  time.Duration // wall time with one worker
	all  time.Duration // with one worker per processor
}

// heardOnCores is the detector with which the speedup is measured as well.
const heardOnCores = "precise"

// speedups compares wall times of the largest size, and with a detector of the size before it. Meanwhile no goroutine is locked
// to an OS thread, as in commands: locked goroutines wake up more slowly when others finish.
func (b *bench) speedups(wl *workload) (list []speedup, err error) {
	runtime.UnlockOSThread()
	defer runtime.LockOSThread()
	for _, with := range []string{"", heardOnCores} {
		s, err := b.speedup(wl, with)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// speedup compares wall times with one worker and with one per processor, alternating. It takes the least of many times, since
// other work on the machine adds to them.
func (b *bench) speedup(wl *workload, with string) (speedup, error) {
	const least, budgets = 3, 6
	sizes := b.settings.sizesOf(wl)
	largest := len(sizes) - 1
	if with != "" {
		largest = max(largest-1, 0)
	}
	pr := wl.build(sizes[largest])
	s := speedup{name: wl.name, with: with}
	coming, err := b.launches(pr)
	if err != nil {
		return s, err
	}
	start := time.Now()
	for turn := 0; turn < least || time.Since(start) < budgets*b.settings.budget; turn++ {
		for _, run := range []struct {
			workers int
			best    *time.Duration
		}{{1, &s.one}, {runtime.NumCPU(), &s.all}} {
			d, err := newDevice(b.ctx, b.kernels, pr, setup{detector: with, coming: coming, config: emu.Config{Workers: run.workers}})
			if err != nil {
				return s, err
			}
			if err = pr.run(d); err == nil {
				err = d.verify(pr)
			}
			if err != nil {
				return s, fmt.Errorf("with %d workers: %w", run.workers, err)
			}
			if *run.best == 0 || d.wall < *run.best {
				*run.best = d.wall
			}
		}
	}
	return s, nil
}
