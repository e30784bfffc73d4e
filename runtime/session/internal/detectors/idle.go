// Parameters of kernels that decide nothing.

package detectors

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/steer"
	"github.com/ptxsan/ptxsan/rewrite"
)

type idleKey struct{}

// mostIdle is the number of instructions of a kernel up to which it is found out which parameters decide nothing.
const mostIdle = 4000

// IdleParams returns which parameters of a kernel decide neither what its threads do nor where they access memory, nil
// for none.
func IdleParams(kernel *rewrite.Func) []bool {
	return kernel.Memo(idleKey{}, func() any {
		if len(kernel.Insts) > mostIdle {
			return []bool(nil)
		}
		d := steer.Decisive(kernel, func(*rewrite.Inst) bool { return true })
		if d.Unclear {
			return []bool(nil)
		}
		idle := make([]bool, len(kernel.Params))
		for i, p := range kernel.Params {
			idle[i] = !slices.Contains(d.Params, p) && !slices.Contains(d.Maps, p)
		}
		return idle
	}).([]bool)
}
