package explore_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/explore"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

// explored is the result of an exploration of kernel k.
type explored struct {
	states    map[string]int // final words or class of fault, and how many runs end so
	runs      int
	redundant int
}

func (e *explored) String() string {
	return fmt.Sprint(slices.Sorted(maps.Keys(e.states)))
}

// exploreAll runs kernel k under a strategy, with n words of memory.
func exploreAll(t testing.TB, text string, s explore.Strategy, b explore.Bounds, grid, block uint32, n int) *explored {
	t.Helper()
	return exploreUnder(t, emu.SC, text, s, b, grid, block, n)
}

// exploreUnder is exploreAll under a memory consistency model.
func exploreUnder(t testing.TB, memory emu.Memory, text string, s explore.Strategy, b explore.Bounds, grid, block uint32, n int) *explored {
	t.Helper()
	ast, err := ptxgrammar.Parse("test.ptx", []byte(header+text))
	if err != nil {
		t.Fatal(err)
	}
	mod, err := rewrite.Load(ast)
	if err != nil {
		t.Fatal(err)
	}
	e := &explored{states: map[string]int{}}
	ends := make(map[*explore.Run]string)
	results := make(chan func(), 1<<20)
	e.runs, err = explore.Explore(context.Background(), s, b, func(_ int, r *explore.Run) error {
		cfg := emu.Config{Listener: r.Listener(), Memory: memory}
		r.Configure(&cfg)
		m, failed := emu.New(mod, cfg)
		if failed != nil {
			return failed
		}
		out, failed := m.Alloc("out", uint64(4*n))
		if failed != nil {
			return failed
		}
		res, failed := m.Launch(context.Background(), emu.LaunchConfig{Kernel: "k", Grid: dim(grid), Block: dim(block), Params: args(out)})
		end := ""
		switch {
		case errors.Is(failed, explore.ErrRedundant):
		case failed != nil:
			return failed
		case len(res.Faults) > 0:
			end = res.Faults[0].Class
		default:
			p := make([]byte, 4*n)
			if failed = m.Read(out, p); failed != nil {
				return failed
			}
			var list []uint32
			for ; len(p) > 0; p = p[4:] {
				list = append(list, binary.LittleEndian.Uint32(p))
			}
			end = strings.Trim(fmt.Sprint(list), "[]")
		}
		results <- func() { ends[r] = end }
		return nil
	}, func(r *explore.Run) bool {
		for len(results) > 0 {
			(<-results)()
		}
		if r.Redundant() || ends[r] == "" {
			e.redundant++
		} else {
			e.states[ends[r]]++
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// one is the code of thread i.
func one(i int, body string) string {
	return fmt.Sprintf("setp.ne.u32 %%p1, %%r4, %d; @%%p1 bra L%d; %s ret; L%d:\n", i, i, body, i)
}

const (
	loadX  = "ld.volatile.global.u32 %%r%d, [%%base]; "
	loadY  = "ld.volatile.global.u32 %%r%d, [%%base+4]; "
	storeX = "st.volatile.global.u32 [%base], 1; "
	storeY = "st.volatile.global.u32 [%base+4], 1; "
)

func keep(reg, word int) string {
	return fmt.Sprintf("st.global.u32 [%%base+%d], %%r%d; ", 4*word, reg)
}

// litmus tests in the naming of Alglave, Maranget and Tautschnig (Herding Cats, TOPLAS
// 2014): all outcomes but the one that sequential consistency forbids. A run is needed for each
// way in which the conflicting accesses can be ordered, cycles excepted: with n pairs
// in one cycle 2^n-1.
var litmus = []struct {
	name    string
	threads []string
	observe []int // words after x and y
	want    []string
	runs    int
}{
	{"SB", []string{
		storeX + fmt.Sprintf(loadY, 10) + keep(10, 2),
		storeY + fmt.Sprintf(loadX, 10) + keep(10, 3),
	}, []int{2, 3}, []string{"0 1", "1 0", "1 1"}, 3},
	{"MP", []string{
		storeX + storeY,
		fmt.Sprintf(loadY, 10) + fmt.Sprintf(loadX, 11) + keep(10, 2) + keep(11, 3),
	}, []int{2, 3}, []string{"0 0", "0 1", "1 1"}, 3},
	{"LB", []string{
		fmt.Sprintf(loadX, 10) + storeY + keep(10, 2),
		fmt.Sprintf(loadY, 10) + storeX + keep(10, 3),
	}, []int{2, 3}, []string{"0 0", "0 1", "1 0"}, 3},
	{"IRIW", []string{
		storeX, storeY,
		fmt.Sprintf(loadX, 10) + fmt.Sprintf(loadY, 11) + keep(10, 2) + keep(11, 3),
		fmt.Sprintf(loadY, 10) + fmt.Sprintf(loadX, 11) + keep(10, 4) + keep(11, 5),
	}, []int{2, 3, 4, 5}, allBut("1 0 1 0", 4), 15},
}

// allBut is all strings of n bits but one.
func allBut(not string, n int) (list []string) {
	for i := range 1 << n {
		s := fmt.Sprintf("%0*b", n, i)
		if s = strings.Join(strings.Split(s, ""), " "); s != not {
			list = append(list, s)
		}
	}
	return list
}

// TestAllLitmus: the outcomes of litmus tests under sequential consistency, each order
// of the conflicting accesses once, however the threads are spread.
func TestAllLitmus(t *testing.T) {
	for _, c := range litmus {
		body := ""
		for i, b := range c.threads {
			body += one(i, b)
		}
		n := uint32(len(c.threads))
		for _, shape := range [][2]uint32{{n, 1}, {1, n}} {
			s := explore.NewAll(0)
			e := exploreAll(t, kernel(body+"ret;"), s, explore.Bounds{Workers: 2}, shape[0], shape[1], 2+len(c.observe))
			states := map[string]bool{}
			for k := range e.states {
				states[k[4:]] = true // without x and y
			}
			if got := slices.Sorted(maps.Keys(states)); !slices.Equal(got, c.want) {
				t.Errorf("%s %v: outcomes %q, want %q", c.name, shape, got, c.want)
			}
			if full := e.runs - e.redundant; full != c.runs {
				t.Errorf("%s %v: %d runs and %d redundant, want %d", c.name, shape, full, e.redundant, c.runs)
			}
			if ok, why := s.Complete(); !ok {
				t.Error(c.name, why)
			}
		}
	}
}

// orders counts by brute force the classes of interleavings of n threads that each read and then write one word, where
// two adjacent reads may be exchanged. A class is determined by the write that each read observes, and the order of the
// writes.
func orders(n int) int {
	seen := map[string]bool{}
	var walk func(pos []int, last string, key []string)
	walk = func(pos []int, last string, key []string) {
		moved := false
		for i := range pos {
			if pos[i] == 2 {
				continue
			}
			moved = true
			next := slices.Clone(pos)
			next[i]++
			k := slices.Clone(key)
			if pos[i] == 0 {
				k[i] = last
				walk(next, last, k)
			} else {
				k[n] += fmt.Sprint(i)
				walk(next, fmt.Sprint(i), k)
			}
		}
		if !moved {
			seen[fmt.Sprint(key)] = true
		}
	}
	walk(make([]int, n), "-", make([]string, n+1))
	return len(seen)
}

// TestAllCounter: threads that count without atomics lose every number of updates but
// the last; each class of interleavings is run once.
func TestAllCounter(t *testing.T) {
	for n := 1; n <= 4; n++ {
		for _, shape := range [][2]uint32{{uint32(n), 1}, {1, uint32(n)}} {
			e := exploreAll(t, kernel(lostUpdate), explore.NewAll(0), explore.Bounds{Workers: 2}, shape[0], shape[1], 1)
			var want []string
			for i := range n {
				want = append(want, fmt.Sprint(i+1))
			}
			if got := slices.Sorted(maps.Keys(e.states)); !slices.Equal(got, want) {
				t.Errorf("%v: final values %q, want %q", shape, got, want)
			}
			if got, want := e.runs-e.redundant, orders(n); got != want {
				t.Errorf("%v: %d runs (and %d redundant), want %d", shape, got, e.redundant, want)
			}
		}
	}
}

// TestAllWaits: programs whose threads wait for each other have finitely many runs.
func TestAllWaits(t *testing.T) {
	barrier := `st.global.u32 [%out], 1; bar.sync 0;
		xor.b32 %r5, %r1, 1; mad.wide.u32 %rd1, %r5, 4, %base; ld.global.u32 %r6, [%rd1]; st.global.u32 [%out+16], %r6; ret;`
	warp := strings.Replace(barrier, "bar.sync 0", "bar.warp.sync 0xffffffff", 1)
	flag := one(0, storeX+storeY) + `W: ld.volatile.global.u32 %r5, [%base+4]; setp.eq.u32 %p1, %r5, 0; @%p1 bra W;
		ld.volatile.global.u32 %r6, [%base]; st.global.u32 [%base+8], %r6; ret;`
	abba := one(0, acquire("A", 0)+acquire("B", 4)+free(4)+free(0)) + one(1, acquire("C", 4)+acquire("D", 0)+free(0)+free(4)) + "ret;"
	for _, c := range []struct {
		name, body string
		n, words   int
		want       string
		most       int
	}{
		{"barrier", barrier, 2, 6, "[1 1 0 0 1 1]", 1},
		{"barrier", barrier, 4, 8, "[1 1 1 1 1 1 1 1]", 1},
		{"warp barrier", warp, 2, 6, "[1 1 0 0 1 1]", 1},
		{"flag", flag, 2, 3, "[1 1 1]", 10},
		{"spin lock", lock, 2, 2, "", 40},
		{"lock order", abba, 2, 2, "[0 0 livelock]", 100},
	} {
		s := explore.NewAll(0)
		e := exploreAll(t, kernel(c.body), s, explore.Bounds{Workers: 2}, 1, uint32(c.n), c.words)
		ok, why := s.Complete()
		if c.want != "" && e.String() != c.want || !ok || e.runs-e.redundant > c.most {
			t.Errorf("%s, %d threads: %s after %d runs and %d redundant %v; want %s", c.name, c.n, e, e.runs-e.redundant, e.redundant, why, c.want)
		}
	}
}

// acquire and free are of a spin lock at an offset.
func acquire(label string, off int) string {
	return fmt.Sprintf("%[1]s: atom.global.cas.b32 %%r9, [%%base+%[2]d], 0, 1; setp.ne.u32 %%p2, %%r9, 0; @%%p2 bra %[1]s; ", label, off)
}

func free(off int) string { return fmt.Sprintf("atom.global.exch.b32 %%r9, [%%base+%d], 0; ", off) }

// op is one operation of a random program: on word v, into or from register 10+r.
type op struct {
	kind, v, r int // 0 load, 1 store of r+1 and the sum of what was loaded, 2 atomic add, 3 compare-and-swap 0 for r+1, 4 fence.sc
}

func (o op) ptx() string {
	at := fmt.Sprintf("[%%base+%d]", 4*o.v)
	switch o.kind {
	case 0:
		return fmt.Sprintf("ld.volatile.global.u32 %%r9, %s; add.u32 %%r10, %%r10, %%r9; ", at)
	case 1:
		return fmt.Sprintf("add.u32 %%r9, %%r10, %d; st.volatile.global.u32 %s, %%r9; ", o.r+1, at)
	case 2:
		return fmt.Sprintf("atom.global.add.u32 %%r9, %s, %d; add.u32 %%r10, %%r10, %%r9; ", at, o.r+1)
	case 3:
		return fmt.Sprintf("atom.global.cas.b32 %%r9, %s, 0, %d; add.u32 %%r10, %%r10, %%r9; ", at, o.r+1)
	}
	return "fence.sc.gpu; "
}

// apply is what the operation does to memory and the sum of the thread.
func (o op) apply(mem *[2]int, sum *int) {
	old := mem[o.v]
	switch o.kind {
	case 0:
		*sum += old
	case 1:
		mem[o.v] = *sum + o.r + 1
	case 2:
		mem[o.v] += o.r + 1
		*sum += old
	case 3:
		if old == 0 {
			mem[o.v] = o.r + 1
		}
		*sum += old
	}
}

// outcomes are the final states of all interleavings, one by one.
func outcomes(prog [][]op) []string {
	seen := map[string]bool{}
	var walk func(pos []int, mem [2]int, sums []int)
	walk = func(pos []int, mem [2]int, sums []int) {
		end := true
		for i := range prog {
			if pos[i] == len(prog[i]) {
				continue
			}
			end = false
			p, m, s := slices.Clone(pos), mem, slices.Clone(sums)
			prog[i][p[i]].apply(&m, &s[i])
			p[i]++
			walk(p, m, s)
		}
		if end {
			seen[strings.Trim(fmt.Sprint(mem, sums), "[]")] = true
		}
	}
	walk(make([]int, len(prog)), [2]int{}, make([]int, len(prog)))
	list := slices.Collect(maps.Keys(seen))
	for i, s := range list {
		list[i] = strings.NewReplacer("[", "", "]", "").Replace(s)
	}
	slices.Sort(list)
	return list
}

// TestAllRandom: random programs end in the states that their interleavings, tried one
// by one, end in.
func TestAllRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	programs := 150
	if testing.Short() {
		programs = 30
	}
	for range programs {
		prog := make([][]op, 2+rng.IntN(2))
		body := "mov.u32 %r10, 0; "
		for i := range prog {
			code := ""
			for range 1 + rng.IntN(3) {
				o := op{rng.IntN(5), rng.IntN(2), rng.IntN(3)}
				prog[i] = append(prog[i], o)
				code += o.ptx()
			}
			body += one(i, code+keep(10, 2+i))
		}
		n := uint32(len(prog))
		s := explore.NewAll(0)
		e := exploreAll(t, kernel(body+"ret;"), s, explore.Bounds{Workers: 2}, 1, n, 2+len(prog))
		got := slices.Sorted(maps.Keys(e.states))
		if want := outcomes(prog); !slices.Equal(got, want) {
			t.Fatalf("%v:\n%q, want\n%q", prog, got, want)
		}
	}
}
