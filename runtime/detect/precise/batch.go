package precise

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Accesses implements detect.Batching.
func (d *Detector) Accesses(b *abi.Batch) {
	if d.deaf {
		return
	}
	w := d.warpIn(b.Block, b.Cluster, b.Warp)
	for i := range b.List {
		x := &b.List[i]
		if d.reads(w, x) {
			continue
		}
		b.Event(x, &d.event)
		if d.Event(&d.event); checked(&d.event) {
			d.bySite[x.Site][x.Access].sort = x.Sort
		}
	}
}

// reads notes one more weak read of a region that has seen nothing else. It reports whether
// the access is one.
func (d *Detector) reads(w *warp, x *abi.Access) bool {
	if x.Access != abi.AccessLoad || x.Mask == 0 || int(x.Site) >= len(d.bySite) {
		return false
	}
	known := &d.bySite[x.Site][abi.AccessLoad]
	what := &d.whats[known.index]
	if known.sort != x.Sort || what.strong || !d.surelyPlain(what) || !d.lockSets.none() || d.used > d.opts.Memory {
		return false
	}
	at := addresses{x.Base, x.Step, x.Addr}
	window, one := at.window(x.Mask, x.Mask&^(x.Next|x.Same), uint64(what.size))
	s := d.global
	if what.shared {
		s = w.shared
	}
	if !one || s == nil {
		return false
	}
	r := d.regionOf(s, window)
	if r.mode != reading || r.window != window {
		return false
	}
	d.events++
	w.touched |= x.Mask
	if w.since == 0 {
		w.since = d.now
	}
	d.note(r, &record{
		unit: w.unit, mask: x.Mask, next: x.Next & x.Mask, same: x.Same & x.Mask, access: abi.AccessLoad,
		at: w.since, what: known.index, event: d.events, times: 1,
	}, &at)
	return true
}

// window is the window that an access by lanes in mask is in, if it is in one. Those in starts
// begin runs of lanes that follow each other.
func (x *addresses) window(mask, starts uint32, size uint64) (window uint64, one bool) {
	first := x.of(bits.TrailingZeros32(mask))
	if x.each == nil {
		last := x.of(31 - bits.LeadingZeros32(mask))
		return first >> windowBits, (first^last|(first+size)^last|first^(last+size))>>windowBits == 0
	}
	others := uint64(0)
	if starts == 1<<radix-1 {
		for _, at := range x.each {
			others |= (at ^ first) | (at + size ^ first)
		}
		return first >> windowBits, others>>windowBits == 0
	}
	for ; starts != 0; starts &= starts - 1 {
		at := x.each[bits.TrailingZeros32(starts)]
		others |= (at ^ first) | (at + radix*size ^ first)
	}
	return first >> windowBits, others>>windowBits == 0
}
