// Matrices in shared memory: descriptors of wgmma and tcgen05, and the slices that they mean.

package matrix

// Matrices in shared memory are made of slices of 16 bytes: neighbouring elements of a row of A or
// a column of B, or of a transposed matrix across (PTX ISA, "Asynchronous Warpgroup Level Matrix
// Shared Memory Layout", "Shared Memory Layout and Swizzling").

// SliceBytes is the size of a slice.
const SliceBytes = 16

// coreRows is how many slices stand below each other in one piece.
const coreRows = 8

// Descriptor is a matrix descriptor, decoded.
type Descriptor struct {
	Start           uint64 // shared address in the block, in bytes
	leading, stride uint64 // offsets in bytes
	// base is the number, modulo 8, of the 128-byte line at which the swizzling
	// pattern starts; 0 when that is as aligned as the pattern is long.
	base uint64
	// slices is how many slices of a line the swizzling permutes: 1, when there is
	// none, to 8; atom how many of them stay together.
	slices, atom uint64
	// next is where rows of 48 bytes go on that the 128-byte line does not hold to the end, 0 when
	// they go on behind it.
	next uint64
}

// descriptorOf reads start, leading and stride in units of 16 bytes at bits 0, 16 and 32, and the
// base offset at bit 49.
func descriptorOf(v uint64) Descriptor {
	bytes := func(at int) uint64 { return v >> at & 0x3fff * SliceBytes }
	return Descriptor{Start: bytes(0), leading: bytes(16), stride: bytes(32), base: v >> 49 & 7, atom: 1}
}

// GroupDescriptor is a descriptor of wgmma: the swizzling is at bit 62.
func GroupDescriptor(v uint64) Descriptor {
	d := descriptorOf(v)
	d.slices = [...]uint64{1, 8, 4, 2}[v>>62]
	return d
}

// TensorDescriptor is a descriptor of tcgen05 (PTX ISA, "Shared memory descriptor"): the swizzling is
// at bit 61. It reports what is wrong with one, or "".
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

// Absolute reports whether the leading dimension is the address at which rows go on (PTX ISA, "Absolute
// address mode for K dimension being 48B").
func (m *Descriptor) Absolute() bool { return m.next != 0 }

// WideAtoms reports whether swizzling moves 32 bytes at a time, which only matrices have that are
// stored across K.
func (m *Descriptor) WideAtoms() bool { return m.atom == 2 }

// swizzled is the address at which what belongs at addr is: the number of the slice, or the pair of
// slices, in its line is combined with that of the line.
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

// acrossK is alongK for transposed matrices: slice number i of those that hold
// column k of A, or row k of B.
func (m *Descriptor) acrossK(k, i uint64) uint64 {
	to, over := m.leading, m.stride // the next slices, the next rows
	if m.slices == 1 {
		to, over = m.stride, m.leading
	}
	rows := uint64(coreRows) / m.atom
	return i/m.slices*to + i%m.slices*SliceBytes + k/rows*over + k%rows*m.slices*SliceBytes
}

// Slice is the shared address of slice number i along K of a row of A or a column of B; of a
// transposed matrix, that of slice number i across of the elements with index row of K.
func (m *Descriptor) Slice(row, i int, trans bool) uint64 {
	if trans {
		return m.swizzled(m.Start + m.acrossK(uint64(row), uint64(i)))
	}
	if first := m.Start / SliceBytes % coreRows; m.next != 0 && first+uint64(i) >= coreRows {
		return m.swizzled(m.next + m.alongK(uint64(row), first+uint64(i)-coreRows))
	}
	return m.swizzled(m.Start + m.alongK(uint64(row), uint64(i)))
}

// Place is the slice that element k of a row of A, or of a column of B, is in, and the number of the
// element in it.
func (m *Descriptor) Place(row, k, perSlice int, trans bool) (addr uint64, i int) {
	if trans {
		return m.Slice(k, row/perSlice, true), row % perSlice
	}
	return m.Slice(row, k/perSlice, false), k % perSlice
}

// Element is element number i, of width bits, of a slice.
func Element(slice *[2]uint64, i, width int) uint64 {
	at := i * width
	v := slice[at/64] >> (at % 64)
	if at%64+width > 64 {
		v |= slice[1] << (64 - at)
	}
	return v & (1<<width - 1)
}
