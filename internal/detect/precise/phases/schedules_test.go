package phases_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/precise"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// newDetector returns the detector that records why phases may differ, at the beginning of a launch of some blocks.
func newDetector(t *testing.T, blocks int) *precise.Detector {
	t.Helper()
	o := precise.DefaultOptions()
	o.Claims = true
	d, err := precise.New(o)
	if err != nil {
		t.Fatal(err)
	}
	shape := detect.LaunchShape{Grid: [3]uint32{uint32(blocks), 1, 1}, Block: [3]uint32{160, 1, 1}}
	d.Begin(detect.Launch{LaunchShape: shape})
	return d
}

// play delivers the events of blocks of one launch, or of a part of it.
func play(to abi.Receiver, traces ...[]abi.Event) {
	begin := abi.Event{Kind: abi.EventKernelBegin, Proxy: abi.ProxyAsync}
	to.Event(&begin)
	for _, trace := range traces {
		for i := range trace {
			abi.Deliver(to, &trace[i])
		}
		if n := len(trace); n > 0 {
			to.Event(&abi.Event{Kind: abi.EventBlockEnd, Block: trace[n-1].Block})
		}
	}
}

// texts returns what a detector has found out, as text.
func texts(d *precise.Detector) (list []string) {
	found, undecided := d.Dependences()
	for _, x := range found {
		list = append(list, fmt.Sprintf("%d, %d: %s", x.Seed, x.Sink, x.What))
	}
	if undecided != "" {
		list = append(list, "undecided: "+undecided)
	}
	return list
}

// reasons returns why phases of an execution may differ in other schedules.
func reasons(t *testing.T, m *machine) []string {
	t.Helper()
	d := newDetector(t, 1)
	play(d, m.trace)
	d.End()
	return texts(d)
}

// differs returns how another schedule of a program differs from an execution, "" if none of n does.
func differs(p *program, m *machine, n int) string {
	for seed := range uint64(n) {
		x := run(p, seed)
		if x.bad != "" {
			return x.bad
		}
		for k, phase := range m.phases {
			if x.phases[k] != phase {
				return fmt.Sprintf("schedule %d: step %s in phase %d, not %d", seed, k, x.phases[k], phase)
			}
		}
	}
	return ""
}

func (p *program) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "counts %v, warps %v\n", p.counts, p.warps)
	for t, list := range p.threads {
		fmt.Fprintf(&b, "%d: %v\n", t, list)
	}
	return b.String()
}

// pick returns one of some values.
func pick[T any](rng *rand.Rand, list ...T) T { return list[rng.IntN(len(list))] }

// generate returns a program: a correct one of some pattern, often with a few changes.
func generate(rng *rand.Rand) *program {
	p := pick(rng, rounds, ring, ring, namedRing, between, anything)(rng)
	for range pick(rng, 0, 1, 1, 2) {
		mutate(rng, p)
	}
	return p
}

// rounds is a program whose threads arrive and wait again and again.
func rounds(rng *rand.Rand) *program {
	n := 2 + rng.IntN(3)
	p := &program{threads: make([][]op, n), counts: []int{n}, warps: rng.IntN(2) == 0}
	k, w := pick(rng, arrive, arrive, relaxed, commit, copyNoinc), pick(rng, wait, wait, await)
	for r := range 1 + rng.IntN(4) {
		for t := range p.threads {
			p.threads[t] = append(p.threads[t], op{k, 0, 1}, op{w, 0, r % 2})
		}
	}
	return p
}

// ring is a program in which a thread fills stages and others empty them.
func ring(rng *rand.Rand) *program {
	stages, consumers := 1+rng.IntN(2), 1+rng.IntN(2)
	p := &program{threads: make([][]op, 1+consumers), warps: rng.IntN(2) == 0}
	for range stages {
		p.counts = append(p.counts, 1, consumers)
	}
	give := pick(rng, arrive, arrive, commit, relaxed)
	fill := pick(rng, []op{{arriveExpect, 0, 64}, {startCopy, 0, 64}},
		[]op{{expect, 0, 64}, {startCopy, 0, 64}, {arrive, 0, 1}}, []op{{arrive, 0, 1}},
		[]op{{startCopy, 0, 32}, {arriveExpect, 0, 64}, {startCopy, 0, 32}}, []op{{copyArrive, 0, 0}, {arrive, 0, 1}})
	for r := range stages * (1 + rng.IntN(3)) {
		s, parity := r%stages, r/stages%2
		p.threads[0] = append(p.threads[0], op{wait, 2*s + 1, parity ^ 1})
		for _, o := range fill {
			o.at = 2 * s
			p.threads[0] = append(p.threads[0], o)
		}
		for t := range consumers {
			p.threads[1+t] = append(p.threads[1+t], op{wait, 2 * s, parity}, op{give, 2*s + 1, 1})
		}
	}
	return p
}

