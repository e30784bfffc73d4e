// Reports of asynchronous copies: the patterns that they look for in what they copy.

package mbar

import "encoding/binary"

// Pattern is what a copy looks for in its source in device memory, to report it to the mbarrier (PTX ISA 9.4, "Report
// Mechanisms for Asynchronous Copy Operations"). The zero value looks for nothing.
type Pattern struct {
	bits  uint32
	width int  // of an element, in bits
	each  bool // every element counts, not one of each 16 bytes
}

// PatternOf returns the pattern that a modifier names.
func PatternOf(modifier string) Pattern {
	return map[string]Pattern{
		"mbarrier::report::validity::per_16bytes::80000000": {0x80000000, 32, false},
		"mbarrier::report::validity::per_16bytes::8000":     {0x8000, 16, false},
		"mbarrier::report::validity::per_16bytes::80":       {0x80, 8, false},
		"mbarrier::report::validity::per_16bytes::8":        {0x8, 4, false},
		"mbarrier::report::validity::per_element::ff":       {0xff, 8, true},
	}[modifier]
}

// Looks reports whether the pattern looks for anything.
func (p Pattern) Looks() bool { return p.width != 0 }

// In reports whether the pattern is in bytes at an address of device memory. The manual leaves open which element of
// each aligned 16 bytes is compared; here it is the first one that the bytes contain.
func (p Pattern) In(addr uint64, data []byte) bool {
	size := uint64(max(p.width/8, 1))
	for at, end := uint64(0), uint64(len(data)); at+size <= end; {
		if p.element(data[at:]) == p.bits {
			return true
		}
		if at += size; !p.each {
			at = (addr+at+15)&^15 - addr
		}
	}
	return false
}

// element returns the first element of data; of two 4-bit elements in a byte, the low one.
func (p Pattern) element(data []byte) uint32 {
	switch p.width {
	case 32:
		return binary.LittleEndian.Uint32(data)
	case 16:
		return uint32(binary.LittleEndian.Uint16(data))
	}
	return uint32(data[0]) & (1<<p.width - 1)
}
