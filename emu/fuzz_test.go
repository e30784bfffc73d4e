package emu_test

import (
	"context"
	"math/rand/v2"
	"os"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

// FuzzLaunch: whatever the text, New refuses it or every kernel runs to an end or
// a fault, without panic and within its limits.
func FuzzLaunch(f *testing.F) {
	for _, s := range fuzzSeeds(f) {
		f.Add(s)
	}
	f.Fuzz(survive)
}

// fuzzSeeds are modules that use most of what the engine does.
func fuzzSeeds(t testing.TB) [][]byte {
	bench, err := os.ReadFile("testdata/bench.ptx")
	if err != nil {
		t.Fatal(err)
	}
	return [][]byte{
		[]byte(header + callLib + kernel("call (%r6), viaregs, (%r4, %rd1, %p1); st.global.u32 [%base], %r6; ret;")),
		[]byte(header + kernel(spinLock)),
		[]byte(header + exitingFunc + kernel("bar.red.popc.u32 %r5, 0, %p1; shfl.sync.idx.b32 %r6, %r1, 1, 31, -1; bar.sync 1, 64; ret;")),
		[]byte(header + printfKernel("%d %s %f", 1, 2, 3)),
		[]byte(header + newRandomProgram(rand.New(rand.NewPCG(1, 0))).ptx()),
		[]byte(header + newRandomProgram(rand.New(rand.NewPCG(4, 0))).ptx()),
		bench,
	}
}

// survive runs every kernel of a text, if it is a module, under every policy.
func survive(t *testing.T, src []byte) {
	ast, err := ptxgrammar.Parse("fuzz.ptx", src)
	if err != nil {
		return
	}
	mod, err := rewrite.Load(ast)
	if err != nil {
		return
	}
	for _, p := range []emu.Policy{emu.ITS, emu.Lockstep, emu.Random} {
		m, err := emu.New(mod, emu.Config{Policy: p, Seed: 1, MaxSteps: 2000, MemoryLimit: 1 << 20})
		if err != nil {
			return
		}
		buf, err := m.Alloc("buf", 4096)
		if err != nil {
			return
		}
		for _, k := range mod.Kernels() {
			_, size, err := m.Params(k.Name)
			if err != nil || size > 4096 {
				continue
			}
			params := append(args(buf, buf, buf, buf), make([]byte, size)...)[:size]
			_, _ = m.Launch(context.Background(), emu.LaunchConfig{Kernel: k.Name, Grid: dim(2), Block: dim(40), Params: params})
		}
	}
}

// TestMutants runs modules whose tokens were exchanged at random: unlike bytes,
// tokens often make another module.
func TestMutants(t *testing.T) {
	n := 400
	if testing.Short() {
		n = 50
	}
	seeds := fuzzSeeds(t)
	token := regexp.MustCompile(`[%$\w.]+|\s+|.`)
	for i := range n {
		r := rand.New(rand.NewPCG(uint64(i), 7))
		toks := token.FindAllString(string(seeds[i%len(seeds)]), -1)
		for range 1 + r.IntN(4) {
			toks[r.IntN(len(toks))] = toks[r.IntN(len(toks))]
		}
		src := strings.Join(toks, "")
		func() {
			defer func() {
				if p := recover(); p != nil {
					t.Fatalf("mutant %d: %v\n%s\n%s", i, p, debug.Stack(), src)
				}
			}()
			survive(t, []byte(src))
		}()
	}
}
