// Package tmem is the tensor memory of a block (PTX ISA, "Tensor Memory"): its cells and allocations, the cells that
// instructions access, and the matrices of tcgen05.mma in it. It does not depend on threads or instructions.
package tmem

import (
	"github.com/ptxsan/ptxsan/emu/internal/diag"
)

// The extent of the tensor memory of a block, in cells of 32 bits.
const (
	Lanes   = 128
	Columns = 512
)

// Quarter is the number of lanes that a warp can load and store.
const Quarter = 32

// unit is the number of columns in the unit of allocation.
const unit = 32

// Addr is an address: a lane in the upper half, a column in the lower half.
type Addr uint32

// Lane returns the lane of an address.
func (a Addr) Lane() int { return int(a >> 16) }

// Column returns the column of an address.
func (a Addr) Column() int { return int(a & 0xffff) }

// unitState is the state of a unit.
type unitState uint8

const (
	unused unitState = iota
	allocated
	freed
)

// Memory is the tensor memory of a block. The zero value is ready for use.
type Memory struct {
	cells []uint32 // lane by lane; nil before the first allocation
	units [Columns / unit]unitState
	sizes [Columns / unit]int // number of units of the allocation that begins there, 0 for none
	last  int                 // number of columns of the latest allocation
	gone  bool                // the right to allocate has been relinquished
}

// CheckAlloc returns a violation if columns can never be allocated.
func (m *Memory) CheckAlloc(columns uint32) *diag.Violation {
	switch {
	case m.gone:
		return diag.Violationf("tensor-memory", "tcgen05.alloc after the block has relinquished the right to allocate")
	case m.last != 0 && int(columns) > m.last && validCount(columns):
		return diag.Violationf("tensor-memory",
			"allocation of %d columns after one of %d: allocations of a block may not become larger", columns, m.last)
	}
	return checkCount(columns)
}

func validCount(n uint32) bool { return n >= unit && n <= Columns && n&(n-1) == 0 }

func checkCount(n uint32) *diag.Violation {
	if validCount(n) {
		return nil
	}
	return diag.Violationf("tensor-memory", "%d columns, expected a power of two from %d to %d", n, unit, Columns)
}

// Alloc allocates columns; it returns false if there are not enough consecutive free ones.
func (m *Memory) Alloc(columns uint32) (Addr, bool) {
	at, ok := m.Room(columns)
	if !ok {
		return 0, false
	}
	if m.cells == nil {
		m.cells = make([]uint32, Lanes*Columns)
	}
	n := int(columns) / unit
	for i := range n {
		m.units[at+i] = allocated
	}
	m.sizes[at], m.last = n, int(columns)
	return Addr(at * unit), true
}

// Room returns the first unit of enough free columns, false if there are none.
func (m *Memory) Room(columns uint32) (at int, ok bool) {
	n, run := int(columns)/unit, 0
	for i, s := range m.units {
		if run++; s == allocated {
			run = 0
		}
		if run == n {
			return i + 1 - n, true
		}
	}
	return 0, false
}

// Free deallocates columns allocated by Alloc.
func (m *Memory) Free(a Addr, columns uint32) *diag.Violation {
	if bad := checkCount(columns); bad != nil {
		return bad
	}
	at := a.Column() / unit
	switch {
	case a.Lane() != 0 || a.Column()%unit != 0 || at >= len(m.sizes):
		return diag.Violationf("tensor-memory", "tensor memory address 0x%x is not that of an allocation", uint32(a))
	case m.sizes[at] == 0 && m.units[at] == freed:
		return diag.Violationf("use-after-free", "tensor memory at column %d has been deallocated already", a.Column())
	case m.sizes[at] == 0:
		return diag.Violationf("tensor-memory", "tensor memory address 0x%x is not that of an allocation", uint32(a))
	case m.sizes[at] != int(columns)/unit:
		return diag.Violationf("tensor-memory", "deallocation of %d columns at column %d, where %d have been allocated",
			columns, a.Column(), m.sizes[at]*unit)
	}
	for i := range m.sizes[at] {
		m.units[at+i] = freed
	}
	m.sizes[at] = 0
	return nil
}

// Relinquish gives up the right to allocate.
func (m *Memory) Relinquish() { m.gone = true }

// Leaks returns the number of columns that are still allocated.
func (m *Memory) Leaks() int {
	n := 0
	for _, s := range m.units {
		if s == allocated {
			n += unit
		}
	}
	return n
}

// Reset prepares the memory for another block.
func (m *Memory) Reset() {
	cells := m.cells
	clear(cells)
	*m = Memory{cells: cells}
}

// Bytes is the size of the cells in bytes.
const Bytes = Lanes * Columns * 4

// Check returns a violation if an access to cells is invalid: lanes and columns from an address on.
func (m *Memory) Check(lane, lanes, column, columns int) *diag.Violation {
	if lane < 0 || lane+lanes > Lanes || column+columns > Columns {
		return diag.Violationf("out-of-bounds",
			"%s of lanes %d to %d from column %d on: tensor memory has %d lanes of %d columns",
			diag.Plural(columns, "column"), lane, lane+lanes-1, column, Lanes, Columns)
	}
	for c := column / unit; c*unit < column+columns; c++ {
		switch m.units[c] {
		case freed:
			return diag.Violationf("use-after-free", "tensor memory at column %d, which has been deallocated",
				max(column, c*unit))
		case unused:
			return diag.Violationf("out-of-bounds", "tensor memory at column %d, which has not been allocated",
				max(column, c*unit))
		}
	}
	return nil
}

// Row returns the cells of a lane from a column on. The access must have passed Check.
func (m *Memory) Row(lane, column, columns int) []uint32 {
	at := lane*Columns + column
	return m.cells[at : at+columns]
}
