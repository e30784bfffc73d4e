package emu_test

import (
	"context"
	"encoding/binary"
	"math"
	"os"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

// benchModule is testdata/bench.ptx, compiled by clang from bench.cu.
func benchModule(t testing.TB) *rewrite.Module {
	t.Helper()
	src, err := os.ReadFile("testdata/bench.ptx")
	if err != nil {
		t.Fatal(err)
	}
	ast, err := ptxgrammar.Parse("bench.ptx", src)
	if err != nil {
		t.Fatal(err)
	}
	mod, err := rewrite.Load(ast)
	if err != nil {
		t.Fatal(err)
	}
	return mod
}

// benchCase is a kernel with its launch and a check of its result.
type benchCase struct {
	kernel      string
	grid, block emu.Dim3
	params      func(buf [3]uint64) []any // buffers: a, b, out
	check       func(t testing.TB, a, b, out []uint32)
}

const benchN = 128 // edge of matrices

func f32(u uint32) float32 { return math.Float32frombits(u) }

var benchCases = []benchCase{
	{
		"saxpy", dim(benchN * benchN / 256), dim(256),
		func(p [3]uint64) []any { return []any{uint32(benchN * benchN), float32(2), p[0], p[2]} },
		func(t testing.TB, a, b, out []uint32) {
			for i := range out {
				if want := 2 * f32(a[i]); f32(out[i]) != want {
					t.Fatalf("out[%d] = %v, want %v", i, f32(out[i]), want)
				}
			}
		},
	},
	{
		"matmul",
		emu.Dim3{X: benchN / 16, Y: benchN / 16, Z: 1},
		emu.Dim3{X: 16, Y: 16, Z: 1},
		func(p [3]uint64) []any { return []any{p[0], p[1], p[2], uint32(benchN)} }, checkMatmul,
	},
	{
		"tiled",
		emu.Dim3{X: benchN / 16, Y: benchN / 16, Z: 1},
		emu.Dim3{X: 16, Y: 16, Z: 1},
		func(p [3]uint64) []any { return []any{p[0], p[1], p[2], uint32(benchN)} }, checkMatmul,
	},
	{
		"collatz", dim(benchN * benchN / 256), dim(256),
		func(p [3]uint64) []any { return []any{uint32(benchN * benchN), p[2]} },
		func(t testing.TB, a, b, out []uint32) {
			for i := range out {
				steps := uint32(0)
				for v := uint32(i + 1); v != 1; steps++ {
					if v&1 != 0 {
						v = 3*v + 1
					} else {
						v /= 2
					}
				}
				if out[i] != steps {
					t.Fatalf("out[%d] = %d, want %d", i, out[i], steps)
				}
			}
		},
	},
	{
		"histogram", dim(benchN * benchN / 256), dim(256),
		func(p [3]uint64) []any { return []any{uint32(benchN * benchN), p[0], p[2]} },
		func(t testing.TB, a, b, out []uint32) {
			var bins [256]uint32
			for _, v := range a {
				bins[v&255]++
			}
			for i, n := range bins {
				if out[i] != n {
					t.Fatalf("bin %d = %d, want %d", i, out[i], n)
				}
			}
		},
	},
	{
		"hooked", dim(benchN * benchN / 256), dim(256),
		func(p [3]uint64) []any { return []any{uint32(benchN * benchN), p[0], p[2], p[1]} },
		func(t testing.TB, a, b, out []uint32) {
			for i := range out {
				if out[i] != a[i] {
					t.Fatalf("out[%d] = %d, want %d", i, out[i], a[i])
				}
			}
		},
	},
}

// checkMatmul sums small integers, which float32 holds exactly in any order.
func checkMatmul(t testing.TB, a, b, out []uint32) {
	for r := range benchN {
		for c := range benchN {
			sum := float32(0)
			for k := range benchN {
				sum += f32(a[r*benchN+k]) * f32(b[k*benchN+c])
			}
			if got := f32(out[r*benchN+c]); got != sum {
				t.Fatalf("c[%d][%d] = %v, want %v", r, c, got, sum)
			}
		}
	}
}

// prepare makes a machine with the case's buffers filled.
func (c *benchCase) prepare(t testing.TB, mod *rewrite.Module, cfg emu.Config) (*emu.Machine, [3]uint64, emu.LaunchConfig) {
	t.Helper()
	m, err := emu.New(mod, cfg)
	if err != nil {
		t.Fatal(err)
	}
	var buf [3]uint64
	for i := range buf {
		buf[i] = alloc(t, m, string(rune('a'+i)), benchN*benchN)
	}
	for i, addr := range buf[:2] {
		var data []byte
		for k := range uint32(benchN * benchN) {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32((k*7+uint32(i))%13)))
		}
		if err = m.Write(addr, data); err != nil {
			t.Fatal(err)
		}
	}
	layout, size, err := m.Params(c.kernel)
	if err != nil {
		t.Fatal(err)
	}
	block := make([]byte, size)
	for i, v := range c.params(buf) {
		if _, err := binary.Encode(block[layout[i].Offset:], binary.LittleEndian, v); err != nil {
			t.Fatal(err)
		}
	}
	return m, buf, emu.LaunchConfig{Kernel: c.kernel, Grid: c.grid, Block: c.block, Params: block}
}

// TestCompiledKernels runs clang's code for the benchmark kernels.
func TestCompiledKernels(t *testing.T) {
	mod := benchModule(t)
	for _, c := range benchCases {
		for name, p := range policies {
			t.Run(c.kernel+"/"+name, func(t *testing.T) {
				if p == emu.Random && testing.Short() {
					return
				}
				m, buf, lc := c.prepare(t, mod, emu.Config{Policy: p, Seed: 1})
				r, err := m.Launch(context.Background(), lc)
				if err != nil {
					t.Fatal(err)
				}
				clean(t, r)
				const n = benchN * benchN
				c.check(t, words(t, m, buf[0], n), words(t, m, buf[1], n), words(t, m, buf[2], n))
			})
		}
	}
}

func BenchmarkKernels(b *testing.B) {
	mod := benchModule(b)
	for _, c := range benchCases {
		b.Run(c.kernel, func(b *testing.B) {
			m, _, lc := c.prepare(b, mod, emu.Config{})
			var stats emu.Stats
			for b.Loop() {
				r, err := m.Launch(context.Background(), lc)
				if err != nil {
					b.Fatal(err)
				}
				clean(b, r)
				stats.WarpInstructions += r.Stats.WarpInstructions
				stats.ThreadInstructions += r.Stats.ThreadInstructions
			}
			ns := float64(b.Elapsed().Nanoseconds())
			b.ReportMetric(ns/float64(stats.WarpInstructions), "ns/warp-instr")
			b.ReportMetric(float64(stats.ThreadInstructions)/ns, "G-thread-instr/s")
		})
	}
}
