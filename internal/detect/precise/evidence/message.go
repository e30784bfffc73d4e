// Messages between threads: strong writes that other threads read.

package evidence

import (
	"math/bits"
	"slices"
)

// message is a strong write that follows the first access of a race, and a read of it that the second access follows;
// or several such pairs (hops) in a row, by way of other threads. With a message, the threads communicate and lack a
// release or an acquire. Without a message, they lack any order.
type message struct {
	// The other fields describe one hop: of a message by way of other threads, the first one after which the reader
	// does not acquire the access.
	write, read uint32 // sites
	acquires    bool   // the read acquires, or a later operation; for the read of red, unused
	sent, at    stamp  // times of the write and the read
	writer      thread
	reader      thread
	how         indirection

	fenced   *FencedAt // the writer's fences before the write
	until    stamp     // when the reader passes the message on, or the maximum
	from, to thread    // of the first hop and the last
	released bool      // the reader has observed a release of the access without acquiring it
	// hides is the site of a store by the reader that overwrites what it has read, in the same location, and begins the
	// next hop; 0 for none.
	hides uint32
}

// passed reports whether the hop is not the first: the writer has received the message from others.
func (m *message) passed() bool { return m.writer != m.from }

// indirection says how a message differs from one between the two accesses themselves.
type indirection uint8

const (
	direct indirection = iota
	// elsewhere: from one thread to the other, but not from one access to the other.
	elsewhere
	// otherLanes: between other lanes of the two warps, which nothing orders with the accessing lanes.
	otherLanes
	// otherThreads: between other threads of the two blocks.
	otherThreads
)

// Edge is one message: a thread reads what another one has written strongly.
type Edge struct {
	From, To    thread
	Sent, At    stamp  // times of the write and the read
	Write, Read uint32 // indices of the access classes
	Addr        uint64
	Size        uint8
	Event       uint32 // number of the event of the read
	Reduces     bool   // the read is that of red, which is no part of an acquire pattern
	number      uint32 // number of earlier messages
	// row and alike are further lanes of to.unit that read with the same instruction. Each lane in row reads what the
	// previous lane writes; each in alike reads what the first one reads. One of the two is empty.
	row, alike uint32
}

// eachOf calls visit for the message and for those of the further lanes, forwards or backwards, until it returns false.
// It reports whether all were visited.
func (via *Edge) eachOf(back bool, visit func(via *Edge) bool) bool {
	if via.row|via.alike == 0 {
		return visit(via)
	}
	all := []*Edge{via}
	for m := via.alike; m != 0; m &= m - 1 {
		x := *via
		x.To.Lane = uint8(bits.TrailingZeros32(m))
		all = append(all, &x)
	}
	for m := via.row; m != 0; m &= m - 1 {
		x := *via
		x.From, x.To.Lane, x.Write = all[len(all)-1].To, uint8(bits.TrailingZeros32(m)), via.Read
		all = append(all, &x)
	}
	if back {
		slices.Reverse(all)
	}
	for _, x := range all {
		if !visit(x) {
			return false
		}
	}
	return true
}

// hop is an edge that passes on a message, and the hops before it.
type hop struct {
	*Edge
	before *hop
}

// leg is an edge of a message with its detail.
type leg struct {
	Edge
	Detail
}

// findMessage searches for the earliest message. It visits each edge once, since edges are sorted by their reads.
func (e *synchronisation) findMessage(f *Finding) (best *message) {
	first := thread{Unit: f.FirstUnit, Lane: f.FirstLane}
	known := make(map[thread]*hop) // the threads that a message has reached, with its last hop
	extends := func(via *Edge) (before *hop, is bool) {
		if before = known[via.From]; before != nil && via.From != first && before.At <= via.Sent {
			return before, true
		}
		return nil, e.isSentAfter(f, via)
	}
	may := edgeFilter{
		chunk: func(x *edgeSummary) bool { return x.sent >= f.Since || len(known) > 0 },
		edge: func(via *Edge) bool {
			_, is := extends(via) // for all lanes in via.alike
			return is || via.row != 0 && (via.Sent >= f.Since || len(known) > 0)
		},
	}
	e.eachEdge(f, false, may, func(via *Edge) bool {
		before, is := extends(via)
		if !is {
			return true
		}
		h := &hop{via, before}
		if known[via.To] == nil {
			known[via.To] = h
		}
		if e.PrecedesCurrent(via.To, via.At, int(f.SecondLane)) {
			if m := e.message(f, h); best == nil || m.indirections(f) < best.indirections(f) {
				best = m
			}
		}
		return best == nil || best.indirections(f) > 0
	})
	return best
}

// message returns the message that consists of some hops.
func (e *synchronisation) message(f *Finding, last *hop) *message {
	var hops []leg // in order; an atomic operation that passes something on is part of one
	for h := last; h != nil; h = h.before {
		if n := len(hops); n > 0 && hops[n-1].Write == h.Read && hops[n-1].Sent == h.At && hops[n-1].Addr == h.Addr {
			both, first := &hops[n-1], e.edges.detail(h.Edge)
			both.From, both.Sent, both.Write, both.WriterClock, both.Fenced = h.From, h.Sent, h.Write,
				first.WriterClock, first.Fenced
			continue
		}
		hops = append(hops, leg{*h.Edge, e.edges.detail(h.Edge)})
	}
	slices.Reverse(hops)
	i := 0
	for i < len(hops)-1 && hops[i+1].WriterClock.Includes(f.FirstUnit, int(f.FirstLane), f.Since) {
		i++
	}
	m := e.between(&hops[i].Edge, direct)
	m.from, m.to, m.fenced, m.until = hops[0].From, hops[len(hops)-1].To, hops[i].Fenced, ^stamp(0)
	if i < len(hops)-1 {
		m.until = hops[i+1].Sent
	}
	m.released = hops[i].Acquirable != nil && hops[i].Acquirable.Has(f.FirstUnit, int(f.FirstLane), f.Since)
	m.acquires = m.acquires || i < len(hops)-1 && fencedSince(hops[i+1].Fenced, hops[i].At, e.reachOf(m))
	if i < len(hops)-1 && hops[i+1].From == m.reader && hops[i+1].Addr == hops[i].Addr {
		if x := e.classes.At(hops[i+1].Write); !x.Atomic() {
			m.hides = x.Site
		}
	}
	return m
}

