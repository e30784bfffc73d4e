// Addresses in words.

package gmem

import (
	"fmt"
	"strings"
)

// noun returns "allocation" and the name. The names of an application's allocations, such as allocation 1, contain the
// word already.
func (a *Allocation) noun() string {
	if a.reserved != nil {
		return a.Name
	}
	return "allocation " + strings.TrimPrefix(a.Name, "allocation ")
}

// Describe returns the name of the live allocation that contains addr, and the offset in it.
func (mm *Memory) Describe(addr uint64) (name string, offset uint64, ok bool) {
	a := mm.Find(addr)
	if a == nil || a.Freed() || !a.contains(addr, 1) {
		return "", 0, false
	}
	return a.Name, addr - a.Base, true
}

// near is the distance up to which an address is described by that of an allocation.
const near = 1 << 36

// Where describes the position of n bytes at addr relative to the allocations.
func (mm *Memory) Where(addr, n uint64) string {
	if addr < SharedWindow {
		return "is in the null page"
	}
	a := mm.arenaOf(addr).nearest(addr)
	if a == nil || addr < a.Base && a.Base-addr > near || addr >= a.end() && addr-a.end() > near {
		return "is in no allocation"
	}
	what := fmt.Sprintf("%s of size %d", a.noun(), a.Size)
	if a.Freed() {
		what = "freed " + what
	}
	switch {
	case addr < a.Base:
		return fmt.Sprintf("is %d bytes before the %s", a.Base-addr, what)
	case addr >= a.end():
		return fmt.Sprintf("is %d bytes after the %s", addr-a.end(), what)
	case !a.contains(addr, n):
		return fmt.Sprintf("is %d bytes into the %s and reaches %d bytes beyond its end", addr-a.Base, what,
			addr+n-a.end())
	}
	return fmt.Sprintf("is %d bytes into the %s%s", addr-a.Base, what, mm.inaccessible(a, addr-a.Base, n))
}
