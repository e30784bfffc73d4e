package detect

import "github.com/ptxsan/ptxsan/runtime/abi"

// scordMark says what reports need to know of the access that an entry describes:
//
//	63-32 block, linear  31-10 site  9-8 kind of access  7-5 step  4-0 lane
//
// Granule k of the line was accessed by lane + steps(k), modulo 32, so that a row of
// granules that a warp has accessed has one mark.
type scordMark uint64

const (
	scordSites     = 1 << 22
	scordMarkStep  = 5
	scordMarkWord  = 1 // step: a lane for each granule; one more is twice as many
	scordMarkWords = 5 // step: one more is half a lane for each granule
)

// markOf is the mark of an access of lane 0, which is to be added.
func markOf(block uint64, of *abi.Sort) scordMark {
	site := of.Site
	if site >= scordSites {
		site = 0 // unknown
	}
	return scordMark(block)<<32 | scordMark(site)<<10 | scordMark(of.Access)<<8
}

func (m scordMark) block() uint32          { return uint32(m >> 32) }
func (m scordMark) site() uint32           { return uint32(m) >> 10 }
func (m scordMark) access() abi.AccessKind { return abi.AccessKind(m >> 8 & 3) }

// lane is the lane of a mark without a step.
func (m scordMark) lane() uint32 { return uint32(m & 31) }

// steps is how many lanes granule g is away from the first one of its line.
func steps(g uint64, step scordMark) scordMark {
	switch k := g & (1<<scordLineBits - 1); {
	case step == 0:
		return 0
	case step <= scordMarkWords:
		return scordMark(k << (step - scordMarkWord))
	default:
		return scordMark(k >> (step - scordMarkWords))
	}
}

// row is the mark, so far that of the lane of granule g, for a row of granules.
func (m scordMark) row(g uint64, step scordMark) scordMark {
	return m&^31 | step<<scordMarkStep | (m-steps(g, step))&31
}

// alone is the mark of granule g by itself.
func (m scordMark) alone(g uint64) scordMark {
	return m&^(1<<(scordMarkStep+3)-1) | (m+steps(g, m>>scordMarkStep&7))&31
}
