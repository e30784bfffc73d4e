package barracuda

// epochs are the last accesses of a kind to the cells of a page, one array for each
// part of an epoch. Where accesses are concurrent, warp is the number of a set.
type epochs struct {
	clock []uint32 // 0: no access
	warp  []uint32 // warpID, or index in sets
	site  []uint32
	lane  []uint8
	sets  []*epochSet
	free  []uint32 // of sets, not in use
}

// inSet stands in lane for accesses that are concurrent.
const inSet = 0xff

func newEpochs(cells int) *epochs {
	return &epochs{clock: make([]uint32, cells), warp: make([]uint32, cells), site: make([]uint32, cells), lane: make([]uint8, cells)}
}

// set is the accesses to a cell when they are concurrent, nil when they are one epoch.
func (e *epochs) set(i int) *epochSet {
	if e.lane[i] != inSet {
		return nil
	}
	return e.sets[e.warp[i]]
}

// put makes an access the only one.
func (e *epochs) put(i int, a *access, lane int) {
	e.reset(i)
	e.clock[i], e.warp[i], e.site[i], e.lane[i] = a.local, a.id, a.site, uint8(lane)
}

// reset is the minimal epoch.
func (e *epochs) reset(i int) {
	if s := e.set(i); s != nil {
		s.list = s.list[:0]
		e.free = append(e.free, e.warp[i])
	}
	e.clock[i], e.lane[i] = 0, 0
}

// inflate makes a set of the epoch, and returns it.
func (e *epochs) inflate(i int) *epochSet {
	n := len(e.free)
	if n == 0 {
		e.sets = append(e.sets, new(epochSet))
		e.free = append(e.free, uint32(len(e.sets)-1))
		n = 1
	}
	at := e.free[n-1]
	e.free = e.free[:n-1]
	s := e.sets[at]
	if e.clock[i] != 0 {
		s.list = append(s.list, epochRun{warp: e.warp[i], warps: 1, mask: 1 << e.lane[i], clock: e.clock[i], site: e.site[i]})
	}
	e.clock[i], e.warp[i], e.lane[i] = 1, at, inSet
	return s
}

// spread gives each cell the epochs of the one that it was a part of.
func (e *epochs) spread(parts int) *epochs {
	n := newEpochs(len(e.clock) * parts)
	n.sets, n.free = e.sets, e.free
	for i := range n.clock {
		j := i / parts
		n.clock[i], n.warp[i], n.site[i], n.lane[i] = e.clock[j], e.warp[j], e.site[j], e.lane[j]
		if s := e.set(j); s != nil && i%parts != 0 {
			n.sets = append(n.sets, s.clone())
			n.warp[i] = uint32(len(n.sets) - 1)
		}
	}
	return n
}
