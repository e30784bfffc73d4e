// Messages between threads: strong writes that other threads read.

package precise

import (
	"math/bits"
	"slices"
)

// message is a strong write that follows the first access of a race, and a read of it that the second access follows; or
// several such pairs (hops) in a row, by way of other threads. With a message, the threads communicate and lack a release or an
// acquire. Without a message, they lack any order.
type message struct {
	// The other fields describe one hop: of a message by way of other threads, the first one after which the reader does not
	// acquire the access.
	write, read uint32 // sites
	acquires    bool   // the read acquires, or a later operation; for the read of red, unused
	sent, at    stamp  // times of the write and the read
	writer      thread
	reader      thread
	how         indirection

	fenced   *fences // the writer's fences before the write
	until    stamp   // when the reader passes the message on, or the maximum
	from, to thread  // of the first hop and the last
	released bool    // the reader has observed a release of the access without acquiring it
	// hides is the site of a store by the reader that overwrites what it has read, in the same location, and begins the next
	// hop; 0 for none.
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

// edge is one message: a thread reads what another one has written strongly.
type edge struct {
	from, to    thread
	sent, at    stamp  // times of the write and the read
	write, read uint32 // indices into Detector.classes
	addr        uint64
	size        uint8
	event       uint32 // Detector.events at the read
	reduces     bool   // the read is that of red, which is no part of an acquire pattern
	number      uint32 // number of earlier messages
	// row and alike are further lanes of to.unit that read with the same instruction. Each lane in row reads what the previous
	// lane writes; each in alike reads what the first one reads. One of the two is empty.
	row, alike uint32
}

// eachOf calls visit for the message and for those of the further lanes, forwards or backwards, until it returns false. It
// reports whether all were visited.
func (via *edge) eachOf(back bool, visit func(via *edge) bool) bool {
	if via.row|via.alike == 0 {
		return visit(via)
	}
	all := []*edge{via}
	for m := via.alike; m != 0; m &= m - 1 {
		x := *via
		x.to.Lane = uint8(bits.TrailingZeros32(m))
		all = append(all, &x)
	}
	for m := via.row; m != 0; m &= m - 1 {
		x := *via
		x.from, x.to.Lane, x.write = all[len(all)-1].to, uint8(bits.TrailingZeros32(m)), via.read
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
	*edge
	before *hop
}

// leg is an edge of a message with its detail.
type leg struct {
	edge
	detail
}

// findMessage searches for the earliest message. It visits each edge once, since edges are sorted by their reads.
func (e *evidence) findMessage(f *finding) (best *message) {
	first := thread{Unit: f.firstUnit, Lane: f.firstLane}
	known := make(map[thread]*hop) // the threads that a message has reached, with its last hop
	extends := func(via *edge) (before *hop, is bool) {
		if before = known[via.from]; before != nil && via.from != first && before.at <= via.sent {
			return before, true
		}
		return nil, e.isSentAfter(f, via)
	}
	may := edgeFilter{
		chunk: func(x *edgeSummary) bool { return x.sent >= f.since || len(known) > 0 },
		edge: func(via *edge) bool {
			_, is := extends(via) // for all lanes in via.alike
			return is || via.row != 0 && (via.sent >= f.since || len(known) > 0)
		},
	}
	e.eachEdge(f, false, may, func(via *edge) bool {
		before, is := extends(via)
		if !is {
			return true
		}
		h := &hop{via, before}
		if known[via.to] == nil {
			known[via.to] = h
		}
		if e.precedesCurrent(&sighting{unit: via.to.Unit, lanes: 1 << via.to.Lane, at: via.at}, int(f.secondLane)) {
			if m := e.message(f, h); best == nil || m.indirections(f) < best.indirections(f) {
				best = m
			}
		}
		return best == nil || best.indirections(f) > 0
	})
	return best
}

// message returns the message that consists of some hops.
func (e *evidence) message(f *finding, last *hop) *message {
	var hops []leg // in order; an atomic operation that passes something on is part of one
	for h := last; h != nil; h = h.before {
		if n := len(hops); n > 0 && hops[n-1].write == h.read && hops[n-1].sent == h.at && hops[n-1].addr == h.addr {
			both, first := &hops[n-1], e.edges.detail(h.edge)
			both.from, both.sent, both.write, both.writerClock, both.fenced = h.from, h.sent, h.write, first.writerClock, first.fenced
			continue
		}
		hops = append(hops, leg{*h.edge, e.edges.detail(h.edge)})
	}
	slices.Reverse(hops)
	i := 0
	for i < len(hops)-1 && hops[i+1].writerClock.Includes(f.firstUnit, int(f.firstLane), f.since) {
		i++
	}
	m := e.between(&hops[i].edge, direct)
	m.from, m.to, m.fenced, m.until = hops[0].from, hops[len(hops)-1].to, hops[i].fenced, ^stamp(0)
	if i < len(hops)-1 {
		m.until = hops[i+1].sent
	}
	m.released = hops[i].acquirable.has(f.firstUnit, int(f.firstLane), f.since)
	m.acquires = m.acquires || i < len(hops)-1 && hops[i+1].fenced.since(hops[i].at, e.reachOf(m))
	if i < len(hops)-1 && hops[i+1].from == m.reader && hops[i+1].addr == hops[i].addr {
		if x := e.class(hops[i+1].write); !x.atomic() {
			m.hides = x.site
		}
	}
	return m
}

// between returns the message that consists of one edge.
func (e *evidence) between(via *edge, how indirection) *message {
	y := e.class(via.read)
	return &message{
		write: e.class(via.write).site, read: y.site, acquires: y.sem.Acquires() || via.reduces, sent: via.sent, at: via.at,
		writer: via.from, reader: via.to, from: via.from, to: via.to, how: how,
	}
}

// followsFirst reports whether the first access of a finding happens before what a thread does now.
func (e *evidence) followsFirst(t thread, f *finding) bool {
	w := e.warpOfUnit(t.Unit)
	return w != nil && w.of(int(t.Lane)).Includes(f.firstUnit, int(f.firstLane), f.since)
}

// nearMessage returns the latest message between the two threads, in either direction. If there is none, it returns one between
// other lanes of their warps: written after the first access, or one that one of the two threads waits for before its own access,
// since it is then chance in which order the lanes of the other warp write the message and make the other access. If there is
// none, it returns one that synchronises other threads of their blocks.
func (e *evidence) nearMessage(f *finding) (near *message) {
	first, second := thread{Unit: f.firstUnit, Lane: f.firstLane}, thread{Unit: f.secondUnit, Lane: f.secondLane}
	may := edgeFilter{
		chunk: func(x *edgeSummary) bool {
			return x.mayBeTo(first.Unit) || x.mayBeTo(second.Unit) || f.kind == interBlock && x.mayBeToBlock(second.Unit>>radixBits)
		},
		edge: func(via *edge) bool {
			to := via.to.Unit
			return to == first.Unit || to == second.Unit || f.kind == interBlock && to>>radixBits == second.Unit>>radixBits
		},
	}
	e.eachEdge(f, true, may, func(via *edge) bool {
		switch {
		case via.from == first && via.to == second || via.from == second && via.to == first:
			near = e.between(via, elsewhere)
			return false
		case via.reduces || e.unheeded.has(e.class(via.read).site): // a counter: the thread does not learn what it has read
		case near != nil && near.how == otherLanes:
		case f.isSentBy(via): // the instruction that makes the first access writes the message
		case via.from.Unit == first.Unit && via.to.Unit == second.Unit && (via.sent >= f.since || via.to == second && e.decides(via)),
			via.from.Unit == second.Unit && via.to == first && via.at <= f.since && e.decides(via):
			near = e.between(via, otherLanes)
		case near == nil && f.kind == interBlock && via.from.Unit>>radixBits == first.Unit>>radixBits && via.to.Unit>>radixBits == second.Unit>>radixBits && e.synchronised(via):
			near = e.between(via, otherThreads)
		}
		return true
	})
	return near
}

// isSentBy reports whether the first access of a finding and the write of a message are by lanes of a warp in one instruction.
func (f *finding) isSentBy(via *edge) bool {
	return via.from.Unit == f.firstUnit && via.write == f.first && via.sent == f.since
}

// decides reports whether the value that the reader of a message has read decides what that thread does next.
func (e *evidence) decides(via *edge) bool {
	return e.consulted != nil && e.consulted.has(e.class(via.read).site)
}

// synchronised reports whether the reader of a message has synchronised with the writer.
func (e *evidence) synchronised(via *edge) bool {
	w := e.warpOfUnit(via.to.Unit)
	return w != nil && w.of(int(via.to.Lane)).Includes(via.from.Unit, int(via.from.Lane), 1)
}

// indirections returns the number of ends at which a message is not between the threads of a
// finding.
func (m *message) indirections(f *finding) int {
	n := 0
	if m.from != (thread{Unit: f.firstUnit, Lane: f.firstLane}) {
		n++
	}
	if m.to != (thread{Unit: f.secondUnit, Lane: f.secondLane}) {
		n++
	}
	return n
}

// isSentAfter reports whether the write of a message follows the first access: in program order, or because another thread of
// the block has acquired the access, for example at a barrier.
func (e *evidence) isSentAfter(f *finding, via *edge) bool {
	switch {
	case via.sent < f.since:
	case via.from == (thread{Unit: f.firstUnit, Lane: f.firstLane}):
		return true
	case via.from.Unit>>radixBits == f.firstUnit>>radixBits:
		return e.edges.detail(via).writerClock.Includes(f.firstUnit, int(f.firstLane), f.since)
	}
	return false
}
