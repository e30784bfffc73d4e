// Marks: the access that has written a granule's metadata, for reports.

package scord

import "github.com/ptxsan/ptxsan/runtime/abi"

// mark is the part of an access that reports need and the hardware's entry does not hold:
//
//	63-32 block, linear  31-2 site  1-0 kind of access
type mark uint64

// maxSites is the number of sites that a mark can distinguish.
const maxSites = 1 << 30

// markOf returns the mark of an access.
func markOf(block uint64, of *abi.AccessClass) mark {
	site := of.Site
	if site >= maxSites {
		site = 0 // unknown
	}
	return mark(block)<<32 | mark(site)<<2 | mark(of.Access)
}

func (m mark) block() uint32          { return uint32(m >> 32) }
func (m mark) site() uint32           { return uint32(m) >> 2 }
func (m mark) access() abi.AccessKind { return abi.AccessKind(m & 3) }
