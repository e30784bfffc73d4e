package precise

import (
	"cmp"
	"slices"

	"github.com/ptxsan/ptxsan/runtime/detect"
)

// A message is a strong write that follows the first access of a race, and a read of it
// that the second access follows; or several in a row, by way of other threads. The
// threads communicate, and what they lack is a release or an acquire; without a message
// they lack any order.
type message struct {
	// What the rest is about: the first hop after which the reader does not know of the
	// access, of a message that goes by way of other threads.
	write, read uint32 // sites
	acquires    bool   // the read does, or what follows; if it is that of red, what does not matter
	sent, at    stamp  // of the write and the read
	writer      thread
	reader      thread
	how         indirection

	from, to thread // of the first hop and the last
	released bool   // the writer has told the reader of the access, which has not acquired it
	// hides is the site of a store by the reader that takes the place of what it has read,
	// in the same location, where the next hop begins; 0 for none.
	hides uint32
}

// passed reports whether the hop is not the first: the writer is told of the access by
// others.
func (m *message) passed() bool { return m.writer != m.from }

// indirection is what keeps a message from being one between the accesses.
type indirection uint8

const (
	direct indirection = iota
	// elsewhere: it goes from one thread to the other, but not from the one access to the
	// other.
	elsewhere
	// beside: it is by other lanes of the warps than those that access, and nothing orders
	// them with these.
	otherLanes
	// around: the same of other threads of the blocks.
	otherThreads
)

// pair is two instructions and how far their threads are apart.
type pair struct {
	first, second uint32 // sites
	kind          kind
}

// query is what is known of the messages between the accesses of a pair.
type query struct {
	times   int
	message *message
	cause   detect.Cause // of the occurrence that has the message
	narrow  narrow       // and what is too narrow there
}

// maxSearches is how many occurrences of a pair are searched for a message, besides the 8th, the
// 16th and so on: a search looks at all messages.
const maxSearches = 4

// queryMessage looks for the message between the accesses of a finding, unless one is known from
// an earlier occurrence. It is called when the second access happens.
func (d *Detector) queryMessage(f *finding) *query {
	k := pair{d.classes[f.first].site, d.classes[f.second].site, f.kind}
	q := d.queries[k]
	if q == nil {
		q = new(query)
		d.queries[k] = q
	}
	q.times++
	if rare := q.times&(q.times-1) == 0; q.message == nil && (q.times <= maxSearches || rare) {
		if q.message = d.findMessage(f); q.message == nil {
			q.message = d.nearMessage(f)
		}
	}
	return q
}

// edge is that a thread reads what another one has written strongly.
type edge struct {
	from, to    thread
	sent, at    stamp  // when it is written and read
	write, read uint32 // indices of whats
	addr        uint64
	size        uint8
	event       uint32 // Detector.events when it is read
	reduces     bool   // the read is that of red, which forms no acquire pattern
	number      uint32 // how many there were before
}

// detail is more about a message: what its writer knew, and had fenced, and what it told
// the reader.
type detail struct {
	number     uint32 // of the message
	knew       *clock
	fenced     *fences
	acquirable acquirable
}

// edges are the latest that there were, in order of reads.
type edges struct {
	list    []edge
	next    int      // of the oldest, when the list is full
	mixed   bool     // they are in no order: some were in a journal
	total   uint32   // how many there were
	details []detail // of the latest, by number
}

// Messages that are remembered, and the latest of them of which more is than that they
// were: what threads knew is large.
const (
	maxEdges   = 1 << 16
	maxDetails = 1 << 12
)

// add is where a message and more about it is remembered, which the caller fills in.
func (m *edges) add() (*edge, *detail) {
	at := len(m.list)
	if at < maxEdges {
		m.list = append(m.list, edge{})
	} else {
		at = m.next
		m.next = (at + 1) % maxEdges
	}
	if len(m.details) < maxDetails {
		m.details = append(m.details, detail{})
	}
	x := &m.details[m.total%maxDetails]
	m.list[at].number, x.number = m.total, m.total
	m.total++
	return &m.list[at], x
}

// detail is more about a message, as far as it is remembered.
func (m *edges) detail(e *edge) detail {
	if x := m.details[e.number%maxDetails]; x.number == e.number {
		return x
	}
	return detail{}
}

// settleEdges puts the messages in order: those that were in journals came late.
func (d *Detector) settleEdges() {
	m := &d.edges
	if m.mixed {
		slices.SortStableFunc(m.list, func(a, b edge) int { return cmp.Compare(a.event, b.event) })
		m.next, m.mixed = 0, false
	}
}

// eachEdge calls f for the messages but those by way of the location that a finding is
// about, or by way of mbarriers, until it returns false: from the oldest on, or back.
func (d *Detector) eachEdge(f *finding, back bool, visit func(e *edge) bool) {
	d.settleEdges()
	n := len(d.edges.list)
	for i := range n {
		if back {
			i = n - 1 - i
		}
		e := &d.edges.list[(d.edges.next+i)%n]
		about := e.addr <= f.at && f.at < e.addr+uint64(e.size)
		if !about && d.mbarrierAt(d.current.warp, e.addr) == nil && !visit(e) {
			return
		}
	}
}

// hop is an edge by which news goes on, and those before it.
type hop struct {
	*edge
	before *hop
}

// leg is an edge of a message with all that is known of it.
type leg struct {
	edge
	detail
}

