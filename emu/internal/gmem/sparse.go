// Sparse allocations: pages that are touched first, and retiring an allocation.

package gmem

import (
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/guard"
	"github.com/ptxsan/ptxsan/emu/internal/pages"
	"github.com/ptxsan/ptxsan/runtime/hugepage"
)

// Large allocations are sparse: what is never touched takes neither space nor time. Tables
// of metadata are like that. Who frees one before a launch only to have zeros again gets
// the same pages, of which those are cleared that have been touched: for a new page that is
// touched the operating system takes several times as long as clearing it does.

const (
	// sparseFrom is the size in bytes from which allocations are sparse. Smaller ones, as
	// most of a program's own are, tend to be touched all over.
	sparseFrom = 4 << 20
	// maxSpare is how many blocks are kept for the next allocations.
	maxSpare = 4
)

// provide gives a new allocation its bytes.
func (mm *Memory) provide(a *Allocation) (err error) {
	if a.Size < sparseFrom {
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

// Retire is free by the host, between launches, when nobody holds pointers into the
// allocation: its block may be another's.
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

// RetireAll retires all that programs have. What is private stays.
func (mm *Memory) RetireAll() {
	for _, a := range slices.Concat(mm.user.all, mm.shared.all) {
		if a.Freed() {
			continue
		}
		if err := mm.Retire(a.Base); err != nil {
			panic("BUG: gmem: " + err.Error())
		}
	}
}
