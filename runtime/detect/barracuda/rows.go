package barracuda

// The rules of rules.go for rows: what warps do most of the time is to access
// consecutive memory, so that the cells of a group can be checked together. When that
// does not show that nothing races, the rules for cells decide.

// row checks the access of a row.
func (a *access) row(p *page, r *row, page uint64) {
	for i := r.from; i < r.to; {
		end := min(r.to, (i/groupCells+1)*groupCells)
		if !a.part(p, r, i, end) {
			for ; i < end; i++ {
				a.lanes, a.addr = 1<<r.lane(i), page+uint64(i)<<p.cellBits
				a.cell(p, i)
			}
		}
		i = end
	}
}

// part checks the cells of a row that are in one group, if they surely do not race.
func (a *access) part(p *page, r *row, i, end int) bool {
	if a.narrow || p.narrow != (narrow{}) {
		return false
	}
	switch a.kind {
	case Read:
		if !p.writes.before(i, end, a) || !p.atomics.before(i, end, a) {
			return false
		}
		a.recordRow(p.ensure(&p.reads), r, i, end)
	case Write:
		if !p.writes.before(i, end, a) || !p.reads.before(i, end, a) || !p.atomics.before(i, end, a) || !p.polls.before(i, end, a) {
			return false
		}
		p.ensure(&p.writes).putRow(a, r, i, end)
		for _, e := range [...]*epochs{p.reads, p.atomics, p.polls} {
			if e != nil {
				e.resetCells(i, end)
			}
		}
	case Atomic:
		if !p.writes.before(i, end, a) || !p.reads.before(i, end, a) {
			return false
		}
		a.recordRow(p.ensure(&p.atomics), r, i, end)
	case AtomicRead:
		if !p.writes.before(i, end, a) {
			return false
		}
		a.recordRow(p.ensure(&p.polls), r, i, end)
	}
	return true
}

// putRow makes the accesses of a row the only ones to cells of one group.
func (e *epochs) putRow(a *access, r *row, i, end int) {
	at := i / groupCells
	if end-i == groupCells {
		e.putGroup(at, a, r)
		return
	}
	e.mix(at)
	if len(e.sets) != len(e.free) {
		e.resetCells(i, end)
	}
	cells := e.part(i, end)
	for k := range cells {
		cells[k] = epoch{clock: a.local, warp: a.id, site: a.site, lane: uint8(r.lane(i + k))}
	}
}

// recordRow adds the accesses of a row to cells of one group to those that are
// concurrent, or puts them in their place.
func (a *access) recordRow(e *epochs, r *row, i, end int) {
	at := i / groupCells
	g := &e.groups[at]
	switch {
	case g.state != groupShared && e.single(i, end) && e.before(i, end, a):
		e.putRow(a, r, i, end)
		return
	case end-i == groupCells && g.alike(r, at) && g.state == groupOne:
		e.inflateGroup(g).add(a, g.lanes()&-g.lanes())
		return
	case end-i == groupCells && g.alike(r, at) && g.state == groupShared:
		e.sets[g.warp].add(a, g.lanes()&-g.lanes())
		return
	}
	for ; i < end; i++ {
		a.lanes = 1 << r.lane(i)
		a.record(e, i)
	}
}

// single reports whether no cell of a group that is not shared has concurrent accesses.
func (e *epochs) single(i, end int) bool {
	if len(e.sets) == len(e.free) || e.groups[i/groupCells].state != groupMixed {
		return true
	}
	cells := e.part(i, end)
	for k := range cells {
		if cells[k].lane == inSet {
			return false
		}
	}
	return true
}
