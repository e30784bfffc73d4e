// Memory that an application has not freed when it ends.

package cuda

import (
	"slices"

	"github.com/ptxsan/ptxsan/runtime/report"
)

// leaks returns a fault for each call whose allocations exist at the end, or existed at a reset.
func (p *Process) leaks() (list []*report.FaultEvent) {
	byPath := make(map[Path]*report.FaultEvent)
	for _, a := range slices.Concat(p.faults.left, p.memory.unfreed(), p.memory.unended()) {
		if a.origin == RegisteredMemory || a.origin == ImportedMemory {
			continue
		}
		f := byPath[a.from]
		if f == nil {
			f = p.leakOf(a)
			byPath[a.from] = f
			list = append(list, f)
		}
		f.Size += int(a.size)
		f.Count++
	}
	return list
}
