// Package all lists the passes of ptxsan.
package all

import (
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/acqrel"
	"github.com/ptxsan/ptxsan/passes/iguard"
)

// Passes are all passes, in alphabetical order.
var Passes = []*passes.Pass{
	acqrel.Pass,
	iguard.Pass,
}
