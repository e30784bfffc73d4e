// The table of synchronisation variables, by address.

package barracuda

import (
	"github.com/ptxsan/ptxsan/runtime/detect/internal/pagetable"
	"github.com/ptxsan/ptxsan/runtime/detect/internal/slab"
)

// syncKey identifies a synchronisation location. Shared memory is that of a cluster.
type syncKey struct {
	cluster uint64
	shared  bool
	addr    uint64
}

// isAligned reports whether a location is an aligned word.
func (k syncKey) isAligned() bool { return k.addr&(1<<wordBits-1) == 0 }

// syncVars holds all S_x. When its room is used up, one S_x stands for all further locations, and a release that needs another
// entry becomes a release to all blocks. That orders too many threads, so that races may be missed but none is false.
type syncVars struct {
	global     syncPages
	shared     map[uint64]*syncPages // by cluster
	vars       []*syncVar            // all of them, dropped ones included
	spare      []syncVar             // allocated in advance
	dropped    []*syncVar            // those of vars that are of no location any more
	odd        map[syncKey]*syncVar  // for locations that are not aligned words
	others     *syncVar              // for locations without one of their own
	room       int                   // number of entries that can still be made, for locations, their blocks and clusters
	widened    uint64                // number of operations for which there was no room
	mutual     bool                  // both scopes must include the other thread
	prefetched uint32                // keeps the loads of prefetch
	builders   builders
	gathering  gathering
	released   slab.Of[releasedClock]
	paths      slab.Of[threadClock] // of releasing warps
}

// syncPages holds the S_x of aligned words of global memory, or of the shared memory of a cluster.
type syncPages struct{ pagetable.Table[syncPage] }

type (
	syncPage [1 << (syncPageBits - syncLineBits)]*syncLine
	// syncLine holds the S_x of consecutive words: lanes often synchronise through one each.
	syncLine [1 << (syncLineBits - wordBits)]*syncVar
)

const (
	syncLineBits = 6
	syncPageBits = 12
	manyPages    = 64 // limit of pages that none searches
	madeSyncVars = 32 // number allocated together once there are as many
)

func newSyncVars(room int, paper bool) *syncVars {
	return &syncVars{shared: make(map[uint64]*syncPages), odd: make(map[syncKey]*syncVar), room: room, mutual: !paper}
}

// memory returns the S_x of the memory that a location is in, nil if there are none.
func (s *syncVars) memory(k syncKey) *syncPages {
	if k.shared {
		return s.shared[k.cluster]
	}
	return &s.global
}

// place returns a pointer to the entry for the S_x of a word.
func (s *syncVars) place(k syncKey) **syncVar {
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
		*l = new(syncLine)
	}
	return &(*l)[k.addr>>wordBits%uint64(len(*l))]
}

// find returns the S_x of a word, nil if no thread has released there.
func (m *syncPages) find(addr uint64) *syncVar {
	if m == nil {
		return nil
	}
	p := m.Find(addr >> syncPageBits)
	if p == nil {
		return nil
	}
	l := p[addr>>syncLineBits%uint64(len(p))]
	if l == nil {
		return nil
	}
	return l[addr>>wordBits%uint64(len(l))]
}

// newSyncVar returns an S_x without releases.
func (s *syncVars) newSyncVar() *syncVar {
	if n := len(s.dropped) - 1; n >= 0 {
		x := s.dropped[n]
		s.dropped = s.dropped[:n]
		return x
	}
	if len(s.spare) == 0 {
		s.spare = make([]syncVar, min(len(s.vars)+1, madeSyncVars))
	}
	x := &s.spare[0]
	x.rareVar = &noRare
	s.spare, s.vars = s.spare[1:], append(s.vars, x)
	return x
}

// none reports whether no thread has released at the words of that many bytes from a location on. The test is conservative: false
// may mean unknown.
func (s *syncVars) none(k syncKey, bytes uint64) bool {
	end := k.addr + bytes
	if bytes > manyPages<<syncPageBits || end < k.addr {
		return false
	}
	m := s.memory(k)
	for n := k.addr >> syncPageBits; m != nil && n<<syncPageBits < end; n++ {
		if m.Find(n) != nil {
			return false
		}
	}
	return true
}

// made returns a location's own S_x, nil if it has none.
func (s *syncVars) made(k syncKey) *syncVar {
	if k.isAligned() {
		return s.memory(k).find(k.addr)
	}
	return s.odd[k]
}

// find returns the S_x of a location, nil if no thread has released there.
func (s *syncVars) find(k syncKey) *syncVar {
	x := s.made(k)
	if x == nil && s.others != nil {
		s.widened++
		return s.others
	}
	return x
}

// at returns the S_x of a location, which it makes if there is room.
func (s *syncVars) at(k syncKey) *syncVar {
	if x := s.made(k); x != nil {
		return x
	}
	if s.room <= 0 {
		s.widened++
		if s.others == nil {
			s.others = &syncVar{rareVar: &noRare}
		}
		return s.others
	}
	s.room--
	x := s.newSyncVar()
	if k.isAligned() {
		*s.place(k) = x
	} else {
		s.odd[k] = x
	}
	return x
}

// release records a release at x by a thread of a block that has acquired seen.
func (s *syncVars) release(x *syncVar, b *block, scope Scope, vc, seen *releasedClock) {
	of := x.blocks.entry(b.index)
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