// namedRing is a ring with barriers of a block.
func namedRing(rng *rand.Rand) *program {
	n := 2 + rng.IntN(2)
	p := &program{threads: make([][]op, n), counts: []int{1}, warps: true}
	for range 1 + rng.IntN(3) {
		for t := range p.threads {
			full, empty := op{syncNamed, 1, 32 * n}, op{arriveNamed, 2, 32 * n}
			if t == 0 {
				full, empty = op{arriveNamed, 1, 32 * n}, op{syncNamed, 2, 32 * n}
			}
			p.threads[t] = append(p.threads[t], full, empty)
		}
	}
	return p
}

// between is a program whose threads arrive at mbarriers between barriers of the block.
func between(rng *rand.Rand) *program {
	n := 2 + rng.IntN(3)
	p := &program{threads: make([][]op, n), counts: []int{n}, warps: rng.IntN(2) == 0}
	for range 1 + rng.IntN(4) {
		for t := range p.threads {
			p.threads[t] = append(p.threads[t], op{pick(rng, arrive, arrive, drop), 0, 1}, op{sync, 0, 0})
		}
	}
	return p
}

// anything is a program of any steps.
func anything(rng *rand.Rand) *program {
	p := &program{threads: make([][]op, 2+rng.IntN(2)), counts: []int{1 + rng.IntN(2), 1}, warps: rng.IntN(2) == 0}
	for t := range p.threads {
		for range 1 + rng.IntN(5) {
			p.threads[t] = append(p.threads[t], anyStep(rng, p))
		}
	}
	return p
}

// anyStep returns any step.
func anyStep(rng *rand.Rand, p *program) op {
	k := kind(rng.IntN(int(kinds)))
	o := op{k, rng.IntN(len(p.counts)), 1}
	switch k {
	case wait, await:
		o.n = rng.IntN(2)
	case syncNamed, arriveNamed:
		o.n = 32 * (1 + rng.IntN(len(p.threads)))
		if !p.warps {
			o = op{sync, 0, 0}
		}
	}
	return o
}

// mutate changes a step.
func mutate(rng *rand.Rand, p *program) {
	t := rng.IntN(len(p.threads))
	list := p.threads[t]
	if len(list) < 2 {
		return
	}
	i := rng.IntN(len(list))
	switch rng.IntN(6) {
	case 0:
		list = slices.Delete(list, i, i+1)
	case 1:
		list = slices.Insert(list, i, list[i])
	case 2:
		i = min(i, len(list)-2)
		list[i], list[i+1] = list[i+1], list[i]
	case 3:
		list[i].n ^= 1
	case 4:
		list[i] = anyStep(rng, p)
	case 5:
		p.counts[rng.IntN(len(p.counts))]++
	}
	p.threads[t] = list
}

// TestSchedules: if there is no reason why the phases of a program may differ, the phases of all effects and waits are
// the same in many schedules, and none of them ends in a fault or a deadlock. Most programs that do not differ in any
// of these have no such reason.
func TestSchedules(t *testing.T) {
	n := 4000
	if testing.Short() {
		n = 1000
	}
	holds, missed := 0, 0
	for seed := range uint64(n) {
		p := generate(rand.New(rand.NewPCG(seed, 3)))
		m := run(p, seed)
		if m.bad != "" {
			continue
		}
		why := reasons(t, m)
		other := differs(p, m, 60)
		switch {
		case len(why) == 0 && other != "":
			t.Fatalf("seed %d: no reason, but %s\n%s", seed, other, p)
		case len(why) == 0:
			holds++
		case other == "":
			missed++
		}
	}
	if holds < 10*missed || holds < n/5 {
		t.Errorf("of %d programs %d have no reason to differ, and %d that have one do not differ", n, holds, missed)
	}
}

// TestParts: the reasons are the same whether a launch is delivered as a whole or in parts.
func TestParts(t *testing.T) {
	const blocks = 4
	some := 0
	for seed := range uint64(100) {
		traces := make([][]abi.Event, blocks)
		for n := range traces {
			m := run(generate(rand.New(rand.NewPCG(seed, uint64(n)))), seed)
			for i := range m.trace {
				m.trace[i].Block, m.trace[i].Cluster = uint64(n), uint64(n)
			}
			traces[n] = m.trace
		}
		whole, divided := newDetector(t, blocks), newDetector(t, blocks)
		play(whole, traces...)
		whole.End()
		for i, part := range divided.Divide(2) {
			for n := i; n < blocks; n += 2 {
				part.BeginPart(uint64(n))
				play(part, traces[n])
				part.EndPart()
			}
		}
		divided.Unite(true)
		divided.End()
		want, got := texts(whole), texts(divided)
		if !slices.Equal(want, got) {
			t.Fatalf("seed %d: in parts %q, as a whole %q", seed, got, want)
		}
		some += min(len(want), 1)
	}
	if some < 20 || some > 90 {
		t.Errorf("%d of 100 launches have reasons: too few to tell", some)
	}
}
