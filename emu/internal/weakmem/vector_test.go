// Tests of vectors, clocks and messages: against maps, and that what has been passed on does not change.

package weakmem

import (
	"maps"
	"math/rand/v2"
	"testing"
)

// TestVectors compares vectors with maps over random operations, with keys that are dense, sparse, and at the ends of the range.
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

// TestClockOfAgent checks that a clock which knows the operation of a release knows all that the release knows, and no more.
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

// TestFullMessage checks that a message with more releases than it keeps passes each of them on to the threads of its scope.
func TestFullMessage(t *testing.T) {
	var m message
	const blocks = maxReleases + 5
	for i := range int32(blocks) {
		m = m.add(NewAgent(uint64(i), 0, i+1).release(CTA))
	}
	if len(m) > maxReleases {
		t.Errorf("%d releases, limit %d", len(m), maxReleases)
	}
	for i := range int32(blocks) {
		a := NewAgent(uint64(i), 0, blocks+i+1)
		if a.acquire(m, CTA); !a.knows.knowsAgent(i+1, 1) {
			t.Errorf("block %d does not acquire its release", i)
		}
		if n := m.with(m[:1]); len(n) != len(m) || &n[0] != &m[0] {
			t.Errorf("a release that has been passed on makes another message")
		}
	}
}
