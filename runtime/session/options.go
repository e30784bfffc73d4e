// The options of detectors that listen.

package session

import (
	"flag"

	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/runtime/detect/precise"
	"github.com/ptxsan/ptxsan/runtime/detect/scord"
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
		fs.BoolVar(&o.Cache, "cache", o.Cache, "keep metadata for one in sixteen granules only, in a direct-mapped cache with 4-bit tags")
		fs.IntVar(&o.Granularity, "granularity", o.Granularity, "`bytes` of memory that share one metadata entry: 4, 8 or 16")
		fs.BoolVar(&o.Strong, "strong", o.Strong, "fences order volatile, relaxed and atomic accesses only")
		fs.BoolVar(&o.Cumulative, "cumulative", o.Cumulative, "a device fence covers what other warps did before a barrier of the block that precedes it")
		fs.BoolVar(&o.LockValues, "lockvalues", o.LockValues, "locks are taken by a CAS that finds 0, and given back by an exchange that writes 0")
		fs.BoolVar(&o.ITS, "its", o.ITS, "tell the threads of a warp that has diverged apart")
		fs.BoolVar(&o.Release, "release", o.Release, "understand acquire and release instructions")
		fs.BoolVar(&o.Traffic, "traffic", o.Traffic, "count accesses to DRAM, for --stats")
		fs.BoolVar(&o.Elide, "elide", true, "without cache and traffic: do not look at reads of memory that the kernel only reads, and accesses of what a thread has for itself")
		return &o
	},
}

// preciseOptions are the options of precise.
type preciseOptions struct {
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
		o := preciseOptions{Options: precise.DefaultOptions()}
		fs.StringVar(&o.Model, "model", o.Model, "`rules`: ptx, the manual's; or scor, those that papers share, in which volatile accesses are weak and readers need no fence")
		fs.Uint64Var(&o.Memory, "memory", o.Memory, "`bytes` that the record of accesses may take; when it is full, earlier ones are forgotten")
		fs.BoolVar(&o.Elide, "elide", true, "do not look at reads of memory that the kernel only reads, accesses of what a thread has for itself, and in large launches those that the static analysis proves free of races")
		fs.BoolVar(&o.Unused, "unused", o.Unused, "look at loads in threads, too, that do not use what they load: compilers execute loads in front of their condition")
		fs.BoolVar(&o.Prove, "prove", false, "analyse launches of fewer than 65536 threads, too, so as not to look at accesses that are proved free of races, and say which kernels are free of them for every input")
		return &o
	},
}
