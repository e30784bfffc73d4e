// Accesses by asynchronous operations.

package precise

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/internal/detect/precise/operations"
	"github.com/ptxsan/ptxsan/internal/detect/precise/shadow"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// asynchronous checks and records an access by asynchronous operations.
func (d *Detector) asynchronous(a *causality.Access, s *shadow.Memory) {
	a.Warp.At.MayRelease = true
	async := d.Operations.BeginAsync(a.Warp, a.Ev.Op)
	if d.phases != nil && a.Ev.Async == abi.AsyncSignals {
		d.phases.Begin(a.Warp, a.Ev.Op, a.Ev.Mask)
	}
	a.Began, s.Async = async.Began, true
	side := operations.AsyncReads
	if a.Writes() {
		side = operations.AsyncWrites
	}
	switch {
	case a.Proxy == abi.ProxyTensorMap && a.Ev.Async == abi.AsyncSignals:
		d.mapRead(a, s)
	case a.Ev.Async == abi.AsyncSignals:
		a.Unit = d.Operations.SignalUnits(a.Warp, async, a.Ev.Op, a.Ev.Mask)[side]
		d.Operations.RemoteAsync(a, a.Ev.Mask)
		d.Operations.OwnAsync(a, a.Ev.Mask)
		d.enforcedAsync(a, a.Ev.Mask)
		d.Lanes(a, s, a.Ev.Mask)
	default:
		d.grouped(a, s, &async.Groups[a.Ev.Async], side)
	}
	if a.Writes() && s.Synced {
		for m := a.Ev.Mask; m != 0; m &= m - 1 {
			d.overwriteLines(s, a.Ev.Addr[bits.TrailingZeros32(m)], uint64(a.Size))
		}
	}
}

// overwriteLines ends the releases of the locations that a weak write overlaps, in all lines that it touches.
func (d *Detector) overwriteLines(s *shadow.Memory, addr, size uint64) {
	for size > 0 {
		here := min(size, lineBytes-addr%lineBytes)
		d.Expanded(s, addr, here).Overwrite(&d.Record, addr, here, nil)
		addr, size = addr+here, size-here
	}
}

// grouped checks and records an access by operations that belong to their lanes' open groups.
func (d *Detector) grouped(a *causality.Access, s *shadow.Memory, g *operations.AsyncGroups, side int) {
	for rest := a.Ev.Mask; rest != 0; {
		units, mask := d.Operations.Join(a.Warp, g, rest)
		rest &^= mask
		a.Unit = units[side]
		d.Operations.RemoteAsync(a, mask)
		d.Operations.OwnAsync(a, mask)
		d.enforcedAsync(a, mask)
		d.Lanes(a, s, mask)
	}
}

// mapRead checks and records the read of a tensor map by a load of a lane. The phase of the mbarrier orders it, and so
// does cp.async.bulk.wait_group after a commit, though the manual names no group for loads: CUTLASS
// (tma_desc_wait_group) waits so before it edits maps.
func (d *Detector) mapRead(a *causality.Access, s *shadow.Memory) {
	async := d.Operations.AsyncOf(a.Warp)
	d.grouped(a, s, &async.MapReads, operations.AsyncReads)
	async.NoteMapRead(a)
}
