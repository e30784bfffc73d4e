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

// compareTiers runs the program of a seed in assembly and in Go, under every policy, and with
// calls that are performed as the text says.
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
		if p != emu.ITS {
			continue
		}
		want, _, err = runOps(mod, emu.Config{Policy: p, Listener: &emu.NopListener{}}, input)
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("seed %d: %v, differs at byte %d when calls are performed\n%s", seed, err, firstDifference(got, want), text)
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

// TestFused: a product and a sum with it are one operation in assembly, for all lanes
// or some, whatever the registers, unless a branch leads to the sum.
func TestFused(t *testing.T) {
	for _, body := range []string{
		"mul.wide.s32 %rd1, %r5, %r6; add.s64 %rd2, %rd1, %rd3;",
		"mul.wide.s32 %rd1, %r5, %r6; add.s64 %rd2, %rd3, %rd1;",
		"mul.wide.u32 %rd1, %r5, %r6; add.s64 %rd1, %rd3, %rd1; mov.b64 %rd2, %rd1;",
		"mul.wide.u32 %rd1, %r5, %r6; add.s64 %rd3, %rd3, %rd1; mov.b64 %rd2, %rd3;",
		"mul.wide.u32 %rd1, %r5, %r6; add.s64 %rd2, %rd1, %rd1;",
		"mov.u32 %r7, 0; mul.wide.u32 %rd1, %r5, %r6; L: add.s64 %rd2, %rd1, %rd3; mov.b64 %rd3, %rd2; add.u32 %r7, %r7, 1; setp.lt.u32 %p2, %r7, 5; @%p2 bra L;",
	} {
		var got [2][]uint32
		for i := range got {
			text := kernel("mul.lo.u32 %r5, %r1, 0x9e3779b9; not.b32 %r6, %r5; cvt.u64.u32 %rd3, %r6; shl.b64 %rd3, %rd3, 20; mov.b64 %rd1, 1; mov.b64 %rd2, 2; and.b32 %r8, %r1, 3; setp.eq.u32 %p1, %r8, 1;\n" +
				"@%p1 bra END;\n" + body + "\nEND: xor.b64 %rd2, %rd2, %rd1; shr.u64 %rd4, %rd2, 32; cvt.u32.u64 %r9, %rd4; cvt.u32.u64 %r10, %rd2; xor.b32 %r9, %r9, %r10; st.global.u32 [%out], %r9; ret;")
			got[i] = run(t, text, emu.Config{NoVector: i == 1}, 1, 64, 64)
		}
		if !slices.Equal(got[0], got[1]) {
			t.Errorf("%s\n%x in assembly\n%x in Go", body, got[0], got[1])
		}
	}
}

// TestProgramTiers: lanes part and meet alike in assembly and in Go, whatever the flow of
// control, so that they execute the same instructions under the same schedule.
func TestProgramTiers(t *testing.T) {
	n := *vectorPrograms / 3
	if testing.Short() {
		n = 10
	}
	for seed := range n {
		text := newRandomProgram(rand.New(rand.NewPCG(seed, 14))).ptx()
		for _, p := range []emu.Policy{emu.ITS, emu.Lockstep, emu.Random, emu.PCT, emu.RoundRobin} {
			var stats [2]emu.Stats
			var out [2][]uint32
			for i := range stats {
				m := load(t, text, emu.Config{Policy: p, Seed: seed, Length: 200, NoVector: i == 1})
				addr := alloc(t, m, "out", 80)
				r := launch(t, m, 1, 80, addr)
				clean(t, r)
				stats[i], out[i] = r.Stats, words(t, m, addr, 80)
			}
			if stats[0] != stats[1] || !slices.Equal(out[0], out[1]) {
				t.Fatalf("seed %d, %v: %+v in assembly, %+v in Go, or the results differ\n%s", seed, p, stats[0], stats[1], text)
			}
		}
	}
}
