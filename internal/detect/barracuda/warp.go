// Warps: their paths and clocks, through divergence and reconvergence.

package barracuda

import (
	"math"

	"github.com/ptxsan/ptxsan/internal/vclock"
)

// warp is the state of a warp: K_w and the C_t of its threads. K_w is the paper's reconvergence stack, in a form for
// independent thread scheduling: the sets of lanes that execute together, any of which may run next.
type warp struct {
	id    uint32
	full  uint32 // lanes that it began with
	live  uint32 // lanes not known to have exited
	paths []path
}

// newWarp returns the initial state: C_t = inc_t(⊥), all lanes in one path.
func newWarp(id, full uint32) *warp {
	return &warp{id: id, full: full, live: full, paths: []path{{mask: full, local: 1}}}
}

func (w *warp) clockOf(p *path) threadClock { return threadClock{path: *p, id: w.id, full: w.full} }

// increment is inc_t for the threads of a path whose own clock is that large. The clock saturates: later operations
// then count as concurrent.
func increment(clock uint32) uint32 {
	if clock == math.MaxUint32 {
		return clock
	}
	return clock + 1
}

// pathOf returns the path that contains the lanes of mask. Lanes of several paths that execute an instruction together
// have reconverged.
func (w *warp) pathOf(mask uint32) *path {
	for i := range w.paths {
		p := &w.paths[i]
		if p.mask&mask == 0 {
			continue
		}
		if mask&^p.mask != 0 {
			return w.elseEndIf(mask)
		}
		return p
	}
	panic("BUG: a lane is in no path")
}

// endInsn is ENDINSN: the active threads join and fork.
func (p *path) endInsn() { p.local = increment(p.local) }

// ifRule is IF: the lanes of then leave the path, join and fork. The other lanes begin their path by ELSE.
func (w *warp) ifRule(mask, then uint32) {
	p := w.pathOf(mask)
	then &= p.mask
	if then == 0 || w.live&p.mask&^then == 0 { // one path is empty
		p.endInsn()
		return
	}
	w.split(p, then).endInsn()
}

// split moves some lanes of p, but not all, to a new path, which it returns.
func (w *warp) split(p *path, lanes uint32) *path {
	p.outside = p.outside.with(p.mask, p.local-1)
	q := *p
	p.mask, q.mask = p.mask&^lanes, lanes
	w.paths = append(w.paths, q)
	return &w.paths[len(w.paths)-1]
}

// elseEndIf is ELSEENDIF: the lanes of mask become one path, join and fork. Exited lanes move with their path if no
// other lane stays in it.
func (w *warp) elseEndIf(mask uint32) *path {
	for i := range w.paths {
		if p := &w.paths[i]; mask&^p.mask == 0 && w.live&p.mask&^mask == 0 { // a path begins or continues
			p.endInsn()
			return p
		}
	}
	w.isolate(mask)
	merged := w.join(mask)
	keep := w.paths[:0]
	for _, p := range w.paths {
		if p.mask&mask == 0 {
			keep = append(keep, p)
		}
	}
	w.paths = append(keep, merged)
	return &w.paths[len(w.paths)-1]
}

// isolate splits the lanes of mask off paths that have other live lanes.
func (w *warp) isolate(mask uint32) {
	for i := range w.paths {
		if in := w.paths[i].mask & mask; in != 0 && w.live&w.paths[i].mask&^mask != 0 {
			w.split(&w.paths[i], in)
		}
	}
}

// join returns the union of the paths that the lanes of mask are in, with their clocks joined and incremented.
func (w *warp) join(mask uint32) path {
	var all path
	for i := range w.paths {
		if p := &w.paths[i]; p.mask&mask != 0 {
			all.mask |= p.mask
			all.local, all.block, all.rest = max(all.local, p.local), max(all.block, p.block),
				vclock.Join(all.rest, p.rest)
		}
	}
	all.local = increment(all.local)
	all.outside = w.outside(mask, all.mask)
	return all
}

// outside returns the join of the clocks for lanes outside all, which is the union of the paths that the lanes of mask
// are in.
func (w *warp) outside(mask, all uint32) *laneClocks {
	rest := w.full &^ all
	if rest == 0 {
		return nil
	}
	var shared *laneClocks
	same := true
	for i, found := 0, false; i < len(w.paths); i++ {
		p := &w.paths[i]
		if p.mask&mask == 0 {
			continue
		}
		beyond := p.outside.beyond(all)
		same = same && (!found || beyond == shared)
		shared, found = beyond, true
	}
	if same {
		return shared
	}
	var clocks [fanout]uint32
	for i := range w.paths {
		p := &w.paths[i]
		if p.mask&mask == 0 {
			continue
		}
		for m := rest; m != 0; m &= m - 1 {
			lane := first(m)
			clocks[lane] = max(clocks[lane], p.outside.at(lane))
		}
	}
	return newLaneClocks(rest, &clocks)
}

// sync joins and forks the threads of all paths that the lanes of mask are in; each path continues separately:
// bar.warp.sync, which is newer than the paper.
func (w *warp) sync(mask uint32) {
	if p := &w.paths[0]; mask&^p.mask == 0 {
		p.endInsn()
		return
	}
	vc := w.join(mask)
	vc.outside = vc.outside.with(vc.mask, vc.local-1)
	for i := range w.paths {
		if p := &w.paths[i]; p.mask&mask != 0 {
			vc.mask, vc.seen = p.mask, p.seen
			*p = vc
		}
	}
}

// exit records that lanes have exited.
func (w *warp) exit(lanes uint32) { w.live &^= lanes }
