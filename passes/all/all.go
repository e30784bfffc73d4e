// Package all lists the passes of ptxsan, in alphabetical order.
package all

import (
	"fmt"
	"strings"

	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/acqrel"
	"github.com/ptxsan/ptxsan/passes/barracuda"
	"github.com/ptxsan/ptxsan/passes/collide"
	"github.com/ptxsan/ptxsan/passes/iguard"
	"github.com/ptxsan/ptxsan/passes/internal/boundscheck"
	"github.com/ptxsan/ptxsan/passes/internal/coverage"
	"github.com/ptxsan/ptxsan/passes/internal/instcount"
	"github.com/ptxsan/ptxsan/passes/internal/memtrace"
	"github.com/ptxsan/ptxsan/passes/internal/uniqtid"
	"github.com/ptxsan/ptxsan/passes/ldetector"
)

// The passes that measure runs, whose results the engine reads.
var (
	BoundsCheck = boundscheck.Pass
	Coverage    = coverage.Pass
	InstCount   = instcount.Pass
	MemTrace    = memtrace.Pass
)

// Passes holds all passes, in alphabetical order.
var Passes = []*passes.Pass{
	acqrel.Pass,
	barracuda.Pass,
	BoundsCheck,
	collide.Pass,
	Coverage,
	iguard.Pass,
	InstCount,
	ldetector.Pass,
	MemTrace,
	uniqtid.Pass,
}

// Named returns the pass of that name.
func Named(name string) (*passes.Pass, error) {
	var names []string
	for _, p := range Passes {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return nil, fmt.Errorf("no pass %q; passes: %s", name, strings.Join(names, ", "))
}
