// The table of synchronisation variables, by address.

package barracuda

import (
	"github.com/ptxsan/ptxsan/internal/hugepage"
	"github.com/ptxsan/ptxsan/internal/pagetable"
	"github.com/ptxsan/ptxsan/internal/slab"
)

// syncKey identifies a synchronisation location. Shared memory is that of a cluster.
type syncKey struct {
	cluster uint64
	shared  bool
	addr    uint64
}

// isAligned reports whether a location is an aligned word.
func (k syncKey) isAligned() bool { return k.addr&(1<<wordBits-1) == 0 }

// syncVars holds all S_x. When its room is used up, one S_x stands for all further locations, and a release that needs
// another entry becomes a release to all blocks. That orders too many threads, so that races may be missed but none is
// false.
type syncVars struct {
	global   syncPages
	shared   map[uint64]*syncPages // by cluster
	vars     []*syncBlock          // all S_x by number, dropped ones included
	used     syncRef               // the latest number, 0 if there are no S_x
	dropped  []syncRef             // those that are of no location any more
	odd      map[syncKey]syncRef   // for locations that are not aligned words
	others   *syncVar              // for locations without one of their own
	room     int                   // number of entries that can still be made, for locations, their blocks and clusters
	widened  uint64                // number of operations for which there was no room
	mutual   bool                  // both scopes must include the other thread
	builders builders
	released slab.Of[releasedClock]
	paths    slab.Of[threadClock] // of releasing warps
}

// syncPages holds the numbers of the S_x of aligned words of global memory, or of the shared memory of a cluster.
type syncPages struct{ pagetable.Table[syncPage] }

type (
	syncPage [1 << (syncPageBits - syncLineBits)]*syncLine
	// syncLine holds the numbers of the S_x of consecutive words: lanes often synchronise through one each. It has the
	// size of a line of the processor's cache.
	syncLine [1 << (syncLineBits - wordBits)]syncRef
	// syncRef is the number of an S_x, 0 for none.
	syncRef uint32
	// syncBlock holds S_x that are allocated together. Number 0 is that of an S_x without releases, of no location.
	syncBlock [syncBlockVars]syncVar
)

const (
	syncLineBits  = 6
	syncPageBits  = 12
	syncBlockVars = 128 // 4 KiB
)

func newSyncVars(room int, paper bool) *syncVars {
	return &syncVars{shared: make(map[uint64]*syncPages), odd: make(map[syncKey]syncRef), room: room, mutual: !paper}
}

// numbered returns the S_x with a number. There is none with number 0 before the first one with another.
func (s *syncVars) numbered(n syncRef) *syncVar { return &s.vars[n/syncBlockVars][n%syncBlockVars] }

// all calls f for each S_x, those of no location included.
func (s *syncVars) all(f func(*syncVar) bool) {
	for n := syncRef(1); n <= s.used; n++ {
		if !f(s.numbered(n)) {
			return
		}
	}
	if s.others != nil {
		f(s.others)
	}
}

// memory returns the S_x of the memory that a location is in, nil if there are none.
func (s *syncVars) memory(k syncKey) *syncPages {
	if k.shared {
		return s.shared[k.cluster]
	}
	return &s.global
}

// place returns a pointer to the number of the S_x of a word.
func (s *syncVars) place(k syncKey) *syncRef {
	m := s.memory(k)
	if m == nil {
		m = new(syncPages)
		s.shared[k.cluster] = m
	}
	p := m.Find(k.addr >> syncPageBits)
	if p == nil {
		p = new(syncPage)
		m.Add(k.addr>>syncPageBits, p)
	}
	l := &p[k.addr>>syncLineBits%uint64(len(p))]
	if *l == nil {
		*l = hugepage.Object(new(syncLine))
	}
	return &(*l)[k.addr>>wordBits%uint64(len(*l))]
}

// find returns the number of the S_x of a word, 0 if no thread has released there.
func (m *syncPages) find(addr uint64) syncRef {
	if m == nil {
		return 0
	}
	p := m.Find(addr >> syncPageBits)
	if p == nil {
		return 0
	}
	l := p[addr>>syncLineBits%uint64(len(p))]
	if l == nil {
		return 0
	}
	return l[addr>>wordBits%uint64(len(l))]
}

// newSyncVar returns the number of an S_x without releases.
func (s *syncVars) newSyncVar() syncRef {
	if n := len(s.dropped) - 1; n >= 0 {
		x := s.dropped[n]
		s.dropped = s.dropped[:n]
		return x
	}
	if s.used++; int(s.used/syncBlockVars) == len(s.vars) {
		b := hugepage.Object(new(syncBlock))
		for i := range b {
			b[i].rareVar = &noRare
		}
		s.vars = append(s.vars, b)
	}
	return s.used
}

// made returns the number of a location's own S_x, 0 if it has none.
func (s *syncVars) made(k syncKey) syncRef {
	if k.isAligned() {
		return s.memory(k).find(k.addr)
	}
	return s.odd[k]
}

// known returns the S_x of a location that has number own for its own, nil if no thread has released there.
func (s *syncVars) known(own syncRef) *syncVar {
	switch {
	case own != 0:
		return s.numbered(own)
	case s.others != nil:
		s.widened++
	}
	return s.others
}

// at returns the S_x of a location that has number own for its own, and makes it if there is none but room.
func (s *syncVars) at(k syncKey, own syncRef) *syncVar {
	if own != 0 {
		return s.numbered(own)
	}
	if s.room <= 0 {
		s.widened++
		if s.others == nil {
			s.others = &syncVar{rareVar: &noRare}
		}
		return s.others
	}
	s.room--
	own = s.newSyncVar()
	if k.isAligned() {
		*s.place(k) = own
	} else {
		s.odd[k] = own
	}
	return s.numbered(own)
}

// release records a release at x by a thread of a block that has acquired seen.
func (s *syncVars) release(x *syncVar, b *block, scope Scope, vc, seen *releasedClock) {
	of := x.entry(b.index)
	n := x.entries(b, of, scope, s.mutual)
	if x == s.others || n > s.room {
		if x != s.others { // at has counted the others
			s.widened++
		}
		x.releaseAll(vc)
		return
	}
	s.room -= n
	if s.mutual {
		x.relMutual(b, of, scope, vc, seen)
		return
	}
	x.release(b, scope, vc)
}

// acquire returns the clock that an acquire by a block at x joins.
func (s *syncVars) acquire(x *syncVar, b *block, scope Scope) *releasedClock {
	if s.mutual {
		return x.acqMutual(b, scope)
	}
	return x.acquire(b, scope)
}
