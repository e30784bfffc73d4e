// Ranges of memory that accesses touch, also those of loops.

package labels

import (
	"math/bits"
	"slices"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// extent is a range of memory.
type extent struct{ addr, n uint64 }

// extents are the ranges of memory that an access touches.
type extents [abi.WarpLanes]extent

// of returns the ranges of memory that the lanes of an access touch.
func (x *extents) of(a *abi.Access) []extent {
	n := uint64(a.Bytes)
	if a.Addr == nil && a.Mask == 1<<abi.WarpLanes-1 && (a.Step == n || a.Step == 0) {
		x[0] = extent{a.Base, max(a.Step*abi.WarpLanes, n)}
		return x[:1]
	}
	if first := bits.TrailingZeros32(a.Mask); a.Mask&(a.Mask-1) == a.Next { // one behind the other
		x[0] = extent{a.At(first), n * uint64(bits.OnesCount32(a.Mask))}
		return x[:1]
	}
	at := 0
	for m := a.Mask; m != 0; m &= m - 1 {
		addr := a.At(bits.TrailingZeros32(m))
		if at > 0 {
			if last := &x[at-1]; addr >= last.addr && addr <= last.addr+last.n {
				last.n = max(last.n, addr+n-last.addr)
				continue
			}
		}
		x[at] = extent{addr, n}
		at++
	}
	return x[:at]
}

// TakesLoops implements abi.LoopReceiver.
func (d *Listener) TakesLoops() bool { return true }

// loop follows the accesses of a loop. Where the loop only reads or only writes each space, their order does not matter:
// each access covers all its rounds at once, reads first, since what they read may be written in a later round.
func (d *Listener) loop(b *abi.Batch, l *abi.Loop) {
	round := b.List[l.At : l.At+l.Period]
	if !oneWay(round) || b.Op != 0 {
		var x abi.Access
		for n := range l.Len() {
			l.Nth(b, n, &x)
			d.access(&x, d.space(b, x.Space), b.Op != 0)
		}
		return
	}
	for _, kind := range []abi.AccessKind{abi.AccessLoad, abi.AccessStore} {
		for i := range round {
			if round[i].Access == kind {
				d.rounds(b, l, i)
			}
		}
	}
}

// oneWay reports whether accesses to each space are all loads or all stores.
func oneWay(round []abi.Access) bool {
	var loaded, stored uint32
	for i := range round {
		switch a := &round[i]; a.Access {
		case abi.AccessLoad:
			loaded |= 1 << a.Space
		case abi.AccessStore:
			stored |= 1 << a.Space
		default:
			return false
		}
	}
	return loaded&stored == 0
}

// rounds follows one access of a loop in all rounds.
func (d *Listener) rounds(b *abi.Batch, l *abi.Loop, at int) {
	x := b.List[l.At+at]
	step, left := b.List[l.At+at+l.Period].Base-x.Base, (l.Len()-at-1)/l.Period
	to, list := d.space(b, x.Space), d.extents.of(&x)
	if !slices.ContainsFunc(list, func(e extent) bool { return step > e.n }) { // the rounds leave no gaps
		for i := range list {
			list[i].n += uint64(left) * step
		}
		d.touch(x.AccessClass, to, list, false)
		return
	}
	for range left + 1 {
		d.access(&x, to, false)
		x.Base += step
	}
}
