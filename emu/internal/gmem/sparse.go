// Sparse allocations: memory that occupies pages only where it is touched, and retiring an allocation.

package gmem

import (
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/guard"
	"github.com/ptxsan/ptxsan/emu/internal/pages"
	"github.com/ptxsan/ptxsan/internal/hugepage"
)

// Large allocations are sparse: untouched parts, as of tables of metadata, take neither space nor time. If the host
// frees one before a launch and allocates another to get zeros, it gets the same pages, of which the touched ones are
// cleared: touching a new page costs the operating system several times as much as clearing it.

const (
	// sparseFrom is the size in bytes from which allocations are sparse. Smaller ones, as most of a program's are, tend
	// to be touched completely.
	sparseFrom = 4 << 20
	// maxSpare is the number of blocks that are kept for reuse.
	maxSpare = 4
)

// provide allocates the bytes of a new allocation.
func (mm *Memory) provide(a *Allocation) (err error) {
	if a.Size < sparseFrom && a.reserved == nil {
		a.Data = hugepage.Slice(guard.Bytes(a.Size, 16))
		return nil
	}
	need := a.Size + 16 // capacity rounded up to whole words
	fits := func(b *pages.Block) bool { n := uint64(len(b.Bytes())); return need <= n && n/2 < need }
	if i := slices.IndexFunc(mm.spare, fits); i >= 0 {
		a.block = mm.spare[i]
		mm.spare = slices.Delete(mm.spare, i, i+1)
		a.block.Clear()
	} else if a.block, err = pages.New(need); err != nil {
		return err
	}
	a.Data = a.block.Bytes()[:a.Size]
	return nil
}

// Retire frees an allocation between launches, when there are no pointers into it: its block may be reused.
func (mm *Memory) Retire(addr uint64) error {
	a, err := mm.end(addr)
	if err != nil || a.block == nil {
		return err
	}
	if len(mm.spare) == maxSpare {
		mm.spare = slices.Delete(mm.spare, 0, 1)
	}
	mm.spare, a.block = append(mm.spare, a.block), nil
	return nil
}

// RetireAll retires all allocations of programs, and ends all handles. Private allocations stay.
func (mm *Memory) RetireAll() {
	for _, a := range slices.Concat(mm.user.all, mm.shared.all) {
		if a.Freed() {
			continue
		}
		if err := mm.Retire(a.Base); err != nil {
			panic("BUG: gmem: " + err.Error())
		}
	}
	mm.user.used, mm.shared.used, mm.imported.all = 0, 0, nil
	mm.Forget()
}
