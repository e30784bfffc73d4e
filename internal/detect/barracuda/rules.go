// The rules of the paper for accesses: when reads, writes and atomic operations race.

package barracuda

import "github.com/ptxsan/ptxsan/internal/vclock"

// access is an access by lanes of a warp to one address, as the rules need it: C_t, and its origin.
type access struct {
	threadClock
	op      *Op
	kind    Kind
	site    uint32
	lanes   uint32 // of the path; one for writes
	addr    uint64
	races   *races
	seq     uint64 // number of the operation
	checker *checker
	narrow  bool // it is atomic with a scope that may exclude others

	page      *page // current page, with cells of 1<<cellBits bytes
	cellBits  uint
	into      *epochs    // where it is recorded
	conflicts [6]earlier // accesses that must precede it
	count     int        // number of conflicts
	arrays    int        // page.arrays at that time

	own        uint32 // its number in the table, once it has one
	continued  uint32 // number of an earlier access by the path's warp
	known      bool   // knownLeast is the value of least(knownWarp)
	knownWarp  uint32
	knownLeast uint32
}

// me returns the lane that represents all lanes of the access: they differ for other accesses of the same instruction
// only, and those conflict only if they are writes.
func (a *access) me() int { return first(a.lanes) }

// precedes is c@t ≼ C_me for one epoch, and for ⊥.
func (a *access) precedes(e *epoch) bool {
	return e.clock == 0 || e.clock <= a.at(a.me(), e.warp, int(e.lane))
}

// number returns the number of the access in the table, and adds it if missing.
func (a *access) number() uint32 {
	if a.own == 0 {
		a.own = a.checker.spare.accesses.add(a.local, a.id, a.site)
	}
	return a.own
}

// epoch is E(t) for the first lane.
func (a *access) epoch() accessRef { return newRef(a.number(), a.me()) }

// begin sets a to an operation.
func (a *access) begin(op *Op, kind Kind, clock threadClock, seq uint64) {
	a.threadClock, a.op, a.kind, a.site, a.seq = clock, op, kind, op.Site, seq
	a.narrow, a.known, a.page = false, false, nil
	a.own, a.continued = 0, 0
}

// enter makes p the current page of the access.
func (a *access) enter(p *page) {
	if a.page == p && a.cellBits == p.cellBits && a.arrays == p.arrays {
		return
	}
	a.page, a.cellBits, a.count = p, p.cellBits, 0
	switch a.kind {
	case Read:
		a.read(p)
	case Write:
		a.write(p)
	case Atomic:
		a.atomic(p)
	case AtomicRead:
		a.atomicRead(p)
	}
	a.arrays = p.arrays
}

// earlier holds the accesses of one kind to a page that must precede an access.
type earlier struct {
	*epochs
	kind Kind
}

func (a *access) after(e *epochs, kind Kind) {
	if e != nil {
		a.conflicts[a.count] = earlier{e, kind}
		a.count++
	}
}

// read applies rd: READEXCL, READINFLATE or READSHARED, depending on R_x.
func (a *access) read(p *page) {
	a.into = p.ensure(&p.reads)
	a.after(p.writes, Write)
	a.after(p.atomics, Atomic)
	a.after(p.narrow.atomics, Atomic)
}

// write applies WRITEEXCL or WRITESHARED, depending on R_x. It drops all other accesses.
func (a *access) write(p *page) {
	a.into = p.ensure(&p.writes)
	a.after(p.writes, Write)
	a.after(p.reads, Read)
	a.after(p.atomics, Atomic)
	a.after(p.polls, AtomicRead)
	a.after(p.narrow.atomics, Atomic)
	a.after(p.narrow.polls, AtomicRead)
}

// atomic applies INITATOMEXCL or INITATOMSHRD, or ATOMEXCL or ATOMSHARED if the last write was an atomic operation:
// atomic operations do not race with each other. The figure keeps only the last atomic operation and drops the reads
// and the write before it, which later atomic operations may well race with. To agree with section 3.2, all of these
// are kept until the next write.
func (a *access) atomic(p *page) {
	if a.narrow {
		a.into = p.ensure(&p.narrow.atomics)
	} else {
		a.into = p.ensure(&p.atomics)
	}
	a.after(p.writes, Write)
	a.after(p.reads, Read)
	a.after(p.narrow.atomics, Atomic)
	a.after(p.narrow.polls, AtomicRead)
	if a.narrow {
		a.after(p.atomics, Atomic)
		a.after(p.polls, AtomicRead)
	}
}

// atomicRead handles an atomic operation that does not write. It races with plain writes only.
func (a *access) atomicRead(p *page) {
	if a.narrow {
		a.into = p.ensure(&p.narrow.polls)
	} else {
		a.into = p.ensure(&p.polls)
	}
	a.after(p.writes, Write)
	a.after(p.narrow.atomics, Atomic)
	if a.narrow {
		a.after(p.atomics, Atomic)
	}
}

// cell checks the access to cell i of the page, and records it.
func (a *access) cell(i int) {
	for k := range a.conflicts[:a.count] {
		if c := &a.conflicts[k]; !a.continues(c.cells[i]) {
			a.ordered(c, i)
		}
	}
	if a.kind != Write {
		a.record(a.into, i)
		return
	}
	a.into.put(i, a.epoch())
	for k := range a.conflicts[:a.count] {
		if e := a.conflicts[k].epochs; e != a.into {
			e.put(i, 0)
		}
	}
}

