package precise

import (
	"cmp"
	"slices"
)

// A message is a strong write that follows the first access of a race, and a read of it
// that the second access follows; or several in a row, by way of other threads. The
// threads communicate, and what they lack is a release or an acquire; without a message
// they lack any order.
type message struct {
	write, read uint32 // sites of the first write and the last read
	acquires    bool   // the read does
	sent, at    stamp  // of the write and the read
	writer      thread
	reader      thread
	how         detour
}

// detour is what keeps a message from being one between the accesses.
type detour uint8

const (
	direct detour = iota
	// elsewhere: it goes from one thread to the other, but not from the one access to the
	// other.
	elsewhere
	// beside: it is by other lanes of the warps than those that access, and nothing orders
	// them with these.
	beside
)

// pair is two instructions and how far their threads are apart.
type pair struct {
	first, second uint32 // sites
	kind          kind
}

// asked is what is known of the messages between the accesses of a pair.
type asked struct {
	times   int
	message *message
	cause   string // of the occurrence that has the message
	narrow  narrow // and what is too narrow there
}

// maxAsked is how many occurrences of a pair are searched for a message: a search looks
// at all messages.
const maxAsked = 4

// ask looks for the message between the accesses of a finding, unless one is known from
// an earlier occurrence. It is called when the second access happens.
func (d *Detector) ask(f *finding) *asked {
	k := pair{d.whats[f.first].site, d.whats[f.second].site, f.kind}
	q := d.messages[k]
	if q == nil {
		q = new(asked)
		d.messages[k] = q
	}
	if q.message == nil && q.times < maxAsked {
		q.times++
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
}

// edges are the latest that there were, in order of reads.
type edges struct {
	list  []edge
	next  int  // of the oldest, when the list is full
	mixed bool // they are in no order: some were in a journal
}

// maxEdges is how many messages are remembered.
const maxEdges = 1 << 16

// heard remembers a message.
func (d *Detector) heard(e edge) {
	m := &d.edges
	if len(m.list) < maxEdges {
		m.list = append(m.list, e)
		return
	}
	m.list[m.next] = e
	m.next = (m.next + 1) % maxEdges
}

// settle adds the messages that are in journals.
func (d *Detector) settleEdges() {
	m := &d.edges
	if m.mixed {
		slices.SortStableFunc(m.list, func(a, b edge) int { return cmp.Compare(a.event, b.event) })
		m.next, m.mixed = 0, false
	}
}

// besides calls f for the messages but those by way of the location that a finding is
// about, or by way of mbarriers, until it returns false: from the oldest on, or back.
func (d *Detector) besides(f *finding, back bool, visit func(e *edge) bool) {
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

// news is since when a thread has known of an access, and the write that told the first.
type news struct {
	at   stamp
	from *edge
}

// findMessage looks for the earliest message. One look at each edge suffices, as they come
// in the order of reads.
func (d *Detector) findMessage(f *finding) (best *message) {
	known := make(map[thread]news)
	d.besides(f, false, func(e *edge) bool {
		n, ok := known[e.from]
		switch {
		case d.tells(f, e):
			n = news{from: e}
		case !ok || e.sent < n.at:
			return true
		}
		if _, ok := known[e.to]; !ok {
			known[e.to] = news{e.at, n.from}
		}
		if d.readPrecedes(&d.current, &sighting{unit: e.to.unit, lane: e.to.lane, at: e.at}, int(f.secondLane)) {
			if m := d.message(n.from, e, direct); best == nil || m.detours(f) < best.detours(f) {
				best = m
			}
		}
		return best == nil || best.detours(f) > 0
	})
	return best
}

func (d *Detector) message(w, r *edge, how detour) *message {
	y := &d.whats[r.read]
	return &message{
		write: d.whats[w.write].site, read: y.site, acquires: y.sem.Acquires(), sent: w.sent, at: r.at,
		writer: w.from, reader: r.to, how: how,
	}
}

// nearMessage is the latest message between the threads, in either direction, or else
// between other lanes of their warps.
func (d *Detector) nearMessage(f *finding) (near *message) {
	first, second := thread{f.firstUnit, f.firstLane}, thread{f.secondUnit, f.secondLane}
	d.besides(f, true, func(e *edge) bool {
		switch {
		case e.from == first && e.to == second || e.from == second && e.to == first:
			near = d.message(e, e, elsewhere)
			return false
		case near != nil:
		case e.from.unit == first.unit && e.to.unit == second.unit || e.from.unit == second.unit && e.to.unit == first.unit:
			near = d.message(e, e, beside)
		}
		return true
	})
	return near
}

// detours is the number of ends at which a message is not between the threads of a
// finding.
func (m *message) detours(f *finding) int {
	n := 0
	if m.writer != (thread{f.firstUnit, f.firstLane}) {
		n++
	}
	if m.reader != (thread{f.secondUnit, f.secondLane}) {
		n++
	}
	return n
}

// tells reports whether a write is by the thread of the first access and follows it, or
// by one that follows it by a barrier of their block.
func (d *Detector) tells(f *finding, e *edge) bool {
	switch home := d.places[f.firstUnit>>radixBits].home; {
	case e.sent < f.since:
	case e.from == (thread{f.firstUnit, f.firstLane}):
		return true
	case e.from.unit>>radixBits == f.firstUnit>>radixBits && home != nil:
		return slices.ContainsFunc(home.completed, func(at stamp) bool { return f.since <= at && at <= e.sent })
	}
	return false
}
