// The registry of detectors: how each is made, and how it learns about a program.

package detectors

import (
	watchpoints "github.com/ptxsan/ptxsan/internal/detect/collide"
	hosthalf "github.com/ptxsan/ptxsan/internal/detect/iguard"
	copies "github.com/ptxsan/ptxsan/internal/detect/ldetector"
	"github.com/ptxsan/ptxsan/internal/detect/precise"
	"github.com/ptxsan/ptxsan/internal/detect/scord"
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/collide"
	"github.com/ptxsan/ptxsan/passes/iguard"
	"github.com/ptxsan/ptxsan/passes/ldetector"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// detectorKind is a race detector that --detector can name. Its title is the first line of its pass's Doc.
type detectorKind struct {
	// Pass has the name, documentation and options. For a detector inside the kernel it is the pass that instruments;
	// for others it cannot be run.
	Pass *passes.Pass
	// InKernel makes the host half of a detector inside the kernel from what the pass
	// returned; nil for detectors that listen.
	InKernel func(result any) (detect.InKernel, error)
	// Watches returns what a detector inside the kernel checks, from the result of its pass.
	Watches func(result any) Watch
	// Listen makes a detector that listens to the program as it is, from its options.
	Listen func(options any) (detect.Detector, error)
	// instruments reports, for a detector of both kinds, whether its options put it inside the kernel; nil for others.
	instruments func(options any) bool
	// Extent says that a detector that listens needs the extent of the device memory in use.
	Extent bool
	// Study gives a detector that listens the facts about a program. It returns which of the accesses that cannot race
	// the detector does not need. It is nil if the detector needs no facts and all accesses.
	Study func(options any, d detect.Detector, user *rewrite.Module) (ExemptionRule, error)
}

// Watch is what a detector inside the kernel checks.
type Watch struct {
	Global, Shared bool
	Sites          bool // the table of sites has all checked accesses, except those that another one stands for
	// Only holds the checked sites if other accesses are not checked; else it is nil.
	Only map[uint32]bool
}

// Kinds lists the detectors, the default first.
var Kinds = []*detectorKind{
	{
		Pass:   precisePass,
		Listen: func(options any) (detect.Detector, error) { return precise.New(options.(*PreciseOptions).Options) },
		Study:  studyReads,
	},
	{
		Pass: iguard.Pass,
		InKernel: func(result any) (detect.InKernel, error) {
			return hosthalf.New(result.(*iguard.Result).Options)
		},
		Watches: func(result any) Watch {
			return Watch{Global: true, Sites: true}
		},
	},
	{
		Pass: scordPass,
		Listen: func(options any) (detect.Detector, error) {
			return scord.New(options.(*scordOptions).Options)
		},
		Study: studyMetadata, Extent: true,
	},
	BarracudaKind,
	{
		Pass: ldetector.Pass,
		InKernel: func(result any) (detect.InKernel, error) {
			return copies.For(result.(*ldetector.Result))
		},
		Watches: func(result any) Watch {
			program := result.(*ldetector.Result)
			only := map[uint32]bool{}
			for i := range program.Regions {
				for _, a := range program.Regions[i].Accesses {
					only[a.Site] = true
				}
			}
			global := program.Options.Expand > 0
			return Watch{Global: global, Shared: !global, Only: only}
		},
	},
	{
		Pass: collide.Pass,
		InKernel: func(result any) (detect.InKernel, error) {
			o := result.(*collide.Result).Options
			return watchpoints.New(watchpoints.Options{
				Period: o.Period(), Seed: uint32(o.Seed ^ o.Seed>>32), Wait: uint32(o.Wait), Rounds: uint32(o.Rounds),
				Warm: uint32(o.Warm), Sites: o.Sites,
			}), nil
		},
		Watches: func(any) Watch { return Watch{Global: true, Shared: true, Sites: true} },
	},
}

// detectorPasses returns the passes of all detectors, whose options are parsed.
func detectorPasses() []*passes.Pass {
	var list []*passes.Pass
	for _, k := range Kinds {
		list = append(list, k.Pass)
	}
	return list
}

// DetectorNames returns the names of the detectors, the default first.
func DetectorNames() []string {
	var names []string
	for _, k := range Kinds {
		names = append(names, k.Pass.Name)
	}
	return names
}

// DetectorPass returns the pass with the documentation and options of a detector, nil if there is none of that name.
// The pass of a detector that listens cannot be run.
func DetectorPass(name string) *passes.Pass {
	for _, k := range Kinds {
		if k.Pass.Name == name {
			return k.Pass
		}
	}
	return nil
}

func kindOf(p *passes.Pass) *detectorKind {
	for _, k := range Kinds {
		if k.Pass == p {
			return k
		}
	}
	panic("BUG: no detector has the pass " + p.Name)
}
