// The detector's implementation of execution, which evidence reads.

package precise

import "github.com/ptxsan/ptxsan/runtime/detect"

// Methods of execution.

var _ execution = (*Detector)(nil)

func (d *Detector) class(index uint32) *accessClass { return &d.classes[index] }

func (d *threads) time() stamp { return d.now }

func (d *Detector) eventNumber() uint32 { return d.events }

// extentOf returns the extent of a grid, and which of those that threads have launched it is.
func (d *Detector) extentOf(grid uint32) (extent, detect.Nested) {
	if grid < 2 {
		return extent{d.launch.Grid, d.launch.Block}, detect.Nested{}
	}
	size := d.nested[grid-2]
	return size, detect.Nested{Number: grid - 1, Block: size.block}
}

func (d *threads) homeOf(u unit) *block { return d.places[u>>radixBits].home }

// warpOfUnit returns the running warp of a unit, nil if it has ended.
func (d *threads) warpOfUnit(u unit) *warp {
	home := d.homeOf(u)
	if home == nil || int(u%radix) >= len(home.warps) {
		return nil
	}
	return home.warps[u%radix]
}

func (d *Detector) currentClock(lane int) *clock { return d.current.warp.of(lane) }

// precedesCurrent reports whether a read happens before the access in progress by lane, or was made earlier by the same thread.
func (d *Detector) precedesCurrent(read *sighting, lane int) bool {
	return d.lastPreceding(&d.current, read, 1<<lane) >= 0
}

func (d *Detector) isMbarrierAt(addr uint64) bool {
	return d.mbarrierAt(d.current.warp, addr) != nil
}

func (d *Detector) hasClusters() bool { return d.clustered }

func (d *Detector) countsDeferred() bool { return d.regions.counts }

func (d *Detector) replayCounts() {
	if d.regions.counts {
		d.regions.counts = false
		d.readCounters()
	}
}

func (d *Detector) joins() *merges { return &d.merges }
