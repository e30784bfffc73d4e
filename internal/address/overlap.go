// Arrays that overlap in shared memory whose size the launch decides.

package address

import (
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Overlap is two arrays that overlap: where each begins and ends, in bytes from the start of the shared memory.
type Overlap struct{ First, Second [2]int64 }

// SharedOverlap returns the arrays to which a launch stores by two instructions, if they overlap: each thread stores to
// the element of its number, and both arrays are parts of the shared memory whose size the launch decides.
func SharedOverlap(launch KernelLaunch, x, y *rewrite.Inst) (o Overlap, ok bool) {
	if x == y || x.Func != y.Func || x.Access.Kind != isa.AccessStore || y.Access.Kind != isa.AccessStore {
		return o, false
	}
	values := launch.values()
	values.shared = true
	l := LinearOf(x.Func, values)
	a, b := l.sharedAccess(x), l.sharedAccess(y)
	if !a.known || !b.known || a.one || b.one || a.At.Object != b.At.Object ||
		l.shared[a.At.Object-firstShared].Size != 0 {
		return o, false
	}
	each := a.At.Tid == b.At.Tid && a.At.Tid[0] == a.Size && a.Size == b.Size
	o = Overlap{[2]int64{a.least, a.end}, [2]int64{b.least, b.end}}
	return o, each && a.least != b.least && a.least < b.end && b.least < a.end
}
