// Memory that an application has not freed when it ends.

package cuda

import (
	"slices"

	"github.com/ptxsan/ptxsan/runtime/report"
)

// allocatedBy takes note of a call that allocates memory, as long as its process can be asked what
// it is.
func (p *Process) allocatedBy(path Path) {
	if _, known := p.calls[path]; !known && p.opts.Leaks {
		call := p.callAt(path, "")
		p.calls[path] = &call
	}
}

// leaks are the allocations that there are, or were at a reset: a fault for each call that made some.
func (p *Process) leaks() (list []*report.FaultEvent) {
	byPath := make(map[Path]*report.FaultEvent)
	for _, a := range slices.Concat(p.left, p.memory.list) {
		if a.registered {
			continue
		}
		f := byPath[a.from]
		if f == nil {
			f = &report.FaultEvent{Class: report.LeakClass, Address: report.Hex(a.base), Space: "global"}
			if call := p.calls[a.from]; call != nil && call.Function != "" {
				f.Call, f.Source = call, call.Source
			}
			byPath[a.from] = f
			list = append(list, f)
		}
		f.Size += int(a.size)
		f.Count++
	}
	return list
}
