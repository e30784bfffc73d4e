// The registry of detectors: how each is made, and how it learns about a program.

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

// detectorKind is a race detector that --detector can name. Its title is the first line of its pass's Doc.
type detectorKind struct {
	// pass has the name, documentation and options. For a detector inside the kernel it is the pass that instruments; for others
	// it cannot be run.
	pass *passes.Pass
	// inKernel makes the host half of a detector inside the kernel from what the pass
	// returned; nil for detectors that listen.
	inKernel func(result any) (detect.InKernel, error)
	// watches returns what a detector inside the kernel checks, from the result of its pass.
	watches func(result any) watch
	// listen makes a detector that listens to the program as it is, from its options.
	listen func(options any) (detect.Detector, error)
	// instruments reports, for a detector of both kinds, whether its options put it inside the kernel; nil for others.
	instruments func(options any) bool
	// extent says that a detector that listens needs the extent of the device memory in use.
	extent bool
	// study gives a detector that listens the facts about a program. It returns which of the accesses that cannot race the
	// detector does not need. It is nil if the detector needs no facts and all accesses.
	study func(options any, d detect.Detector, user *rewrite.Module, events *observe.Events) (needless, error)
}

// detectorKinds lists the detectors, the default first.
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

// detectorPasses returns the passes of all detectors, whose options are parsed.
func detectorPasses() []*passes.Pass {
	var list []*passes.Pass
	for _, k := range detectorKinds {
		list = append(list, k.pass)
	}
	return list
}

// DetectorNames returns the names of the detectors, the default first.
func DetectorNames() []string {
	var names []string
	for _, k := range detectorKinds {
		names = append(names, k.pass.Name)
	}
	return names
}

// DetectorPass returns the pass with the documentation and options of a detector, nil if there is none of that name. The pass of
// a detector that listens cannot be run.
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
