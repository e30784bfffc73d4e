// The exhaustive strategy for weak memory: all executions of a program, by the stores that its loads return.

package explore

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
)

// Executions is the strategy with one run for each execution that the memory consistency model allows, as far as
// executions differ in the stores that loads return and in the contents of memory at the end. The threads run in one
// fixed order (emu.Executions). Runs differ in the stores that loads return; the strategy enumerates these choices
// depth first. A run is aborted as redundant if a load waits for a store that no thread performs.
type Executions struct {
	steps  int
	todo   [][]choice
	begun  bool
	beyond map[string]bool
}

// choice is one of n alternatives.
type choice struct{ pick, of int }

// NewExecutions makes the strategy. Runs are aborted after the given number of turns; 0 stands for DefaultSteps.
func NewExecutions(steps int) *Executions {
	if steps <= 0 {
		steps = DefaultSteps
	}
	return &Executions{steps: steps, beyond: map[string]bool{}}
}

// Complete reports whether the exploration is complete. If it is not, why has the reasons, one per line.
func (e *Executions) Complete() (ok bool, why []string) {
	if !e.begun || len(e.todo) > 0 {
		why = append(why, "the limit on runs was reached")
	}
	return len(why)+len(e.beyond) == 0, append(why, slices.Sorted(maps.Keys(e.beyond))...)
}

// Next implements Strategy.
func (e *Executions) Next(n int) (runs []*Run) {
	if !e.begun {
		e.begun, e.todo = true, [][]choice{nil}
	}
	for len(e.todo) > 0 && len(runs) < n {
		last := len(e.todo) - 1
		runs = append(runs, &Run{
			Policy: emu.Executions,
			guide: &execution{
				bound: e.steps, choices: e.todo[last], known: len(e.todo[last]),
				beyond: map[string]bool{},
			},
		})
		e.todo = e.todo[:last]
	}
	return runs
}

// Learn implements Strategy: each choice that was new in a run has other alternatives.
func (e *Executions) Learn(runs []*Run) {
	for _, r := range slices.Backward(runs) {
		g := r.guide.(*execution)
		maps.Copy(e.beyond, g.beyond)
		for i := g.known; i < len(g.choices); i++ {
			for k := range g.choices[i].pick {
				list := slices.Clone(g.choices[:i+1])
				list[i].pick = k
				e.todo = append(e.todo, list)
			}
		}
	}
}

// weakRandom is a random search under weak memory: a run resolves loads late, as in the exhaustive search, and draws
// each choice at random.
type weakRandom struct {
	seed  uint64
	steps int
}

// DrawnExecutions returns a random search under weak memory, which never ends. A run resolves loads late, as those of
// Executions do; the next thread and the store that a load returns are drawn. Run n has seed + n. The search may make
// the same run several times.
func DrawnExecutions(seed uint64, steps int) Strategy {
	return &weakRandom{seed, cmp.Or(max(steps, 0), DefaultSteps)}
}

// Next implements Strategy.
func (d *weakRandom) Next(n int) (runs []*Run) {
	for range n {
		runs = append(runs, &Run{
			Policy: emu.Executions,
			guide:  &execution{bound: d.steps, rng: rand.New(rand.NewPCG(d.seed, 0)), beyond: map[string]bool{}},
		})
		d.seed++
	}
	return runs
}

// Learn implements Strategy.
func (d *weakRandom) Learn([]*Run) {}

// execution is one run of Executions, or of DrawnExecutions.
type execution struct {
	rng      *rand.Rand // of drawn choices; nil for those of the search
	bound    int
	choices  []choice // made so far; those up to known are given
	known    int
	made     int
	turns    int
	launches uint64
	beyond   map[string]bool
	err      error
}

func (g *execution) listener() emu.Listener { return emu.NopListener{} }

// Launch implements emu.Guide.
func (g *execution) Launch(l emu.GuidedLaunch) emu.Guidance {
	g.launches++
	return emu.ByThread{Serial: g.launches, Choose: g.choose, Value: g.value, End: func() error { return g.err }}
}

// choose returns the first thread.
func (g *execution) choose(able []emu.Thread) (emu.Thread, bool) {
	if g.turns++; g.turns > g.bound {
		g.beyond[fmt.Sprintf("runs of more than %d steps were cut off", g.bound)] = true
		g.err = ErrRedundant
	}
	switch {
	case g.err != nil:
		return emu.Thread{}, false
	case g.rng != nil:
		return able[g.rng.IntN(len(able))], true
	}
	return able[0], true
}

// value repeats a given choice, or chooses the last alternative.
func (g *execution) value(n int) int {
	if g.rng != nil {
		return g.rng.IntN(n)
	}
	i := g.made
	g.made++
	if i == len(g.choices) {
		g.choices = append(g.choices, choice{n - 1, n})
	}
	if c := g.choices[i]; c.of == n {
		return c.pick
	}
	g.err = errors.New("the program does not do the same under the same schedule: it cannot be explored")
	return n - 1
}
