package precise_test

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Litmus tests are written as steps in the order in which they happen: a thread, an
// operation as PTX spells it, a location. Threads are A and B of block 0, in two warps;
// C of block 1, in the same cluster; D and E of block 2, in another one, in two warps. F and G are
// lanes of another warp of block 1, and H is both of them. bar is the barrier of a block, which the
// second of the two threads that arrive completes.
var litmusThreads = map[string]abi.Event{
	"A": {Block: 0, Warp: 0, Mask: 1, Live: 1}, "B": {Block: 0, Warp: 1, Mask: 1, Live: 1}, "C": {Block: 1, Warp: 0, Mask: 1, Live: 1},
	"D": {Block: 2, Warp: 0, Mask: 1, Live: 1}, "E": {Block: 2, Warp: 1, Mask: 1, Live: 1},
	"F": {Block: 1, Warp: 1, Mask: 1, Live: 3}, "G": {Block: 1, Warp: 1, Mask: 2, Live: 3}, "H": {Block: 1, Warp: 1, Mask: 3, Live: 3},
}

var (
	litmusScopes = map[string]abi.Scope{"cta": abi.ScopeCTA, "cluster": abi.ScopeCluster, "gpu": abi.ScopeGPU, "sys": abi.ScopeSys}
	litmusSems   = map[string]abi.Semantics{
		"weak": abi.SemWeak, "volatile": abi.SemVolatile, "relaxed": abi.SemRelaxed, "acquire": abi.SemAcquire,
		"release": abi.SemRelease, "acq_rel": abi.SemAcqRel, "sc": abi.SemSC,
	}
)

// litmusEvents are the events of steps; step i has site i+1.
func litmusEvents(t *testing.T, steps []string) (out []abi.Event) {
	t.Helper()
	arrived := map[uint64][]abi.Event{}
	for i, step := range steps {
		words := strings.Fields(step)
		ev, ok := litmusThreads[words[0]]
		if !ok {
			t.Fatalf("%q: no thread", step)
		}
		ev.Site, ev.Cluster = uint32(i+1), clusterOf(ev.Block)
		op := strings.Split(words[1], ".")
		ev.Kind, ev.Sem = abi.EventAccess, abi.SemWeak
		switch op[0] {
		case "st":
			ev.Access, ev.Wrote = abi.AccessStore, ev.Mask
		case "atom", "red":
			ev.Access, ev.Wrote, ev.Reduces, ev.Sem = abi.AccessRMW, ev.Mask, op[0] == "red", abi.SemRelaxed
		case "cas":
			ev.Access, ev.Wrote, ev.Atomic, ev.Sem = abi.AccessRMW, ev.Mask, abi.AtomicCAS, abi.SemRelaxed
		case "exch":
			ev.Access, ev.Wrote, ev.Atomic, ev.Sem = abi.AccessRMW, ev.Mask, abi.AtomicExch, abi.SemRelaxed
		case "fence":
			ev.Kind = abi.EventFence
		case "end":
			ev.Kind, ev.Sem = abi.EventBlockEnd, abi.SemNone
		case "bar":
			ev.Kind, ev.Sem = abi.EventBarrierArrive, abi.SemNone
			out, arrived[ev.Block] = append(out, ev), append(arrived[ev.Block], ev)
			if both := arrived[ev.Block]; len(both) == 2 {
				out, arrived[ev.Block] = append(out, passed(both)...), nil
			}
			continue
		}
		for _, m := range op[1:] {
			if s, ok := litmusSems[m]; ok {
				ev.Sem = s
			} else {
				ev.Scope = litmusScopes[m]
			}
		}
		if len(words) > 2 {
			ev.Space, ev.Bytes, ev.Valued = abi.SpaceGlobal, 4, true
			lane := bits.TrailingZeros32(ev.Mask)
			ev.Addr[lane], ev.New[lane] = 0x1000+64*uint64(words[2][0]), uint64(i+1)
		}
		out = append(out, ev)
	}
	return out
}

// passed are the events after the last of some arrivals at a barrier.
func passed(arrived []abi.Event) []abi.Event {
	complete := arrived[len(arrived)-1]
	complete.Kind = abi.EventBarrierComplete
	out := []abi.Event{complete}
	for _, ev := range arrived {
		ev.Kind = abi.EventBarrierPass
		out = append(out, ev)
	}
	return out
}

// races are the pairs of steps that race, counted from 0, such as "0-5 1-3".
func litmusRaces(pairs map[race]bool) string {
	var words []string
	for p := range pairs {
		words = append(words, fmt.Sprintf("%d-%d", p.first-1, p.second-1))
	}
	slices.Sort(words)
	return strings.Join(words, " ")
}

