// The table of synchronisation variables, by address.

package barracuda

import "github.com/ptxsan/ptxsan/runtime/detect/internal/pagetable"

// syncKey names a synchronisation location. Shared memory is that of a cluster.
type syncKey struct {
	cluster uint64
	shared  bool
	addr    uint64
}

// isAligned reports whether a location is an aligned word.
func (k syncKey) isAligned() bool { return k.addr&(1<<wordBits-1) == 0 }

// syncVars are the S_x. When they have used up their room, one S_x stands for all
// further locations, and releases that need another entry are releases to all blocks:
// that orders more threads than there is reason to, so that races may be missed and
// none is false.
type syncVars struct {
	global     syncPages
	shared     map[uint64]*syncPages // by cluster
	vars       []*syncVar            // all of them
	spare      []syncVar             // made in advance
	odd        map[syncKey]*syncVar  // of locations that are not aligned words
	others     *syncVar              // of locations without one of their own
	room       int                   // entries that can still be made: locations, their blocks and clusters
	widened    uint64                // operations for which there was none
	mutual     bool                  // both scopes have to include the other thread
	prefetched uint32                // something of what was, so that it is loaded
}

// syncPages are the S_x of aligned words of global memory, or of the shared memory of a cluster.
type syncPages struct{ pagetable.Table[syncPage] }

type (
	syncPage [1 << (syncPageBits - syncLineBits)]*syncLine
	// syncLine is the S_x of consecutive words: lanes often synchronise on one each.
	syncLine [1 << (syncLineBits - wordBits)]*syncVar
)

const (
	syncLineBits = 6
	syncPageBits = 12
	manyPages    = 64 // more are not looked at
	madeSyncVars = 32 // are allocated together when there are as many
)

func newSyncVars(room int, paper bool) *syncVars {
	return &syncVars{shared: make(map[uint64]*syncPages), odd: make(map[syncKey]*syncVar), room: room, mutual: !paper}
}

// memory is the S_x of the words of the memory that a location is in; nil when there are none.
func (s *syncVars) memory(k syncKey) *syncPages {
	if k.shared {
		return s.shared[k.cluster]
	}
	return &s.global
}

// place is where the S_x of a word is to be.
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

// find is the S_x of a word, nil when no thread has released there.
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

// newSyncVar is an S_x without releases.
func (s *syncVars) newSyncVar() *syncVar {
	if len(s.spare) == 0 {
		s.spare = make([]syncVar, min(len(s.vars)+1, madeSyncVars))
	}
	x := &s.spare[0]
	s.spare, s.vars = s.spare[1:], append(s.vars, x)
	return x
}

// none reports whether no thread has released at words among some bytes from a location on; it may say no when none
// has.
func (s *syncVars) none(k syncKey, bytes uint64) bool {
	if bytes > manyPages<<syncPageBits {
		return false
	}
	m := s.memory(k)
	for n := k.addr >> syncPageBits; m != nil && n<<syncPageBits < k.addr+bytes; n++ {
		if m.Find(n) != nil {
			return false
		}
	}
	return true
}

// made is the S_x that a location has of its own, nil for none.
func (s *syncVars) made(k syncKey) *syncVar {
	if k.isAligned() {
		return s.memory(k).find(k.addr)
	}
	return s.odd[k]
}

// find is the S_x of a location; nil when no thread has released there.
func (s *syncVars) find(k syncKey) *syncVar {
	x := s.made(k)
	if x == nil && s.others != nil {
		s.widened++
		return s.others
	}
	return x
}

// at is the S_x of a location, which is made if there is room.
func (s *syncVars) at(k syncKey) *syncVar {
	if x := s.made(k); x != nil {
		return x
	}
	if s.room <= 0 {
		s.widened++
		if s.others == nil {
			s.others = new(syncVar)
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

// release is a release at x by a thread of a block that has acquired seen.
func (s *syncVars) release(x *syncVar, b *block, scope Scope, vc, seen *releasedClock) {
	n := x.entries(b, scope, s.mutual)
	if x == s.others || n > s.room {
		if x != s.others { // which at has counted
			s.widened++
		}
		x.releaseAll(vc)
		return
	}
	s.room -= n
	if s.mutual {
		x.relMutual(b, scope, vc, seen)
		return
	}
	x.release(b, scope, vc)
}

// acquire is what an acquire by a block at x joins.
func (s *syncVars) acquire(x *syncVar, b *block, scope Scope) *releasedClock {
	if s.mutual {
		return x.acqMutual(b, scope)
	}
	return x.acquire(b, scope)
}
