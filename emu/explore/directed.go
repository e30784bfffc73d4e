// The directed strategy: runs that reverse the order of two conflicting accesses.

package explore

import (
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Directed is the strategy that searches for races. The first runs are a fair one and one in which lanes never run
// together. Each other run takes a pair of conflicting accesses of an earlier run without a barrier between them, one
// pair for each two instructions, and tries to reverse their order. If that succeeds, only the schedule ordered them,
// such as the order in which threads took a lock. If not, the pair is ordered by synchronisation.
type Directed struct {
	wanted func(*rewrite.Inst) bool
	begun  bool
	todo   []*pair
	known  map[pairKey]bool
	data   bool // the last pair was of data accesses, not of synchronising operations: the two kinds alternate
}

// lanesApart is the variant of round-robin in which lanes never run together.
const lanesApart = 2

// NewDirected makes the strategy. wanted selects the instructions to consider, nil for all: in an instrumented program,
// those of the original program.
func NewDirected(wanted func(*rewrite.Inst) bool) *Directed {
	return &Directed{wanted: wanted, known: map[pairKey]bool{}}
}

// Next implements Strategy.
func (d *Directed) Next(n int) (runs []*Run) {
	if !d.begun {
		d.begun = true
		if n == 1 {
			d.todo = append(d.todo, &pair{apart: true})
			return []*Run{d.run(&pair{})}
		}
		return []*Run{d.run(&pair{}), d.run(&pair{apart: true})}
	}
	for ; n > 0 && len(d.todo) > 0; n-- {
		d.data = !d.data
		i := max(0, slices.IndexFunc(d.todo, func(p *pair) bool { return p.weak == d.data || p.first == nil }))
		runs = append(runs, d.run(d.todo[i]))
		d.todo = slices.Delete(d.todo, i, i+1)
	}
	return runs
}

// Learn implements Strategy.
func (d *Directed) Learn(runs []*Run) {
	for _, r := range runs {
		g := r.guide.(*directedRun)
		for _, p := range g.pairs.found {
			if d.known[p.pairKey] || g.pairs.until.exchanged(p) {
				continue
			}
			p.again = d.known[pairKey{p.second, p.first, p.near}]
			p.apart = g.pairs.until.apart
			d.known[p.pairKey] = true
			d.todo = append(d.todo, p)
		}
	}
	slices.SortStableFunc(d.todo, byRank)
}

func (d *Directed) run(p *pair) *Run {
	g := &directedRun{pairs: newPairs(d.wanted)}
	g.pairs.until = p
	if p.apart {
		return &Run{Policy: emu.RoundRobin, Seed: lanesApart, guide: g}
	}
	return &Run{Policy: emu.ITS, guide: g}
}

// directedRun is one run of Directed.
type directedRun struct {
	pairs    *pairs
	launches uint64
}

func (g *directedRun) listener() emu.Listener { return g.pairs }

// Launch implements emu.Guide.
func (g *directedRun) Launch(emu.GuidedLaunch) emu.Guidance {
	g.launches++
	p := g.pairs.until
	h := emu.Held{Apart: p.apart}
	if p.first != nil && p.a.launch == g.launches {
		h.Inst, h.Thread = p.a.inst, p.a.ThreadPos
		h.Due = func() bool { return g.pairs.times(&p.a) == p.a.nth-1 }
		h.Begin, h.Over = func() { g.pairs.seen = false }, func() bool { return g.pairs.seen }
	}
	return h
}
