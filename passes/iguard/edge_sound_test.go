package iguard_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// exactEdges is who knows of which accesses, thread by thread and location by location: what
// the vectors of the option edge summarise.
type exactEdges struct {
	now                         int
	known, fenced, deviceFenced map[thread]knowledge
	rows                        map[modelRow]knowledge
}

// knowledge is up to which time the accesses of other threads come before.
type knowledge map[thread]int

func (k knowledge) with(o knowledge) knowledge {
	out := knowledge{}
	for _, m := range []knowledge{k, o} {
		for t, at := range m {
			out[t] = max(out[t], at)
		}
	}
	return out
}

func newExactEdges() *exactEdges {
	return &exactEdges{known: map[thread]knowledge{}, fenced: map[thread]knowledge{}, deviceFenced: map[thread]knowledge{}, rows: map[modelRow]knowledge{}}
}

// meet is a barrier of threads.
func (x *exactEdges) meet(threads []thread) {
	all := knowledge{}
	for _, t := range threads {
		all = all.with(x.known[t])
		all[t] = x.now
	}
	for _, t := range threads {
		x.known[t] = all
	}
}

func (x *exactEdges) before(e event, threads int) {
	x.now++
	switch {
	case e.op == opBlockBarrier:
		var all []thread
		for i := range threads {
			all = append(all, thread{e.block, i})
		}
		x.meet(all)
	case e.op == opWarpBarrier, e.op == opPartialBarrier:
		if e.op == opPartialBarrier {
			e.lanes = ^uint32(0)
		}
		x.meet(e.threads())
	case e.op == opFence:
		for _, t := range e.threads() {
			own := x.known[t].with(knowledge{t: x.now})
			x.fenced[t] = x.fenced[t].with(own)
			if !e.blockScope {
				x.deviceFenced[t] = own
			}
		}
	case e.op == opStore && e.atomic:
		for _, t := range e.threads() {
			own := modelRow{e.shared, e.addr, t.block}
			x.rows[own] = x.rows[own].with(x.fenced[t])
			if all := (modelRow{e.shared, e.addr, -1}); !e.blockScope && !e.shared {
				x.rows[all] = x.rows[all].with(x.deviceFenced[t])
			}
		}
	}
}

func (x *exactEdges) after(e event) {
	if e.op > opStore || !e.atomic || e.writeOnly {
		return
	}
	for _, t := range e.threads() {
		x.known[t] = x.known[t].with(x.rows[modelRow{e.shared, e.addr, t.block}]).with(x.rows[modelRow{e.shared, e.addr, -1}])
	}
}

// edgeEvent draws an event on two words of data and two flags, in global memory.
func edgeEvent(r *rand.Rand, site uint32) event {
	for {
		e := randomEvent(r, site)
		if e.shared || e.op <= opStore && e.size != 4 || e.cas || e.exch {
			continue
		}
		if e.op <= opStore && e.atomic {
			e.addr += 256
			e.text += " (flag)"
		}
		return e
	}
}

// TestEdgeInventsNothing: the option edge reports no race that the paper's rules do not, unless
// no synchronisation orders the two accesses; and it does report some.
func TestEdgeInventsNothing(t *testing.T) {
	more := 0
	for seed := range 150 {
		r := rand.New(rand.NewPCG(uint64(seed), 2))
		c := config{its: true, locks: true, granularity: 4, cumulative: true, blocks: 2, threads: 64}
		c.counters = parseConfig(t, "").counters
		plain := c.model()
		c.edge = true
		edge, exact := c.model(), newExactEdges()
		at := map[uint32]int{} // when the access of a site was made
		var history []string
		for i := range 60 {
			e := edgeEvent(r, uint32(i+1))
			history = append(history, e.text)
			at[e.site] = exact.now
			exact.before(e, c.threads)
			known := plain.step(e)
			for _, f := range edge.step(e) {
				if slices.Contains(known, f) {
					continue
				}
				more++
				if since := at[f.firstSite]; exact.known[f.second][f.first] > since {
					t.Fatalf("seed %d: %+v is ordered in\n%s", seed, f, strings.Join(history, "\n"))
				}
			}
			exact.after(e)
		}
	}
	if more == 0 {
		t.Error("the option finds nothing")
	}
	t.Logf("%d races that the paper's rules do not see", more)
}