func checkLitmus(t *testing.T, steps []string, want string) {
	t.Helper()
	events := litmusEvents(t, steps)
	if got := litmusRaces(detected(t, events)); got != want {
		t.Errorf("%s\nraces: %q, want %q", strings.Join(steps, "; "), got, want)
	}
	if got := litmusRaces(newOracle(events).races()); got != want {
		t.Errorf("%s\nthe oracle finds %q, want %q", strings.Join(steps, "; "), got, want)
	}
}

// TestLitmus: the classic shapes, with verdicts that follow from the axioms of the
// manual. x, y, z are synchronised by; d is data.
func TestLitmus(t *testing.T) {
	for name, c := range map[string]struct{ steps, want string }{
		"store buffering":       {"A st.relaxed.gpu x; C st.relaxed.gpu y; A ld.relaxed.gpu y; C ld.relaxed.gpu x", ""},
		"store buffering, weak": {"A st.weak x; C st.weak y; A ld.weak y; C ld.weak x", "0-3 1-2"},
		// C has not seen A's store, so that C's fence precedes A's or A's read would have
		// found y: data of the one who comes first is safe.
		"store buffering guards data": {
			"C st.weak d; C st.relaxed.gpu y; C fence.sc.gpu; C ld.relaxed.gpu x; A st.relaxed.gpu x; A fence.sc.gpu; A ld.weak d", "",
		},
		"the same without fence.sc": {
			"C st.weak d; C st.relaxed.gpu y; C fence.acq_rel.gpu; C ld.relaxed.gpu x; A st.relaxed.gpu x; A fence.acq_rel.gpu; A ld.weak d", "0-6",
		},
		"fences alone order nothing": {"A st.weak d; A fence.sc.gpu; C fence.sc.gpu; C ld.weak d", "0-3"},
		// F's fence precedes G's, as G reads what was written after F's store. F reads before G, knows what G
		// knows, and need not observe its own release.
		"lanes that know the same": {
			"C ld.weak e; C bar; H bar; D fence.sc.gpu; D st.relaxed.gpu x; F st.weak d; F fence.sc.gpu; F st.relaxed.gpu x; " +
				"A st.relaxed.gpu x; F ld.relaxed.gpu x; G ld.relaxed.gpu x; G fence.sc.gpu; G ld.weak d", "",
		},
		// C stores after A and reads nothing.
		"a store after a store": {
			"A st.weak d; A fence.sc.gpu; A st.relaxed.gpu x; C st.relaxed.gpu x; C fence.sc.gpu; C ld.weak d", "",
		},
		// The fence of the one who wrote and that of the one who reads are not those of the
		// ones who signal and poll.
		"barriers between fences and the flag": {
			"A st.weak d; A fence.sc.gpu; A bar; B bar; B atom.relaxed.gpu x; D atom.relaxed.gpu x; D bar; E bar; E fence.sc.gpu; E ld.weak d", "",
		},
		"the same without fence.sc, barriers between": {
			"A st.weak d; A fence.acq_rel.gpu; A bar; B bar; B atom.relaxed.gpu x; D atom.relaxed.gpu x; D bar; E bar; E fence.sc.gpu; E ld.weak d", "0-9",
		},
		"the flag before the barrier": {
			"A st.weak d; A fence.sc.gpu; B atom.relaxed.gpu x; A bar; B bar; D atom.relaxed.gpu x; D bar; E bar; E fence.sc.gpu; E ld.weak d", "0-9",
		},
		"the poll after the barrier": {
			"A st.weak d; A fence.sc.gpu; A bar; B bar; B atom.relaxed.gpu x; D bar; E bar; D atom.relaxed.gpu x; E fence.sc.gpu; E ld.weak d", "0-9",
		},
		"too narrow a fence before the barrier": {
			"A st.weak d; A fence.sc.cta; A bar; B bar; B atom.relaxed.gpu x; D atom.relaxed.gpu x; D bar; E bar; E fence.sc.gpu; E ld.weak d", "0-9",
		},
		"load buffering":             {"A ld.relaxed.gpu x; C ld.relaxed.gpu y; A st.relaxed.gpu y; C st.relaxed.gpu x", ""},
		"load buffering, weak":       {"A ld.weak x; C ld.weak y; A st.weak y; C st.weak x", "0-3 1-2"},
		"independent reads":          {"A st.relaxed.gpu x; C st.relaxed.gpu y; B ld.acquire.gpu x; D ld.acquire.gpu y; B ld.relaxed.gpu y; D ld.relaxed.gpu x", ""},
		"independent reads of data":  {"A st.weak d; A st.release.gpu x; B ld.acquire.gpu x; D ld.acquire.gpu x; B ld.weak d; D ld.weak d", ""},
		"coherence, strong":          {"A st.relaxed.sys x; C st.volatile x; D ld.relaxed.sys x; D ld.volatile x", ""},
		"coherence, scopes":          {"A st.relaxed.cta x; B ld.relaxed.cta x; C ld.relaxed.gpu x", "0-2"},
		"write to read causality":    {"A st.weak d; A st.release.gpu x; C ld.acquire.gpu x; C st.release.gpu y; D ld.acquire.gpu y; D ld.weak d", ""},
		"the middle only observes":   {"A st.weak d; A st.release.gpu x; C ld.relaxed.gpu x; C st.release.gpu y; D ld.acquire.gpu y; D ld.weak d", "0-5"},
		"the middle reaches a block": {"A st.weak d; A st.release.cta x; B ld.acquire.cta x; B st.release.gpu y; D ld.acquire.gpu y; D ld.weak d", ""},
		"the middle is too narrow":   {"A st.weak d; A st.release.gpu x; C ld.acquire.gpu x; C st.release.cluster y; D ld.acquire.gpu y; D ld.weak d", "0-5 3-4"},
		"ISA2":                       {"A st.weak d; A st.release.gpu x; C ld.acquire.gpu x; C st.release.gpu y; D ld.acquire.gpu y; D ld.weak d; D st.weak d", ""},
		"2+2W":                       {"A st.relaxed.gpu x; C st.relaxed.gpu y; A st.relaxed.gpu y; C st.relaxed.gpu x", ""},
		"2+2W, weak":                 {"A st.weak x; C st.weak y; A st.weak y; C st.weak x", "0-3 1-2"},
		"through atomics":            {"A st.weak d; A st.release.gpu x; C atom.relaxed.gpu x; D ld.acquire.gpu x; D ld.weak d", ""},
		"through a store":            {"A st.weak d; A st.release.gpu x; C st.relaxed.gpu x; D ld.acquire.gpu x; D ld.weak d", "0-4"},
		"through a narrow atomic":    {"A st.weak d; A st.release.gpu x; C atom.relaxed.cta x; D ld.acquire.gpu x; D ld.weak d", "0-4 1-2 2-3"},
		"red acquires nothing":       {"A st.weak d; A st.release.gpu x; C red.relaxed.gpu x; C fence.acq_rel.gpu; C ld.weak d", "0-4"},
		"atom and fence acquire":     {"A st.weak d; A st.release.gpu x; C atom.relaxed.gpu x; C fence.acq_rel.gpu; C ld.weak d", ""},
		"release, then a store":      {"A st.weak d; A st.release.gpu x; A st.relaxed.gpu x; C ld.acquire.gpu x; C ld.weak d", ""},
		"read, then an acquire":      {"A st.weak d; A st.release.gpu x; C ld.relaxed.gpu x; D st.relaxed.gpu x; C ld.acquire.gpu x; C ld.weak d", ""},
		"narrow acquire, a fence":    {"A st.weak d; A st.release.gpu x; D atom.relaxed.gpu x; E ld.acquire.cta x; E fence.acq_rel.gpu; E ld.weak d", "1-3"},
		"narrow acquire, a wide one": {"A st.weak d; A st.release.gpu x; D atom.relaxed.gpu x; E ld.acquire.cta x; C st.relaxed.gpu x; E ld.acquire.gpu x; E ld.weak d", "1-3 3-4"},
		"read, two acquires":         {"A st.weak d; A st.release.gpu x; C ld.relaxed.gpu x; D st.relaxed.gpu x; C ld.acquire.cta x; C ld.acquire.gpu x; C ld.weak d", "3-4"},
		"narrow acquire only":        {"A st.weak d; A st.release.gpu x; D atom.relaxed.gpu x; E ld.acquire.cta x; E ld.weak d", "0-4 1-3"},
		"data after the release":     {"A st.release.gpu x; A st.weak d; C ld.acquire.gpu x; C ld.weak d", "1-3"},
		// What is observed precedes what follows the read, with no acquire: the last of a
		// counter's users may reset it.
		"counter reset": {"A atom.relaxed.gpu x; C atom.relaxed.gpu x; C st.weak x", ""},
		// A barrier passes on that A's fence precedes, in Fence-SC order, the fences that follow D's access, although D
		// has also observed what A has released.
		"fence order passed on by a barrier": {"A st.weak d; A fence.sc.gpu; A atom.relaxed.gpu x; D atom.relaxed.gpu x; D bar; E bar; E fence.sc.gpu; E ld.weak d", ""},
		"observation not passed on":          {"A st.weak d; A fence.acq_rel.gpu; A atom.relaxed.gpu x; D atom.relaxed.gpu x; D bar; E bar; E fence.sc.gpu; E ld.weak d", "0-7"},
		"counter reset by the first":         {"A atom.relaxed.gpu x; C atom.relaxed.gpu x; A st.weak x", "1-2"},
	} {
		t.Run(name, func(t *testing.T) { checkLitmus(t, strings.Split(c.steps, "; "), c.want) })
	}
}

