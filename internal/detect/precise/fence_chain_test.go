package precise_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/precise"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// chainSteps returns random steps of threads in blocks of their own and in two blocks of two warps: accesses of data,
// fences, and accesses of two locations, most of them atomic operations. No scope excludes a thread.
func chainSteps(r *rand.Rand, barriers bool) []string {
	threads := []string{"A", "B", "C", "D", "E"}
	var steps []string
	waits := map[string]string{"A": "B", "B": "A", "D": "E", "E": "D"}
	message := r.IntN(3) > 0
	if message && r.IntN(2) == 0 { // a chain that has ended
		steps = append(steps, "E fence.sc.gpu", "E atom.relaxed.gpu x", "E st.relaxed.gpu x")
	}
	if message {
		steps = append(steps, "A st.weak d", "A fence.sc.gpu", "A atom.relaxed.gpu x", "B st.weak e", "B fence.sc.gpu", "B atom.relaxed.gpu x")
		if r.IntN(2) == 0 {
			steps = append(steps, "C fence.sc.gpu", "C atom.relaxed.gpu x")
		}
	}
	for range 4 + r.IntN(12) {
		by, at := threads[r.IntN(len(threads))], "x"
		if r.IntN(4) == 0 {
			at = "y"
		}
		switch r.IntN(12) {
		case 0, 1:
			steps = append(steps, by+" st.weak "+string("de"[r.IntN(2)]))
		case 2:
			steps = append(steps, by+" ld.weak d")
		case 3, 4:
			steps = append(steps, by+" fence.sc.gpu")
		case 5, 6, 7:
			steps = append(steps, by+" atom.relaxed.gpu "+at)
		case 8:
			steps = append(steps, by+" red.relaxed.gpu "+at)
		case 9:
			steps = append(steps, by+" st.relaxed.gpu "+at)
		case 10:
			steps = append(steps, by+" ld.relaxed.gpu "+at)
		case 11:
			switch other := waits[by]; {
			case barriers && other != "":
				steps = append(steps, by+" bar", other+" bar")
			case r.IntN(2) == 0:
				steps = append(steps, by+" fence.acq_rel.gpu")
			default:
				steps = append(steps, by+" st.weak "+at)
			}
		}
	}
	if message {
		operation := []string{"st.relaxed.gpu", "red.relaxed.gpu", "ld.relaxed.gpu"}[r.IntN(3)]
		steps = append(steps, "D "+operation+" x", "D fence.sc.gpu", "D ld.weak d", "D ld.weak e")
	}
	return steps
}

// apart returns the events of steps by blocks that are no cluster.
func apart(t *testing.T, steps []string) []abi.Event {
	events := litmusEvents(t, steps)
	for i := range events {
		events[i].Cluster = events[i].Block
	}
	return events
}

// TestFenceChains: fences before atomic operations that a chain stands for, and those before other writes, order what
// the axioms say.
func TestFenceChains(t *testing.T) {
	racy := 0
	for _, several := range []int{1, 2} {
		defer precise.LimitRecentJoins(several)()
		for seed := range uint64(*traces) / 2 {
			events := apart(t, chainSteps(rand.New(rand.NewPCG(seed, uint64(several))), seed%2 == 0))
			if len(newOracle(events).races()) > 0 {
				racy++
			}
			agree(t, seed, events)
		}
	}
	if n := *traces; n > 100 && (racy < n/10 || racy > n*95/100) {
		t.Errorf("%d of %d traces race: too few of one kind", racy, n)
	}
}

// TestChainLitmus: who follows the fences before the writes of a chain, and what ends it. All scopes are those of the
// GPU.
func TestChainLitmus(t *testing.T) {
	for name, c := range map[string]struct{ steps, want string }{
		"a store follows a chain":         {"A st.weak d; A fence.sc.gpu; A atom.relaxed.gpu x; C atom.relaxed.gpu x; D st.relaxed.gpu x; D fence.sc.gpu; D ld.weak d", ""},
		"a reduction follows a chain":     {"A st.weak d; A fence.sc.gpu; A atom.relaxed.gpu x; D red.relaxed.gpu x; D fence.sc.gpu; D ld.weak d", ""},
		"a reduction acquires nothing":    {"A st.weak d; A fence.sc.gpu; A atom.relaxed.gpu x; D red.relaxed.gpu x; D fence.acq_rel.gpu; D ld.weak d", "0-5"},
		"after a store that ends a chain": {"A st.weak d; A fence.sc.gpu; A atom.relaxed.gpu x; C st.relaxed.gpu x; D ld.relaxed.gpu x; D fence.sc.gpu; D ld.weak d", ""},
		"a second chain that is ended": {
			"A st.weak d; A fence.sc.gpu; A atom.relaxed.gpu x; C fence.sc.gpu; C st.relaxed.gpu x; B atom.relaxed.gpu x; E st.relaxed.gpu x; D ld.relaxed.gpu x; D fence.sc.gpu; D ld.weak d", "",
		},
		"a weak store ends a chain":   {"A st.weak d; A fence.sc.gpu; A atom.relaxed.gpu x; C st.weak x; D st.relaxed.gpu x; D fence.sc.gpu; D ld.weak d", "2-3 3-4"},
		"a fence that is no fence.sc": {"A st.weak d; A fence.sc.gpu; A atom.relaxed.gpu x; C st.weak e; C fence.acq_rel.gpu; C atom.relaxed.gpu x; D red.relaxed.gpu x; D fence.sc.gpu; D ld.weak d; D ld.weak e", "3-9"},
		"passed on by a barrier":      {"A st.weak d; A fence.sc.gpu; A atom.relaxed.gpu x; D atom.relaxed.gpu x; D bar; E bar; E fence.sc.gpu; E ld.weak d", ""},
		"the fence before a barrier":  {"A st.weak d; A fence.sc.gpu; A bar; B bar; B atom.relaxed.gpu x; D atom.relaxed.gpu x; D fence.sc.gpu; D ld.weak d", ""},
	} {
		t.Run(name, func(t *testing.T) {
			events := apart(t, strings.Split(c.steps, "; "))
			if got := litmusRaces(detected(t, events)); got != c.want {
				t.Errorf("races: %q, want %q", got, c.want)
			}
			if got := litmusRaces(newOracle(events).races()); got != c.want {
				t.Errorf("the oracle finds %q, want %q", got, c.want)
			}
		})
	}
}
