package precise

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// fenceMarks are the latest fences of the lanes of a warp, by reach: those that no wider
// one followed.
type fenceMarks [radix][reaches]fenceMark

// fenceMark is a fence: when and by which instruction.
type fenceMark struct {
	at   stamp // 0 when there was none
	site uint32
}

// mark notes a fence for reports. Warps that execute none narrower than the GPU need no
// marks.
func (d *Detector) mark(ev *abi.Event, w *warp, r reach) {
	marks := d.fences[w.unit]
	if marks == nil {
		if r == reachAll {
			return
		}
		marks = new(fenceMarks)
		d.fences[w.unit] = marks
	}
	for m := ev.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		for i, f := range w.pending[lane].fenced {
			marks[lane][i].at = f.at
		}
		marks[lane][r].site = ev.Site
	}
}

// narrowFence is the latest fence of the first thread since its access, if none of them
// has a scope that includes the second thread; nil otherwise.
func (d *Detector) narrowFence(f *finding) *fenceMark {
	marks := d.fences[f.firstUnit]
	if f.kind != interBlock || marks == nil {
		return nil
	}
	p, q := d.placeOf(f.firstUnit), d.placeOf(f.secondUnit)
	var narrow *fenceMark
	for i := range marks[f.firstLane] {
		m := &marks[f.firstLane][i]
		switch {
		case m.at < f.since:
		case p.within(reach(i), q):
			return nil
		case narrow == nil || m.at >= narrow.at:
			narrow = m
		}
	}
	return narrow
}
