// Memory for a million threads.

package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/ptxsan/ptxsan/runtime/session"
)

// manyThreads is the number of threads of the kernel "registers" at full size.
const manyThreads = 1 << 20

// manyRegisters runs n threads that each keep 48 values in registers, which have more than 300 names in PTX.
func manyRegisters(ctx context.Context, prog *session.Program, n uint32) error {
	const rounds = 2
	pr := &problem{
		buffers: [][]uint32{make([]uint32, n)}, want: fill(n,
			func(i uint32) uint32 { return mixedRegisters(i, rounds) }),
		run: func(l launcher) error { return rows(l, "registers", n, uint32(rounds), buffer(0)) },
	}
	d, err := newDevice(ctx, prog, pr, setup{})
	if err != nil {
		return err
	}
	if err = pr.run(d); err == nil {
		err = d.verify(pr)
	}
	return err
}

// mixedRegisters returns the result of thread i of the kernel "registers".
func mixedRegisters(i, rounds uint32) uint32 {
	var r [48]uint32
	for k := range r {
		r[k] = i*uint32(2*k+1) + uint32(k)
	}
	for range rounds {
		for k := range r {
			r[k] = r[k]*3 + r[(k+7)%48]
		}
	}
	sum := uint32(0)
	for _, v := range r {
		sum ^= v
	}
	return sum
}

// peakMemory returns the peak memory of the process, from Linux's /proc.
func peakMemory() string {
	f, err := os.Open("/proc/self/status")
	if err != nil {
		return "an unknown amount"
	}
	defer f.Close()
	for sc := bufio.NewScanner(f); sc.Scan(); {
		var kb float64
		if text, ok := strings.CutPrefix(sc.Text(), "VmHWM:"); ok {
			if _, err := fmt.Sscan(text, &kb); err == nil {
				return fmt.Sprintf("%.0f MB", kb/1000)
			}
		}
	}
	return "an unknown amount"
}
