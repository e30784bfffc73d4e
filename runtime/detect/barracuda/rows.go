// Splitting accesses of a warp into rows of cells.

package barracuda

// The rules of rules.go for rows. Warps mostly access consecutive memory, so that the cells of a group can be checked together.
// If that does not show that there is no race, the rules for cells decide.

// row checks the access of a row to the current page, which begins at address page.
func (a *access) row(r *row, page uint64) {
	for i := r.from; i < r.to; {
		end := min(r.to, (i/groupCells+1)*groupCells)
		if own, ok := a.solely(i, end); ok {
			a.cellByCell(own, r, i, end, page)
		} else if !a.part(r, i, end) {
			for ; i < end; i++ {
				a.lanes, a.addr = 1<<r.lane(i), page+uint64(i)<<a.cellBits
				a.cell(i)
			}
		}
		i = end
	}
}

// part checks the cells of a row in one group, and reports false if it cannot exclude a race.
func (a *access) part(r *row, i, end int) bool {
	for k := range a.conflicts[:a.count] {
		if !a.conflicts[k].before(i, end, a) {
			return false
		}
	}
	if a.kind != Write {
		a.recordRow(a.into, r, i, end)
		return true
	}
	a.into.putRow(a, r, i, end)
	for k := range a.conflicts[:a.count] {
		if e := a.conflicts[k].epochs; e != a.into {
			e.resetCells(i, end)
		}
	}
	return true
}

// solely reports whether the group of cells i to end has an epoch for each cell, and only the table that will hold this access
// may have accesses to the group that conflict with it. own is that table if the accesses in it do conflict, else nil.
func (a *access) solely(i, end int) (own *earlier, ok bool) {
	at := i / groupCells
	if a.kind == Write || end-i == groupCells || a.into.groups[at].state != groupMixed {
		return nil, false
	}
	for k := range a.conflicts[:a.count] {
		switch c := &a.conflicts[k]; {
		case c.epochs == a.into:
			own = c
		case c.groups[at].state != groupEmpty:
			return nil, false
		}
	}
	return own, true
}

// cellByCell checks the cells of a row for which solely has returned true, and records the accesses.
func (a *access) cellByCell(own *earlier, r *row, i, end int, page uint64) {
	e := a.into
	cells, number := e.part(i, end), a.number()
	races := false // the accesses in a set seem to race, and those in further ones are likely to
	for k, m := range cells {
		lane := r.lane(i + k)
		if a.continues(m) {
			cells[k] = newRef(number, lane)
			continue
		}
		a.lanes = 1 << lane
		if m.isSet() {
			if s := e.set(m.number()); own == nil || !races && own.setBefore(s, 0, a) {
				s.add(a, a.lanes)
				continue
			}
			races = true
		}
		a.addr = page + uint64(i+k)<<a.cellBits
		a.cell(i + k)
	}
}

// putRow makes the accesses of a row the only ones to cells of one group.
func (e *epochs) putRow(a *access, r *row, i, end int) {
	at := i / groupCells
	if end-i == groupCells {
		e.putGroup(at, a, r)
		return
	}
	e.mix(at)
	if e.shared() {
		e.resetCells(i, end)
	}
	cells, number := e.part(i, end), a.number()
	for k := range cells {
		cells[k] = newRef(number, r.lane(i+k))
	}
}

// recordRow adds the accesses of a row to cells of one group, as concurrent ones, or replaces the earlier ones by them.
func (a *access) recordRow(e *epochs, r *row, i, end int) {
	at := i / groupCells
	g := &e.groups[at]
	if end-i == groupCells {
		switch {
		case g.state != groupShared && e.single(i, end) && (&earlier{e, Read}).before(i, end, a):
			e.putGroup(at, a, r)
			return
		case g.alike(r, at) && g.state == groupOne:
			e.inflateGroup(g).add(a, g.lanes()&-g.lanes())
			return
		case g.alike(r, at) && g.state == groupShared:
			e.set(g.warp).add(a, g.lanes()&-g.lanes())
			return
		}
	}
	e.mix(at)
	cells, number := e.part(i, end), a.number()
	for k := range cells {
		if a.continues(cells[k]) {
			cells[k] = newRef(number, r.lane(i+k))
			continue
		}
		a.lanes = 1 << r.lane(i+k)
		a.record(e, i+k)
	}
}

// single reports whether no cell of a group that is not shared has concurrent accesses.
func (e *epochs) single(i, end int) bool {
	if !e.shared() || e.groups[i/groupCells].state != groupMixed {
		return true
	}
	cells := e.part(i, end)
	for _, m := range cells {
		if m.isSet() {
			return false
		}
	}
	return true
}
