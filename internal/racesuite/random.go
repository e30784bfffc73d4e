// Launches of random programs.

package racesuite

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/testgen/addressgen"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// RandomSteps is the number of warp instructions that a launch of a random program may have.
const RandomSteps = 100_000

// RandomRun returns a run of a random program with detectors.
func RandomRun(t testing.TB, p *session.Program, file *launch.File, detectors string) *Run {
	t.Helper()
	r := NewRun(t, p, file, detectors)
	r.Options.Emulator.MaxSteps = RandomSteps
	return r
}

// RandomLaunches returns the launch file of a random program.
func RandomLaunches(t testing.TB, p *addressgen.Program) *launch.File {
	t.Helper()
	var text strings.Builder
	text.WriteString("buffers:\n")
	for i := range addressgen.Buffers {
		fmt.Fprintf(&text, "  b%d: {type: u32, count: %d}\n", i, addressgen.BufferBytes/4)
	}
	text.WriteString("launches:\n")
	for _, l := range p.Launches {
		fmt.Fprintf(&text, "- {kernel: %s, grid: %d, block: %d, args: [", l.Kernel, l.Grid, l.Block)
		for _, b := range l.Buffers {
			fmt.Fprintf(&text, "b%d, ", b)
		}
		fmt.Fprintf(&text, "%d, %d]}\n", l.Zero, l.N)
	}
	file, err := launch.Parse("k.yaml", []byte(text.String()), launch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return file
}
