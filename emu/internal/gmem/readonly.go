// Constant memory: writes to it through generic addresses, which are faults.

package gmem

// constantWrites has the bytes of a .const variable that a launch has written.
type constantWrites struct {
	by    any      // the launch, as a pointer
	bytes []uint64 // a bit for each byte
}

// WriteConstant records that the launch writes n bytes of the .const variable a.
func (mm *Memory) WriteConstant(a *Allocation, l any, off, n uint64) {
	if a.writes.by != l {
		a.writes = constantWrites{by: l, bytes: make([]uint64, (a.Size+63)/64)}
		mm.Forget()
	}
	for ; n > 0; n-- {
		a.writes.bytes[off/64] |= 1 << (off % 64)
		off++
	}
}

// Wrote reports whether any of n bytes has been written.
func (a *Allocation) Wrote(off, n uint64) bool {
	for ; n > 0; n-- {
		if a.writes.bytes[off/64]>>(off%64)&1 != 0 {
			return true
		}
		off++
	}
	return false
}

// WrittenIn reports whether the launch has written bytes of the .const variable.
func (a *Allocation) WrittenIn(l any) bool { return a.writes.by == l }
