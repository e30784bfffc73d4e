// Reachability between instructions, compared with a search that follows every instruction.

package symbolize

import (
	"os"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

// TestReachable compares leads, for all pairs of instructions of some kernels and all kinds of stops, with a search of
// single instructions. Functions are searched for instructions of a kind once: a kernel of 100,000 races asks 100,000
// times.
func TestReachable(t *testing.T) {
	src, err := os.ReadFile("../../../../internal/fix/testdata/ways.ptx")
	if err != nil {
		t.Fatal(err)
	}
	tree, err := ptxgrammar.Parse("ways.ptx", src)
	if err != nil {
		t.Fatal(err)
	}
	mod, err := rewrite.Load(tree)
	if err != nil {
		t.Fatal(err)
	}
	ways, stopped := 0, 0
	for _, f := range mod.Funcs {
		for _, kind := range []operationKind{narrowFences, publications, blockBarriers, allBarriers} {
			stops := positionsOf(f, kind)
			f.Memo(kind, func() any { t.Errorf("%s: kind %d is searched for again", f.Name, kind); return stops })
			for _, from := range f.Insts {
				free, held := stepwise(from, nil), stepwise(from, stops)
				for _, to := range f.Insts {
					if got := leads(from, to, nil); got != free[to.Index] {
						t.Errorf("%s: from line %d to line %d: %v", f.Name, from.Line, to.Line, got)
					}
					if got := leads(from, to, stops); got != held[to.Index] {
						t.Errorf("%s: from line %d to line %d, not beyond kind %d: %v", f.Name, from.Line, to.Line, kind, got)
					}
					if free[to.Index] {
						ways++
					}
					if free[to.Index] && !held[to.Index] {
						stopped++
					}
				}
			}
		}
	}
	if ways == 0 || stopped == 0 {
		t.Errorf("%d ways, %d of them stopped", ways, stopped)
	}
}

// stepwise returns which instructions a thread may get to from one, by index, if it goes no further than those at
// stops.
func stepwise(from *rewrite.Inst, stops positions) []bool {
	g := from.Func.CFG()
	reached := make([]bool, len(from.Func.Insts))
	for todo := []int{from.Index}; len(todo) > 0; todo = todo[1:] {
		next := []int{todo[0] + 1}
		if b := g.BlockOf[todo[0]]; b.End == todo[0]+1 {
			next = nil
			for _, s := range b.Succs {
				next = append(next, s.Start)
			}
		}
		for _, i := range next {
			if i < len(reached) && !reached[i] {
				reached[i] = true
				if !slices.Contains(stops, i) {
					todo = append(todo, i)
				}
			}
		}
	}
	return reached
}
