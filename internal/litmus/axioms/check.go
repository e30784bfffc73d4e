// The enumeration of executions.

package axioms

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/litmus"
)

// Verdict is what a memory model says of a test.
type Verdict struct {
	// Outcomes are the final states by Key, each once.
	Outcomes map[string]litmus.State
	Times    map[string]int // executions by outcome
	Racy     bool           // some execution has a data race
	Races    [][2]Access    // pairs of accesses that have one, each once
	// Cut says that loops may take more rounds than were considered.
	Cut        bool
	Executions int // that satisfy the axioms
}

// Access is an access of a test.
type Access struct {
	Thread      *litmus.Thread
	Instruction *litmus.Instruction
}

// Key names a final state.
func Key(t *litmus.Test, s litmus.State) string {
	var b strings.Builder
	for _, v := range t.Variables() {
		fmt.Fprintf(&b, "%s=%d ", v, s[v])
	}
	return strings.TrimSpace(b.String())
}

// ErrTooLarge is the error for tests with too many executions or events.
var ErrTooLarge = errors.New("too many executions")

// maxTraces is the largest number of ways of a thread through its instructions that are considered.
const maxTraces = 4096

// maxCandidates is the largest number of assignments of writes to reads that are considered.
const maxCandidates = 20_000_000

// Check computes what the PTX memory consistency model allows. A thread comes to a label at most bound times. Check ends
// with the error of the context when that is done.
func Check(ctx context.Context, t *litmus.Test, bound int) (*Verdict, error) {
	name, err := namer(t)
	if err != nil {
		return nil, err
	}
	x := &checker{ctx: ctx, test: t, verdict: &Verdict{Outcomes: map[string]litmus.State{}, Times: map[string]int{}}}
	var traces [][]*trace
	for i := range t.Threads {
		list, cut := tracesOf(t, i, bound, name)
		if len(list) >= maxTraces {
			return nil, ErrTooLarge
		}
		traces, x.verdict.Cut = append(traces, list), x.verdict.Cut || cut
	}
	x.combine(traces, nil)
	return x.verdict, x.err
}

// checker enumerates the executions of a test.
type checker struct {
	ctx     context.Context
	test    *litmus.Test
	verdict *Verdict
	err     error
	tried   int
	steps   int // since ctx was last looked at

	traces []*trace // of the current candidate
	c      *candidate
	reads  []choice
	values []int64 // of reads, by event
}

// ends reports whether the enumeration has to end.
func (x *checker) ends() bool {
	if x.steps++; x.steps%1024 == 0 && x.err == nil {
		x.err = x.ctx.Err()
	}
	return x.err != nil
}

// choice is a segment of a read, and the writes that it may read from.
type choice struct {
	r      *event
	lo, hi int
	from   []*event
}

// combine tries every combination of the threads' traces.
func (x *checker) combine(traces [][]*trace, chosen []*trace) {
	if x.ends() {
		return
	}
	if len(chosen) < len(traces) {
		for _, tr := range traces[len(chosen)] {
			x.combine(traces, append(chosen[:len(chosen):len(chosen)], tr))
		}
		return
	}
	n := len(x.test.Locations)
	for _, tr := range chosen {
		n += len(tr.events)
	}
	if n > maxEvents {
		x.err = ErrTooLarge
		return
	}
	x.traces = chosen
	if x.c = newCandidate(x.test, chosen); x.c != nil {
		x.c.stop = x.ends
		x.reads = x.choices()
		x.values = make([]int64, x.c.n)
		x.orderFences(x.c.fences, relation{})
	}
}

// orderFences tries every Fence-SC order.
func (x *checker) orderFences(pairs [][2]int, r relation) {
	if x.ends() {
		return
	}
	all := r
	all.join(&x.c.po, x.c.n)
	if !all.acyclic(x.c.n) {
		return
	}
	if len(pairs) == 0 {
		x.c.fenceSC = r
		x.choose(0)
		return
	}
	p := pairs[0]
	forward, back := r, r
	forward.add(p[0], p[1])
	back.add(p[1], p[0])
	x.orderFences(pairs[1:], forward)
	x.orderFences(pairs[1:], back)
}

// choices divides the reads into segments, each with the writes that it may read from.
func (x *checker) choices() (list []choice) {
	for _, r := range x.c.events {
		if r.kind != read {
			continue
		}
		cuts := []int{r.lo, r.hi}
		for _, e := range x.c.events {
			if e.overlaps(r) {
				cuts = append(cuts, max(e.lo, r.lo), min(e.hi, r.hi))
			}
		}
		slices.Sort(cuts)
		cuts = slices.Compact(cuts)
		for i, lo := range cuts[:len(cuts)-1] {
			s := choice{r: r, lo: lo, hi: cuts[i+1]}
			for _, w := range x.c.events {
				if w.kind == write && w.at == r.at && w.lo <= s.lo && s.hi <= w.hi && x.possible(w, &s) {
					s.from = append(s.from, w)
				}
			}
			list = append(list, s)
		}
	}
	return list
}

// possible reports whether program order does not rule out that a read reads from a write: axiom Causality.
func (x *checker) possible(w *event, s *choice) bool {
	c := x.c
	if c.po.has(s.r.index, w.index) {
		return false
	}
	for _, o := range c.events {
		if o.kind == write && o.at == w.at && o.lo <= s.lo && s.hi <= o.hi && o.address == s.r.address &&
			o.proxy == s.r.proxy &&
			c.po.has(w.index, o.index) && c.po.has(o.index, s.r.index) &&
			(w.thread < 0 || w.address == o.address && w.proxy == o.proxy) {
			return false
		}
	}
	return true
}

