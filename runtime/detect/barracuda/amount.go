package barracuda

import "github.com/ptxsan/ptxsan/runtime/detect/internal/vclock"

// amount is what releases have left at a location: clocks, which are worked out when somebody
// asks that does not know them anyway. Who takes a lock again that it has dropped itself
// learns nothing. The nil amount is the minimal one.
type amount struct {
	vc *vclock.Clock // nil before anybody has asked

	// Of one release: these lanes of the warp, as they were, and what they acquired at once.
	by       *view
	lanes    uint32
	full     uint32 // lanes of the warp
	acquired *amount
}

// clocks is the amount as a vector clock.
func (a *amount) clocks() *vclock.Clock {
	if a == nil {
		return nil
	}
	if a.vc == nil {
		a.vc = vclock.Join(a.acquired.clocks(), a.by.clocks(a.lanes, a.full))
		a.acquired = nil
	}
	return a.vc
}

// sum is the least upper bound. It is one of its operands when that is not smaller than
// the other.
func sum(a, b *amount) *amount {
	switch {
	case a == b || b == nil:
		return a
	case a == nil:
		return b
	}
	x, y := a.clocks(), b.clocks()
	switch vc := vclock.Join(x, y); vc {
	case x:
		return a
	case y:
		return b
	default:
		return &amount{vc: vc}
	}
}

// knows reports whether the threads of v know an amount because they acquired it last, or
// released it: since, ENDINSN has told each of them what the others of the path did.
func (v *view) knows(a *amount) bool {
	return a == nil || a == v.seen || a.by != nil && a.by.id == v.id && a.lanes&^v.mask == 0 && a.by.local < v.local
}

// size is the memory in bytes that has not been seen.
func (a *amount) size(seen map[*vclock.Clock]bool) uint64 {
	if a == nil {
		return 0
	}
	bytes := 40 + a.vc.Bytes(seen) + a.acquired.size(seen)
	if a.by != nil {
		bytes += pathBytes + a.by.rest.Bytes(seen)
	}
	return bytes
}

// amounts are by block. There are few of most locations.
type amounts struct {
	list []blockAmount
	at   map[uint64]int // index in list, when there are many
}

type blockAmount struct {
	block uint64
	*amount
}

// fewBlocks is how many blocks are looked for one after the other.
const fewBlocks = 8

// index is where the amount of a block is in the list, -1 for nowhere.
func (s *amounts) index(block uint64) int {
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

// of is the amount of a block.
func (s *amounts) of(block uint64) *amount {
	if i := s.index(block); i >= 0 {
		return s.list[i].amount
	}
	return nil
}

// set sets it.
func (s *amounts) set(block uint64, a *amount) {
	if i := s.index(block); i >= 0 {
		s.list[i].amount = a
		return
	}
	s.list = append(s.list, blockAmount{block, a})
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
