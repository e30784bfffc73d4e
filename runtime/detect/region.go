// Regions: named ranges of addresses.

package detect

import "fmt"

// Region is a named part of global memory: a buffer or a variable.
type Region struct {
	Name       string
	Base, Size uint64
	Element    uint32 // bytes of an element; 0 for a region without elements
}

// At returns the user's name for an offset in the region, such as "a[7]" or "a+0x2".
func (r *Region) At(off uint64) string {
	switch {
	case r.Element != 0 && off%uint64(r.Element) == 0:
		return fmt.Sprintf("%s[%d]", r.Name, off/uint64(r.Element))
	case r.Element == 0 && off == 0:
		return r.Name
	}
	return fmt.Sprintf("%s+0x%x", r.Name, off)
}

// Symbol returns the user's name for an address in one of the regions, empty when it is in none.
func Symbol(regions []Region, addr uint64) string {
	for i := range regions {
		if r := &regions[i]; addr >= r.Base && addr-r.Base < r.Size {
			return r.At(addr - r.Base)
		}
	}
	return ""
}
