package observe_test

import (
	"context"
	"encoding/binary"
	"io"
	"os"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/observe"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

// BenchmarkListeners measures what watching costs, on a compiled kernel of loops
// and arithmetic.
func BenchmarkListeners(b *testing.B) {
	src, err := os.ReadFile("../testdata/bench.ptx")
	if err != nil {
		b.Fatal(err)
	}
	ast, err := ptxgrammar.Parse("bench.ptx", src)
	if err != nil {
		b.Fatal(err)
	}
	mod, err := rewrite.Load(ast)
	if err != nil {
		b.Fatal(err)
	}
	nobody := observe.Names{}
	none, _ := observe.ParseFilter("block=7,warp=99")
	for _, c := range []struct {
		name     string
		listener emu.Listener
	}{
		{"none", nil},
		{"stats", observe.NewStats(nobody)},
		{"timeline", observe.NewTimeline(io.Discard, nobody, nil)},
		{"trace", observe.NewTrace(io.Discard, nobody, nil)},
		{"trace-of-nothing", observe.NewTrace(io.Discard, nobody, none)},
	} {
		b.Run(c.name, func(b *testing.B) {
			m, err := emu.New(mod, emu.Config{Listener: c.listener})
			if err != nil {
				b.Fatal(err)
			}
			const n = 4096
			out, err := m.Alloc("out", 4*n)
			if err != nil {
				b.Fatal(err)
			}
			params := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, n), out)
			steps := uint64(0)
			for b.Loop() {
				r, err := m.Launch(context.Background(), emu.LaunchConfig{
					Kernel: "collatz", Grid: emu.Dim3{X: n / 256, Y: 1, Z: 1}, Block: emu.Dim3{X: 256, Y: 1, Z: 1}, Params: params,
				})
				if err != nil || len(r.Faults) > 0 {
					b.Fatal(err, r)
				}
				steps += r.Stats.WarpInstructions
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(steps), "ns/warp-instr")
		})
	}
}
