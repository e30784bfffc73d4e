package iguard

import (
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// TestSlotStep: no two granules of memory share an entry of the table, however far the
// objects are apart, and the table does not grow with the distance.
func TestSlotStep(t *testing.T) {
	const objects, bytes = 20, 1 << 16
	var size [2]uint32
	for i, step := range []uint64{1, 16} {
		var s abi.IGuardStateVar
		s.GranuleBits = 2
		g := &Detector{opts: abi.PaperIGuardOptions()}
		g.layoutTable(&s, &detect.LaunchShape{LargestAllocation: bytes, Slots: objects*step + 1, SlotStep: step})
		if s.Uses&abi.IGuardUsesTags != 0 {
			t.Errorf("step %d: entries are shared", step)
		}
		used := map[uint64]bool{}
		for object := range uint64(objects) {
			for granule := range uint64(bytes / 4) {
				slot := (object + 1) * step
				at := (granule + slot*uint64(s.SlotGranules)) & uint64(s.IndexMask)
				if used[at] {
					t.Fatalf("step %d: granule %d of object %d has the entry of another one", step, granule, object)
				}
				used[at] = true
			}
		}
		size[i] = s.IndexBits
	}
	if size[1] > size[0] {
		t.Errorf("the table has 2^%d entries, and 2^%d for objects side by side", size[1], size[0])
	}
}
