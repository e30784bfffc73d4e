// The table of synchronisation variables, by address.

package barracuda

// syncKey names a synchronisation location. Shared memory is that of a cluster.
type syncKey struct {
	cluster uint64
	shared  bool
	addr    uint64
}

// syncVars are the S_x. When they have used up their room, one S_x stands for all
// further locations, and releases that need another entry are releases to all blocks:
// that orders more threads than there is reason to, so that races may be missed and
// none is false.
type syncVars struct {
	lines  map[syncKey]*syncLine // by key of the line
	recent [recentLines]struct { // looked up, by address modulo
		line *syncLine // nil when there was none
		key  syncKey
		set  bool
	}
	pages   map[syncKey]bool     // with lines, by key of the page
	vars    []*syncVar           // all of them
	odd     map[syncKey]*syncVar // of locations that are not aligned words
	others  *syncVar             // of locations without one of their own
	room    int                  // entries that can still be made: locations, their blocks and clusters
	widened uint64               // operations for which there was none
	mutual  bool                 // both scopes have to include the other thread
}

// syncLine is the S_x of consecutive words: lanes often synchronise on one each.
type syncLine [1 << (syncLineBits - wordBits)]*syncVar

const (
	syncLineBits = 6
	syncPageBits = 12
	manyPages    = 64  // more are not looked at
	recentLines  = 128 // a power of two
)

func newSyncVars(room int, paper bool) *syncVars {
	return &syncVars{lines: make(map[syncKey]*syncLine), pages: make(map[syncKey]bool), odd: make(map[syncKey]*syncVar), room: room, mutual: !paper}
}

// place is where the S_x of a word is, nil when no thread has released in its line and none
// is to be made.
func (s *syncVars) place(k syncKey, make bool) **syncVar {
	slot := k.addr >> wordBits & (1<<(syncLineBits-wordBits) - 1)
	k.addr >>= syncLineBits
	r := &s.recent[k.addr%recentLines]
	if !r.set || r.key != k {
		r.line, r.key, r.set = s.lines[k], k, true
	}
	if r.line == nil {
		if !make {
			return nil
		}
		r.line = new(syncLine)
		s.lines[k] = r.line
		k.addr >>= syncPageBits - syncLineBits
		s.pages[k] = true
	}
	return &r.line[slot]
}

// none reports whether no thread has released at words among some bytes from a location on; it may say no when none
// has.
func (s *syncVars) none(k syncKey, bytes uint64) bool {
	if bytes > manyPages<<syncPageBits {
		return false
	}
	page := k
	for page.addr = k.addr >> syncPageBits; page.addr<<syncPageBits < k.addr+bytes; page.addr++ {
		if s.pages[page] {
			return false
		}
	}
	return true
}

// find is the S_x of a location; nil when no thread has released there.
func (s *syncVars) find(k syncKey) *syncVar {
	var x *syncVar
	if k.addr&(1<<wordBits-1) != 0 {
		x = s.odd[k]
	} else if p := s.place(k, false); p != nil {
		x = *p
	}
	if x == nil && s.others != nil {
		s.widened++
		return s.others
	}
	return x
}

// at is the S_x of a location, which is made if there is room.
func (s *syncVars) at(k syncKey) *syncVar {
	aligned := k.addr&(1<<wordBits-1) == 0
	if aligned {
		if p := s.place(k, false); p != nil && *p != nil {
			return *p
		}
	} else if x := s.odd[k]; x != nil {
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
	x := new(syncVar)
	s.vars = append(s.vars, x)
	if aligned {
		*s.place(k, true) = x
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
