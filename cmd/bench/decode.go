// The time to prepare a kernel.

package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// decodeTime is the time to prepare a kernel of straightKernel's size.
type decodeTime struct {
	parse  time.Duration // text to resolved view
	launch time.Duration // decode for the emulator, and run one warp
}

// decodeInstructions is the number of instructions of the kernel that measureDecode times.
const decodeInstructions = 1000

// straightKernel returns a kernel of n instructions.
func straightKernel(n int) []byte {
	var b strings.Builder
	b.WriteString(".version 7.5\n.target sm_70\n.address_size 64\n.visible .entry straight()\n{\n\t.reg .b32 %r<16>;\n\tmov.u32 %r0, %tid.x;\n")
	for i := 1; i < n-1; i++ {
		fmt.Fprintf(&b, "\tmad.lo.u32 %%r%d, %%r%d, %d, %%r0;\n", i%15+1, (i+14)%15+1, i)
	}
	b.WriteString("\tret;\n}\n")
	return []byte(b.String())
}

// measureDecode times the first launch of a kernel.
func measureDecode(ctx context.Context, budget time.Duration) (best decodeTime, err error) {
	text := straightKernel(decodeInstructions)
	best = decodeTime{time.Hour, time.Hour}
	for spent := time.Duration(0); spent < budget; {
		start := processorTime()
		program, err := session.Parse("straight.ptx", text)
		if err != nil {
			return best, err
		}
		loaded := processorTime()
		m, err := emu.New(program.Module, emu.Config{})
		if err != nil {
			return best, err
		}
		r, err := m.Launch(ctx, emu.LaunchConfig{Kernel: "straight", Grid: line(1), Block: line(32)})
		if err != nil {
			return best, err
		}
		if r.Stats.WarpInstructions != decodeInstructions {
			return best, fmt.Errorf("the kernel of %d instructions executed %d", decodeInstructions,
				r.Stats.WarpInstructions)
		}
		done := processorTime()
		best = decodeTime{min(best.parse, loaded-start), min(best.launch, done-loaded)}
		spent += done - start
	}
	return best, nil
}
