package detect

// scordStep is what an access makes of an entry.
type scordStep struct {
	of    scordEntry
	entry scordEntry // after the access
	kept  bool       // the entry goes on to describe the access before
	safe  bool       // Table III, or what the two accesses are, rules a race out
}

// cell is the cell after an access, by mark, to what c describes.
func (s *scordStep) cell(c *scordCell, mark scordMark) scordCell {
	if s.kept {
		mark = c.mark
	}
	return scordCell{s.entry, mark}
}

// step is what the access makes of an entry. It is good until the next call.
func (a *scordAccess) step(e scordEntry) *scordStep {
	if e != a.last.of {
		a.last = a.stepOf(e)
	}
	return &a.last
}

// stepOf is step. Most accesses are to what nobody but the warp has accessed, what has
// only been read, or atomic ones: bits of the entry tell, and the tables need not be asked.
func (a *scordAccess) stepOf(e scordEntry) scordStep {
	const who, shared = blockMask<<blockShift | warpMask<<warpShift, mdBlkShared | mdDevShared
	s := scordStep{of: e, safe: true}
	strong := e & mdStrong
	if !a.strong {
		strong = 0
	}
	switch {
	case a.its, a.atomic && !a.store:
		s.entry, s.kept, s.safe = e.update(a), e.keeps(a), !conflicting(e, a) || harmless(e, a)
	case initialization(e):
		s.entry = a.who
		if a.store {
			s.entry = a.written
		}
		s.entry = s.entry.with(mdStrong, a.strong)
	case a.store && ((e^a.who)&who == 0 && e&shared == 0 || a.atomic && e.has(mdIsAtom) && !scopedAtomic(e, a)):
		s.entry = a.written | strong
	case e.keeps(a) && e&shared == 0:
		s.entry, s.kept = e&^mdStrong|strong, true
	case !a.store && e&(mdModified|mdIsAtom) == 0:
		s.entry = e.sharing(a) | a.who | strong
	default:
		s.entry, s.safe = e.update(a), !conflicting(e, a) || harmless(e, a)
	}
	return s
}
