package detect

// scordStep is what an access makes of an entry. Go keeps it in registers because it has
// no more than four fields.
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
	case !a.store && e&(mdModified|mdIsAtom) == 0 && !a.atomic && !a.its:
		s.entry = a.sharedBy(e) | a.who | strong
	case a.its, a.atomic && !a.store:
		return a.byTables(e)
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
	default:
		return a.byTables(e)
	}
	return s
}

// byTables is stepOf for any access and entry.
func (a *scordAccess) byTables(e scordEntry) scordStep {
	return scordStep{e, e.update(a), e.keeps(a), !conflicting(e, a) || harmless(e, a)}
}

// sharedBy is the flags after a load of what has only been read, without branches that
// depend on who has: sharing for entries without Modified.
func (a *scordAccess) sharedBy(e scordEntry) scordEntry {
	const block, warp, barrier = blockMask << blockShift, warpMask << warpShift, barrierMask << barrierShift
	differ, flags, none := e^a.who, e&(mdBlkShared|mdDevShared), scordEntry(0)
	if differ&warp != 0 {
		none = mdBlkShared
	}
	if flags == 0 {
		flags = none
	}
	if differ&barrier != 0 {
		flags &= mdDevShared
	}
	if differ&block != 0 {
		flags = mdDevShared
	}
	return flags
}
