// The list of messages, in which those between given threads are searched.

package evidence

import (
	"cmp"
	"slices"
)

// Detail has further data of a message: the writer's vector clock and fences, and what it released to the reader.
type Detail struct {
	number      uint32 // of the message
	WriterClock *clock
	Fenced      *FencedAt
	Acquirable  Acquirable
}

// Acquirable is what a thread may acquire at a location by a read, including what its clock has already.
type Acquirable interface {
	// Has reports whether it includes the accesses of a thread up to a time.
	Has(u unit, lane int, at stamp) bool
}

// edges holds the latest messages, in order of reads.
type edges struct {
	list    []*edgeChunk
	length  int                        // number of messages in list
	next    int                        // index of the oldest, when the list is full
	mixed   bool                       // not sorted: some were in a journal
	total   uint32                     // number of all messages so far
	details []*[detailsTogether]Detail // of the latest messages, by number
}

// Messages and details are allocated in chunks of these lengths.
const (
	edgesTogether   = 1 << 9
	detailsTogether = 1 << 7
)

// Numbers of messages and of details that are kept. Details are kept for fewer messages because vector clocks are
// large.
const (
	maxEdges   = 1 << 16
	maxDetails = 1 << 12
)

// edgeChunk is a part of the list of messages. It says what they may be, so that a search can pass over most parts.
type edgeChunk struct {
	edges [edgesTogether]Edge
	about edgeSummary // the messages since the first one was last replaced
	older edgeSummary // those before, if some are left
}

// edgeSummary says what some messages may be.
type edgeSummary struct {
	sent   stamp  // no write is later
	units  uint64 // hashes of the readers' units
	blocks uint64 // hashes of their blocks
}

// unitHash returns a set with the hash of a unit or a block.
func unitHash(u unit) uint64 { return 1 << (uint32(u) * 0x9e3779b1 >> 26) }

func (s *edgeSummary) add(via *Edge) {
	s.sent = max(s.sent, via.Sent)
	s.units |= unitHash(via.To.Unit)
	s.blocks |= unitHash(via.To.Unit >> radixBits)
}

// mayBeTo reports whether the reader of a message may be of a unit.
func (s *edgeSummary) mayBeTo(u unit) bool { return s.units&unitHash(u) != 0 }

// mayBeToBlock reports whether the reader of a message may be of a block.
func (s *edgeSummary) mayBeToBlock(block unit) bool { return s.blocks&unitHash(block) != 0 }

// at returns a message of the list.
func (m *edges) at(i int) *Edge { return &m.list[i/edgesTogether].edges[i%edgesTogether] }

// emptied returns an empty list that reuses the memory of the last launch's.
func (m *edges) emptied() edges { return edges{list: m.list, details: m.details} }

// add adds a message and returns its detail, which the caller fills in.
func (m *edges) add(via *Edge) *Detail {
	at := m.length
	if at < maxEdges {
		if at == len(m.list)*edgesTogether {
			m.list = append(m.list, new(edgeChunk))
		}
		m.length++
	} else {
		at = m.next
		m.next = (at + 1) % maxEdges
	}
	c := m.list[at/edgesTogether]
	if at%edgesTogether == 0 {
		c.older, c.about = c.about, edgeSummary{}
		if m.total < maxEdges {
			c.older = edgeSummary{} // of an earlier launch
		}
	}
	via.number = m.total
	c.edges[at%edgesTogether] = *via
	c.about.add(via)
	n := m.total % maxDetails / detailsTogether
	if int(n) == len(m.details) {
		m.details = append(m.details, new([detailsTogether]Detail))
	}
	x := &m.details[n][m.total%detailsTogether]
	x.number = m.total
	m.total++
	return x
}

// last returns the latest message.
func (m *edges) last() *Edge {
	at := m.next
	if at == 0 {
		at = m.length
	}
	return m.at(at - 1)
}

// detail returns the detail of a message, empty if it is no longer kept.
func (m *edges) detail(via *Edge) Detail {
	if x := &m.details[via.number%maxDetails/detailsTogether][via.number%detailsTogether]; x.number == via.number {
		return *x
	}
	return Detail{}
}

// AddMessage adds a message between two threads, and returns its detail, which the caller fills in.
func (e *synchronisation) AddMessage(via *Edge) *Detail { return e.edges.add(via) }

// AddReaders adds lanes that read what the first one has read, to the latest message.
func (e *synchronisation) AddReaders(lanes uint32) { e.edges.last().alike = lanes }

// AddRow adds lanes of which each reads what the previous one has written, to the latest message.
func (e *synchronisation) AddRow(lanes uint32) { e.edges.last().row = lanes }

// MessagesCameLate records that messages have been added that are older than some before them.
func (e *synchronisation) MessagesCameLate() { e.edges.mixed = true }

// MessageCount returns the number of messages so far.
func (e *synchronisation) MessageCount() uint32 { return e.edges.total }

// settle sorts the messages: those from journals were added late.
func (m *edges) settle() {
	if !m.mixed {
		return
	}
	var all []Edge
	for i := range m.length {
		all = append(all, *m.at(i))
	}
	slices.SortStableFunc(all, func(a, b Edge) int { return cmp.Compare(a.Event, b.Event) })
	for _, c := range m.list {
		c.about, c.older = edgeSummary{}, edgeSummary{}
	}
	for i := range all {
		*m.at(i) = all[i]
		m.list[i/edgesTogether].about.add(&all[i])
	}
	m.next, m.mixed = 0, false
}

// edgeFilter says which messages a search may be about: cheap tests of a message, with all of its lanes, and of the
// messages of a chunk. The search would do nothing about the others.
type edgeFilter struct {
	chunk func(*edgeSummary) bool
	edge  func(*Edge) bool
}

// each calls visit for the messages that may be searched for, from the oldest on or backwards, until it returns false.
func (m *edges) each(back bool, may edgeFilter, visit func(via *Edge) bool) {
	i, step := m.next, 1
	if back {
		i, step = i-1, -1
	}
	for left := m.length; left > 0; {
		switch i {
		case -1:
			i = m.length - 1
		case m.length:
			i = 0
		}
		c, at := m.list[i/edgesTogether], i%edgesTogether
		here := min(left, at+1)
		if !back {
			here = min(left, edgesTogether-at, m.length-i)
		}
		if may.chunk(&c.about) || may.chunk(&c.older) {
			for range here {
				if via := &c.edges[at]; may.edge(via) && !visit(via) {
					return
				}
				at += step
			}
		}
		i += step * here
		left -= here
	}
}

// eachEdge calls visit for the messages that may be searched for, from the oldest on or backwards, until it returns
// false. It skips messages by way of the location that a finding is about, or by way of mbarriers.
func (e *synchronisation) eachEdge(f *Finding, back bool, may edgeFilter, visit func(via *Edge) bool) {
	e.edges.settle()
	e.edges.each(back, may, func(via *Edge) bool {
		about := f.At-via.Addr < uint64(via.Size)
		return about || e.IsMbarrierAt(via.Addr) || via.eachOf(back, visit)
	})
}
