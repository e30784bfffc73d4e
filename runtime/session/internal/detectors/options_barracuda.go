// The options of BARRACUDA, which is either inside the kernel or listens.

package detectors

import (
	"flag"

	"github.com/ptxsan/ptxsan/internal/detect/barracuda"
	"github.com/ptxsan/ptxsan/passes"
	instrumentation "github.com/ptxsan/ptxsan/passes/barracuda"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// BARRACUDA is a detector of both kinds: it listens to the program as it is, or reads the records of a program that its
// pass has instrumented.

// BarracudaOptions are the options of the detector.
type BarracudaOptions struct {
	barracuda.Options
	pass         instrumentation.Options
	Instrumented bool
}

// BarracudaPass is the pass of the detector barracuda.
var BarracudaPass = &passes.Pass{
	Name: "barracuda",
	Doc: `detect data races with vector clocks as BARRACUDA does (PLDI 2017)

Loads, stores, atomic operations, fences, barriers and branches order the threads of
a kernel; accesses that nothing orders race. The threads of a warp run in lock-step
but for the paths of a branch. docs/detectors/barracuda.md explains its rules.`,
	Requires: instrumentation.Pass.Requires,
	Flags: func(fs *flag.FlagSet) any {
		o := new(BarracudaOptions)
		fs.BoolVar(&o.Paper, "paper", o.Paper,
			"the rules of the paper: one global fence suffices, and neither scopes of atomic operations nor acquire and release accesses are considered")
		fs.BoolVar(&o.Equal, "equal", o.Equal,
			"also report lanes that write the same value to the same location by one instruction")
		fs.IntVar(&o.Blocks, "blocks", barracuda.DefaultBlocks, "`number` of blocks that may run at a time; operations of further blocks are ignored")
		fs.IntVar(&o.Syncs, "syncs", barracuda.DefaultSyncs, "`number` of entries for synchronisation: locations, and blocks that release there; beyond it races may be missed")
		fs.BoolVar(&o.Instrumented, "instrumented", o.Instrumented,
			"read the records that the instrumented kernel writes, as on a GPU, instead of the emulator's events")
		o.pass.Declare(fs)
		return o
	},
	WatchesOnly: instrumentation.Pass.WatchesOnly,
	Run: func(ctx *passes.Context) (any, error) {
		o := ctx.Options.(*BarracudaOptions)
		ctx.Options = &o.pass
		_, err := instrumentation.Pass.Run(ctx)
		return &o.Options, err
	},
}

// BarracudaKind is the entry of the detector.
var BarracudaKind = &detectorKind{
	Pass: BarracudaPass,
	Listen: func(options any) (detect.Detector, error) {
		o := options.(*BarracudaOptions)
		opts := o.Options
		opts.Unused = o.pass.Unused
		return barracuda.NewListener(opts)
	},
	Study:       studyOrders,
	instruments: func(options any) bool { return options.(*BarracudaOptions).Instrumented },
	InKernel: func(result any) (detect.InKernel, error) {
		return barracuda.NewInstrumented(*result.(*barracuda.Options))
	},
	Watches: func(any) Watch { return Watch{Global: true, Shared: true, Sites: true} },
}
