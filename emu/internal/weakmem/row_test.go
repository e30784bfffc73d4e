package weakmem

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// pair is two histories of one run: quick takes the operations that need no choice by Newest, Latest and Put, each does
// not.
type pair struct {
	t           *testing.T
	rng         *rand.Rand
	quick, each *History
	agents      [2][]*Agent
	memory      map[Range]uint64
	asked       [2][]int // the numbers of stores to choose from
	rows        int
}

func newPair(t *testing.T, seed uint64) *pair {
	p := &pair{t: t, rng: rand.New(rand.NewPCG(seed, 1)), quick: NewHistory(), each: NewHistory(), memory: map[Range]uint64{}}
	for block := range uint64(1 + p.rng.IntN(4)) {
		for range 2 {
			id := int32(len(p.agents[0]) + 1)
			for i := range p.agents {
				p.agents[i] = append(p.agents[i], NewAgent(block, block/2, id))
			}
		}
	}
	return p
}

// access returns an access of random strength by agent k to a random location, for both histories.
func (p *pair) access(k int) (x [2]*Access, at Range) {
	at = Range{Addr: uint64(p.rng.IntN(6)) * 4, Size: 4}
	if p.rng.IntN(3) == 0 {
		at.Space = p.agents[0][k].block + 1
	}
	a := Access{At: at, Alone: at.Space != 0, Tag: Lost}
	if p.rng.IntN(3) > 0 {
		a.Strong, a.Scope = true, Scope(1+p.rng.IntN(3))
		a.Acquires, a.Releases = p.rng.IntN(2) == 0, p.rng.IntN(2) == 0
	}
	for i := range x {
		of := a
		of.Agent = p.agents[i][k]
		x[i] = &of
	}
	return x, at
}

// pick returns a function that chooses a store, the same for both histories.
func (p *pair) pick(i int, drawn uint64) func(int) int {
	return func(n int) int {
		p.asked[i] = append(p.asked[i], n)
		return int(drawn>>8) % n
	}
}

func (p *pair) load(k int) {
	x, at := p.access(k)
	drawn := p.rng.Uint64()
	v, age, _ := p.each.Load(x[1], p.memory[at], p.pick(1, drawn))
	w, young := p.memory[at], 0
	if p.quick.Newest(x[0], &Row{at.Space, &[32]uint64{at.Addr}, 0, ^uint64(0), at.Size}, 1, 1) {
		p.rows++
	} else {
		w, young, _ = p.quick.Load(x[0], w, p.pick(0, drawn))
	}
	if v != w || age != young {
		p.t.Fatalf("a load returns %d, of age %d, want %d and %d", w, young, v, age)
	}
}

// change performs a store, or an atomic operation if reads says so.
func (p *pair) change(k int, reads bool) {
	x, at := p.access(k)
	drawn, before := p.rng.Uint64(), p.memory[at]
	writes := !reads || p.rng.IntN(3) > 0
	op := func(old uint64) (uint64, bool) { return old*3 + drawn%5, writes }
	var old, next uint64
	age, young := 0, 0 // a row returns the latest stores
	if next = drawn % 7; reads {
		old, next, _, age, _ = p.each.Atomic(x[1], before, p.pick(1, drawn), op)
	} else {
		p.each.Store(x[1], before, next)
	}
	found, value := before, next
	switch ready, ok := p.quick.Latest(x[0], &Row{at.Space, &[32]uint64{at.Addr}, 0, ^uint64(0), at.Size}, 1, &[32]uint64{before}, reads); {
	case ok:
		if p.rows++; reads {
			value, _ = op(before)
		}
		wrote := ready
		if !writes {
			wrote = 0
		}
		p.quick.Put(x[0], ready, wrote, &[32]uint64{value}, reads)
	case reads:
		found, value, _, young, _ = p.quick.Atomic(x[0], before, p.pick(0, drawn), op)
	default:
		p.quick.Store(x[0], before, value)
	}
	if reads && found != old || value != next || young != age {
		p.t.Fatalf("an atomic operation finds %d, of age %d, and writes %d, want %d, %d and %d", found, young, value, old, age, next)
	}
	if writes {
		p.memory[at] = next
	}
}

