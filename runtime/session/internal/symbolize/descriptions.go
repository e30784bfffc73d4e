// Descriptions of races. A kernel that is launched repeatedly often has the same races each time: the session looks up
// their names and lines once, and the report has each of them once, with a count over all launches. and the report has
// them once, with a count over all launches.

package symbolize

import (
	"fmt"

	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// Likeness identifies races that differ only in addresses, sizes, threads and counts. Everything else in the report of
// a race depends on its likeness alone.
type Likeness struct {
	kernel string
	sites  *abi.Site   // first element of the table of sites, which identifies the table
	race   detect.Race // with addresses, sizes, threads and counts 0
	nested bool        // the threads are of two grids
}

// Descriptions caches the results of symbolizer.describe, by likeness.
type Descriptions map[Likeness]*report.Race

// Like returns the likeness of a race.
func (n *Symbolizer) Like(r *detect.Race) Likeness {
	k := Likeness{kernel: n.Kernel, race: *r}
	if len(n.Sites) > 0 {
		k.sites = &n.Sites[0]
	}
	k.race.Address, k.race.Size, k.race.Count = 0, 0, 0
	for _, s := range []*detect.Side{&k.race.First, &k.race.Second} {
		s.Block, s.Thread, s.Grid = [3]uint32{}, [3]uint32{}, detect.Nested{}
	}
	k.nested = r.First.Grid.Number != r.Second.Grid.Number
	return k
}

// Race returns a race with the names and lines of the user's program.
func (n *Symbolizer) Race(r *detect.Race) *report.Race {
	like := n.Like(r)
	known := n.Described[like]
	if known == nil {
		known = n.describe(r)
		n.Described[like] = known
	}
	x := *known
	x.Address, x.Symbol, x.Size, x.Count = report.Hex(r.Address), n.object(r), r.Size, r.Count
	n.place(&x.First, r.First)
	n.place(&x.Second, r.Second)
	x.Unread = differing(known.Unread, r)
	n.overlaps(&x, r)
	return &x
}

// overlaps explains a race of two stores to arrays that overlap, as what is missing is no barrier.
func (n *Symbolizer) overlaps(x *report.Race, r *detect.Race) {
	if x.Cause != detect.MissingBarrier || r.Space != abi.SpaceShared || r.First.Site == r.Second.Site ||
		n.Launch.Kernel == "" {
		return
	}
	first, second := n.pair(n.site(r.First.Site), n.site(r.Second.Site))
	if first == nil || second == nil || first.Func.Name != n.Kernel {
		return
	}
	o, ok := address.SharedOverlap(n.Launch, first, second)
	if !ok {
		return
	}
	x.Missing = fmt.Sprintf("room for both arrays: of the dynamic shared memory, {first} stores to bytes %d to %d, an element by each thread, and {second} to %d to %d, which overlap",
		o.First[0], o.First[1]-1, o.Second[0], o.Second[1]-1)
	end := o.First[1]
	if o.Second[0] < o.First[0] {
		end = o.Second[1]
	}
	x.Hint = fmt.Sprintf("begin the second array at byte %d of the allocation, or behind: an offset in bytes is the number of elements times their size", end)
	x.Repair, x.Fence = detect.RepairApart, nil
}

// place sets the thread of an access.
func (n *Symbolizer) place(a *report.Access, s detect.Side) {
	block := n.Block
	if s.Grid.Number > 0 {
		block = s.Grid.Block
	}
	a.Block, a.Thread, a.Warp, a.Grid = s.Block, s.Thread, WarpOf(s.Thread, block), s.Grid.Number
}
