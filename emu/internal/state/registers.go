// Values of one lane in a register file.

package state

// Word returns lane i of a slot of 32 or 64 bits.
func (f *Frame) Word(s Slot, wide bool, i int) uint64 {
	if wide {
		return f.R64(s)[i]
	}
	return uint64(f.R32(s)[i])
}

// Lane returns lane i of a slot of 32, 64 or 128 bits, low word first.
func (f *Frame) Lane(s Slot, bits, i int) [2]uint64 {
	if bits == 128 {
		lo, hi := f.R128(s)
		return [2]uint64{lo[i], hi[i]}
	}
	return [2]uint64{f.Word(s, bits == 64, i)}
}

// SetLane writes lane i of a slot of 32, 64 or 128 bits.
func (f *Frame) SetLane(s Slot, bits, i int, v [2]uint64) {
	switch bits {
	case 32:
		f.R32(s)[i] = uint32(v[0])
	case 64:
		f.R64(s)[i] = v[0]
	default:
		lo, hi := f.R128(s)
		lo[i], hi[i] = v[0], v[1]
	}
}