// choose tries every write for the segments from i on.
func (x *checker) choose(i int) {
	if x.ends() {
		return
	}
	if i == len(x.reads) {
		if x.tried++; x.tried > maxCandidates {
			x.err = ErrTooLarge
			return
		}
		x.execution()
		return
	}
	s := x.reads[i]
	r := s.r.index
	n := len(x.c.from[r])
	for _, w := range s.from {
		x.c.from[r] = append(x.c.from[r][:n], source{s.lo, s.hi, w})
		x.choose(i + 1)
	}
	x.c.from[r] = x.c.from[r][:n]
}

// execution checks the candidate, and records its outcomes and races.
func (x *checker) execution() {
	c := x.c
	if !x.compute() || !c.order() {
		return
	}
	c.coherence(func(co *relation) {
		x.verdict.Executions++
		x.races()
		x.finals(co)
	})
}

// races records the races of the candidate.
func (x *checker) races() {
	x.c.races(func(e, f *event) {
		x.verdict.Racy = true
		pair := [2]Access{{x.test.Threads[f.thread], f.in}, {x.test.Threads[e.thread], e.in}}
		if !slices.Contains(x.verdict.Races, pair) {
			x.verdict.Races = append(x.verdict.Races, pair)
		}
	})
}

// compute computes the values of the reads, and reports whether the conditions of the traces hold. Values out of thin
// air are excluded: what is read does not depend on itself (axiom No-Thin-Air).
func (x *checker) compute() bool {
	c := x.c
	var needs relation
	for r, list := range c.from {
		for _, s := range list {
			needs.add(s.w.index, r)
		}
	}
	for i, e := range c.events {
		for _, r := range e.depends {
			needs.add(r.index, i)
		}
		for _, r := range e.value.reads(nil) {
			needs.add(r.index, i)
		}
	}
	if !needs.acyclic(c.n) {
		return false
	}
	order := slices.Clone(c.events)
	slices.SortFunc(order, func(e, f *event) int {
		return cmp.Or(bits.OnesCount64(needs[f.index])-bits.OnesCount64(needs[e.index]), e.index-f.index)
	})
	for _, e := range order { // an event that another one needs has more successors
		if e.kind == read {
			x.values[e.index] = x.read(e)
		}
	}
	for _, tr := range x.traces {
		for _, k := range tr.conditions {
			if compare(k.fn, x.eval(k.a), x.eval(k.b)) != k.want {
				return false
			}
		}
	}
	return true
}

func (x *checker) eval(v *value) int64 {
	return v.eval(x.c.wide, func(e *event) int64 { return x.values[e.index] })
}

// read returns the value of a read, from those of the reads that it depends on.
func (x *checker) read(r *event) int64 {
	var word uint64
	for _, s := range x.c.from[r.index] {
		word |= part(x.eval(s.w.value), s.w.lo, s.lo, s.hi) << (8 * (s.lo - r.lo))
	}
	return loaded(word, r.hi-r.lo)
}

// part returns the bytes from lo to hi of a value that was written from base on.
func part(v int64, base, lo, hi int) uint64 {
	word := uint64(v) >> (8 * (lo - base))
	if n := hi - lo; n < 8 {
		word &= 1<<(8*n) - 1
	}
	return word
}

// finals records the final states of an execution: a location ends with a write that no other one follows in coherence
// order.
func (x *checker) finals(co *relation) {
	s := litmus.State{}
	for i, tr := range x.traces {
		th := x.test.Threads[i]
		for _, r := range th.Registers() {
			s[litmus.Variable{Thread: th.Name, Name: r}] = x.eval(tr.registers[r])
		}
	}
	x.final(co, s, 0, 0, 0)
}

// final decides the final bytes of the locations from the given byte on.
func (x *checker) final(co *relation, s litmus.State, loc, at int, word uint64) {
	for loc < len(x.test.Locations) && x.test.Locations[loc].Of != nil {
		loc++
	}
	if loc == len(x.test.Locations) {
		state := litmus.State{}
		for k, v := range s {
			state[k] = v
		}
		key := Key(x.test, state)
		x.verdict.Outcomes[key] = state
		x.verdict.Times[key]++
		return
	}
	l := x.test.Locations[loc]
	if at == l.Size {
		s[litmus.Variable{Name: l.Name}] = loaded(word, l.Size)
		x.final(co, s, loc+1, 0, 0)
		return
	}
	hi := l.Size
	for _, e := range x.c.events {
		if e.memory() && e.at == l {
			for _, cut := range []int{e.lo, e.hi} {
				if cut > at {
					hi = min(hi, cut)
				}
			}
		}
	}
	for _, w := range x.c.events {
		if w.kind == write && w.at == l && w.lo <= at && hi <= w.hi && x.last(co, w, at, hi) {
			x.final(co, s, loc, hi, word|part(x.eval(w.value), w.lo, at, hi)<<(8*at))
		}
	}
}

// last reports whether no write follows w in coherence order that covers the bytes.
func (x *checker) last(co *relation, w *event, lo, hi int) bool {
	for _, o := range x.c.events {
		if o.kind == write && o.at == w.at && o.lo <= lo && hi <= o.hi && co.has(w.index, o.index) {
			return false
		}
	}
	return true
}
