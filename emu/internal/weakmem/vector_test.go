// Tests of vectors, clocks and messages: against maps, and that what has been passed on does not change.

package weakmem

import (
	"maps"
	"math/rand/v2"
	"testing"
)

// TestVectors compares vectors with maps over random operations, with keys that are dense, sparse, and at the ends of
// the range.
func TestVectors(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var keys []uint64
	for i := range uint64(70) {
		keys = append(keys, i, i*1000, ^uint64(0)-i*7)
	}
	type pair struct {
		vector vector
		model  map[uint64]uint32
	}
	pairs := make([]pair, 6)
	for i := range pairs {
		pairs[i].model = map[uint64]uint32{}
	}
	check := func(p pair) {
		for _, k := range keys {
			if p.vector.at(k) != p.model[k] {
				t.Fatalf("key %d: %d, want %d", k, p.vector.at(k), p.model[k])
			}
		}
	}
	for range 3000 {
		p, q := &pairs[rng.IntN(len(pairs))], pairs[rng.IntN(len(pairs))]
		before := pair{p.vector, maps.Clone(p.model)}
		covers := true
		for k, v := range q.model {
			covers = covers && p.model[k] >= v
		}
		if p.vector.covers(q.vector) != covers {
			t.Fatalf("covers: %v, want %v", !covers, covers)
		}
		switch rng.IntN(8) {
		case 0:
			p.vector = p.vector.join(q.vector)
			for k, v := range q.model {
				p.model[k] = max(p.model[k], v)
			}
		case 1:
			*p = pair{q.vector, maps.Clone(q.model)}
		default:
			k, v := keys[rng.IntN(len(keys))], uint32(rng.IntN(5))
			p.vector, p.model[k] = p.vector.raise(k, v), max(p.model[k], v)
		}
		check(*p)
		check(before)
	}
}

// TestClockOfAgent checks that a clock which knows the operation of a release knows all that the release knows, and no
// more.
func TestClockOfAgent(t *testing.T) {
	a, b, c := NewAgent(0, 0, 1), NewAgent(1, 0, 2), NewAgent(2, 0, 3)
	first := a.now()
	b.knows = b.knows.join(first)
	second := b.now()
	c.knows = c.knows.join(second)
	if !c.knows.covers(first) || !c.knows.knowsAgent(1, 1) || !c.knows.knowsAgent(2, 1) {
		t.Error("a release of a thread that has acquired another one does not pass that on")
	}
	if c.knows.knowsAgent(1, 2) || c.knows.knowsAgent(2, 2) || c.knows.covers(a.now()) || first.covers(second) {
		t.Error("a clock knows later operations")
	}
}

// pass returns what an agent knows after it has acquired a message with a scope, and whether that met a limit.
func pass(m *message, a *Agent, scope Scope) (*clock, bool) {
	h := NewHistory()
	a.observe(m)
	h.acquire(a, scope)
	return a.knows, h.Bounded
}

// TestFullMessage: a message with the releases of more blocks than it keeps passes each of them on to the threads of
// its scope. Those of the blocks that have released first reach more threads than the model demands, and
// History.Bounded says so.
func TestFullMessage(t *testing.T) {
	const blocks = maxNear + 5
	for _, scope := range []Scope{CTA, Cluster, GPU} {
		var m *message
		for i := range int32(blocks) {
			m = m.with(NewAgent(uint64(i), uint64(i), i+1).release(scope))
		}
		if len(m.near) != maxNear {
			t.Fatalf("%d blocks, want %d", len(m.near), maxNear)
		}
		for i := range int32(blocks) {
			for _, with := range []Scope{CTA, Cluster, GPU} {
				knows, bounded := pass(m, NewAgent(uint64(i), uint64(i), blocks+i+1), with)
				if !knows.knowsAgent(i+1, 1) {
					t.Errorf("scope %d: block %d does not acquire its release with scope %d", scope, i, with)
				}
				if want := scope < GPU || with < GPU; bounded != want {
					t.Errorf("scope %d: bounded %v for an acquire with scope %d, want %v", scope, bounded, with, want)
				}
				if first, last := knows.knowsAgent(1, 1), knows.knowsAgent(blocks, 1); !first || last != (scope == GPU && with == GPU || i == blocks-1) {
					t.Errorf("scope %d: block %d acquires the first release %v, the last one %v with scope %d", scope, i, first, last, with)
				}
			}
		}
		if n := m.with(m); n != m {
			t.Errorf("releases that have been passed on make another message")
		}
	}
}

// TestFullAgain: what is released after a message was full is passed on to the threads of its scope alone.
func TestFullAgain(t *testing.T) {
	var m *message
	for i := range int32(2 * maxNear) {
		m = m.with(NewAgent(uint64(i), 0, i+1).release(CTA))
	}
	late := NewAgent(1000, 0, 1000)
	m = m.with(late.release(CTA))
	if knows, _ := pass(m, NewAgent(1001, 0, 1001), CTA); knows.knowsAgent(1000, 1) {
		t.Error("a block acquires what another one has released to its own threads")
	}
	if knows, _ := pass(m, NewAgent(1000, 0, 1002), CTA); !knows.knowsAgent(1000, 1) {
		t.Error("a block does not acquire its own release")
	}
}

// TestFences: after a fence, a store passes on that and the wider fences before.
func TestFences(t *testing.T) {
	h, a := NewHistory(), NewAgent(0, 0, 1)
	h.Fence(a, GPU, true, true, false)
	h.Fence(a, CTA, true, true, false)
	for _, test := range []struct {
		block, cluster uint64
		scope          Scope
		time           uint32
	}{{0, 0, CTA, 2}, {0, 0, GPU, 2}, {1, 0, CTA, 0}, {1, 0, Cluster, 1}, {1, 1, Cluster, 0}, {1, 1, GPU, 1}} {
		knows, _ := pass(a.released, NewAgent(test.block, test.cluster, 2), test.scope)
		if knows.knowsAgent(1, test.time+1) || test.time > 0 && !knows.knowsAgent(1, test.time) {
			t.Errorf("%+v: other operations are known", test)
		}
	}
}
