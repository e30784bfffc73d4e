package barracuda

// access is what the rules need to know of an access by lanes of a warp to one
// address: C_t, and where it comes from.
type access struct {
	view
	op    *Op
	site  uint32
	lanes uint32 // of the path; one for writes
	addr  uint64
	races *races
	seq   uint64 // number of the operation
}

// me is the thread that stands for all lanes: no other access tells them apart, since
// in one instruction only writes conflict.
func (a *access) me() int { return first(a.lanes) }

// precedes is c@t ≼ C_me for the epoch of cell i, and for ⊥.
func (a *access) precedes(e *epochs, i int) bool {
	return e == nil || e.clock[i] <= a.at(a.me(), e.warp[i], int(e.lane[i]))
}

// read checks rd for cell i of a page: READEXCL, READINFLATE or READSHARED.
func (a *access) read(p *page, i int) {
	a.ordered(p.writes, i, Write)
	a.ordered(p.atomics, i, Atomic)
	a.record(p.ensure(&p.reads), i)
}

// write is WRITEEXCL or WRITESHARED, which differ in what R_x is.
func (a *access) write(p *page, i int) {
	a.ordered(p.writes, i, Write)
	a.ordered(p.reads, i, Read)
	a.ordered(p.atomics, i, Atomic)
	a.ordered(p.polls, i, AtomicRead)
	p.ensure(&p.writes).put(i, a, a.me())
	for _, e := range [...]*epochs{p.reads, p.atomics, p.polls} {
		if e != nil {
			e.reset(i)
		}
	}
}

// atomic is INITATOMEXCL or INITATOMSHRD, and ATOMEXCL or ATOMSHARED when another atomic
// operation was the last write: they do not race with each other. The figure keeps
// the last atomic operation only and forgets the reads and the write before it, with
// which later atomic operations may well race. To agree with section 3.2 all of
// these are kept until the next write.
func (a *access) atomic(p *page, i int) {
	a.ordered(p.writes, i, Write)
	a.ordered(p.reads, i, Read)
	a.record(p.ensure(&p.atomics), i)
}

// atomicRead is an atomic operation that does not write, which races with plain writes
// only.
func (a *access) atomicRead(p *page, i int) {
	a.ordered(p.writes, i, Write)
	a.record(p.ensure(&p.polls), i)
}

// record adds the access to those that are concurrent, or takes their place.
func (a *access) record(e *epochs, i int) {
	switch s := e.set(i); {
	case s != nil:
		a.readShared(s)
	case a.precedes(e, i) && a.lanes&(a.lanes-1) == 0:
		a.readExcl(e, i)
	default:
		a.readInflate(e, i)
	}
}

// readExcl is READEXCL: the only access there is comes before this one.
func (a *access) readExcl(e *epochs, i int) { e.put(i, a, a.me()) }

// readInflate is READINFLATE: it is concurrent, or several lanes access the cell.
func (a *access) readInflate(e *epochs, i int) {
	if a.precedes(e, i) {
		e.reset(i)
	}
	e.inflate(i).add(a, a.lanes)
}

// readShared is READSHARED: there have been concurrent accesses.
func (a *access) readShared(s *epochSet) { s.add(a, a.lanes) }

// ordered checks that earlier accesses to cell i come before this one, and reports a
// race with each that does not.
func (a *access) ordered(e *epochs, i int, kind Kind) {
	switch {
	case e == nil || e.clock[i] == 0:
	case e.lane[i] == inSet:
		for r := range e.set(i).list {
			a.orderedRun(&e.set(i).list[r], kind)
		}
	case !a.precedes(e, i):
		a.race(kind, e.warp[i], int(e.lane[i]), e.clock[i], e.site[i])
	}
}

// orderedRun is the same for a run of a set. It reports the first race of each warp.
func (a *access) orderedRun(r *epochRun, kind Kind) {
	for w := r.warp; w != r.end(); w++ {
		if w>>fanoutBits == a.id>>fanoutBits && w != a.id && r.clock <= a.block {
			continue
		}
		for m := r.mask; m != 0; m &= m - 1 {
			if lane := first(m); r.clock > a.at(a.me(), w, lane) {
				a.race(kind, w, lane, r.clock, r.site)
				break
			}
		}
	}
}

// race reports a race with an earlier access. Lanes that write the same value in one
// instruction do not race (section 3.3.1).
func (a *access) race(kind Kind, warp uint32, lane int, clock, site uint32) {
	together := warp == a.id && a.mask>>lane&1 != 0 && clock == a.local
	if together && a.sameValue(lane) {
		return
	}
	a.races.add(a, kind, warp, lane, clock, site, together)
}

// sameValue reports whether another lane writes, with the same instruction, the same
// bytes where the two overlap. Bytes beyond the eight that are known may be different,
// so they are.
func (a *access) sameValue(other int) bool {
	op, me := a.op, a.me()
	if !op.Valued || op.Kind != Write {
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
