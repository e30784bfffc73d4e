package detect

import "github.com/ptxsan/ptxsan/runtime/abi"

// scordMark says what reports need to know of an access that an entry describes:
//
//	63-32 block, linear  31-2 site  1-0 kind of access
type scordMark uint64

// scordSites is the number of sites that are told apart.
const scordSites = 1 << 30

// markOf is the mark of an access.
func markOf(block uint64, of *abi.Sort) scordMark {
	site := of.Site
	if site >= scordSites {
		site = 0 // unknown
	}
	return scordMark(block)<<32 | scordMark(site)<<2 | scordMark(of.Access)
}

func (m scordMark) block() uint32          { return uint32(m >> 32) }
func (m scordMark) site() uint32           { return uint32(m) >> 2 }
func (m scordMark) access() abi.AccessKind { return abi.AccessKind(m & 3) }
