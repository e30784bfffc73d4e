package iguard_test

import "github.com/ptxsan/ptxsan/runtime/abi"

// modelEdges is the option edge: who knows of which fences.
type modelEdges struct {
	clock         int
	known, fenced map[warp]*modelTimes
	deviceFenced  map[warp]*modelTimes
	barriers      map[int]*modelTimes // of blocks
	rows          map[modelRow]*modelTimes
}

// modelTimes is a time for each class of blocks.
type modelTimes [abi.IGuardEdgeClasses]int

// modelRow is a location, and the block that hears of what is released there, -1 for all.
type modelRow struct {
	shared bool
	addr   uint64
	block  int
}

func newModelEdges() *modelEdges {
	return &modelEdges{
		known: map[warp]*modelTimes{}, fenced: map[warp]*modelTimes{}, deviceFenced: map[warp]*modelTimes{},
		barriers: map[int]*modelTimes{}, rows: map[modelRow]*modelTimes{},
	}
}

// at is the vector of a key, zeros to begin with.
func at[K comparable](m map[K]*modelTimes, k K) *modelTimes {
	if m[k] == nil {
		m[k] = &modelTimes{}
	}
	return m[k]
}

func (t *modelTimes) learn(o *modelTimes) {
	for k, v := range o {
		t[k] = max(t[k], v)
	}
}

func (m *modelEdges) fence(t thread, device bool) {
	m.clock++
	known := at(m.known, t.warp())
	known.learn(at(m.barriers, t.block))
	vectors := []*modelTimes{at(m.fenced, t.warp())}
	if device {
		vectors = append(vectors, at(m.deviceFenced, t.warp()))
	}
	for _, v := range vectors {
		v.learn(known)
		v[t.block%len(v)] = m.clock
	}
}

// row is what has been released at a location to a block, or to all, -1.
func (m *modelEdges) row(e event, block int) *modelTimes {
	return at(m.rows, modelRow{e.shared, e.addr, block})
}

// before is what an event publishes.
func (m *modelEdges) before(e event, warps int) {
	switch {
	case e.op == opBlockBarrier:
		for i := range warps {
			at(m.barriers, e.block).learn(at(m.known, warp{e.block, i}))
		}
	case e.op == opPartialBarrier:
		at(m.barriers, e.block).learn(at(m.known, warp{e.block, e.warp}))
	case e.op == opStore && e.atomic:
		for _, t := range e.threads() {
			m.row(e, t.block).learn(at(m.fenced, t.warp()))
			if !e.blockScope && !e.shared {
				m.row(e, -1).learn(at(m.deviceFenced, t.warp()))
			}
		}
	}
}

// after is what an event observes.
func (m *modelEdges) after(e event) {
	if !e.atomic || e.op != opLoad && e.op != opStore || e.writeOnly {
		return
	}
	for _, t := range e.threads() {
		at(m.known, t.warp()).learn(m.row(e, t.block))
		at(m.known, t.warp()).learn(m.row(e, -1))
	}
}

// unseen reports whether a thread knows of no fence after another one's access.
func (m *modelEdges) unseen(curr, other modelSide) bool {
	k := other.who.block % abi.IGuardEdgeClasses
	return curr.who.warp() != other.who.warp() && !other.atomic && disjoint(curr.locks, other.locks) &&
		at(m.known, curr.who.warp())[k] <= other.time && at(m.barriers, curr.who.block)[k] <= other.time
}
