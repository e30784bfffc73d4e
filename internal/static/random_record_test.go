package static_test

import (
	"context"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// TestRecorded: of random kernels, an analysis with the refutations that an earlier one recorded proves the same pairs
// without a solver, and one without them proves fewer. An analysis without a record uses refutations in other queries;
// it proves no pair whose own query has a solution.
func TestRecorded(t *testing.T) {
	proved, recorded, kernels := 0, 0, uint64(32)
	if testing.Short() {
		kernels = 8
	}
	for seed := range kernels {
		k := families[seed%uint64(len(families))].make(seed)
		program, err := session.Parse("k.ptx", []byte(k.text))
		if err != nil {
			t.Fatal(err)
		}
		l := &k.launches[0]
		analyze := func(p *static.Proofs) *static.Result {
			r, err := static.Analyze(context.Background(), program.Module.Func(l.kernel), l.given(k.size), static.Options{Budget: randomBudget, ProofOnly: true, Proofs: p})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		record := static.NewRecord()
		first, plain := analyze(record), analyze(nil)
		replay := static.FromRecord(record.Refutations(), record.Assignments())
		second, bare := analyze(replay), analyze(static.FromRecord(nil, record.Assignments()))
		if replay.Wrong() != nil || len(first.Pairs) != len(second.Pairs) || second.Queries > 0 {
			t.Fatalf("seed %d: %v, %d pairs and %d, %d queries", seed, replay.Wrong(), len(first.Pairs), len(second.Pairs), second.Queries)
		}
		for i, p := range first.Pairs {
			if plain.Pairs[i].Verdict == static.Clean && p.Reason == "the conditions can be met" {
				t.Errorf("seed %d: %s | %s: proved without a record, and the conditions can be met", seed, p.First.Inst.Text(), p.Second.Inst.Text())
			}
			if p.Verdict != static.Clean {
				continue
			}
			proved++
			if second.Pairs[i].Verdict != static.Clean {
				t.Errorf("seed %d: %s | %s: proved, and open with the record: %s", seed, p.First.Inst.Text(), p.Second.Inst.Text(), second.Pairs[i].Reason)
			}
			if bare.Pairs[i].Verdict != static.Clean {
				recorded++
			}
		}
	}
	if t.Logf("%d pairs, %d of them only with the record", proved, recorded); recorded < int(kernels)/4 {
		t.Errorf("%d of %d pairs need the record", recorded, proved)
	}
}