// between returns the message that consists of one edge.
func (e *synchronisation) between(via *Edge, how indirection) *message {
	y := e.classes.At(via.Read)
	return &message{
		write: e.classes.At(via.Write).Site, read: y.Site, acquires: y.Sem.Acquires() ||
			via.Reduces, sent: via.Sent, at: via.At,
		writer: via.From, reader: via.To, from: via.From, to: via.To, how: how,
	}
}

// followsFirst reports whether the first access of a finding happens before what a thread does now.
func (e *synchronisation) followsFirst(t thread, f *Finding) bool {
	return e.KnowledgeOf(t).Clock.Includes(f.FirstUnit, int(f.FirstLane), f.Since)
}

// nearMessage returns the latest message between the two threads, in either direction. If there is none, it returns one
// between other lanes of their warps: written after the first access, or one that one of the two threads waits for
// before its own access, since it is then chance in which order the lanes of the other warp write the message and make
// the other access. If there is none, it returns one that synchronises other threads of their blocks.
func (e *synchronisation) nearMessage(f *Finding) (near *message) {
	first, second := thread{Unit: f.FirstUnit, Lane: f.FirstLane}, thread{Unit: f.SecondUnit, Lane: f.SecondLane}
	may := edgeFilter{
		chunk: func(x *edgeSummary) bool {
			return x.mayBeTo(first.Unit) || x.mayBeTo(second.Unit) ||
				f.Relation == InterBlock && x.mayBeToBlock(second.Unit>>radixBits)
		},
		edge: func(via *Edge) bool {
			to := via.To.Unit
			return to == first.Unit || to == second.Unit ||
				f.Relation == InterBlock && to>>radixBits == second.Unit>>radixBits
		},
	}
	e.eachEdge(f, true, may, func(via *Edge) bool {
		switch {
		case via.From == first && via.To == second || via.From == second && via.To == first:
			near = e.between(via, elsewhere)
			return false
		case via.Reduces || e.Unheeded.Has(e.classes.At(via.Read).Site): // a counter: the thread does not learn what it has read
		case near != nil && near.how == otherLanes:
		case f.isSentBy(via): // the instruction that makes the first access writes the message
		case via.From.Unit == first.Unit && via.To.Unit == second.Unit &&
			(via.Sent >= f.Since || via.To == second && e.decides(via)),
			via.From.Unit == second.Unit && via.To == first && via.At <= f.Since && e.decides(via):
			near = e.between(via, otherLanes)
		case near == nil && f.Relation == InterBlock && via.From.Unit>>radixBits == first.Unit>>radixBits &&
			via.To.Unit>>radixBits == second.Unit>>radixBits && e.synchronised(via):
			near = e.between(via, otherThreads)
		}
		return true
	})
	return near
}

// isSentBy reports whether the first access of a finding and the write of a message are by lanes of a warp in one
// instruction.
func (f *Finding) isSentBy(via *Edge) bool {
	return via.From.Unit == f.FirstUnit && via.Write == f.First && via.Sent == f.Since
}

// decides reports whether the value that the reader of a message has read decides what that thread does next.
func (e *synchronisation) decides(via *Edge) bool {
	return e.Consulted != nil && e.Consulted.Has(e.classes.At(via.Read).Site)
}

// synchronised reports whether the reader of a message has synchronised with the writer.
func (e *synchronisation) synchronised(via *Edge) bool {
	return e.KnowledgeOf(via.To).Clock.Includes(via.From.Unit, int(via.From.Lane), 1)
}

// indirections returns the number of ends at which a message is not between the threads of a
// finding.
func (m *message) indirections(f *Finding) int {
	n := 0
	if m.from != (thread{Unit: f.FirstUnit, Lane: f.FirstLane}) {
		n++
	}
	if m.to != (thread{Unit: f.SecondUnit, Lane: f.SecondLane}) {
		n++
	}
	return n
}

// isSentAfter reports whether the write of a message follows the first access: in program order, or because another
// thread of the block has acquired the access, for example at a barrier, or the thread is of a later launch on the
// device.
func (e *synchronisation) isSentAfter(f *Finding, via *Edge) bool {
	switch {
	case via.Sent < f.Since:
	case via.From == (thread{Unit: f.FirstUnit, Lane: f.FirstLane}):
		return true
	case via.From.Unit>>radixBits == f.FirstUnit>>radixBits, e.arePeers(via.From.Unit, f.FirstUnit):
		return e.edges.detail(via).WriterClock.Includes(f.FirstUnit, int(f.FirstLane), f.Since)
	}
	return false
}

// arePeers reports whether two units are of different grids of one device, if devices have numbers.
func (e *synchronisation) arePeers(u, v unit) bool {
	p, q := e.PlaceOf(u), e.PlaceOf(v)
	return p.Device != 0 && p.Device == q.Device && p.Grid != q.Grid
}
