package detect

// scordCell is what is known of a granule:
//
//	31-5 number of the record  4-0 lane
type scordCell uint32

func (c scordCell) record() uint32 { return uint32(c >> scordLaneBits) }
func (c scordCell) lane() uint32   { return uint32(c) & (1<<scordLaneBits - 1) }

// scordRun is what is known of granules of a line that have the same record:
//
//	34-32 step  31-5 number of the record  4-0 lane
//
// Granule k of the line was accessed by lane + steps(k), modulo 32, so that a row of
// granules that a warp has accessed is one run.
type scordRun uint64

const (
	scordLaneBits  = 5
	scordStepShift = 32
	scordStepWord  = 1 // step: a lane for each granule; one more is twice as many
	scordStepWords = 5 // step: one more is half a lane for each granule
)

func (r scordRun) record() uint32 { return scordCell(r).record() }
func (r scordRun) step() uint     { return uint(r >> scordStepShift) }

// of is the run by the same lanes with another record.
func (r scordRun) of(record uint32) scordRun {
	return r&^(1<<scordStepShift-1<<scordLaneBits) | scordRun(record)<<scordLaneBits
}

// steps is how many lanes granule k of a line is away from the first one.
func steps(k uint64, step uint) uint64 {
	switch {
	case step == 0:
		return 0
	case step <= scordStepWords:
		return k << (step - scordStepWord)
	default:
		return k >> (step - scordStepWords)
	}
}

// runOf is the run, without a record, in which granule k of a line was accessed by a lane.
func runOf(lane int, k uint64, step uint) scordRun {
	return scordRun(step)<<scordStepShift | scordRun(uint64(lane)-steps(k, step))&(1<<scordLaneBits-1)
}

// cell is what is known of granule k of the line.
func (r scordRun) cell(k uint64) scordCell {
	const lanes = 1<<scordLaneBits - 1
	return scordCell(r)&^lanes | scordCell(uint64(r)+steps(k, r.step()))&lanes
}