// continues reports whether a reference is ⊥, or to an earlier access by the path's own threads: the most frequent
// cases of precedes.
func (a *access) continues(m accessRef) bool {
	if m == 0 {
		return true
	}
	if a.mask>>m.lane()&1 == 0 { // this includes sets
		return false
	}
	n := m.number()
	if n == a.continued {
		return true
	}
	if !a.checker.spare.accesses.list[n].before(a.id, a.local) {
		return false
	}
	a.continued = n
	return true
}

// record adds the access to the concurrent ones of a cell, or replaces them.
func (a *access) record(e *epochs, i int) {
	switch c := &e.cells[i]; {
	case c.isSet():
		a.readShared(e.set(c.number()))
	case !a.continues(*c) && !a.precedesRef(*c):
		a.readInflate(e, i)
	case a.lanes&(a.lanes-1) == 0:
		a.readExcl(c)
	default:
		*c = 0
		a.readInflate(e, i)
	}
}

// precedesRef is precedes for a reference that is not to a set.
func (a *access) precedesRef(m accessRef) bool {
	x := a.checker.spare.accesses.epoch(m)
	return a.precedes(&x)
}

// readExcl is READEXCL: the only earlier access precedes this one.
func (a *access) readExcl(c *accessRef) { *c = a.epoch() }

// readInflate is READINFLATE: an earlier access is concurrent, or several lanes access the cell.
func (a *access) readInflate(e *epochs, i int) { e.inflate(i).add(a, a.lanes) }

// readShared is READSHARED: there have been concurrent accesses.
func (a *access) readShared(s *epochSet) { s.add(a, a.lanes) }

// ordered checks that earlier accesses to cell i precede this one, and reports a race with each that does not.
func (a *access) ordered(c *earlier, i int) {
	m := c.cells[i]
	if m.isSet() {
		a.orderedSet(c.set(m.number()), c.kind)
	} else if x := c.accesses.epoch(m); !a.precedes(&x) {
		a.race(c.kind, x.warp, int(x.lane), x.clock, x.site)
	}
}

// orderedSet checks that the accesses of a set precede this one. Races of one instruction with other blocks are one
// race in a report, so that it looks for the first of them only.
func (a *access) orderedSet(set *epochSet, kind Kind) {
	all, found := set.runs, uint8(0)
	latest := ^uint32(0) // site of the latest race with another block
	own := a.id &^ (fanout - 1)
	peers := kind >= Atomic && a.atomicKind() // those of the own block do not race
	for i := 0; i < len(all); {
		r := &all[i]
		if found == set.kinds && r.warp > a.id|(fanout-1) {
			return
		}
		i++
		if peers && r.within(own) { // and all those up to another block
			i = max(i, all.seek(own+fanout))
			continue
		}
		if !a.orderedRun(r, kind, r.site == latest) || r.site == latest || set.kinds == manySites {
			continue
		}
		latest = r.site
		if found++; found < set.kinds {
			continue
		}
		if peers { // found all except those of the own block
			return
		}
		i = max(i, all.seek(own))
	}
}

// orderedRun checks that the accesses of a run precede this one. It reports the first race with each warp of the block,
// and the first with another block unless reported is set. It returns whether there is one with another block.
func (a *access) orderedRun(r *epochRun, kind Kind, reported bool) bool {
	for w := r.warp; w != r.end(); w++ {
		own := w>>fanoutBits == a.id>>fanoutBits
		if own && (w != a.id && r.clock <= a.block || kind >= Atomic && a.atomicKind()) {
			continue
		}
		if !own && reported {
			if w > a.id {
				break
			}
			w = min(a.id&^(fanout-1), r.end()) - 1
			continue
		}
		if w != a.id && r.clock <= a.least(w) { // the runs of a warp come one after the other
			continue
		}
		for m := r.mask; m != 0; m &= m - 1 {
			if lane := first(m); r.clock > a.at(a.me(), w, lane) {
				reported = a.race(kind, w, lane, r.clock, r.site) && !own || reported
				break
			}
		}
	}
	return reported
}

// least returns the smallest clock that the threads of a have for a thread of another warp.
func (a *access) least(warp uint32) uint32 {
	if a.known && warp == a.knownWarp {
		return a.knownLeast
	}
	n := uint32(0)
	if warp>>fanoutBits == a.id>>fanoutBits {
		n = a.block
	}
	if a.rest != nil {
		n = max(n, uint32(a.rest.Least(vclock.Unit(warp))))
	}
	a.known, a.knownWarp, a.knownLeast = true, warp, n
	return n
}

// race reports a race with an earlier access, unless there is none: lanes of one instruction that write the same value
// do not race (section 3.3.1), nor do atomic operations whose scopes include each other. It returns whether there is
// one.
func (a *access) race(kind Kind, warp uint32, lane int, clock, site uint32) bool {
	if a.atomicKind() && kind >= Atomic && a.inScope(warp, site) {
		return false
	}
	together := warp == a.id && a.mask>>lane&1 != 0 && clock == a.local
	if together && !a.checker.equal && a.sameValue(lane) {
		return false
	}
	a.races.add(a, kind, warp, lane, clock, site, together)
	return true
}

// sameValue reports whether another lane of the same instruction writes the same bytes where the two overlap. Bytes
// beyond the eight that are known count as different.
func (a *access) sameValue(other int) bool {
	op, me := a.op, a.me()
	if !op.Valued || a.kind != Write {
		return false
	}
	x, y := op.Addr[me], op.Addr[other]
	for b := max(x, y); b-x < uint64(op.Bytes) && b-y < uint64(op.Bytes); b++ {
		if b-x >= 8 || b-y >= 8 || byte(op.Value[me]>>(8*(b-x))) != byte(op.Value[other]>>(8*(b-y))) {
			return false
		}
	}
	return true
}
