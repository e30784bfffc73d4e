// Statistics of the detector.

package barracuda

import (
	"fmt"
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/detect"
)

// sampleEvery is the least number of operations between two measurements of the clocks' size. There are more if there
// are many locations.
const sampleEvery = 1 << 16

// Stats are measurements of all launches so far.
type Stats struct {
	Formats [formats]uint64 // accesses of threads whose clocks had the format
	Threads uint64          // of the largest launch
	Clocks  uint64          // largest size in bytes of the clocks of threads and S_x; 0 without Measure
	Pages   uint64          // of shadow memory, each for 4 KiB of memory, in the launch that has most
	Refused uint64          // accesses not checked because of the limit of pages, or not recorded
	LeftOut uint64          // operations ignored because of Options.Blocks
	Widened uint64          // acquires and releases that order too much because of Options.Syncs

	measures     bool   // Measure has been called
	measurements uint32 // number of measurements
}

func (s *Stats) begin(l *detect.Launch) { s.Threads = max(s.Threads, l.Blocks()*l.Threads()) }

// count adds to Formats[f] an access by each lane in mask. The threads of these lanes have vector clocks of format f.
func (s *Stats) count(f Format, mask uint32) { s.Formats[f] += uint64(bits.OnesCount32(mask)) }

// Sizes in bytes of a block, warp, path and S_x, without what they point to.
const (
	blockBytes     = 8*fanout + 64
	warpBytes      = 48
	pathBytes      = 40
	laneClockBytes = 16
	syncVarBytes   = 32
	rareVarBytes   = 64
	acquiredBytes  = 40
)

// Measure implements detect.Measuring: from now on the detector measures the memory of its clocks, by traversing all of
// them at intervals.
func (d *Detector) Measure() { d.stats.measures = true }

// sample measures the memory of the clocks, if Measure has been called.
func (s *Stats) sample(grids []*grid) {
	if !s.measures {
		return
	}
	s.measurements++
	measurement, n := s.measurements, uint64(0)
	for _, g := range grids {
		for _, b := range g.blocks {
			n += b.size(measurement)
		}
		for x := range g.syncs.all {
			n += x.size(measurement)
		}
	}
	s.Clocks = max(s.Clocks, n)
}

func (b *block) size(measurement uint32) uint64 {
	n := uint64(blockBytes)
	for _, w := range b.warps {
		if w == nil {
			continue
		}
		n += warpBytes
		for i := range w.paths {
			p := &w.paths[i]
			n += pathBytes + p.rest.Bytes(measurement) + p.outside.sets()*laneClockBytes
		}
	}
	return n
}

func (s *syncVar) size(measurement uint32) uint64 {
	n := uint64(syncVarBytes)
	if s.rareVar != &noRare {
		n += rareVarBytes
	}
	n += s.all.size(measurement) + s.global.size(measurement) + s.wide.size(measurement)
	if s.last != nil {
		n += acquiredBytes + s.last.all.size(measurement)
	}
	for _, c := range s.each {
		n += 16 + c.size(measurement)
	}
	for _, c := range s.clusters {
		n += 32 + c.all.size(measurement) + c.own.size(measurement)
	}
	return n
}

// Stats returns the measurements so far.
func (d *Detector) Stats() Stats { return d.stats }

// Statistics returns the measurements so far as text.
func (d *Detector) Statistics() []string {
	s, total := &d.stats, uint64(0)
	for _, n := range s.Formats {
		total += n
	}
	var lines []string
	if total > 0 {
		share := func(f Format) float64 { return 100 * float64(s.Formats[f]) / float64(total) }
		lines = append(lines, fmt.Sprintf("vector clocks: %s %.1f%%, %s %.1f%%, %s %.1f%%, %s %.1f%% of accesses",
			Converged, share(Converged),
			Diverged, share(Diverged), NestedDiverged, share(NestedDiverged), SparseVC, share(SparseVC)))
	}
	if s.measures && s.Threads > 0 {
		lines = append(lines, fmt.Sprintf("clock state: %d bytes, %.2f for each of %d threads", s.Clocks,
			float64(s.Clocks)/float64(s.Threads), s.Threads))
	}
	lines = append(lines, fmt.Sprintf("shadow memory: %d pages of 4 KiB", s.Pages))
	if s.Refused > 0 {
		lines = append(lines,
			fmt.Sprintf("%d accesses are not checked, or not compared with later ones: the shadow memory is full",
				s.Refused))
	}
	if s.LeftOut > 0 {
		lines = append(lines,
			fmt.Sprintf("%d operations are left out: more than %d blocks ran at a time (option blocks)", s.LeftOut,
				d.opts.Blocks))
	}
	if s.Widened > 0 {
		lines = append(lines,
			fmt.Sprintf("%d acquires and releases order all threads of their grid, races may be missed: "+
				"there was room for %d locations and blocks that release there (option syncs)", s.Widened, d.opts.Syncs))
	}
	return lines
}
