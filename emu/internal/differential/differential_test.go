package differential

import (
	"os"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

func TestMain(m *testing.M) {
	emu.GuardPages()
	os.Exit(m.Run())
}

// TestGenerateDeterministic: a seed always gives the same program.
func TestGenerateDeterministic(t *testing.T) {
	for seed := range uint64(50) {
		a, b := Generate(seed, 90), Generate(seed, 90)
		if a.Source() != b.Source() || string(a.Memory()) != string(b.Memory()) || string(a.Input()) != string(b.Input()) {
			t.Fatalf("program %d differs from itself", seed)
		}
	}
}

// TestGenerateCovers: a few hundred programs use every operation and every construct.
func TestGenerateCovers(t *testing.T) {
	var text strings.Builder
	for seed := range uint64(400) {
		text.WriteString(Generate(seed, 90).Source())
	}
	for _, name := range append(OperationNames(90),
		"struct ", "union ", "switch ", "do {", "while (", "break;", "continue;", "return result;", "pointers[", "depth - 1",
		"shuffle<", "shuffle_up<", "shuffle_down<", "shuffle_xor<", "warp_ballot", "warp_self()", "warp_any", "warp_all", "warp_match", "warp_match_all",
		"warp_sum", "warp_least", "warp_most", "warp_and", "warp_or", "warp_xors", "exchange(", "block_exchange", "block_count", "block_any", "block_all",
		"atomic_add", "reduce_add", "atomic_min", "atomic_max", "atomic_and", "atomic_or", "atomic_xor", "atomic_inc", "swap_add", "take(", "trade(",
		"quotient<i8>", "quotient<u64>", "remainder_of<i64>", "truncate<i8>", "stack", "my->q[",
	) {
		if !strings.Contains(text.String(), name) {
			t.Errorf("no program has %q", name)
		}
	}
}

// TestCompareFinds: a program whose memory differs from the reference is reported in every way, with the thread.
func TestCompareFinds(t *testing.T) {
	files := sampleFiles(t)
	s := readSample(t, files[0])
	s.want[8*3] ^= 1
	b := &Batch{Programs: []*Program{s.program}}
	ways := Ways(1)
	list, err := Compare(t.Context(), b, s.ptx, ways, [][]byte{s.want})
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != len(ways) {
		t.Errorf("%d differences, want one for each of %d ways", len(list), len(ways))
	}
	for _, d := range list {
		if !strings.Contains(d.What, "thread 3 of the launch") {
			t.Errorf("%v: want the fourth thread", d)
		}
	}
}

// TestFurtherInputs: the first input runs in every way, each further one in one, and all
// inputs are different.
func TestFurtherInputs(t *testing.T) {
	const inputs = 20
	s := readSample(t, sampleFiles(t)[0])
	b := &Batch{Programs: []*Program{s.program}, Inputs: inputs}
	var wanted [][]byte
	seen := map[string]bool{}
	for _, p := range b.Runs() {
		wanted = append(wanted, make([]byte, len(s.want))) // that no run leaves
		seen[string(p.Input())+string(p.Params())] = true
	}
	ways := Ways(1)
	list, err := Compare(t.Context(), b, s.ptx, ways, wanted)
	if err != nil {
		t.Fatal(err)
	}
	times := map[uint64]int{}
	for _, d := range list {
		times[d.Program.Data]++
	}
	if len(seen) != inputs || len(times) != inputs || times[0] != len(ways) || len(list) != len(ways)+inputs-1 {
		t.Errorf("%d different inputs; they ran %v times", len(seen), times)
	}
}

// TestReduce: the reduced program has only the statements that the difference needs.
func TestReduce(t *testing.T) {
	p := Generate(1, 70)
	const needed = "block_barrier();"
	small := Reduce(p, func(b *Batch) bool {
		return strings.Contains(kernelOf(b), needed)
	})
	text := kernelOf(small)
	if !strings.Contains(text, needed) {
		t.Errorf("the reduced program lacks %q:\n%s", needed, text)
	}
	if n, all := strings.Count(text, "\n"), strings.Count(p.Source(), "\n"); n > 40 || n >= all {
		t.Errorf("%d lines are left of %d:\n%s", n, all, text)
	}
}

// kernelOf returns the text of a batch's programs without the common parts.
func kernelOf(b *Batch) string {
	_, text, _ := strings.Cut(b.Device(), "namespace")
	return text
}
