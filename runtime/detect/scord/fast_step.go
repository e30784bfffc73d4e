// Cached transitions of metadata, which are applied to whole runs.

package scord

// change is the effect of an access on an entry.
type change struct {
	entry entry // after the access
	kept  bool  // the entry still describes the access before
	safe  bool  // Table III, or the kinds of the two accesses, exclude a race
}

// step is the effect of an access on granules with a certain record.
type step struct {
	of, next uint32 // numbers of the record before and after
	kept     bool   // the lanes remain those of the access before
	safe     bool   // as in change
}

const noRecord = ^uint32(0)

// stepsKept is the number of effects that are cached for an access.
const stepsKept = 4

// memo caches the effects of an access of a warp at one point of its time.
type memo struct {
	steps  [stepsKept]step // results of step, by record
	leaves [4]uint32       // numbers of records that the access has produced, 0 for none
	next   uint32          // record produced if it joins another atomic operation, 0 if unknown
}

// forget empties the memo, for another access.
func (m *memo) forget() {
	for i := range m.steps {
		m.steps[i].of = noRecord
	}
	m.leaves, m.next = [4]uint32{}, 0
}

// run returns the run of granules after an access by the lanes of mine.
func (t *step) run(old, mine run) run {
	if t.kept {
		mine = old
	}
	return mine.of(t.next)
}

// cell returns the metadata of a granule after an access by a lane.
func (t *step) cell(old cell, lane uint32) cell {
	if t.kept {
		lane = old.lane()
	}
	return cell(t.next<<laneBits | lane)
}

// step returns the effect of the access on granules with a record. The result is valid until the next call.
func (a *access) step(record uint32) *step {
	known := &a.memo.steps[record%stepsKept]
	if record != known.of {
		*known = a.look(record)
	}
	return known
}

// look computes the effect on a record.
func (a *access) look(record uint32) step {
	was, next := a.records.entries[record], record
	to := a.change(was)
	switch {
	case !to.kept:
		next = a.number(to.entry)
	case to.entry != was:
		next = a.records.number(to.entry, a.records.marks[record])
	}
	if a.joins(was) {
		a.memo.next = next
	}
	return step{record, next, to.kept, to.safe}
}

// openAtom is the flags of atomic operations that are atomic with those of all other threads.
const openAtom = mdIsAtom | mdScope | mdStrong

// joins reports whether the access is such an atomic operation after another: it leaves the same entry, whatever else the
// previous one contained.
func (a *access) joins(e entry) bool {
	return e&openAtom == openAtom && a.store && a.atomic && a.strong && !a.its
}

// foreseen returns the number of the record that the access produces from a record, or 0 if step has to compute it.
func (a *access) foreseen(record uint32) uint32 {
	if a.records.entries[record]&openAtom != openAtom {
		return 0
	}
	return a.memo.next
}

// number returns the number of the record for an entry that the access produces. It caches the last four by their sharing bits,
// on which the entry of an access mostly depends.
func (a *access) number(e entry) uint32 {
	n := &a.memo.leaves[e/mdDevShared%4]
	if a.records.entries[*n] != e {
		*n = a.records.number(e, a.mark)
	}
	return *n
}

// change returns the effect of the access on an entry. It decides most accesses by single bits of the entry: those to memory that
// only this warp has accessed or that has only been read, and atomic ones.
func (a *access) change(e entry) change {
	const who, shared = blockMask<<blockShift | warpMask<<warpShift, mdBlkShared | mdDevShared
	s := change{safe: true}
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
func (a *access) byTables(e entry) change {
	return change{e.update(a), e.keeps(a), !conflicting(e, a) || harmless(e, a)}
}

// sharedBy is sharing for entries without Modified: the flags after a load of memory that has only been read. Its branches do not
// depend on which warps read.
func (a *access) sharedBy(e entry) entry {
	const block, warp, barrier = blockMask << blockShift, warpMask << warpShift, barrierMask << barrierShift
	differ, flags, none := e^a.who, e&(mdBlkShared|mdDevShared), entry(0)
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
