package barracuda

// access is what the rules need to know of an access by lanes of a warp to one
// address: C_t, and where it comes from.
type access struct {
	view
	op     *Op
	kind   Kind
	site   uint32
	lanes  uint32 // of the path; one for writes
	addr   uint64
	races  *races
	seq    uint64 // number of the operation
	shard  *shard
	narrow bool // it is atomic, and may race with others that are

	known      bool // knownLeast is least(knownWarp)
	knownWarp  uint32
	knownLeast uint32
}

// me is the thread that stands for all lanes: no other access tells them apart, since
// in one instruction only writes conflict.
func (a *access) me() int { return first(a.lanes) }

// precedes is c@t ≼ C_me for one epoch, and for ⊥.
func (a *access) precedes(e *epoch) bool {
	return e.clock == 0 || e.clock <= a.at(a.me(), e.warp, int(e.lane))
}

// cell checks the access to cell i of a page.
func (a *access) cell(p *page, i int) {
	switch a.kind {
	case Read:
		a.read(p, i)
	case Write:
		a.write(p, i)
	case Atomic:
		a.atomic(p, i)
	case AtomicRead:
		a.atomicRead(p, i)
	}
}

// read checks rd for cell i of a page: READEXCL, READINFLATE or READSHARED.
func (a *access) read(p *page, i int) {
	a.ordered(p.writes, i, Write)
	a.ordered(p.atomics, i, Atomic)
	a.ordered(p.narrow.atomics, i, Atomic)
	a.record(p.ensure(&p.reads), i)
}

// write is WRITEEXCL or WRITESHARED, which differ in what R_x is.
func (a *access) write(p *page, i int) {
	a.ordered(p.writes, i, Write)
	a.ordered(p.reads, i, Read)
	a.ordered(p.atomics, i, Atomic)
	a.ordered(p.polls, i, AtomicRead)
	a.ordered(p.narrow.atomics, i, Atomic)
	a.ordered(p.narrow.polls, i, AtomicRead)
	w := p.ensure(&p.writes)
	w.mix(i / groupCells)
	w.put(i, a, a.me())
	for _, e := range [...]*epochs{p.reads, p.atomics, p.polls, p.narrow.atomics, p.narrow.polls} {
		if e != nil {
			e.resetCells(i, i+1)
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
	a.ordered(p.narrow.atomics, i, Atomic)
	a.ordered(p.narrow.polls, i, AtomicRead)
	if a.narrow {
		a.ordered(p.atomics, i, Atomic)
		a.ordered(p.polls, i, AtomicRead)
		a.record(p.ensure(&p.narrow.atomics), i)
		return
	}
	a.record(p.ensure(&p.atomics), i)
}

// atomicRead is an atomic operation that does not write, which races with plain writes
// only.
func (a *access) atomicRead(p *page, i int) {
	a.ordered(p.writes, i, Write)
	a.ordered(p.narrow.atomics, i, Atomic)
	if a.narrow {
		a.ordered(p.atomics, i, Atomic)
		a.record(p.ensure(&p.narrow.polls), i)
		return
	}
	a.record(p.ensure(&p.polls), i)
}

// record adds the access to those that are concurrent, or takes their place.
func (a *access) record(e *epochs, i int) {
	e.mix(i / groupCells)
	switch x, set := e.at(i); {
	case set != nil:
		a.readShared(set)
	case !a.precedes(&x):
		a.readInflate(e, i)
	case a.lanes&(a.lanes-1) == 0:
		a.readExcl(e, i)
	default:
		e.reset(i)
		a.readInflate(e, i)
	}
}

// readExcl is READEXCL: the only access there is comes before this one.
func (a *access) readExcl(e *epochs, i int) { e.put(i, a, a.me()) }

// readInflate is READINFLATE: it is concurrent, or several lanes access the cell.
func (a *access) readInflate(e *epochs, i int) { e.inflate(i).add(a, a.lanes) }

// readShared is READSHARED: there have been concurrent accesses.
func (a *access) readShared(s *epochSet) { s.add(a, a.lanes) }

// ordered checks that earlier accesses to cell i come before this one, and reports a
// race with each that does not.
func (a *access) ordered(e *epochs, i int, kind Kind) {
	if e == nil {
		return
	}
	x, set := e.at(i)
	if set == nil {
		if !a.precedes(&x) {
			a.race(kind, x.warp, int(x.lane), x.clock, x.site)
		}
		return
	}
	for k := range set.list {
		r := &set.list[k]
		if x.lane == inSet {
			a.orderedRun(r, r.mask, kind)
		} else {
			a.orderedRun(r, 1<<x.lane, kind)
		}
	}
}

// orderedRun is the same for some lanes of a run of a set. It reports the first race of
// each warp.
func (a *access) orderedRun(r *epochRun, lanes uint32, kind Kind) {
	for w := r.warp; w != r.end(); w++ {
		if w>>fanoutBits == a.id>>fanoutBits && w != a.id && r.clock <= a.block {
			continue
		}
		for m := lanes; m != 0; m &= m - 1 {
			if lane := first(m); r.clock > a.at(a.me(), w, lane) {
				a.race(kind, w, lane, r.clock, r.site)
				break
			}
		}
	}
}

// race reports a race with an earlier access. Lanes that write the same value in one
// instruction do not race (section 3.3.1), nor do atomic operations that reach each other.
func (a *access) race(kind Kind, warp uint32, lane int, clock, site uint32) {
	if a.atomicKind() && kind >= Atomic && a.reaches(warp, site) {
		return
	}
	together := warp == a.id && a.mask>>lane&1 != 0 && clock == a.local
	if together && !a.shard.equal && a.sameValue(lane) {
		return
	}
	a.races.add(a, kind, warp, lane, clock, site, together)
}

// sameValue reports whether another lane writes, with the same instruction, the same
// bytes where the two overlap. Bytes beyond the eight that are known may be different,
// so they are.
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
