package session_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/testgen/regiongen"
	"github.com/ptxsan/ptxsan/runtime/session"
)

var (
	histories    = flag.Uint64("histories", 6, "random orders of launches for TestHistory")
	firstHistory = flag.Uint64("first-history", 1, "seed of the first one")
)

// historyKernels are kernels of (u64 data, u32 n, u32 flags) beside the random ones: of rows of a buffer, of which no
// access needs to be watched; of atomic operations, of volatile and of racing stores to a word, and of words that
// threads of a block exchange, with a barrier unless n says otherwise.
var historyKernels = map[string]string{
	"rows":      "st.global.u32 [%rd2], %r1;",
	"counter":   "atom.global.add.u32 %r5, [%rd1], 1; st.global.u32 [%rd2+4096], %r5;",
	"volatile":  "st.volatile.global.u32 [%rd1], %r1;",
	"racing":    "st.global.u32 [%rd1], %r1;",
	"exchanged": "ld.param.u32 %r7, [n]; setp.ne.u32 %p1, %r7, 0; st.shared.u32 [%rd4], %r1; @%p1 bra READ; bar.sync 0; READ: xor.b32 %r5, %r1, 64; mul.wide.u32 %rd5, %r5, 4; add.u64 %rd5, %rd5, %rd6; ld.shared.u32 %r6, [%rd5]; st.global.u32 [%rd2], %r6;",
}

// historyBlocks is the number of blocks of each launch: enough for launches to come in parts.
const historyBlocks = 64

// historyModule is a module with the kernels above and the random ones.
func historyModule(random []regiongen.Kernel) string {
	var b strings.Builder
	b.WriteString(regiongen.Module(random...))
	for _, name := range slices.Sorted(maps.Keys(historyKernels)) {
		fmt.Fprintf(&b, `.visible .entry %s(.param .u64 data, .param .u32 n, .param .u32 flags)
{
	.reg .pred %%p<2>; .reg .b32 %%r<8>; .reg .b64 %%rd<8>;
	.shared .align 4 .b8 words[512];
	ld.param.u64 %%rd1, [data];
	mov.u32 %%r1, %%tid.x; mov.u32 %%r2, %%ctaid.x; mov.u32 %%r3, %%ntid.x; mad.lo.u32 %%r4, %%r2, %%r3, %%r1;
	mul.wide.u32 %%rd3, %%r4, 4; add.u64 %%rd2, %%rd1, %%rd3;
	mov.u64 %%rd6, words; mul.wide.u32 %%rd3, %%r1, 4; add.u64 %%rd4, %%rd6, %%rd3;
	%s
	ret;
}
`, name, historyKernels[name])
	}
	return b.String()
}

// historyRaces launches kernels one after the other, and returns the races of each, by its name.
func historyRaces(t *testing.T, p *session.Program, launches []regiongen.Kernel, detector string) map[string][]string {
	t.Helper()
	var buffers, list strings.Builder
	known := map[string]bool{}
	for _, k := range launches {
		if !known[k.Name] {
			fmt.Fprintf(&buffers, "  b_%s: {type: u32, count: %d, init: 0}\n", k.Name, historyBlocks*k.Block+2048)
		}
		known[k.Name] = true
		fmt.Fprintf(&list, "  - {kernel: %[1]s, grid: %[2]d, block: %[3]d, shared: %[4]d, args: [b_%[1]s, %[5]d, %[6]d]}\n", k.Name, historyBlocks, k.Block, k.Shared, k.N, k.Flags)
	}
	plan, err := planOf(p, buffers.String(), list.String())
	if err != nil {
		t.Fatal(err)
	}
	var o session.Options
	o.Emulator.Workers = 2
	if o.Detectors, err = session.ParseDetectors(detector); err != nil {
		t.Fatal(err)
	}
	s, err := session.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	rep, err := plan.Check(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	if len(rep.Faults) > 0 {
		t.Fatalf("%s: %s", detector, rep.Faults[0].Message)
	}
	races := make(map[string][]string)
	for _, x := range rep.Races {
		races[x.First.Kernel] = append(races[x.First.Kernel], fmt.Sprintf("%s %s %d-%d", x.Space, x.Kind, x.First.PTX.Line, x.Second.PTX.Line))
	}
	for _, list := range races {
		slices.Sort(list)
	}
	return races
}

// TestHistory: the races that detectors find in launches of several kernels, in any order, are those that they find
// when each kernel is launched alone.
func TestHistory(t *testing.T) {
	seeds := *histories
	if testing.Short() {
		seeds = min(seeds, 2)
	}
	racy := 0
	for seed := *firstHistory; seed < *firstHistory+seeds; seed++ {
		rnd := rand.New(rand.NewPCG(seed, 0x68697374))
		random := []regiongen.Kernel{regiongen.Make(3*seed + 1), regiongen.Make(3*seed + 2), regiongen.Make(3*seed + 3)}
		kernels := slices.Clone(random)
		for _, name := range slices.Sorted(maps.Keys(historyKernels)) {
			kernels = append(kernels, regiongen.Kernel{Name: name, Block: 128}, regiongen.Kernel{Name: name, Block: 128, N: 1})
		}
		p, err := session.Parse("k.ptx", []byte(historyModule(random)))
		if err != nil {
			t.Fatal(err)
		}
		var order []regiongen.Kernel
		var names string
		for range 12 {
			k := kernels[rnd.IntN(len(kernels))]
			order, names = append(order, k), fmt.Sprintf("%s %s(%d)", names, k.Name, k.N)
		}
		for _, detector := range []string{"precise", "precise<elide=false>", "barracuda", "scord", "iguard"} {
			got := historyRaces(t, p, order, detector)
			want := make(map[string][]string)
			for i, k := range order {
				if slices.Contains(order[:i], k) {
					continue
				}
				alone := historyRaces(t, p, []regiongen.Kernel{k}, detector)[k.Name]
				racy += min(len(alone), 1)
				want[k.Name] = slices.Compact(slices.Sorted(slices.Values(append(want[k.Name], alone...))))
			}
			for name, races := range want {
				if !slices.Equal(got[name], races) {
					t.Errorf("seed %d, %s, %s: races %v, alone %v, in the order %s", seed, detector, name, got[name], races, names)
				}
			}
		}
	}
	if racy < int(seeds) {
		t.Errorf("%d kernels race, too few", racy)
	}
}
