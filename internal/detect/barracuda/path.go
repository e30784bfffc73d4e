// Paths: the lanes of a warp that execute together, and their vector clocks.

package barracuda

import (
	"math"

	"github.com/ptxsan/ptxsan/internal/vclock"
)

// A warp has fanout lanes, and a block has room for fanout warps.
const (
	fanoutBits = vclock.RadixBits
	fanout     = vclock.Radix
)

// path is a set of lanes of a warp that execute together, an element of K_w, with
// the vector clocks of all of them (section 4.3.1). After each instruction its
// threads have synchronised (ENDINSN), so that their clocks differ in their own
// entries only: a thread's clock for itself is local, that for the others of the path
// local-1. The paper's four formats are what is in use of the fields:
//
//	CONVERGED        mask, local, block
//	DIVERGED         and outside, of one clock for the lanes outside mask
//	NESTEDDIVERGED   and outside, of several
//	SPARSEVC         and rest
//
// outside and rest are immutable values, replaced when they change, so that a copy of a path stays valid.
type path struct {
	mask    uint32         // lanes, including those that exited while in the path
	local   uint32         // each lane's clock for itself
	block   uint32         // lower bound of the clock for threads of the block's other warps
	outside *laneClocks    // clocks for the lanes outside mask
	rest    *vclock.Clock  // clocks for other threads, and later ones for the block
	seen    *releasedClock // acquired last: acquiring it again has no effect
}

// Format is the representation of the vector clocks of a path's threads.
type Format uint8

// Formats, from special to general.
const (
	Converged Format = iota
	Diverged
	NestedDiverged
	SparseVC
	formats
)

var formatNames = [formats]string{"CONVERGED", "DIVERGED", "NESTEDDIVERGED", "SPARSEVC"}

// String returns the paper's name for the format.
func (f Format) String() string { return formatNames[f] }

// format returns the simplest format for the clocks, in a warp with the lanes full.
func (p *path) format(full uint32) Format {
	switch {
	case p.rest != nil:
		return SparseVC
	case full&^p.mask == 0:
		return Converged
	case p.outside != nil && p.outside.next != nil:
		return NestedDiverged
	}
	return Diverged
}

// threadClock is the vector clock of the threads of a path: the part of C_t that checking accesses needs. It is a copy,
// which does not change when the path goes on.
type threadClock struct {
	path
	id   uint32 // of the warp: warpID
	full uint32 // lanes of the warp
}

// warpID numbers the warps of the grid: blocks have room for 32 warps.
func warpID(block uint64, warp uint32) uint32 { return uint32(block)<<fanoutBits | warp&(fanout-1) }

// at is C_t(u): the clock that thread t, lane me of the path, has for lane of a warp.
func (v *threadClock) at(me int, warp uint32, lane int) uint32 {
	switch {
	case warp != v.id && warp>>fanoutBits != v.id>>fanoutBits:
		return v.known(warp, lane)
	case warp != v.id:
		return max(v.block, v.known(warp, lane))
	case v.mask>>lane&1 == 0:
		return v.outside.at(lane)
	case lane == me:
		return v.local
	}
	return v.local - 1
}

// clocks returns the join of the vector clocks of the lanes in released, as a tree.
func (v *threadClock) clocks(released uint32) *vclock.Clock {
	return vclock.Join(v.rest, v.own(released))
}

// own returns what clocks does, without rest.
func (v *threadClock) own(released uint32) *vclock.Clock {
	id, block := vclock.Unit(v.id), vclock.Time(v.block)
	if v.mask == 1<<fanout-1 {
		return vclock.WithinTwo(id, vclock.Time(v.local-1), vclock.Time(v.local), released, block)
	}
	var lanes [fanout]vclock.Time
	for m := v.full; m != 0; m &= m - 1 {
		i := first(m)
		switch {
		case released>>i&1 != 0:
			lanes[i] = vclock.Time(v.local)
		case v.mask>>i&1 != 0:
			lanes[i] = vclock.Time(v.local - 1)
		default:
			lanes[i] = vclock.Time(v.outside.at(i))
		}
	}
	return vclock.Within(id, &lanes, block)
}

// known returns the clock for a lane of another warp that rest has.
func (p *path) known(warp uint32, lane int) uint32 {
	return uint32(p.rest.At(vclock.Unit(warp), lane))
}

// includes reports whether the clocks of v include a released clock: it is empty, or was acquired last, or they include
// a thread that released it up to the time of its release, and hence its clock.
func (v *threadClock) includes(a *releasedClock) bool {
	if a == nil || a == v.seen {
		return true
	}
	return a.by != nil && a.by.local != math.MaxUint32 && v.at(noLane, a.by.id, first(a.lanes)) >= a.by.local
}

// noLane is the lane of a thread that does not matter.
const noLane = -1

// acquire joins a released clock into the clocks of the path's threads. It skips the path's own lanes, which the next
// ENDINSN joins anyway. The result may not be shared before endAcquires has been called: until then, to may change its
// nodes.
func (v *threadClock) acquire(what *releasedClock, to *builders) {
	if v.includes(what) {
		return
	}
	v.seen = what
	for _, c := range what.parts(&to.released) {
		v.join(c, &to.thread)
	}
}

// join joins a clock into those of the path's threads.
func (v *threadClock) join(c *vclock.Clock, to *vclock.Builder) {
	id := vclock.Unit(v.id)
	if rest := v.full &^ v.mask; rest != 0 && !v.outside.reach(rest, uint32(c.Most(id))) {
		v.outside = v.outside.join(rest, c.Unit(id))
	}
	v.rest = to.Join(v.rest, c)
}

// endAcquires is called after the last acquire of an operation. It makes the nodes of the clock immutable, and removes
// times of the own block that the clock has anyway.
func (v *threadClock) endAcquires(to *builders) {
	to.thread.Finish()
	if id := vclock.Unit(v.id); !v.rest.Beyond(id, vclock.Time(v.block)) {
		v.rest = v.rest.WithoutBlock(id)
	}
}
