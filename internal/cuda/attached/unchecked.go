// Reasons for launches without checks, and the variables of device libraries.

package attached

import "github.com/ptxsan/ptxsan/runtime/abi"

// stateVariables lists the variables of device libraries that control checking.
var stateVariables = []string{abi.IGuardState, abi.LDetectorState, abi.LDetectorGlobals, abi.BarracudaState}

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
	p.unchecked.Add(kernel, text)
}