// order performs a fence, a barrier of a block, or an operation on an object.
func (p *pair) order(k int) {
	what, scope, all := p.rng.IntN(6), Scope(1+p.rng.IntN(3)), p.rng.IntN(3) > 0
	acquires, releases := p.rng.IntN(2) == 0, p.rng.IntN(2) == 0
	for i, h := range []*History{p.quick, p.each} {
		a := p.agents[i][k]
		switch block := p.agents[i][k&^1 : k&^1+2]; what {
		case 0:
			h.Object(a)
		case 1:
			h.Meet(block, block, all)
		case 2:
			h.Fence(a, scope, true, true, true)
		default:
			h.Fence(a, scope, acquires, releases, false)
		}
	}
}

// TestRows: random operations in rows offer the same stores to loads and atomic operations as one by one.
func TestRows(t *testing.T) {
	rows, choices := 0, 0
	for seed := range uint64(2000) {
		p := newPair(t, seed)
		for range 20 + p.rng.IntN(100) {
			k := p.rng.IntN(len(p.agents[0]))
			switch p.rng.IntN(5) {
			case 0, 1:
				p.load(k)
			case 2:
				p.change(k, false)
			case 3:
				p.change(k, true)
			default:
				p.order(k)
			}
			if !slices.Equal(p.asked[0], p.asked[1]) {
				t.Fatalf("seed %d: choices among %v stores, want %v", seed, p.asked[0], p.asked[1])
			}
		}
		rows, choices = rows+p.rows, choices+len(p.asked[0])
	}
	if rows < 10000 || choices < 10000 {
		t.Errorf("%d operations in rows, %d choices: too few", rows, choices)
	}
}

// TestSameLocation: of lanes that access one location, the later ones have to wait.
func TestSameLocation(t *testing.T) {
	h, a := NewHistory(), NewAgent(0, 0, 1)
	row := &Row{Addrs: &[32]uint64{0, 4, 0, 8}, Mask: ^uint64(0), Size: 4}
	if ready, ok := h.Latest(&Access{Agent: a, Tag: Lost}, row, 0b1111, new([32]uint64), false); !ok || ready != 0b1011 {
		t.Errorf("lanes %b (%v), want 1011", ready, ok)
	}
}

// TestLong: when many locations have more stores than two, the latest two of others are kept, and the history says that
// it is bounded.
func TestLong(t *testing.T) {
	h, a, b := NewHistory(), NewAgent(0, 0, 1), NewAgent(1, 1, 2)
	value := func(at Range, from int) string {
		var got []uint64
		for k := 0; ; k++ {
			n := 1
			v, _, _ := h.Load(&Access{Agent: b, At: at}, uint64(from), func(of int) int { n = of; return k })
			if got = append(got, v); k == n-1 {
				return fmt.Sprint(got)
			}
		}
	}
	for i := range MaxLong + 1 {
		at := Range{Addr: uint64(i) * 4, Size: 4}
		for v := range uint64(3) {
			h.Store(&Access{Agent: a, At: at, Tag: Lost}, v, v+1)
		}
		want := "[0 1 2 3]"
		if i == MaxLong {
			want = "[2 3]"
		}
		if got := value(at, 3); got != want || h.Bounded != (i == MaxLong) {
			t.Fatalf("location %d: values %s, bounded %v, want %s", i, got, h.Bounded, want)
		}
	}
}

// TestWatch: a store is noticed in a range that is watched, and a range with stores is not watched.
func TestWatch(t *testing.T) {
	h, a := NewHistory(), NewAgent(0, 0, 1)
	if !h.Watch(0, 4096) || h.Disturbed() {
		t.Fatal("a store in empty memory")
	}
	h.Store(&Access{Agent: a, At: Range{Addr: 1 << 20, Size: 4}}, 0, 1)
	h.Store(&Access{Agent: a, At: Range{Space: 1, Addr: 64, Size: 4}}, 0, 1)
	if h.Disturbed() {
		t.Error("a store elsewhere is noticed")
	}
	h.Store(&Access{Agent: a, At: Range{Addr: 4092, Size: 4}}, 0, 1)
	if !h.Disturbed() || h.Disturbed() {
		t.Error("a store is not noticed once")
	}
	if h.Watch(0, 4096) || h.Watch(1<<20, 1<<30) {
		t.Error("a range with a store is watched")
	}
}
