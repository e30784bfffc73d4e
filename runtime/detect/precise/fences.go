package precise

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// fenceMarks are the latest fences and release operations of the lanes of a warp, by
// reach.
type fenceMarks [radix][reaches]fenceMark

// fenceMark is a fence or release: when and by which instruction.
type fenceMark struct {
	at   stamp // 0 when there was none
	site uint32
}

// marksOf is the marks of a warp, made when there are none.
func (d *Detector) marksOf(w *warp) *fenceMarks {
	marks := d.fences[w.unit]
	if marks == nil {
		marks = new(fenceMarks)
		d.fences[w.unit] = marks
		for lane := range marks {
			if f := w.pendingOf(lane).fences; f != nil {
				for i, s := range f.fenced {
					marks[lane][i].at = s.at
				}
			}
		}
	}
	return marks
}

// mark notes a fence for reports. Warps need no marks before their first one that is
// narrower than the GPU.
func (d *Detector) mark(ev *abi.Event, w *warp, r reach) {
	if r == reachAll && d.fences[w.unit] == nil {
		return
	}
	marks := d.marksOf(w)
	for m := ev.Mask; m != 0; m &= m - 1 {
		marks[bits.TrailingZeros32(m)][r] = fenceMark{d.now, ev.Site}
	}
}

// narrowFence is the latest fence or release of the first thread since its access, if
// none of them has a scope that includes the second thread; nil otherwise.
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
