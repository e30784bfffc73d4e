package iguard_test

import "math/bits"

// model is iGUARD in plain Go: Table 2 and section 6 of the paper on structures of
// the obvious kind, without packing, hashing of places or concurrency. The device
// library is compared with it.
type model struct {
	config
	memory     map[uint64]*modelEntry // by granule of global memory
	counts     map[thread]*modelCounts
	warpTables map[warp]*modelTable
	ownTables  map[thread]*modelTable
	blockBars  map[int]int // partial block barriers
	warpBars   map[warp]int
	// Barriers before the last fence of device scope or any scope, by block or warp.
	blockFences map[int]int
	warpFences  map[bool]map[warp]int
}

type thread struct{ block, thread int }

type warp struct{ block, warp int }

func (t thread) warp() warp { return warp{t.block, t.thread / 32} }

type modelCounts struct{ devFences, blkFences, blkBars, warpBars int }

// modelSide is what the metadata keep of one access.
type modelSide struct {
	who                                     thread
	site                                    uint32
	devFences, blkFences, blkBars, warpBars int
	locks                                   uint16
	blockLocks                              bool // locks are held, and all of them are of block scope
	atomic, blockScope                      bool
}

type modelEntry struct {
	modified, blkShared, devShared bool
	accessor, writer, sharer       modelSide
}

// modelTable is a lock table (Figure 7).
type modelTable struct {
	isThread bool
	entries  []modelLock
}

type modelLock struct {
	hash       uint32
	blockScope bool
	active     bool
}

// found is a race that the model or the device reports.
type found struct {
	rule          int
	first, second thread
	firstSite     uint32
	secondSite    uint32
}

func newModel(c config) *model {
	return &model{
		config: c,
		memory: map[uint64]*modelEntry{}, counts: map[thread]*modelCounts{},
		warpTables: map[warp]*modelTable{}, ownTables: map[thread]*modelTable{},
		blockBars: map[int]int{}, warpBars: map[warp]int{},
		blockFences: map[int]int{}, warpFences: map[bool]map[warp]int{false: {}, true: {}},
	}
}

func (m *model) count(t thread) *modelCounts {
	if m.counts[t] == nil {
		m.counts[t] = &modelCounts{}
	}
	return m.counts[t]
}

func (m *model) tables(t thread) (warpTable, own *modelTable) {
	if m.warpTables[t.warp()] == nil {
		m.warpTables[t.warp()] = &modelTable{}
	}
	if m.ownTables[t] == nil {
		m.ownTables[t] = &modelTable{}
	}
	return m.warpTables[t.warp()], m.ownTables[t]
}

// lockHash is the 18-bit hash of a lock's address, computed as the library does.
func lockHash(addr uint64) uint32 {
	folded := uint32(addr>>2) ^ uint32(addr>>32)*0x85ebca6b
	return folded * 0x9e3779b1 >> 14
}

func (t *modelTable) find(l modelLock) int {
	for i, e := range t.entries {
		if e.hash == l.hash && e.blockScope == l.blockScope {
			return i
		}
	}
	return -1
}

func (t *modelTable) enter(l modelLock) {
	if t.find(l) >= 0 {
		return
	}
	if len(t.entries) == 3 {
		t.entries = t.entries[1:]
	}
	t.entries = append(t.entries, l)
}

func (t *modelTable) leave(l modelLock) {
	if i := t.find(l); i >= 0 {
		t.entries = append(append([]modelLock{}, t.entries[:i]...), t.entries[i+1:]...)
	}
}

// step performs one event and returns the races it reports, in order of lanes.
func (m *model) step(e event) []found {
	switch e.op {
	case opFence:
		for _, t := range e.threads() {
			m.fence(t, e.blockScope)
			m.noteFence(t, !e.blockScope)
		}
	case opBlockBarrier:
		for i := range m.threads {
			m.count(thread{e.block, i}).blkBars++
		}
	case opPartialBarrier:
		m.blockBars[e.block]++
	case opWarpBarrier:
		if e.lanes == ^uint32(0) {
			for _, t := range e.threads() {
				m.count(t).warpBars++
			}
		} else {
			m.warpBars[warp{e.block, e.warp}]++
		}
	default:
		return m.access(e)
	}
	return nil
}

func (m *model) fence(t thread, blockScope bool) {
	c := m.count(t)
	if blockScope {
		c.blkFences++
	} else {
		c.devFences++
	}
	warpTable, own := m.tables(t)
	for _, table := range []*modelTable{warpTable, own} {
		for i := range table.entries {
			if !blockScope || table.entries[i].blockScope {
				table.entries[i].active = true
			}
		}
	}
}

func (m *model) access(e event) []found {
	if e.shared {
		return nil
	}
	threads := e.threads()
	for _, t := range threads {
		m.infer(e, t, len(threads))
	}
	if e.op == opLoad || e.atomic {
		threads = threads[:1] // one lane checks for all (6.5)
	}
	var races []found
	for _, t := range threads {
		reported := false
		for g := e.addr / uint64(m.granularity); g <= (e.addr+uint64(e.size)-1)/uint64(m.granularity); g++ {
			if r, ok := m.check(e, t, g); ok && !reported {
				races = append(races, r)
				reported = true
			}
		}
	}
	return races
}

// infer keeps the lock tables (6.3).
func (m *model) infer(e event, t thread, together int) {
	warpTable, own := m.tables(t)
	l := modelLock{hash: lockHash(e.addr), blockScope: e.blockScope}
	switch {
	case !m.locks:
	case e.cas:
		own.enter(l)
		if together > 1 {
			*warpTable = modelTable{isThread: true}
		} else if !warpTable.isThread {
			warpTable.enter(l)
		}
	case e.exch:
		own.leave(l)
		warpTable.leave(l)
	}
}

