package emulated_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/racesuite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// litmusShapes are the classic shapes, in the naming of Alglave, Maranget and Tautschnig
// (Herding Cats, TOPLAS 2014). A hop is a pair of threads of which the first passes
// a message that the second needs in order to go on.
var litmusShapes = []struct {
	name    string
	threads []string
	hops    [][2]int
}{
	{"MP", []string{"Wd1~ Wx1", "Rx? Rd~"}, [][2]int{{0, 1}}},
	{"ISA2", []string{"Wd1~ Wx1", "Rx? Wy1", "Ry? Rd~"}, [][2]int{{0, 1}, {1, 2}}},
	// The first hop need not synchronise: thread 1 has observed the value that is read weakly (PTX ISA, causality
	// order).
	{"WRC", []string{"Wx1", "Rx? Wy1", "Ry? Rx~"}, [][2]int{{1, 2}}},
	{"SB", []string{"Wx1 Ry", "Wy1 Rx"}, nil},
	{"LB", []string{"Rx Wy1", "Ry Wx1"}, nil},
	{"IRIW", []string{"Wx1", "Wy1", "Rx Ry", "Ry Rx"}, nil},
	{"2+2W", []string{"Wx1 Wy2", "Wy1 Wx2"}, nil},
	{"CoRR", []string{"Wx1", "Rx Rx"}, nil},
	{"CoWW", []string{"Wx1 Wx2", "Rx"}, nil},
	{"CoWR", []string{"Wx1 Rx", "Wx2"}, nil},
	{"CoRW", []string{"Rx Wx1", "Wx2"}, nil},
}

// reaches reports whether a scope includes the other threads.
func reaches(scope string, oneBlock bool) bool { return oneBlock || scope != "cta" }

// strong reports whether accesses are strong, with a scope that includes the other threads.
func (s litmusSide) strong(oneBlock bool) bool {
	return s.access != "weak" && reaches(s.scope, oneBlock)
}

// orders reports whether a strong access and the fence between it and the data form a release or acquire pattern that
// reaches the other threads.
func (s litmusSide) orders(oneBlock bool) bool {
	_, scope, fenced := strings.Cut(s.fence, ".")
	return s.access == "ordered" || fenced && reaches(scope, oneBlock)
}

// litmusRaces returns the verdict, derived from the manual (PTX ISA, Memory Consistency Model). Accesses to flags race
// unless they are morally strong, as no shape orders all of them in all executions. Given that, the data do not race
// when each hop has a release pattern on one side and an acquire pattern on the other.
func litmusRaces(sides []litmusSide, hops [][2]int, oneBlock bool) bool {
	for _, s := range sides {
		if !s.strong(oneBlock) {
			return true
		}
	}
	for _, h := range hops {
		if !sides[h[0]].orders(oneBlock) || !sides[h[1]].orders(oneBlock) {
			return true
		}
	}
	return false
}

// TestLitmus runs each shape in all orders, with every combination of accesses, scopes, fences and
// places. Final states are those of sequential consistency.
func TestLitmus(t *testing.T) {
	for i, c := range litmusShapes {
		if testing.Short() && i%4 != 0 {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, s := range litmusSides() {
				checkLitmus(t, c.threads, slices.Repeat([]litmusSide{s}, len(c.threads)), c.hops)
			}
		})
	}
}

// TestLitmusMixed is message passing whose sides synchronise in different ways.
func TestLitmusMixed(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	mp := litmusShapes[0]
	for _, a := range litmusSides() {
		for _, b := range litmusSides() {
			if a != b && a.access != "volatile" && b.access != "volatile" {
				checkLitmus(t, mp.threads, []litmusSide{a, b}, mp.hops)
			}
		}
	}
}

// checkLitmus compares a test with its outcomes and its verdict, in both places.
func checkLitmus(t *testing.T, text []string, sides []litmusSide, hops [][2]int) {
	t.Helper()
	var threads [][]litmusOp
	for _, x := range text {
		threads = append(threads, litmusThread(x))
	}
	src := litmusPTX(threads, sides)
	for _, oneBlock := range []bool{true, false} {
		rep := exploreText(t, src, litmusYAML(len(threads), oneBlock))
		if got, want := outcomesOf(rep), litmusOutcomes(threads); !slices.Equal(got, want) {
			t.Errorf("%v, one block: %v: outcomes\n%q, want\n%q", sides, oneBlock, got, want)
		}
		if got, want := rep.Count(report.Error) > 0, litmusRaces(sides, hops, oneBlock); got != want {
			t.Errorf("%v, one block: %v: races: %v, want %v\n%s", sides, oneBlock, got, want, src)
		}
		if !rep.Exploration.Complete || len(rep.Faults) > 0 {
			t.Errorf("%v: incomplete (%v) or with faults", sides, rep.Exploration.Limits)
		}
	}
}

// exploreText explores a kernel exhaustively with precise, and counts outcomes.
func exploreText(t *testing.T, src, yaml string) *report.Report {
	t.Helper()
	file, err := launch.Parse("litmus.yaml", []byte(yaml), launch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	k := racesuite.NewRun(t, racesuite.Program(t, "litmus.ptx", []byte(src)), file, "precise")
	e := k.Exploration(session.Search{Name: "exhaustive", Runs: session.DefaultExhaustive}, 1)
	for i := range file.Buffers {
		e.Outcomes = append(e.Outcomes, &file.Buffers[i])
	}
	rep, err := e.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// outcomesOf spells final states as litmusOutcomes does.
func outcomesOf(rep *report.Report) []string {
	seen := map[string]bool{}
	for _, o := range rep.Exploration.Outcomes {
		words := o.Fault
		for _, b := range o.Buffers {
			words += " " + fmt.Sprint(b.Values)
		}
		seen[strings.TrimSpace(words)] = true
	}
	return slices.Sorted(maps.Keys(seen))
}