// findMessage looks for the earliest message. One look at each edge suffices, as they come
// in the order of reads.
func (d *Detector) findMessage(f *finding) (best *message) {
	known := make(map[thread]*hop) // by which threads have been told of the access
	d.eachEdge(f, false, func(e *edge) bool {
		before := known[e.from]
		switch {
		case d.isSentAfter(f, e):
			before = nil
		case before == nil || e.sent < before.at:
			return true
		}
		h := &hop{e, before}
		if known[e.to] == nil {
			known[e.to] = h
		}
		if d.readPrecedes(&d.current, &sighting{unit: e.to.unit, lane: e.to.lane, at: e.at}, int(f.secondLane)) {
			if m := d.message(f, h); best == nil || m.indirections(f) < best.indirections(f) {
				best = m
			}
		}
		return best == nil || best.indirections(f) > 0
	})
	return best
}

// message is the message by some hops.
func (d *Detector) message(f *finding, last *hop) *message {
	var hops []leg // in order; an atomic operation that passes something on is part of one
	for h := last; h != nil; h = h.before {
		if n := len(hops); n > 0 && hops[n-1].write == h.read && hops[n-1].sent == h.at && hops[n-1].addr == h.addr {
			both, first := &hops[n-1], d.edges.detail(h.edge)
			both.from, both.sent, both.write, both.knew, both.fenced = h.from, h.sent, h.write, first.knew, first.fenced
			continue
		}
		hops = append(hops, leg{*h.edge, d.edges.detail(h.edge)})
	}
	slices.Reverse(hops)
	i := 0
	for i < len(hops)-1 && hops[i+1].knew.knows(f.firstUnit, int(f.firstLane), f.since) {
		i++
	}
	m := d.between(&hops[i].edge, direct)
	m.from, m.to = hops[0].from, hops[len(hops)-1].to
	m.released = hops[i].acquirable.has(f.firstUnit, int(f.firstLane), f.since)
	m.acquires = m.acquires || i < len(hops)-1 && hops[i+1].fenced.since(hops[i].at)
	if i < len(hops)-1 && hops[i+1].from == m.reader && hops[i+1].addr == hops[i].addr {
		if x := &d.classes[hops[i+1].write]; !x.atomic() {
			m.hides = x.site
		}
	}
	return m
}

// between is the message by one edge.
func (d *Detector) between(e *edge, how indirection) *message {
	y := &d.classes[e.read]
	return &message{
		write: d.classes[e.write].site, read: y.site, acquires: y.sem.Acquires() || e.reduces, sent: e.sent, at: e.at,
		writer: e.from, reader: e.to, from: e.from, to: e.to, how: how,
	}
}

// knowsOf reports whether the first access of a finding is ordered before what a thread
// does now.
func (d *Detector) knowsOf(t thread, f *finding) bool {
	w := d.warpOfUnit(t.unit)
	return w != nil && w.of(int(t.lane)).knows(f.firstUnit, int(f.firstLane), f.since)
}

// warpOfUnit is a warp that runs, nil when it has ended.
func (d *Detector) warpOfUnit(u unit) *warp {
	home := d.places[u>>radixBits].home
	if home == nil || int(u%radix) >= len(home.warps) {
		return nil
	}
	return home.warps[u%radix]
}

// nearMessage is the latest message between the threads, in either direction, or else
// between other lanes of their warps, or else one that synchronises threads of their blocks.
func (d *Detector) nearMessage(f *finding) (near *message) {
	first, second := thread{f.firstUnit, f.firstLane}, thread{f.secondUnit, f.secondLane}
	d.eachEdge(f, true, func(e *edge) bool {
		switch {
		case e.from == first && e.to == second || e.from == second && e.to == first:
			near = d.between(e, elsewhere)
			return false
		case near != nil && near.how == otherLanes:
		case e.from.unit == first.unit && e.to.unit == second.unit || e.from.unit == second.unit && e.to.unit == first.unit:
			near = d.between(e, otherLanes)
		case near == nil && f.kind == interBlock && e.from.unit>>radixBits == first.unit>>radixBits && e.to.unit>>radixBits == second.unit>>radixBits && d.synchronised(e):
			near = d.between(e, otherThreads)
		}
		return true
	})
	return near
}

// synchronised reports whether the reader of a message has learnt of the writer.
func (d *Detector) synchronised(e *edge) bool {
	w := d.warpOfUnit(e.to.unit)
	return w != nil && w.of(int(e.to.lane)).knows(e.from.unit, int(e.from.lane), 1)
}

// indirections is the number of ends at which a message is not between the threads of a
// finding.
func (m *message) indirections(f *finding) int {
	n := 0
	if m.from != (thread{f.firstUnit, f.firstLane}) {
		n++
	}
	if m.to != (thread{f.secondUnit, f.secondLane}) {
		n++
	}
	return n
}

// isSentAfter reports whether a write is by the thread of the first access and follows it, or
// by one that follows it by a barrier of their block.
func (d *Detector) isSentAfter(f *finding, e *edge) bool {
	switch home := d.places[f.firstUnit>>radixBits].home; {
	case e.sent < f.since:
	case e.from == (thread{f.firstUnit, f.firstLane}):
		return true
	case e.from.unit>>radixBits == f.firstUnit>>radixBits && home != nil:
		return slices.ContainsFunc(home.completed, func(at stamp) bool { return f.since <= at && at <= e.sent })
	}
	return false
}
