// Released clocks: what release operations have released, evaluated lazily.

package barracuda

import "github.com/ptxsan/ptxsan/internal/vclock"

// releasedClock is the vector clock that releases have left at a location. Most are never acquired by a thread whose
// clock does not include them already: for example a thread may take a lock again after dropping it itself. So the
// clock is computed on demand, and until then the release is represented by the clock of its threads. The nil
// releasedClock is the minimal one.
type releasedClock struct {
	vc *vclock.Clock // nil until needed

	// For a single release: the path's clock at that time, the releasing lanes, and what they acquired in the same
	// operation.
	by       *threadClock
	lanes    uint32
	taken    bool  // an acquire has called parts
	depth    uint8 // number of releases in acquired, and what those have acquired
	acquired *releasedClock
}

// builders has one Builder for the clock of the thread that acquires, and one for the clocks of the releases that it
// acquires.
type builders struct{ thread, released vclock.Builder }

// parts returns the vector clock of the release as one clock, or as two clocks that the acquiring thread has to join
// into its own. The first call returns two, the clock of the releasing path and that of its lanes: most releases are
// acquired at most once, so their join need not be built. The join is built by the second call, and by the first one if
// the releasing thread acquired another release in the same operation.
func (a *releasedClock) parts(to *vclock.Builder) [2]*vclock.Clock {
	if a.vc != nil || a.taken || a.acquired != nil {
		return [2]*vclock.Clock{a.clocks(to)}
	}
	a.taken = true
	return [2]*vclock.Clock{a.by.rest, a.by.own(a.lanes)}
}

// mostAcquired is the maximum number of releases in a chain, in which each has acquired the next one. The clock of one
// is built in place of a longer chain.
const mostAcquired = uint8(16)

// acquires records that the threads of the release have acquired another in the same operation.
func (a *releasedClock) acquires(other *releasedClock, to *vclock.Builder) {
	if other == nil {
		return
	}
	if other.depth+1 >= mostAcquired {
		other.clocks(to)
	}
	a.acquired, a.depth = other, other.depth+1
}

// clocks returns the vector clock, which it makes on first use.
func (a *releasedClock) clocks(to *vclock.Builder) (vc *vclock.Clock) {
	if a == nil {
		return nil
	}
	if a.vc == nil {
		for x := a; x != nil; x = x.acquired {
			if x.vc != nil {
				vc = to.Join(vc, x.vc)
				break
			}
			vc = to.Join(to.Join(vc, x.by.rest), x.by.own(x.lanes))
		}
		to.Finish()
		a.vc, a.acquired, a.depth = vc, nil, 0
	}
	return a.vc
}

// sum returns the least upper bound of two clocks. It returns one of its operands if that includes the other.
func sum(a, b *releasedClock) *releasedClock {
	switch {
	case a == b || b == nil:
		return a
	case a == nil, b.includes(a):
		return b
	case a.includes(b):
		return a
	}
	x, y := a.clocks(nil), b.clocks(nil)
	switch vc := vclock.Join(x, y); vc {
	case x:
		return a
	case y:
		return b
	default:
		return &releasedClock{vc: vc}
	}
}

// includes reports whether release a is known to include b.
func (a *releasedClock) includes(b *releasedClock) bool {
	for x := a.acquired; x != nil; x = x.acquired {
		if x == b {
			return true
		}
	}
	return a.by != nil && a.by.includes(b)
}

// size returns the memory in bytes that this measurement has not counted yet.
func (a *releasedClock) size(measurement uint32) uint64 {
	if a == nil {
		return 0
	}
	bytes := 32 + a.vc.Bytes(measurement) + a.acquired.size(measurement)
	if a.by != nil {
		bytes += pathBytes + a.by.rest.Bytes(measurement)
	}
	return bytes
}

// releaseTable holds released clocks of a location by block. Most locations have a single one, which is in the syncVar.
type releaseTable struct {
	list []releasedInBlock
	at   map[uint32]int // index in list, if there are many
}

type releasedInBlock struct {
	*releasedClock
	block uint32
}

// each calls f for each block with a clock.
func (s *syncVar) each(f func(block uint64, a *releasedClock) bool) {
	if s.own == nil || !f(uint64(s.block), s.own) {
		return
	}
	for _, x := range s.list {
		if !f(uint64(x.block), x.releasedClock) {
			return
		}
	}
}

// count returns the number of blocks with a clock.
func (s *syncVar) count() int {
	if s.own == nil {
		return 0
	}
	return 1 + len(s.list)
}

const (
	fewBlocks   = 8 // number of blocks up to which the list is searched linearly
	firstBlocks = 2 // initial capacity of the list
)

// index returns the index of a block in the list, -1 if absent.
func (s *releaseTable) index(block uint32) int {
	if s.at != nil {
		if i, ok := s.at[block]; ok {
			return i
		}
		return -1
	}
	for i := range s.list {
		if s.list[i].block == block {
			return i
		}
	}
	return -1
}

// of returns the released clock of a block.
func (s *syncVar) of(block uint64) *releasedClock {
	if e := s.entry(block); e != nil {
		return *e
	}
	return nil
}

// entry returns a pointer to the released clock of a block, nil if it has released nothing.
func (s *syncVar) entry(block uint64) **releasedClock {
	switch {
	case s.own == nil:
		return nil
	case uint64(s.block) == block:
		return &s.own
	}
	if i := s.index(uint32(block)); i >= 0 {
		return &s.list[i].releasedClock
	}
	return nil
}

// set sets the released clock of a block.
func (s *syncVar) set(block uint64, a *releasedClock) {
	if n := uint32(block); s.own == nil || s.block == n {
		s.own, s.block = a, n
	} else {
		s.rare().set(n, a)
	}
}

func (s *releaseTable) set(block uint32, a *releasedClock) {
	if i := s.index(block); i >= 0 {
		s.list[i].releasedClock = a
		return
	}
	if s.list == nil {
		s.list = make([]releasedInBlock, 0, firstBlocks)
	}
	s.list = append(s.list, releasedInBlock{a, block})
	switch n := len(s.list); {
	case n > fewBlocks && s.at == nil:
		s.at = make(map[uint32]int)
		for i := range s.list {
			s.at[s.list[i].block] = i
		}
	case s.at != nil:
		s.at[block] = n - 1
	}
}
