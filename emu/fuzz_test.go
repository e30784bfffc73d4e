package emu_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"runtime/debug"
	"strconv"
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
		[]byte(header + ring),
		[]byte(header + bulkRoundTrip),
		[]byte(header + deviceRuntime + addChild + entry("k", 1, launchV2("cuda", "", "child", "1", "32", "0", "%rd0", "5")+syncGrids)),
		[]byte(header + tileLoad("-1, 3", 128)),
		[]byte(header + inClusters(clusterPipeline)),
		bench,
	}
}

// inClusters makes a kernel require clusters of two blocks.
func inClusters(text string) string {
	return strings.Replace(text, "p) {", "p) .reqnctapercluster 2 { .reg .b16 %h<4>;", 1)
}

// survive runs every kernel of a text, if it is a module, under every policy with
// other checks, and again by the schedule that the first run made.
func survive(t *testing.T, src []byte) {
	ast, err := ptxgrammar.Parse("fuzz.ptx", src)
	if err != nil {
		return
	}
	mod, err := rewrite.Load(ast)
	if err != nil {
		return
	}
	for _, cfg := range []emu.Config{
		{},
		{LateAsync: true},
		{Policy: emu.Lockstep, NoMemcheck: true},
		{Policy: emu.Random, MaxFaults: 4, LateAsync: true},
		{Policy: emu.PCT, MaxFaults: 3, Length: 100, Uninitialised: true, Synccheck: true},
	} {
		cfg.Seed, cfg.MaxSteps, cfg.MemoryLimit = 1, 2000, 1<<20
		cfg.Record = new(emu.Schedule)
		first, ok := runAll(mod, cfg)
		if !ok {
			return
		}
		cfg.Replay, cfg.Record = cfg.Record, nil
		if again, _ := runAll(mod, cfg); again != first {
			t.Fatalf("policy %d: the replay is another run:\n%s\nfirst:\n%s\n%s", cfg.Policy, again, first, src)
		}
	}
}

// runAll launches every kernel and describes the outcome. It reports false when the
// module cannot be emulated.
func runAll(mod *rewrite.Module, cfg emu.Config) (string, bool) {
	m, err := emu.New(mod, cfg)
	if err != nil {
		return "", false
	}
	buf, err := m.Alloc("buf", 4096)
	if err != nil {
		return "", false
	}
	var out strings.Builder
	for _, k := range mod.Kernels() {
		_, size, err := m.Params(k.Name)
		if err != nil || size > 4096 {
			continue
		}
		params := append(args(buf, buf, buf, buf), make([]byte, size)...)[:size]
		r, err := m.Launch(context.Background(), emu.LaunchConfig{Kernel: k.Name, Grid: dim(2), Block: dim(40), Params: params})
		if err != nil {
			fmt.Fprintln(&out, err)
			continue
		}
		fmt.Fprintln(&out, r.Stats, r.Faults)
	}
	return out.String(), true
}

// TestMutants runs modules whose tokens were exchanged at random: unlike bytes,
// tokens often make another module. PTXSAN_MUTANTS is how many, 400 by default.
func TestMutants(t *testing.T) {
	n := 400
	if testing.Short() {
		n = 50
	}
	if s := os.Getenv("PTXSAN_MUTANTS"); s != "" {
		var err error
		if n, err = strconv.Atoi(s); err != nil {
			t.Fatalf("PTXSAN_MUTANTS: %v", err)
		}
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
