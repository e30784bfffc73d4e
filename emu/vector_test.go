package emu_test

import (
	"bytes"
	"context"
	"flag"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

var vectorPrograms = flag.Uint64("vector.programs", 150, "random programs that TestVectorOps compares")

// TestVectorOps: programs of the instructions that have handlers in assembly compute
// the same, execute as many instructions and are scheduled alike with and without.
// Every program executes 12,000 to 20,000 warp instructions:
// go test ./emu -run TestVectorOps -vector.programs 10000 runs for minutes.
func TestVectorOps(t *testing.T) {
	n := *vectorPrograms
	if testing.Short() {
		n = 20
	}
	menu := newRandomMenu()
	menu.spelled = emu.VectorOpcodes()
	for seed := range n {
		compareTiers(t, seed, menu)
	}
	if testing.Short() {
		return
	}
	for seed := n; seed < 10*n && len(unused(menu)) > 0; seed++ {
		compareTiers(t, seed, menu)
	}
	if names := unused(menu); len(names) > 0 {
		t.Errorf("no program used %q", names)
	}
}

// unused is the opcodes of the menu that no program has used.
func unused(menu *randomMenu) []string {
	return slices.DeleteFunc(slices.Clone(menu.spelled), func(s string) bool { return menu.used[opcode(s)] })
}

func opcode(spelled string) string {
	name, _, _ := bytes.Cut([]byte(spelled), []byte("."))
	return string(name)
}

// compareTiers runs the program of a seed in assembly and in Go, under every policy.
func compareTiers(t *testing.T, seed uint64, menu *randomMenu) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 12))
	text := header + randomOps(r, menu)
	ast, err := ptxgrammar.Parse("random.ptx", []byte(text))
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, text)
	}
	mod, err := rewrite.Load(ast)
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, text)
	}
	input := opsInput(r)
	for name, p := range policies {
		cfg := emu.Config{Policy: p, Seed: seed}
		got, stats, err := runOps(mod, cfg, input)
		if err != nil {
			t.Fatalf("seed %d, %s: %v\n%s", seed, name, err, text)
		}
		cfg.NoVector = true
		want, same, err := runOps(mod, cfg, input)
		if err != nil || same != stats || !bytes.Equal(got, want) {
			t.Fatalf("seed %d, %s: %v, differs at byte %d; %+v in assembly, %+v in Go\n%s",
				seed, name, err, firstDifference(got, want), stats, same, text)
		}
	}
}

// TestVectorCollection: the garbage collector may run at any time while assembly does.
func TestVectorCollection(t *testing.T) {
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				runtime.GC()
			}
		}
	})
	mod := benchModule(t)
	for _, c := range benchCases {
		m, buf, lc := c.prepare(t, mod, emu.Config{})
		r, err := m.Launch(context.Background(), lc)
		if err != nil {
			t.Fatal(err)
		}
		clean(t, r)
		const n = benchN * benchN
		c.check(t, words(t, m, buf[0], n), words(t, m, buf[1], n), words(t, m, buf[2], n))
	}
	close(done)
	wg.Wait()
}

// TestCompiledTiers: compiled kernels execute the same instructions under the same
// schedule in assembly and in Go.
func TestCompiledTiers(t *testing.T) {
	mod := benchModule(t)
	for _, c := range benchCases {
		for name, p := range policies {
			if p == emu.Random && testing.Short() {
				continue
			}
			var runs [2]struct {
				stats emu.Stats
				out   []uint32
			}
			for i := range runs {
				cfg := emu.Config{Policy: p, Seed: 3, NoVector: i == 1}
				m, buf, lc := c.prepare(t, mod, cfg)
				r, err := m.Launch(context.Background(), lc)
				if err != nil {
					t.Fatal(err)
				}
				clean(t, r)
				runs[i].stats, runs[i].out = r.Stats, words(t, m, buf[2], benchN*benchN)
			}
			if !reflect.DeepEqual(runs[0], runs[1]) {
				t.Errorf("%s, %s: %+v in assembly, %+v in Go, or the results differ", c.kernel, name, runs[0].stats, runs[1].stats)
			}
		}
	}
}
