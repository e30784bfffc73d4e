package barracuda

// past is the accesses that cells of shadow memory name. Lanes of a warp that access memory
// with one instruction have all but the lane in common, which is here once; a cell takes four
// bytes.
type past struct {
	list  []pastAccess // the first one is ⊥
	least int          // accesses before those are dropped, for the first time, that no cell names
	limit int          // the same for the next time
	most  int          // accesses at a time
	lost  uint64       // accesses that there was no room for: as if they had not been
}

// pastAccess is c@t but for the lane of t, and the instruction.
type pastAccess struct{ clock, warp, site uint32 }

// mark is what a cell keeps: the number of an access and the lane, or of a set of accesses and
// inSet; 0 for ⊥.
type mark uint32

const (
	markLane = 6       // bits of the lane
	inSet    = 1 << 5  // stands in lane for accesses that are concurrent
	maxPast  = 1 << 26 // numbers that a mark has room for
	manyPast = 1 << 20 // before some are dropped
	laneMask = 1<<markLane - 1
)

func newMark(number uint32, lane int) mark { return mark(number<<markLane | uint32(lane)) }

func (m mark) number() uint32 { return uint32(m) >> markLane }
func (m mark) lane() uint8    { return uint8(m & laneMask) }
func (m mark) isSet() bool    { return m&inSet != 0 }

func newPast() past { return past{least: manyPast, most: maxPast} }

// begin forgets all accesses.
func (p *past) begin() {
	p.list, p.limit, p.lost = append(p.list[:0], pastAccess{}), p.least, 0
}

// add is the number of a new access, 0 when there is no room.
func (p *past) add(clock, warp, site uint32) uint32 {
	n := len(p.list)
	if n >= p.most {
		p.lost++
		return 0
	}
	p.list = append(p.list, pastAccess{clock, warp, site})
	return uint32(n)
}

// epoch is what a mark that names no set stands for.
func (p *past) epoch(m mark) epoch {
	x := &p.list[m.number()]
	return epoch{clock: x.clock, warp: x.warp, site: x.site, lane: m.lane()}
}

// tidy drops the accesses that no cell names any more, when there are many.
func (s *shard) tidy() {
	p := &s.spare.past
	if len(p.list) < p.limit {
		return
	}
	kept, to := []pastAccess{{}}, make([]uint32, len(p.list))
	rename := func(m *mark) {
		n := m.number()
		if n == 0 || m.isSet() {
			return
		}
		if to[n] == 0 {
			to[n] = uint32(len(kept))
			kept = append(kept, p.list[n])
		}
		*m = newMark(to[n], int(m.lane()))
	}
	for _, mem := range s.grids {
		mem.global.marks(rename)
		for _, sh := range mem.shared {
			sh.marks(rename)
		}
	}
	p.list, p.limit = kept, max(p.least, 2*len(kept))
}

// marks calls do for each cell that has a mark of its own.
func (sh *shadow) marks(do func(*mark)) {
	for _, p := range sh.pages {
		for _, e := range p.all() {
			if *e == nil {
				continue
			}
			for i := range (*e).groups {
				if g := &(*e).groups[i]; g.state == groupMixed {
					for k := range g.cells {
						do(&g.cells[k])
					}
				}
			}
		}
	}
}
