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
	of   uint64 // the access's turn and, in the low half, the record before
	next number // the record after
	kept bool   // the lanes remain those of the access before
	safe bool   // as in change
}

// stepsKept is the number of effects that are cached for an access.
const stepsKept = 8

// memo caches the effects of an access of a warp at one point of its time.
type memo struct {
	steps  [stepsKept]step // results of step, by record
	turn   uint32          // of the access that the following is for
	owns   bool            // the access has made a granule own its record
	leaves [4]number       // records that the access has produced
	next   number          // record produced if it joins another atomic operation, none if unknown
	owned  step            // result of step for a record that a granule owns
}

// of returns the memo for an access at a time, and empties it if it is for another one.
func (m *memo) of(turn uint32) *memo {
	if m.turn != turn {
		m.turn, m.owns, m.leaves, m.next = turn, false, [len(m.leaves)]number{}, none
	}
	return m
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
func (a *access) step(record number) *step {
	known := &a.memo.steps[record>>1%stepsKept]
	if of := uint64(a.turn)<<32 | uint64(record); known.of != of {
		if owned(record) { // it changes, so that the effect cannot be kept
			known, of = &a.memo.owned, 0
		}
		*known = a.look(record)
		known.of = of
	}
	return known
}

// look computes the effect on a record.
func (a *access) look(record number) step {
	was, next := a.records.entry(record), record
	to := a.change(was)
	switch {
	case !to.kept:
		next = a.number(to.entry)
	case to.entry != was:
		next = a.records.number(to.entry, a.records.at(record).mark)
	}
	if a.joins(was) {
		a.memo.of(a.turn).next = next
	}
	return step{next: next, kept: to.kept, safe: to.safe}
}

// openAtom is the flags of atomic operations that are atomic with those of all other threads.
const openAtom = mdIsAtom | mdScope | mdStrong

// joins reports whether the access is such an atomic operation after another: it leaves the same entry, whatever else the
// previous one contained.
func (a *access) joins(e entry) bool {
	return e&openAtom == openAtom && a.store && a.atomic && a.strong && !a.its
}

// number returns the number of the record for an entry that the access produces. It caches the last four by their sharing bits,
// on which the entry of an access mostly depends.
func (a *access) number(e entry) number {
	n := &a.memo.of(a.turn).leaves[e/mdDevShared%4]
	if a.records.entry(*n) != e {
		*n = a.records.number(e, a.mark)
	}
	return *n
}

// change returns the effect of the access on an entry. It decides most accesses by single bits of the entry: those to memory that
// only this warp has accessed or that has only been read, and atomic ones.
func (a *access) change(e entry) change {
	const block, barrier, shared = blockMask << blockShift, barrierMask << barrierShift, mdBlkShared | mdDevShared
	const who = block | warpMask<<warpShift
	s, differ := change{safe: true}, e^a.who
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
	case differ&block == 0 && differ&barrier != 0 && e&mdDevShared == 0: // barrierSince(e, a), by bits
		s.entry = a.who | strong
		if a.store {
			s.entry = a.written | strong
		}
	case a.store && (differ&who|e&shared == 0 || a.atomic && e.has(mdIsAtom) && !scopedAtomic(e, a)):
		s.entry = a.written | strong
	case !a.store && e&mdModified != 0 && differ&who|e&shared == 0: // e.keeps(a), by bits
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
