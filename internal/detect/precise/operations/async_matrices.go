// Groups of wgmma, which belong to the four warps of a warpgroup.

package operations

import (
	"math/bits"
	"slices"

	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/internal/detect/precise/evidence"
	"github.com/ptxsan/ptxsan/internal/detect/precise/order"
	"github.com/ptxsan/ptxsan/internal/vclock"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// warpsOfGroup is the number of warps in a warpgroup.
const warpsOfGroup = 4

// matrixGroups holds the committed wgmma groups of a warp, in order. Groups that all warps of the warpgroup have waited
// for are dropped.
type matrixGroups struct {
	units   []matrixUnits
	clocks  []*clock // in the papers' model: the threads' clocks at the end of each group
	dropped int      // number of groups dropped from the front
	until   stamp    // when the last of them was committed
	waited  int      // number of groups that the warp has waited for
}

// matrixUnits is the units of the reads of a group, and when it was committed.
type matrixUnits struct {
	list []unit
	at   stamp
}

// committedMatrices closes the open wgmma group of a warp.
func (d *State) committedMatrices(ev *abi.Event, w *causality.Warp, g *AsyncGroups) {
	m := &d.AsyncOf(w).Matrices
	units := matrixUnits{at: d.Now}
	for rest := g.open; rest != 0; rest &^= g.alike(rest) {
		units.list = append(units.list, g.units[bits.TrailingZeros32(rest)][AsyncReads])
	}
	g.open = 0
	for i := range g.Since {
		g.Since[i]++
	}
	m.units = append(m.units, units)
	var c *clock
	if d.Model.CopiesInPlace {
		c = d.MetBy(w.All(ev.Mask), vclock.Threads(w.Unit, ev.Mask, d.Now))
	}
	m.clocks = append(m.clocks, c)
	d.Tick()
}

// waitedMatrices handles a warp that has waited for all but its latest wgmma groups. A group belongs to the whole
// warpgroup ("creates a new wgmma-group per warpgroup", PTX ISA, "wgmma.commit_group"), so the reads of the other warps
// in it are complete too. In the papers' model the wait is a barrier among these warps.
func (d *State) waitedMatrices(ev *abi.Event, w *causality.Warp) {
	m := &d.AsyncOf(w).Matrices
	total := m.dropped + len(m.units)
	m.waited = max(m.waited, total-int(min(ev.Pending[bits.TrailingZeros32(ev.Mask)], uint32(total))))
	first := int(ev.Warp) / warpsOfGroup * warpsOfGroup
	group := w.Home.Warps[first:min(first+warpsOfGroup, len(w.Home.Warps))]
	var c *clock
	least := m.waited
	for _, n := range d.matricesOf(group) {
		for k := range min(m.waited-n.dropped, len(n.units)) {
			c = order.Merge(c, n.clocks[k])
			for _, u := range n.units[k].list {
				c = c.With(vclock.Threads(u, ^uint32(0), n.units[k].at))
				d.Evidence.AreWaitedFor(u, n.units[k].at)
			}
		}
		least = min(least, n.waited)
	}
	w.Learn(&d.Merges, ev.Mask, ev.Live, c)
	for _, n := range d.matricesOf(group) {
		n.drop(least)
	}
}

// matricesOf returns the wgmma groups of those warps that have asynchronous operations.
func (d *State) matricesOf(warps []*causality.Warp) (list []*matrixGroups) {
	for _, w := range warps {
		if w == nil {
			continue
		}
		if async := d.AsyncOf(w); async != nil {
			list = append(list, &async.Matrices)
		}
	}
	return list
}

// drop forgets the groups before group n.
func (m *matrixGroups) drop(n int) {
	if n = min(n-m.dropped, len(m.units)); n > 0 {
		m.until = m.units[n-1].at
		m.units, m.clocks = append(m.units[:0], m.units[n:]...), append(m.clocks[:0], m.clocks[n:]...)
		m.dropped += n
	}
}

// noteWait records a wait, at a site, for groups.
func (g *AsyncGroups) noteWait(ev *abi.Event, site uint32) {
	g.Wait = evidence.GroupWait{
		Site: site, Mask: ev.Mask, Pending: ev.Pending[bits.TrailingZeros32(ev.Mask)],
		Sources: ev.Mode == abi.BarrierRead,
	}
	for m := ev.Mask; m != 0; m &= m - 1 {
		g.Since[bits.TrailingZeros32(m)] = 0
	}
}

// Behind returns the number of a lane's groups after that of an access by an asynchronous unit at a time, -1 if no
// closed group has it.
func (g *AsyncGroups) Behind(lane int, u unit, at stamp) int {
	list := g.closed[lane]
	if at <= g.until[lane] {
		return -1
	}
	k := slices.IndexFunc(list, func(x closedGroup) bool { return at <= x.at && slices.Contains(x.AsyncUnits[:], u) })
	if k < 0 {
		return -1
	}
	return len(list) - 1 - k
}

// Behind returns the number of groups of wgmma after that of a read by a unit at a time, -1 if no committed group has it.
func (g *matrixGroups) Behind(u unit, at stamp) int {
	if at <= g.until {
		return -1
	}
	k := slices.IndexFunc(g.units, func(x matrixUnits) bool { return at <= x.at && slices.Contains(x.list, u) })
	if k < 0 {
		return -1
	}
	return len(g.units) - 1 - k
}
