// Launches that were not checked, counted for the report; and the variables of device libraries.

package attached

import (
	"fmt"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// stateVariables are the variables of device libraries that say what is checked, and where.
var stateVariables = []string{abi.IGuardState, abi.LDetectorState, abi.LDetectorGlobals, abi.BarracudaState}

// unchecked counts launches that were not checked.
type unchecked struct {
	list   []skipped // in the order of their first launches
	counts map[skipped]int
}

// skipped is a kernel, and why launches of it were not checked.
type skipped struct{ kernel, why string }

func (u *unchecked) add(kernel, why string) {
	if u.counts == nil {
		u.counts = make(map[skipped]int)
	}
	s := skipped{kernel, why}
	if u.counts[s]++; u.counts[s] == 1 {
		u.list = append(u.list, s)
	}
}

// Why the shim passes a launch on.
const (
	_ = iota // no PTX
	whyGraph
)

// passed counts a launch that the shim has passed on.
func (p *process) passed(why uint64, kernel string) {
	text := "its module has no PTX that was instrumented"
	if why == whyGraph {
		text = "it has nodes, or has been changed, in ways that are not followed"
	}
	p.unchecked.add(kernel, text)
}

// notes are lines for the report.
func (u *unchecked) notes() (list []string) {
	for _, s := range u.list {
		times := "1 launch"
		if n := u.counts[s]; n > 1 {
			times = fmt.Sprintf("%d launches", n)
		}
		list = append(list, fmt.Sprintf("%s%s of %s: %s", report.Unchecked, times, s.kernel, s.why))
	}
	return list
}
