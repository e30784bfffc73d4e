package detect

// scordChange is what an access makes of an entry.
type scordChange struct {
	entry scordEntry // after the access
	kept  bool       // the entry goes on to describe the access before
	safe  bool       // Table III, or what the two accesses are, rules a race out
}

// scordStep is what an access makes of granules that have a record.
type scordStep struct {
	of, next uint32 // numbers of the record before and after
	kept     bool   // the lanes are those of the access before
	safe     bool   // as in scordChange
}

const scordNoRecord = ^uint32(0)

// run is what a run of the record is after an access by the lanes of mine.
func (t *scordStep) run(old, mine scordRun) scordRun {
	if t.kept {
		mine = old
	}
	return mine.of(t.next)
}

// cell is what a granule with the record is after an access by a lane.
func (t *scordStep) cell(old scordCell, lane uint32) scordCell {
	if t.kept {
		lane = old.lane()
	}
	return scordCell(t.next<<scordLaneBits | lane)
}

// step is what the access makes of granules that have a record. It is good until the
// next call.
func (a *scordAccess) step(record uint32) *scordStep {
	if record != a.last.of {
		a.look(record)
	}
	return &a.last
}

// look makes step's answer that for a record.
func (a *scordAccess) look(record uint32) {
	was, next := a.records.entries[record], record
	to := a.change(was)
	switch {
	case !to.kept:
		next = a.number(to.entry)
	case to.entry != was:
		next = a.records.number(to.entry, a.records.marks[record])
	}
	a.last = scordStep{record, next, to.kept, to.safe}
	if a.joins(was) {
		a.next = next
	}
}

// scordOpenAtom is the flags of an atomic operation with which those of all threads are
// atomic.
const scordOpenAtom = mdIsAtom | mdScope | mdStrong

// joins reports whether the access is an atomic operation after such a one: it leaves the
// same entry, whatever else was in the one before.
func (a *scordAccess) joins(e scordEntry) bool {
	return e&scordOpenAtom == scordOpenAtom && a.store && a.atomic && a.strong && !a.its
}

// foreseen is the number of the record after the access to granules that have a record,
// 0 when step must be asked.
func (a *scordAccess) foreseen(record uint32) uint32 {
	if a.records.entries[record]&scordOpenAtom != scordOpenAtom {
		return 0
	}
	return a.next
}

// number is the number of the record of the access that leaves an entry. As a rule the
// entry depends on no more than who shares the granule.
func (a *scordAccess) number(e scordEntry) uint32 {
	n := &a.leaves[e/mdDevShared%4]
	if a.records.entries[*n] != e {
		*n = a.records.number(e, a.mark)
	}
	return *n
}

// change is what the access makes of an entry. Most accesses are to what nobody but the
// warp has accessed, what has only been read, or atomic ones: bits of the entry tell, and
// the tables need not be asked.
func (a *scordAccess) change(e scordEntry) scordChange {
	const who, shared = blockMask<<blockShift | warpMask<<warpShift, mdBlkShared | mdDevShared
	s := scordChange{safe: true}
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

// byTables is change for any access and entry.
func (a *scordAccess) byTables(e scordEntry) scordChange {
	return scordChange{e.update(a), e.keeps(a), !conflicting(e, a) || harmless(e, a)}
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