// TestFenceOrderElsewhere: fence.sc that precede each other because of accesses that only
// acquires and releases of other threads order with them. The axioms force that: were the
// second fence first, what follows it would precede A's fence and with it B's write, which D has read
// before. The detector does not follow this order and reports the race.
func TestFenceOrderElsewhere(t *testing.T) {
	for name, steps := range map[string]string{
		"passed on by a release":   "A st.weak d; A fence.sc.gpu; A st.release.gpu y; B ld.acquire.gpu y; B atom.relaxed.gpu x; D atom.relaxed.gpu x; D fence.sc.gpu; D ld.weak d",
		"passed back by a release": "A st.weak d; A fence.sc.gpu; A atom.relaxed.gpu x; D atom.relaxed.gpu x; D st.release.gpu y; E ld.acquire.gpu y; E fence.sc.gpu; E ld.weak d",
	} {
		t.Run(name, func(t *testing.T) {
			checkLitmus(t, strings.Split(steps, "; "), "0-7")
			if got := litmusRaces(newWholeOracle(litmusEvents(t, strings.Split(steps, "; "))).races()); got != "" {
				t.Errorf("the axioms leave %q", got)
			}
		})
	}
}

// TestMessagePassing: all ways to pass a message, between threads in all places. It
// arrives when the writer releases, the reader acquires, and each of the four
// operations reaches the other thread.
func TestMessagePassing(t *testing.T) {
	reach := map[string]int{"cta": 0, "cluster": 1, "gpu": 2, "sys": 2}
	for reader, apart := range map[string]int{"B": 0, "C": 1, "D": 2} {
		for _, order := range []string{"none", "release", "acq_rel", "sc"} {
			for outer, far := range reach {
				for inner, near := range reach {
					for _, sides := range []string{"writer", "reader", "both"} {
						steps, want := []string{"A st.weak d"}, ""
						write, read := "A st.relaxed."+inner+" x", reader+" ld.relaxed."+inner+" x"
						var fences [2]string
						strong, synced := near >= apart, near >= apart && sides == "both" && order != "none"
						switch order {
						case "release":
							if sides != "reader" {
								write = "A st.release." + inner + " x"
							}
							if sides != "writer" {
								read = reader + " ld.acquire." + inner + " x"
							}
						case "acq_rel", "sc":
							if sides != "reader" {
								fences[0] = "A fence." + order + "." + outer
							}
							if sides != "writer" {
								fences[1] = reader + " fence." + order + "." + outer
							}
							synced = synced && far >= apart
						}
						for _, s := range []string{fences[0], write, read, fences[1], reader + " ld.weak d"} {
							if s != "" {
								steps = append(steps, s)
							}
						}
						if !synced {
							want = fmt.Sprintf("0-%d", len(steps)-1)
						}
						if !strong {
							w := slices.Index(steps, write)
							want = strings.TrimSpace(want + fmt.Sprintf(" %d-%d", w, w+1))
						}
						checkLitmus(t, steps, want)
					}
				}
			}
		}
	}
}

// TestBarracudaFigure4: message passing between blocks with the fences of Figure 4 of
// "BARRACUDA: Binary-level Analysis of Runtime RAces in CUDA programs", PLDI 2017, and
// plain accesses between them, which are volatile here so that they may synchronise.
// The paper saw weak behaviour with two block fences only, on one of two GPUs; the manual
// gives no guarantee when either is one.
func TestBarracudaFigure4(t *testing.T) {
	for _, c := range []struct{ first, second, want string }{
		{"cta", "cta", "0-5"},
		{"cta", "gpu", "0-5"},
		{"gpu", "cta", "0-5"},
		{"gpu", "gpu", ""},
	} {
		checkLitmus(t, []string{
			"A st.weak d", "A fence.sc." + c.first, "A st.volatile y",
			"D ld.volatile y", "D fence.sc." + c.second, "D ld.weak d",
		}, c.want)
	}
}
