// Runs: consecutive granules whose metadata differ by a constant step.

package scord

// cell is the metadata of a granule:
//
//	31-5 number of the record  4-0 lane
//
// It is 0 if the granule's line does not have the spread form.
type cell uint32

func (c cell) record() number { return uint32(c >> laneBits) }
func (c cell) lane() uint32   { return uint32(c) & (1<<laneBits - 1) }

// next returns the cell of the same record and the next lane, which is 0 after the last one.
func (c cell) next() cell { return c&^(1<<laneBits-1) | (c+1)&(1<<laneBits-1) }

// run is the metadata of granules of a line that share a record:
//
//	34-32 step  31-5 number of the record  4-0 lane
//
// Granule k of the line was accessed by lane + steps(k), modulo 32. So a row of granules that a warp has accessed is one run.
type run uint64

const (
	laneBits  = 5
	stepShift = 32
	stepWord  = 1 // step with one lane per granule; each increment doubles the lanes
	stepWords = 5 // step after which each increment halves the lanes
)

func (r run) record() number { return cell(r).record() }
func (r run) step() uint     { return uint(r >> stepShift) }

// of returns the run with the same lanes and another record.
func (r run) of(record number) run {
	return r&^(1<<stepShift-1<<laneBits) | run(record)<<laneBits
}

// steps returns the lane of granule k of a line, relative to that of granule 0.
func steps(k uint64, step uint) uint64 {
	switch {
	case step == 0:
		return 0
	case step <= stepWords:
		return k << (step - stepWord)
	default:
		return k >> (step - stepWords)
	}
}

// runOf returns the run, without a record, in which granule k of a line was accessed by a lane.
func runOf(lane int, k uint64, step uint) run {
	return run(step)<<stepShift | run(uint64(lane)-steps(k, step))&(1<<laneBits-1)
}

// cell returns the metadata of granule k of the line.
func (r run) cell(k uint64) cell {
	const lanes = 1<<laneBits - 1
	return cell(r)&^lanes | cell(uint64(r)+steps(k, r.step()))&lanes
}
