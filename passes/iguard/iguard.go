// Package iguard instruments a module for the iGUARD race detector: Kamath and Basu, "iGUARD: In-GPU Advanced Race
// Detection", SOSP 2021. The paper instruments SASS through NVBit. This pass calls the same hooks from PTX, so that the
// instrumented kernel runs both on a GPU and in the emulator.
//
// The detector has three parts. This pass decides where hooks are called and with which arguments. The hooks
// (passes/device/lib/iguard.cu) detect races inside the kernel. internal/detect/iguard prepares memory and reads the
// races.
//
// # What is instrumented
//
// Every function of the user's program, device functions included; never code that a library or another pass added.
//
//	ld, st, atom, red            of global or generic addresses: the access hook before
//	.release, .acq_rel accesses  also the fence hook before
//	.acquire, .acq_rel accesses  also the fence hook after
//	membar, fence                the fence hook before; not proxy fences
//	bar, barrier                 the block barrier hook before (sync, arrive, red)
//	mbarrier.arrive and its kin  the fence hook before, when they release
//	bar.warp.sync                the warp barrier hook before
//	barrier.cluster.arrive       a device fence, which it includes
//
// A function that calls hooks computes at its entry what they need to know about the thread, and keeps it in up to four
// registers (self.go).
//
// Compilers hoist some loads above their condition. Without the option unused, these are checked only in the threads
// that use the loaded value.
//
// The option elide skips accesses that can never race (elide.go). The option prune skips accesses that an earlier one
// of their basic block covers. The option hoist checks loop-invariant accesses once per entry of the loop. prune.go
// explains how these options affect the reported races.
//
// # The paper's rules, and where this detector departs from them
//
// Conditions P1 to P6 and R1 to R5 of Table 2 are tested in the paper's order. docs/detectors/iguard.md lists the
// decisions where the paper leaves questions open, the extensions (options that "paper" turns off), and the wrong
// verdicts that follow from the paper's rules, each with a case.
//
// # Limits
//
// Shared memory is not checked. Asynchronous copies, matrix loads and texture accesses are reported as not checked.
// Scopes .cta and .cluster are block scope, .gpu and .sys device scope. A checked access costs about 45 to 80 warp
// instructions for each granule, a compare-and-swap 110 to 180. The metadata are twelve times as large as the memory
// accessed. The library needs sm_70 and PTX 6.3; the version and target of older modules are raised to these.
package iguard

