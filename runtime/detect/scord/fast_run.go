// Runs: consecutive granules whose metadata differ by a constant step.

package scord

// cell is the metadata of a granule:
//
//	31-5 number of the record  4-0 lane
type cell uint32

func (c cell) record() uint32 { return uint32(c >> laneBits) }
func (c cell) lane() uint32   { return uint32(c) & (1<<laneBits - 1) }

// run is the metadata of granules of a line that have the same record:
//
//	34-32 step  31-5 number of the record  4-0 lane
//
// Granule k of the line was accessed by lane + steps(k), modulo 32, so that a row of
// granules that a warp has accessed is one run.
type run uint64

const (
	laneBits  = 5
	stepShift = 32
	stepWord  = 1 // step: a lane for each granule; one more is twice as many
	stepWords = 5 // step: one more is half a lane for each granule
)

func (r run) record() uint32 { return cell(r).record() }
func (r run) step() uint     { return uint(r >> stepShift) }

// of is the run by the same lanes with another record.
func (r run) of(record uint32) run {
	return r&^(1<<stepShift-1<<laneBits) | run(record)<<laneBits
}

// steps is how many lanes granule k of a line is away from the first one.
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

// runOf is the run, without a record, in which granule k of a line was accessed by a lane.
func runOf(lane int, k uint64, step uint) run {
	return run(step)<<stepShift | run(uint64(lane)-steps(k, step))&(1<<laneBits-1)
}

// cell is the metadata of granule k of the line.
func (r run) cell(k uint64) cell {
	const lanes = 1<<laneBits - 1
	return cell(r)&^lanes | cell(uint64(r)+steps(k, r.step()))&lanes
}
