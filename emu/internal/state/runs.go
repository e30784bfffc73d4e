// Sets of bytes of memory, as runs.

package state

import (
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/matrix"
)

// Run is a number of consecutive bytes.
type Run struct{ Addr, Bytes uint64 }

func (r Run) end() uint64 { return r.Addr + r.Bytes }

// Runs are runs of bytes.
type Runs []Run

// SharedSlices are slices of a matrix in the shared memory of a block, which begins at Base.
type SharedSlices struct {
	matrix.Slices
	Base uint64
}

// Add adds n bytes from an address on to a set of bytes: its runs are in ascending order, with a gap between any two.
func (s *Runs) Add(addr, n uint64) {
	list := *s
	switch last := len(list) - 1; {
	case n == 0:
		return
	case last < 0 || addr > list[last].end():
		*s = append(list, Run{addr, n})
		return
	case addr == list[last].end():
		list[last].Bytes += n
		return
	}
	at, rest, end := len(list)-1, len(list), addr+n
	for ; at > 0 && list[at-1].end() >= addr; at-- { // what is added last is most often at the end
	}
	for ; rest > at && list[rest-1].Addr > end; rest-- {
	}
	if rest > at {
		addr, end = min(addr, list[at].Addr), max(end, list[rest-1].end())
	}
	if rest == at+1 {
		list[at] = Run{addr, end - addr}
		return
	}
	*s = slices.Replace(list, at, rest, Run{addr, end - addr})
}
