// Matrices in shared memory: descriptors of wgmma and tcgen05, and the addresses of slices.

package matrix

// Matrices in shared memory consist of slices of 16 bytes: adjacent elements of a row of A or a column of B, or across
// these for a transposed matrix (PTX ISA, "Asynchronous Warpgroup Level Matrix Shared Memory Layout", "Shared Memory
// Layout and Swizzling").

// SliceBytes is the size of a slice.
const SliceBytes = 16

// coreRows is the number of rows in a core matrix.
const coreRows = 8

// Descriptor is a matrix descriptor, decoded.
type Descriptor struct {
	Start           uint64 // shared address in the block, in bytes
	leading, stride uint64 // offsets in bytes
	// base is the number, modulo 8, of the 128-byte line at which the swizzling pattern starts; 0 if the start is
	// aligned to the length of the pattern.
	base uint64
	// slices is the number of slices of a line that the swizzling permutes: 1, if there is none, to 8; atom is the
	// number of slices that stay together.
	slices, atom uint64
	// next is the address at which rows of 48 bytes continue after the end of the 128-byte line, 0 if they continue
	// directly after it.
	next uint64
}

// descriptorOf reads start, leading and stride in units of 16 bytes at bits 0, 16 and 32, and the
// base offset at bit 49.
func descriptorOf(v uint64) Descriptor {
	bytes := func(at int) uint64 { return v >> at & 0x3fff * SliceBytes }
	return Descriptor{Start: bytes(0), leading: bytes(16), stride: bytes(32), base: v >> 49 & 7, atom: 1}
}

// GroupDescriptor decodes a descriptor of wgmma: the swizzling is at bit 62.
func GroupDescriptor(v uint64) Descriptor {
	d := descriptorOf(v)
	d.slices = [...]uint64{1, 8, 4, 2}[v>>62]
	return d
}

// TensorDescriptor decodes a descriptor of tcgen05 (PTX ISA, "Shared memory descriptor"): the swizzling is at bit 61.
// problem describes an invalid one, else it is "".
func TensorDescriptor(v uint64) (d Descriptor, problem string) {
	d = descriptorOf(v)
	switch mode := v >> 61; {
	case v>>46&7 != 1:
		return d, "bits 46 to 48 are not 0b001"
	case v>>52&1 != 0 && (mode != 2 || d.base != 0):
		return d, "an absolute leading dimension, by bit 52, goes with 128-byte swizzling of 16-byte atoms and without a base offset only"
	case mode == 3 || mode == 5 || mode == 7:
		return d, "there is no such swizzling mode"
	default:
		d.slices = [...]uint64{0: 1, 1: 8, 2: 8, 4: 4, 6: 2}[mode]
		if mode == 1 {
			d.atom = 2
		}
		if v>>52&1 != 0 {
			d.next = d.leading
		}
	}
	return d, ""
}

// Absolute reports whether the leading dimension is the address at which rows continue (PTX ISA, "Absolute address mode
// for K dimension being 48B").
func (m *Descriptor) Absolute() bool { return m.next != 0 }

// WideAtoms reports whether swizzling moves 32 bytes at a time, which is valid only for matrices stored across K.
func (m *Descriptor) WideAtoms() bool { return m.atom == 2 }

// swizzled returns the swizzled address for addr: the number of the slice, or of the pair of slices, in its line is
// combined with the number of the line.
func (m *Descriptor) swizzled(addr uint64) uint64 {
	const line = coreRows * SliceBytes
	return addr ^ (addr/line-m.base)&(m.slices/m.atom-1)*SliceBytes*m.atom
}

// alongK returns the offset, in bytes and before swizzling, of slice i of a row of A or of a column of B in a K-major
// matrix: consecutive elements in memory have consecutive indices k.
func (m *Descriptor) alongK(row, i uint64) uint64 {
	off := row/coreRows*m.stride + row%coreRows*m.slices*SliceBytes
	if m.slices == 1 {
		return off + i*m.leading
	}
	return off + i*SliceBytes
}

// acrossK is alongK for transposed matrices: the offset of slice i of those that hold column k of A, or row k of B.
func (m *Descriptor) acrossK(k, i uint64) uint64 {
	to, over := m.leading, m.stride // distances to the next slices and to the next rows
	if m.slices == 1 {
		to, over = m.stride, m.leading
	}
	rows := uint64(coreRows) / m.atom
	return i/m.slices*to + i%m.slices*SliceBytes + k/rows*over + k%rows*m.slices*SliceBytes
}

// Slice returns the shared address of slice i along K of a row of A or a column of B; for a transposed matrix, of slice
// i of the elements with index row along K.
func (m *Descriptor) Slice(row, i int, trans bool) uint64 {
	if trans {
		return m.swizzled(m.Start + m.acrossK(uint64(row), uint64(i)))
	}
	if first := m.Start / SliceBytes % coreRows; m.next != 0 && first+uint64(i) >= coreRows {
		return m.swizzled(m.next + m.alongK(uint64(row), first+uint64(i)-coreRows))
	}
	return m.swizzled(m.Start + m.alongK(uint64(row), uint64(i)))
}

// Slices are those of a panel in shared memory.
type Slices struct {
	Descriptor
	Panel
	line, slice int // position of the first
}

// SlicesAt returns the slices of a panel that begins with a row of A, or a column of B, of the matrix described by d.
func SlicesAt(d Descriptor, p Panel, first int) Slices {
	if p.Across {
		return Slices{d, p, 0, first / p.Per}
	}
	return Slices{d, p, first, 0}
}

// At returns the shared address of slice i of a line.
func (s *Slices) At(line, i int) uint64 { return s.Slice(s.line+line, s.slice+i, s.Across) }

// Element returns element i, of width bits, of a slice.
func Element(slice *[2]uint64, i, width int) uint64 {
	at := i * width
	v := slice[at/64] >> (at % 64)
	if at%64+width > 64 {
		v |= slice[1] << (64 - at)
	}
	return v & (1<<width - 1)
}
