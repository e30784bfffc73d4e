// Launches of as many threads as benchmarks of real GPUs have.

package main

import (
	"context"
	"fmt"
	"runtime"
	"strings"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// largeThreads is the number of threads at full size.
const largeThreads = 1 << 26

// largeRun is a kernel and how many threads it executes in a second, on all processors, without a detector.
type largeRun struct {
	kernel string
	rate   float64
}

// largeProblems returns the problems with n threads. Their memory is not touched before, except for x.
func largeProblems(n uint32) map[string]*problem {
	x := fill(n, func(i uint32) uint32 { return bits(float32(i % 16)) })
	zeros := make([]uint32, n)
	return map[string]*problem{
		"saxpy": {
			buffers: [][]uint32{x, zeros}, out: 1,
			want: fill(n, func(i uint32) uint32 { return bits(2 * float(x[i])) }),
			run:  func(l launcher) error { return rows(l, "saxpy", n, n, float32(2), buffer(0), buffer(1)) },
		},
		"vadd": {
			buffers: [][]uint32{x, zeros, zeros}, out: 2, want: x,
			run: func(l launcher) error { return rows(l, "vadd", n, n, buffer(0), buffer(1), buffer(2)) },
		},
	}
}

// measureLarge measures launches of n threads by wall time, the least of some.
func measureLarge(ctx context.Context, prog *session.Program, n uint32) (list []largeRun, err error) {
	const least = 3
	b := &bench{ctx: ctx, kernels: prog}
	problems := largeProblems(n)
	for _, kernel := range []string{"saxpy", "vadd"} {
		pr, best := problems[kernel], 0.0
		coming, err := b.launches(pr)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", kernel, err)
		}
		for range least {
			wall, err := b.wall(pr, setup{coming: coming, config: emu.Config{Workers: runtime.NumCPU()}})
			if err != nil {
				return nil, fmt.Errorf("%s: %w", kernel, err)
			}
			best = max(best, float64(n)/wall.Seconds())
		}
		list = append(list, largeRun{kernel, best})
	}
	return list, nil
}

// largeRuns writes the rates.
func (res *results) largeRuns(b *strings.Builder) {
	var parts []string
	for _, r := range res.large {
		parts = append(parts, fmt.Sprintf("%s %.0f million", r.kernel, r.rate/1e6))
	}
	if len(parts) > 0 {
		fmt.Fprintf(b, "%d threads on %d processors, threads a second by wall time: %s.\n\n", largeThreads,
			runtime.NumCPU(), strings.Join(parts, ", "))
	}
}
