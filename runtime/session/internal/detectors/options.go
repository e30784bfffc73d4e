// The options of detectors that listen.

package detectors

import (
	"flag"

	"github.com/ptxsan/ptxsan/internal/detect/precise"
	"github.com/ptxsan/ptxsan/internal/detect/scord"
	"github.com/ptxsan/ptxsan/passes"
)

// Names, documentation and options of detectors whose pass does not run.

// scordOptions are the options of scord.
type scordOptions struct {
	scord.Options
	Elide bool
}

var scordPass = &passes.Pass{
	Name: "scord",
	Doc: `detect data races in global memory as the hardware of ScoRD does (ISCA 2020)

The emulator plays the GPU with the fence file, barrier counters, lock tables and
8-byte metadata of the paper. docs/detectors/scord.md explains its rules.`,
	Flags: func(fs *flag.FlagSet) any {
		o := scordOptions{Options: scord.DefaultOptions()}
		fs.BoolVar(&o.Cache, "cache", o.Cache,
			"keep metadata for only one in sixteen granules, in a direct-mapped cache with 4-bit tags")
		fs.IntVar(&o.Granularity, "granularity", o.Granularity, "`bytes` of memory that share one metadata entry: 4, 8 or 16")
		fs.BoolVar(&o.Strong, "strong", o.Strong, "fences order only volatile, relaxed and atomic accesses")
		fs.BoolVar(&o.Cumulative, "cumulative", o.Cumulative,
			"a device fence also orders accesses that other warps of the block made before the last barrier")
		fs.BoolVar(&o.LockValues, "lockvalues", o.LockValues,
			"a compare-and-swap takes a lock when it finds 0, and an exchange that writes 0 releases it")
		fs.BoolVar(&o.ITS, "its", o.ITS, "distinguish the threads of a warp that has diverged")
		fs.BoolVar(&o.Release, "release", o.Release, "treat acquire and release instructions as synchronisation")
		fs.BoolVar(&o.Traffic, "traffic", o.Traffic, "count accesses to DRAM, for --stats")
		fs.BoolVar(&o.Elide, "elide", true,
			"unless cache or traffic is on: do not check reads of memory that the kernel only reads, accesses to memory that only one thread accesses, and atomic operations of device scope on memory that is accessed in no other way")
		return &o
	},
}

// PreciseOptions are the options of precise.
type PreciseOptions struct {
	precise.Options
	Elide bool
	Prove bool
}

var precisePass = &passes.Pass{
	Name: "precise",
	Doc: `detect data races as the memory consistency model of the PTX manual defines them

All of global and shared memory is checked to the byte, for the execution that the
emulator shows. docs/detectors/precise.md explains the model.`,
	Flags: func(fs *flag.FlagSet) any {
		o := PreciseOptions{Options: precise.DefaultOptions()}
		fs.StringVar(&o.Model, "model", o.Model, "`rules`: ptx for those of the PTX manual; scor for those that the papers share, in which volatile accesses are weak and readers need no fence")
		fs.Uint64Var(&o.Memory, "memory", o.Memory, "`bytes` that the record of accesses may take; when it is full, the detector discards earlier accesses")
		fs.BoolVar(&o.Elide, "elide", true,
			"do not check reads of memory that the kernel only reads, accesses to memory that only one thread accesses, and in large launches accesses that the static analysis proves free of races")
		fs.BoolVar(&o.Unused, "unused", o.Unused,
			"also check weak loads in threads that do not use the loaded value: compilers move loads in front of the condition under which they are needed")
		fs.BoolVar(&o.Prove, "prove", false,
			"run the static analysis for launches of fewer than 65536 threads, too: accesses that it proves free of races are not checked, and the report says which kernels are free of races for every input")
		return &o
	},
}
