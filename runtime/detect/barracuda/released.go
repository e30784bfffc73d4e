// Released clocks: what release operations have released, evaluated lazily.

package barracuda

import "github.com/ptxsan/ptxsan/runtime/detect/internal/vclock"

// releasedClock is the vector clock that releases have left at a location. Most are never acquired by a thread whose clock does
// not include them already: for example a thread may take a lock again after dropping it itself. So the clock is computed on
// demand, and until then the release is represented by the clock of its threads. The nil releasedClock is the minimal one.
type releasedClock struct {
	vc *vclock.Clock // nil until needed

	// For a single release: the path's clock at that time, the releasing lanes, and what they acquired in the same operation.
	by       *threadClock
	lanes    uint32
	taken    bool  // an acquire has called parts, or has gathered it
	slot     uint8 // of a gathering
	depth    uint8 // number of releases in acquired, and what those have acquired
	acquired *releasedClock
}

// builders has one Builder for the clock of the thread that acquires, and one for the clocks of the releases that it acquires.
type builders struct{ thread, released vclock.Builder }

// parts returns the vector clock of the release as one clock, or as two clocks that the acquiring thread has to join into its own.
// The first call returns two, the clock of the releasing path and that of its lanes: most releases are acquired at most once, so
// their join need not be built. The join is built by the second call, and by the first one if the releasing thread acquired another
// release in the same operation.
func (a *releasedClock) parts(to *vclock.Builder) [2]*vclock.Clock {
	if a.vc != nil || a.taken || a.acquired != nil {
		return [2]*vclock.Clock{a.clocks(to)}
	}
	a.taken = true
	return [2]*vclock.Clock{a.by.rest, a.by.own(a.lanes)}
}

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

// releasedClocks holds the released clocks of a location by block. Most locations have a single one.
type releasedClocks struct {
	first releasedInBlock
	more  *manyReleased // nil if there are no others
}

// manyReleased holds the clocks of further blocks.
type manyReleased struct {
	list []releasedInBlock
	at   map[uint64]int // index in list, if there are many
}

type releasedInBlock struct {
	block          uint64
	*releasedClock // nil if the block has released nothing
}

// all calls f for each block with a clock.
func (s *releasedClocks) all(f func(block uint64, a *releasedClock) bool) {
	if s.first.releasedClock == nil || !f(s.first.block, s.first.releasedClock) || s.more == nil {
		return
	}
	for _, x := range s.more.list {
		if !f(x.block, x.releasedClock) {
			return
		}
	}
}

// fewBlocks is the number of blocks up to which the list is searched linearly.
const fewBlocks = 8

// index returns the index of a block in the list, -1 if absent.
func (s *manyReleased) index(block uint64) int {
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
func (s *releasedClocks) of(block uint64) *releasedClock {
	if e := s.entry(block); e != nil {
		return e.releasedClock
	}
	return nil
}

// entry returns the entry of a block that has released something, nil if it has not.
func (s *releasedClocks) entry(block uint64) *releasedInBlock {
	switch {
	case s.first.releasedClock == nil:
		return nil
	case s.first.block == block:
		return &s.first
	case s.more == nil:
		return nil
	}
	if i := s.more.index(block); i >= 0 {
		return &s.more.list[i]
	}
	return nil
}

// set sets the released clock of a block.
func (s *releasedClocks) set(block uint64, a *releasedClock) {
	switch {
	case s.first.releasedClock == nil || s.first.block == block:
		s.first = releasedInBlock{block, a}
		return
	case s.more == nil:
		s.more = new(manyReleased)
	}
	s.more.set(block, a)
}

func (s *manyReleased) set(block uint64, a *releasedClock) {
	if i := s.index(block); i >= 0 {
		s.list[i].releasedClock = a
		return
	}
	s.list = append(s.list, releasedInBlock{block, a})
	switch n := len(s.list); {
	case n > fewBlocks && s.at == nil:
		s.at = make(map[uint64]int)
		for i := range s.list {
			s.at[s.list[i].block] = i
		}
	case s.at != nil:
		s.at[block] = n - 1
	}
}
