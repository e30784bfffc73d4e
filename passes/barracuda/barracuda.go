// Package barracuda instruments a module for the BARRACUDA race detector: Eizenberg, Peng, Pigli, Mansky and Devietti,
// "BARRACUDA: Binary-level Analysis of Runtime Races in CUDA programs", PLDI 2017, section 4.1.
//
// The detector has three parts. This pass decides which hooks are called where. The hooks
// (passes/device/lib/barracuda.cu) write records into queues in device memory (section 4.2). internal/detect/barracuda
// reads the queues and detects races. The pass must not know how races are detected.
//
// # What is instrumented
//
// Every function of the user's program, device functions included; never code that a library or another pass added.
//
//	kernel                       the begin hook at its entry, the end hook where threads end
//	ld, st, atom, red            of global, shared or generic addresses: the access hook, for
//	                             stores of one register the store hook, which compares values
//	cp.async                     the access hook for both sides
//	membar, fence                the fence hook before; not proxy fences
//	bar, barrier                 the barrier hook before, with the kind of arrival
//	barrier.cluster.wait         the barrier hook after
//	bar.warp.sync                the warp barrier hook before
//	divergent branches           the branch hook before, in all lanes; for brx.idx the switch hook
//	convergence points           the converge hook at the start of the block: immediate
//	                             post-dominators of divergent branches, not each label
//
// A branch is divergent when the registers that its target depends on may differ between the lanes of a warp
// (rewrite.Uniformity). The hook of a guarded instruction is called only in threads whose guard is true.
//
// The analysis acqrel infers which accesses acquire and release. A release is logged before the access and an acquire
// after it. Therefore a release has a smaller ticket than every acquire that observes its value. An access that is both
// is logged before as both and after as an acquire.
//
// Hooks take the thread's linear index in the grid and the queue of its block. Kernels compute the index at their entry
// and functions receive it as a parameter (uniqtid.Add); both request the queue at their entry. The branch hooks return
// whether lanes diverged. Functions keep this result, and the converge hook does nothing for lanes that never diverged.
//
// # Pruning
//
// A plain load is not logged when an earlier access of the same thread in the same basic block covers the same bytes,
// with no synchronisation between the two (section 4.1: the register with the address has not been written since). The
// option across extends this to several basic blocks: every path to the load has such an access. Stores are always
// logged, for two reasons: whether lanes that write to one address race depends on the stored values (section 3.3.1),
// and a store after a load is a different kind of access. prune.go explains why no race is lost.
//
// Compilers hoist some loads above their condition. These are logged only for the threads that use the loaded value
// (option unused: for all).
//
// Accesses that can never race (address.Exempt), and that neither acquire nor release, are not logged (option elide).
//
// # Limits
//
// Bulk copies, copies of tensors, matrix loads, textures and mbarriers are reported as not checked. Values of stores of
// more than eight bytes are not compared: lanes that write equal values to one address race. The library needs sm_70
// and PTX 6.3; the version and target of older modules are raised to these.
package barracuda

import (
	"flag"
	"fmt"

	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/acqrel"
	"github.com/ptxsan/ptxsan/passes/device"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Pass is the pass.
var Pass = &passes.Pass{
	Name: "barracuda",
	Doc: `log memory accesses and synchronisation for a detector on the host (BARRACUDA, PLDI 2017)

Every access to global or shared memory, fence, barrier, divergent branch and point
where lanes meet again becomes a record in a queue in device memory: one for the
lanes of a warp that execute it together. The host reads the queues while the kernel
runs, and finds races with vector clocks.`,
	Requires:    []*passes.Pass{acqrel.Pass},
	Flags:       Flags,
	Run:         run,
	WatchesOnly: true,
	Instruments: instruments,
}

// Options holds the options of the pass.
type Options struct {
	Prune  bool // do not log a load that an access in its basic block covers
	Across bool // nor one that accesses on all paths to it cover
	Elide  bool // nor an access that can never race
	Unused bool // log loads also in threads that do not use the loaded value
}

// Flags declares the options of the pass.
func Flags(fs *flag.FlagSet) any {
	o := &Options{}
	o.Declare(fs)
	return o
}

// Declare declares the options in fs.
func (o *Options) Declare(fs *flag.FlagSet) {
	fs.BoolVar(&o.Prune, "prune", true,
		"do not log a load whose bytes an earlier access of the same basic block covers; a race may then be reported at the earlier one")
	fs.BoolVar(&o.Elide, "elide", true,
		"do not check accesses that cannot race: to memory that the kernel only reads or only updates by atomic operations of device scope, and to memory that only one thread accesses")
	fs.BoolVar(&o.Unused, "unused", o.Unused,
		"also check weak loads in threads that do not use the loaded value: compilers move loads in front of the condition under which they are needed")
	fs.BoolVar(&o.Across, "across", false,
		"also do not log a load whose bytes accesses on all paths to it cover, in whatever basic blocks")
}

// instruments returns whether a form is logged, as far as the form alone shows it: accesses only if to global or shared
// memory, branches only if they may diverge.
func instruments(in *isa.Instr, f *isa.Form) bool {
	switch in.Class {
	case isa.ClassFence, isa.ClassBarrier:
		return true
	case isa.ClassMemory, isa.ClassAtomic:
		return f.Access != isa.AccessNone
	}
	return f.Effects&isa.Branches != 0 && f.Effects&isa.Calls == 0
}

func run(ctx *passes.Context) (any, error) {
	if _, ok := ctx.Module.Lookup(abi.BarracudaState); ok {
		return nil, fmt.Errorf("the module already has %s: it is instrumented", abi.BarracudaState)
	}
	p := newPlanner(ctx, ctx.Options.(*Options))
	p.plan()
	symbols := []string{
		abi.BarracudaState, abi.BarracudaBegin, abi.BarracudaQueue, abi.BarracudaEnd,
		abi.BarracudaConverge,
	}
	return nil, p.calls.InsertWith(ctx, device.Barracuda(), p.surround, symbols...)
}
