// Functions of the CUDA runtime and library that device code calls, by what their results are.

package steer

import (
	"strings"

	"github.com/ptxsan/ptxsan/rewrite"
)

// launchesGrid reports whether a call launches a grid, or makes the parameters of one.
func launchesGrid(c *rewrite.Call) bool {
	return c.Func != nil && !c.Func.Defined() &&
		(strings.Contains(c.Func.Name, "LaunchDevice") || strings.Contains(c.Func.Name, "GetParameterBuffer"))
}

// harmless are functions whose results steer nothing. The arguments of vprintf and free are addresses; the report of a
// failed assertion follows a branch.
var harmless = map[string]bool{printf: true, assertFail: true, "free": true}

// Functions of the driver.
const (
	assertFail = "__assertfail"
	printf     = "vprintf"
)
