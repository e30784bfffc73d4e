package weakmem

import (
	"fmt"
	"slices"
	"testing"
)

// run builds executions operation by operation.
type run struct{ *Graph }

func (r run) op(thread uint64, o Op) int {
	o.Thread = Thread{Block: thread, Cluster: thread}
	return r.Add(o)
}

func word(addr uint64) Range { return Range{Addr: addr, Size: 4} }

func (r run) write(thread, addr, value uint64) int {
	w := r.op(thread, Op{Kind: Write, At: word(addr), Strong: true, Scope: GPU})
	r.Perform(w, [2]uint64{value})
	return w
}

func (r run) read(thread, addr uint64) int {
	return r.op(thread, Op{Kind: Read, At: word(addr), Strong: true, Scope: GPU})
}

func (r run) fence(thread uint64, sc bool) {
	r.op(thread, Op{Kind: Fence, Strong: true, Scope: GPU, Acquires: true, Releases: true, SC: sc})
}

// TestExplain: message passing needs fences that release and acquire, store buffering fence.sc (PTX ISA 8.8, 8.9.4).
func TestExplain(t *testing.T) {
	mp := run{NewGraph()}
	mp.write(1, 0, 1)
	flag := mp.write(1, 4, 1)
	first, second := mp.read(2, 4), mp.read(2, 0)
	mp.Set(first, 0, 4, flag)
	mp.Set(second, 0, 4, Initial)
	sb := run{NewGraph()}
	sb.write(1, 0, 1)
	one := sb.read(1, 4)
	sb.write(2, 4, 1)
	two := sb.read(2, 0)
	sb.Set(one, 0, 4, Initial)
	sb.Set(two, 0, 4, Initial)
	for _, test := range []struct {
		g    *Graph
		want string
	}{
		{mp.Graph, "[{0 1} {2 3}] fence.acq_rel"},
		{sb.Graph, "[{0 1} {2 3}] fence.sc"},
	} {
		x, ok := test.g.Explain()
		slices.SortFunc(x.Pairs, func(a, b Reordered) int { return a.First - b.First })
		if got := fmt.Sprint(x.Pairs, " ", []string{"none", "fence.acq_rel", "fence.sc"}[x.Remedy]); !ok || got != test.want || x.Scope != GPU || len(x.Cycle) != 4 {
			t.Errorf("explained as %s of scope %d (%v), want %s", got, x.Scope, ok, test.want)
		}
	}
}

// TestCandidates: behind fences on both sides, a reader of the flag cannot return the initial data.
func TestCandidates(t *testing.T) {
	for _, fences := range []bool{false, true} {
		r := run{NewGraph()}
		data := r.write(1, 0, 1)
		if fences {
			r.fence(1, false)
		}
		flag := r.write(1, 4, 1)
		first := r.read(2, 4)
		r.Set(first, 0, 4, flag)
		if fences {
			r.fence(2, false)
		}
		second := r.read(2, 0)
		want := []int{Initial, data}
		if fences {
			want = want[1:]
		}
		if got := r.Candidates(second, 0, 4, Always); !slices.Equal(got, want) {
			t.Errorf("fences %v: the stores %v, want %v", fences, got, want)
		}
	}
}

// TestManyFences: threads whose fence.sc nothing orders do not make the examination long. A read that no order of the
// fences helps is found to be wrong at once; one that only their order forbids, too, or the graph says that too many
// orders were tried.
func TestManyFences(t *testing.T) {
	const threads = 24
	r := run{NewGraph()}
	data := r.write(0, 0, 1)
	for i := range uint64(threads) {
		r.write(i+1, 8+4*i, 1)
		r.fence(i+1, true)
	}
	first, second := r.read(1, 0), r.read(1, 0)
	r.Set(first, 0, 4, data)
	if got := r.Candidates(second, 0, 4, Always); !slices.Equal(got, []int{data}) || r.Exceeded() {
		t.Errorf("the stores %v, too many tried: %v; want %d, since the thread has read it", got, r.Exceeded(), data)
	}
	ring := make([]int, threads) // each thread reads the word of the next one
	for i := range uint64(threads) {
		ring[i] = r.read(i+1, 8+4*((i+1)%threads))
		r.Set(ring[i], 0, 4, Initial)
	}
	if r.Consistent() {
		t.Error("each thread has read what the next one has written behind its fence as it was before")
	}
}

// TestPieces: a read of eight bytes can return parts of several writes.
func TestPieces(t *testing.T) {
	r := run{NewGraph()}
	low, high := r.write(1, 0, 0x11), r.write(2, 4, 0x22)
	read := r.op(3, Op{Kind: Read, At: Range{Addr: 0, Size: 8}})
	if got := r.Pieces(Range{Addr: 0, Size: 8}); !slices.Equal(got, []int{0, 4, 8}) {
		t.Fatalf("pieces %v", got)
	}
	r.Set(read, 0, 4, low)
	r.Set(read, 4, 8, high)
	if v := r.Value(read, nil); v[0] != 0x22_0000_0011 || !r.Consistent() {
		t.Errorf("value %#x, consistent %v", v[0], r.Consistent())
	}
}

// TestHistory: of message passing, a reader may return old data unless release and acquire patterns reach it (8.8).
func TestHistory(t *testing.T) {
	for _, test := range []struct {
		scope Scope
		data  uint64
	}{{NoScope, 0}, {CTA, 0}, {GPU, 1}} {
		h, writer, reader := NewHistory(), NewAgent(0, 0, 1), NewAgent(1, 1, 2)
		at := func(a *Agent, addr uint64) *Access {
			return &Access{Agent: a, At: word(addr), Strong: true, Scope: GPU}
		}
		h.Store(at(writer, 0), 0, 1)
		if test.scope != NoScope {
			h.Fence(writer, test.scope, true, true, false)
		}
		h.Store(at(writer, 4), 0, 1)
		if v, _, _ := h.Load(at(reader, 4), 1, func(n int) int { return n - 1 }); v != 1 {
			t.Errorf("the flag is %d", v)
		}
		h.Fence(reader, GPU, true, true, false)
		if v, _, _ := h.Load(at(reader, 0), 1, func(int) int { return 0 }); v != test.data {
			t.Errorf("scope %d: the oldest data that the reader may return is %d, want %d", test.scope, v, test.data)
		}
	}
}

// TestBounded: a history says when it has forgotten a store that a load may return.
func TestBounded(t *testing.T) {
	h, writer := NewHistory(), NewAgent(0, 0, 1)
	for n := range uint64(MaxStores + 1) {
		if h.Bounded {
			t.Fatalf("a limit was met after %d stores", n)
		}
		h.Store(&Access{Agent: writer, At: word(0), Strong: true, Scope: GPU}, n, n+1)
	}
	if !h.Bounded {
		t.Errorf("no limit was met after %d stores", MaxStores+1)
	}
}
