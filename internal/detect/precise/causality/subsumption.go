// Subsumption: a table of accesses that later ones make redundant.

package causality

// SubsumptionKey is what an older access shares with a newer one of the same threads that subsumes it: everything that
// races with the older one races with the newer one.
type SubsumptionKey struct {
	Unit  unit
	Class uint32
	Shift int32
	from  uint8 // of observations: the first lane whose write they observe
}

// subsumptionTable is a hash table from keys to the lanes that later accesses cover.
type subsumptionTable struct {
	slots []subsumptionSlot // length is a power of two, open addressing
	round uint32            // slots of other rounds are empty
}

type subsumptionSlot struct {
	SubsumptionKey
	round, mask uint32
}

// Reset empties the table and makes room for n keys.
func (s *subsumptionTable) Reset(n int) {
	s.round++
	if size := max(len(s.slots), 64); size < 2*n || len(s.slots) == 0 || s.round == 0 {
		for size < 2*n {
			size *= 2
		}
		s.slots, s.round = make([]subsumptionSlot, size), 1
	}
}

// Of returns the set of lanes that later accesses with a key have covered. The pointer is valid until the next call.
func (s *subsumptionTable) Of(k SubsumptionKey) *uint32 {
	last := uint32(len(s.slots) - 1)
	hash := (uint32(k.Unit)*0x9e3779b1 ^ k.Class*0x85ebca6b ^ uint32(k.Shift)*0xc2b2ae35) * 0x9e3779b1
	for i := hash >> 7 & last; ; i = (i + 1) & last {
		slot := &s.slots[i]
		if slot.round != s.round {
			*slot = subsumptionSlot{SubsumptionKey: k, round: s.round}
		}
		if slot.SubsumptionKey == k {
			return &slot.mask
		}
	}
}