func (m *model) side(e event, t thread) modelSide {
	c := m.count(t)
	s := modelSide{
		who: t, site: e.site,
		devFences: c.devFences % m.fences(), blkFences: c.blkFences % m.fences(),
		blkBars: (c.blkBars + m.blockBars[t.block]) % m.barriers(), warpBars: (c.warpBars + m.warpBars[t.warp()]) % m.warpBarriers(),
		atomic: e.atomic, blockScope: e.atomic && e.blockScope,
	}
	warpTable, own := m.tables(t)
	table := warpTable
	if table.isThread {
		table = own
	}
	device := false
	for _, l := range table.entries {
		if l.active && m.locks {
			s.locks |= 1<<(l.hash&7) | 0x100<<(l.hash>>3&7)
			device = device || !l.blockScope
		}
	}
	s.blockLocks = s.locks != 0 && !device
	return s
}

// check is Table 2 for one granule, then the update of 6.2.
func (m *model) check(e event, t thread, at uint64) (found, bool) {
	curr := m.side(e, t)
	store := e.op == opStore
	old := m.memory[at]
	var race found
	if old != nil && (store || old.modified) { // P1, P2
		rule, other := m.table2(e, curr, old)
		race = found{rule, other.who, t, other.site, e.site}
	}
	m.update(store, e.atomic, curr, at)
	return race, race.rule != 0
}

func (m *model) table2(e event, curr modelSide, mm *modelEntry) (int, modelSide) {
	store := e.op == opStore
	md := mm.writer
	if store {
		md = mm.accessor
	}
	shared := mm.blkShared || mm.devShared
	sameBlock := md.who.block == curr.who.block
	sameWarp := md.who.warp() == curr.who.warp()
	own := md.who == curr.who ||
		sameWarp && (!m.its || md.warpBars != curr.warpBars || e.lanes>>(md.who.thread%32)&1 != 0)
	switch {
	case own && (!shared || !store): // P3, P4
		return 0, md
	case !mm.devShared && sameBlock && md.blkBars != curr.blkBars: // P5
		return 0, md
	case md.atomic && curr.atomic && (sameBlock || !md.blockScope && (!m.scope || !curr.blockScope)): // P6
		return 0, md
	case md.atomic && !sameBlock && (md.blockScope || m.scope && curr.atomic && curr.blockScope): // R1
		return 1, md
	case store && mm.modified && mm.writer.atomic && mm.writer.blockScope && mm.writer.who.block != curr.who.block: // R1
		return 1, mm.writer
	}
	other := md
	if own {
		other = mm.sharer
	}
	now := m.count(other.who)
	devSame := now.devFences%m.fences() == other.devFences && !m.covered(other, true)
	blkSame := now.blkFences%m.fences() == other.blkFences && !m.covered(other, false)
	switch {
	case sameWarp && devSame && blkSame && !shared: // R2
		return 2, other
	case sameBlock && devSame && blkSame && !mm.devShared: // R3
		return 3, other
	case !sameBlock && devSame: // R4
		return 4, other
	case m.locks && md.locks|curr.locks != 0 && (disjoint(md.locks, curr.locks) || m.lockScope && !sameBlock && (md.blockLocks || curr.blockLocks)): // R5
		return 5, other
	}
	return 0, md
}

// noteFence and covered are the option cumulative.
func (m *model) noteFence(t thread, device bool) {
	c := m.side(event{}, t)
	m.warpFences[false][t.warp()] = c.warpBars
	if device {
		m.warpFences[true][t.warp()], m.blockFences[t.block] = c.warpBars, c.blkBars
	}
}

func (m *model) covered(s modelSide, device bool) bool {
	warpFence, warpFenced := m.warpFences[device][s.who.warp()]
	blockFence, blockFenced := m.blockFences[s.who.block]
	return m.cumulative && (warpFenced && later(warpFence, s.warpBars, m.warpBarriers()) ||
		device && blockFenced && later(blockFence, s.blkBars, m.barriers()))
}

// later compares numbers of barriers that are known modulo n: less than half of n is more.
func later(a, b, n int) bool {
	more := (a - b + n) % n
	return more > 0 && more < (n+1)/2
}

// How many fences or barriers a counter tells apart.
func (c config) fences() int       { return 1 << c.counters.Fence }
func (c config) barriers() int     { return 1 << c.counters.Barrier }
func (c config) warpBarriers() int { return 1 << c.counters.WarpBarrier }

// disjoint reports whether two lock summaries have no lock in common.
func disjoint(a, b uint16) bool {
	both := a & b
	return bits.OnesCount8(uint8(both)) == 0 || bits.OnesCount8(uint8(both>>8)) == 0
}

func (m *model) update(store, atomic bool, curr modelSide, at uint64) {
	mm := m.memory[at]
	switch {
	case store:
		mm = &modelEntry{modified: true, accessor: curr, writer: curr}
	case mm == nil:
		mm = &modelEntry{accessor: curr}
	default:
		last := mm.accessor
		switch {
		case last.who.block != curr.who.block:
			mm.devShared, mm.sharer = true, last
		case !mm.devShared && last.blkBars != curr.blkBars:
			mm.blkShared = false
		case last.who.warp() != curr.who.warp():
			mm.blkShared, mm.sharer = true, last
		}
		if !atomic {
			curr.atomic, curr.blockScope = last.atomic, last.blockScope
		}
		mm.accessor = curr
	}
	m.memory[at] = mm
}
