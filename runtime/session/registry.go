// The registry of detectors: how each is made, and what it studies beforehand.

package session

import (
	"github.com/ptxsan/ptxsan/emu/observe"
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/iguard"
	"github.com/ptxsan/ptxsan/passes/ldetector"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
	hosthalf "github.com/ptxsan/ptxsan/runtime/detect/iguard"
	copies "github.com/ptxsan/ptxsan/runtime/detect/ldetector"
	"github.com/ptxsan/ptxsan/runtime/detect/precise"
	"github.com/ptxsan/ptxsan/runtime/detect/scord"
)

// detectorKind is a race detector that --detector can name. The first line of its
// pass's Doc is its title.
type detectorKind struct {
	// pass gives name, documentation and options. Of a detector inside the kernel it
	// is the pass that instruments for it; others have none to run.
	pass *passes.Pass
	// inKernel makes the host half of a detector inside the kernel from what the pass
	// returned; nil for detectors that listen.
	inKernel func(result any) (detect.InKernel, error)
	// watches says what a detector inside the kernel looks at, from what the pass returned.
	watches func(result any) watch
	// listen makes a detector that listens to the program as it is, from its options.
	listen func(options any) (detect.Detector, error)
	// instruments reports, of a detector of both kinds, whether its options make it one
	// inside the kernel; nil for others.
	instruments func(options any) bool
	// extent says that a detector that listens needs to know how much memory the device has in use.
	extent bool
	// study tells a detector that listens what is known of the program. It returns which of the accesses that cannot
	// race need not come. Nil when it needs to know nothing, and all come.
	study func(options any, d detect.Detector, user *rewrite.Module, events *observe.Events) (needless, error)
}

// detectorKinds are the detectors, the default first.
var detectorKinds = []*detectorKind{
	{
		pass:   precisePass,
		listen: func(options any) (detect.Detector, error) { return precise.New(options.(*preciseOptions).Options) },
		study:  studyReads,
	},
	{
		pass: iguard.Pass,
		inKernel: func(result any) (detect.InKernel, error) {
			return hosthalf.New(result.(*iguard.Result).Options)
		},
		watches: func(result any) watch {
			return watch{global: true, shared: result.(*iguard.Result).Options.Shared, sites: true}
		},
	},
	{
		pass: scordPass,
		listen: func(options any) (detect.Detector, error) {
			return scord.New(options.(*scordOptions).Options)
		},
		study: studyMetadata, extent: true,
	},
	barracudaKind,
	{
		pass: ldetector.Pass,
		inKernel: func(result any) (detect.InKernel, error) {
			return copies.For(result.(*ldetector.Result))
		},
		watches: func(result any) watch {
			program := result.(*ldetector.Result)
			only := map[uint32]bool{}
			for i := range program.Regions {
				for _, a := range program.Regions[i].Accesses {
					only[a.Site] = true
				}
			}
			global := program.Options.Expand > 0
			return watch{global: global, shared: !global, only: only}
		},
	},
}

// detectorPasses are the passes of all detectors, for parsing options.
func detectorPasses() []*passes.Pass {
	var list []*passes.Pass
	for _, k := range detectorKinds {
		list = append(list, k.pass)
	}
	return list
}

// DetectorNames are the names of the detectors, the default first.
func DetectorNames() []string {
	var names []string
	for _, k := range detectorKinds {
		names = append(names, k.pass.Name)
	}
	return names
}

// DetectorPass is the pass that gives a detector its documentation and options, nil when
// there is no detector of that name. Of a detector that listens, it cannot be run.
func DetectorPass(name string) *passes.Pass {
	for _, k := range detectorKinds {
		if k.pass.Name == name {
			return k.pass
		}
	}
	return nil
}

func kindOf(p *passes.Pass) *detectorKind {
	for _, k := range detectorKinds {
		if k.pass == p {
			return k
		}
	}
	panic("BUG: no detector has the pass " + p.Name)
}