import (
	"flag"
	"fmt"
	"strconv"

	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/device"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Pass is the pass.
var Pass = &passes.Pass{
	Name: "iguard",
	Doc: `detect data races in global memory inside the kernel (iGUARD, SOSP 2021)

Every access to global memory, fence and barrier calls the iGUARD device library,
which keeps the last accessor and the last writer of each granule of memory and
checks each access against them: missing or too narrow fences, barriers, warp
barriers and atomics, and inconsistent locking. The host half of the detector,
which "check" runs, prepares its memory and reads the races.`,
	Flags:       flags,
	Run:         run,
	WatchesOnly: true,
	Instruments: instruments,
}

// Result is the output of the pass for the host part of the detector.
type Result struct {
	Options abi.IGuardOptions
}

type options struct {
	abi.IGuardOptions
	Volatile bool
	Prune    bool
	Elide    bool
	Distinct bool
	Hoist    bool
	Unused   bool
}

func flags(fs *flag.FlagSet) any {
	o := &options{IGuardOptions: abi.DefaultIGuardOptions()}
	fs.Var((*granularity)(&o.Granularity), "granularity", "`bytes` of memory that share one metadata entry: 1, 4, 8 or 16")
	fs.BoolVar(&o.Locks, "locks", o.Locks,
		"infer locks from atom.cas, atom.exch and fences, and check that accesses hold a common one")
	fs.BoolVar(&o.ITS, "its", o.ITS, "the threads of a warp may progress independently; false: they run in lock-step")
	fs.BoolVar(&o.Contention, "contention", o.Contention,
		"one lane checks for all lanes of the warp that load or update the same location, and waits longer between tries for metadata that another thread holds")
	fs.BoolVar(&o.Stop, "stop", false, "check nothing after the first race of a launch")
	fs.BoolVar(&o.Pairs, "pairs", o.Pairs, "report both accesses of a race; false: only the second, as in the paper")
	fs.BoolVar(&o.Scope, "scope", o.Scope,
		"two atomic operations of different blocks race when either has block scope; false: when the earlier one has, as in the paper")
	fs.BoolVar(&o.LockScope, "lockscope", o.LockScope,
		"a lock taken at block scope does not exclude threads of other blocks; false: locks have no scope, as in the paper")
	fs.BoolVar(&o.Cumulative, "cumulative", o.Cumulative,
		"a fence also orders accesses of other threads that a barrier has ordered before it; false: only those of its own thread, as in the paper")
	paper := abi.PaperIGuardCounters
	fs.Var(width{&o.Counters.Fence, paper.Fence}, "fencebits", fmt.Sprintf("`bits` of a thread's fence counters, 1 to %d; they wrap around, so 2 to the power of that many fences go unnoticed", paper.Fence))
	fs.Var(width{&o.Counters.Barrier, paper.Barrier}, "barrierbits", fmt.Sprintf("`bits` of the counters of block barriers, 1 to %d", paper.Barrier))
	fs.Var(width{&o.Counters.WarpBarrier, paper.WarpBarrier}, "warpbits", fmt.Sprintf("`bits` of the counters of warp barriers, 1 to %d", paper.WarpBarrier))
	fs.BoolVar(&o.Unused, "unused", o.Unused,
		"also check weak loads in threads that do not use the loaded value: compilers move loads in front of the condition under which they are needed")
	fs.BoolFunc("paper",
		"the paper's detector: cumulative, elide, lockscope, pairs and scope are off, and unused is on, unless changed after it", func(string) error {
			o.Pairs, o.Scope, o.LockScope, o.Cumulative, o.Elide = false, false, false, false, false
			o.Unused = true
			return nil
		})
	fs.Lookup("paper").DefValue = "false"
	fs.BoolVar(&o.Volatile, "volatile", o.Volatile,
		"volatile accesses are relaxed ones of system scope, as in the PTX memory model; false: plain accesses, as in the paper")
	fs.BoolVar(&o.Elide, "elide", true,
		"do not check accesses that cannot race: to memory that the kernel only reads or only updates by atomic operations of device scope, and to memory that only one thread accesses")
	fs.BoolVar(&o.Distinct, "distinct", false,
		"for elide: assume that different pointer parameters of a kernel point to different objects; \"check\" knows from the launch file whether they do")
	fs.BoolVar(&o.Prune, "prune", false,
		"do not check an access whose bytes an earlier access of the same basic block covers; a race may then be reported at the earlier one")
	fs.BoolVar(&o.Hoist, "hoist", false,
		"in a loop without synchronisation, check an address that does not change only when a thread enters the loop; a race may be reported at another access, or be missed if it occurs only in later iterations")
	return o
}

// granularity is a flag that accepts only the supported values.
type granularity int

func (g *granularity) String() string { return fmt.Sprint(int(*g)) }

func (g *granularity) Set(s string) error {
	for _, n := range []granularity{1, 4, 8, 16} {
		if s == fmt.Sprint(int(n)) {
			*g = n
			return nil
		}
	}
	return fmt.Errorf("must be 1, 4, 8 or 16")
}

// width is a flag that accepts only the supported counter widths.
type width struct {
	bits *int
	max  int
}

func (w width) String() string {
	if w.bits == nil {
		return ""
	}
	return fmt.Sprint(*w.bits)
}

func (w width) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > w.max {
		return fmt.Errorf("must be 1 to %d", w.max)
	}
	*w.bits = n
	return nil
}

func run(ctx *passes.Context) (any, error) {
	opts := ctx.Options.(*options)
	if _, ok := ctx.Module.Lookup(abi.IGuardState); ok {
		return nil, fmt.Errorf("the module already has %s: it is instrumented", abi.IGuardState)
	}
	p, err := plan(ctx, opts)
	if err != nil {
		return nil, err
	}
	if err := p.calls.InsertWith(ctx, device.IGuard(), p.keep, abi.IGuardState, abi.IGuardBlock, abi.IGuardSelf,
		abi.IGuardOwnCounters, abi.IGuardWarpLocks, abi.IGuardEntries); err != nil {
		return nil, err
	}
	return &Result{Options: opts.IGuardOptions}, nil
}
