package precise

// dominator is what an older access must have in common with a newer one of the
// same threads for the newer one to stand for it.
type dominator struct {
	unit     unit
	what     uint32
	shift    int32 // or the lanes of touches
	from     uint8 // of touches
	diagonal bool
}

// dominators is a table of what later accesses stand for, used again and again.
type dominators struct {
	slots []dominated // a power of two of them, open addressing
	round uint32      // those of other rounds are empty
}

type dominated struct {
	dominator
	round, mask uint32
}

// reset empties the table and makes room for n dominators.
func (s *dominators) reset(n int) {
	s.round++
	if size := max(len(s.slots), 64); size < 2*n || len(s.slots) == 0 || s.round == 0 {
		for size < 2*n {
			size *= 2
		}
		s.slots, s.round = make([]dominated, size), 1
	}
}

// of is what the later accesses of a dominator have covered. The next call may be
// about another one.
func (s *dominators) of(k dominator) *uint32 {
	last := uint32(len(s.slots) - 1)
	hash := (uint32(k.unit)*0x9e3779b1 ^ k.what*0x85ebca6b ^ uint32(k.shift)*0xc2b2ae35) * 0x9e3779b1
	for i := hash >> 7 & last; ; i = (i + 1) & last {
		slot := &s.slots[i]
		if slot.round != s.round {
			*slot = dominated{dominator: k, round: s.round}
		}
		if slot.dominator == k {
			return &slot.mask
		}
	}
}
