// The speedup from several processors.

package main

import (
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/ptxsan/ptxsan/emu"
)

// speedup is the gain of a workload from several processors.
type speedup struct {
	name string
	with string  // the listening detector, "" for none
	gain float64 // wall time with one worker relative to that with one worker per processor
}

// detectorOfSpeedup is the detector with which the speedup is measured as well.
const detectorOfSpeedup = "precise"

// speedups compares wall times of the largest size, and with a detector of the size before it. Meanwhile no goroutine
// is locked to an OS thread, as in commands: locked goroutines wake up more slowly when others finish.
func (b *bench) speedups(wl *workload) (list []speedup, err error) {
	runtime.UnlockOSThread()
	defer runtime.LockOSThread()
	for _, with := range []string{"", detectorOfSpeedup} {
		s, err := b.speedup(wl, with)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// speedup compares wall times with one worker and with one per processor. It takes turns, and the median of what the
// turns gain: the speed of the machine, and how much of a second processor it gives, changes for seconds at a time.
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
	var gains []float64
	start := time.Now()
	for len(gains) < least || time.Since(start) < budgets*b.settings.budget {
		one, err := b.wall(pr, setup{detector: with, coming: coming, config: emu.Config{Workers: 1}})
		if err != nil {
			return s, err
		}
		all, err := b.wall(pr, setup{detector: with, coming: coming, config: emu.Config{Workers: runtime.NumCPU()}})
		if err != nil {
			return s, err
		}
		gains = append(gains, ratio(one, all))
	}
	slices.Sort(gains)
	s.gain = gains[len(gains)/2]
	return s, nil
}

// wall returns the wall time of a run of a problem.
func (b *bench) wall(pr *problem, how setup) (time.Duration, error) {
	d, err := newDevice(b.ctx, b.kernels, pr, how)
	if err == nil {
		err = pr.run(d)
	}
	if err == nil {
		err = d.verify(pr)
	}
	if err != nil {
		return 0, fmt.Errorf("with %d workers: %w", how.config.Workers, err)
	}
	return d.wall, nil
}
