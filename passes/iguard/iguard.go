// Package iguard instruments a module for the iGUARD race detector: Kamath and
// Basu, "iGUARD: In-GPU Advanced Race Detection", SOSP 2021. The paper instruments
// SASS through NVBit; this pass calls the same hooks from PTX, so that the
// instrumented kernel runs on a GPU and in the emulator alike.
//
// The detector has three parts: this pass decides where the hooks are called and
// with what, runtime/device/lib/iguard.cu is the detection, runtime/detect prepares
// memory and reads the races.
//
// # What is instrumented
//
// Every function of the user's, device functions included; never code that a
// library or another pass brought in.
//
//	ld, st, atom, red            of global or generic addresses: the access hook before
//	.release, .acq_rel accesses  also the fence hook before
//	.acquire, .acq_rel accesses  also the fence hook after
//	membar, fence                the fence hook before; not proxy fences
//	bar, barrier                 the block barrier hook before (sync, arrive, red)
//	bar.warp.sync                the warp barrier hook before
//	barrier.cluster.arrive       a device fence, which it includes
//
// The option prune leaves out accesses that an earlier one of their basic block
// covers, the option hoist checks accesses in loops once that stay where they are;
// prune.go says what becomes of the races.
//
// # The paper's rules, and where this detector departs from them
//
// Conditions P1 to P6 and R1 to R5 of Table 2 are tried in the paper's order. What
// the paper leaves open or states in two ways was decided as follows.
//
//   - Flags Atomic and Scope exist for the last accessor and the last writer, as
//     md in Table 2 is one or the other. A plain store clears them, a plain load
//     leaves them (6.2). So does the Locks field.
//   - R1 holds for the table's condition (last writer) and for the text's (md).
//   - BlkShared and DevShared (6.2: set when warp or block of the last accessor
//     differ) are reset by a store, and BlkShared by a block barrier since the last
//     access. Else a location that was shared once would race for ever.
//   - P3 and P4 let a load pass whatever the shared flags say, and R3 asks about the
//     last accessor of another warp when the recorded one is ordered within the warp.
//     To the letter, x++ under a correct lock would race with itself.
//   - Lock filters of two ways (6.2) have no lock in common when one way is empty,
//     as in the lockset detector that the paper cites.
//   - A lock taken with atomics of block scope excludes no thread of another block
//     (R5). To the letter, a filter of addresses knows no scope, and updates under
//     such a lock that a device fence follows, as ScoR's matrix-mult has them, would
//     pass.
//   - Both lock tables (6.3) are kept up to date, so that a lock held when a warp
//     switches to per-thread locks is not forgotten.
//   - Barriers of a whole block or warp are counted by each thread, which are equal
//     numbers; the paper elects one thread, which may have exited.
//   - The entry also holds the sites and threads of both sides, and races are
//     counted by site pair in the kernel: reports name both sides.
//   - The back-off (6.5) starts at 32 ns; its limit is one ns for each eight threads
//     of the grid, at most 32 us. The paper gives no numbers. The emulator does without.
//   - Accesses qualified .relaxed, .acquire or .release are atomic accesses to
//     condition P6; the paper knows read-modify-write operations only. Volatile
//     accesses are plain, as in the paper; the option volatile treats them as the
//     PTX memory model does.
//
// Wrong verdicts that follow from the paper's rules stay: a fence alone orders,
// whoever waits for it; only the last accessor is remembered; an atomic.cta after
// an atom.gpu of another block passes; lanes that execute together are ordered;
// atom.cas without a lock in mind followed by a fence counts as a lock; neighbours
// in a granule race with each other (use granularity=1); counters wrap at 64 and
// 256; polling a volatile flag races with its writer.
//
// # Limits
//
// Shared memory is not checked, as in the paper. Asynchronous copies, matrix loads
// and texture accesses of global memory are reported as not checked. Scopes .cta
// and .cluster are block scope, .gpu and .sys device scope. A checked access costs
// some 200 warp instructions in the emulator; the metadata are twelve times as
// large as the memory touched. The library needs sm_70 and PTX 6.3: older modules
// are raised to that.
package iguard

import (
	"flag"
	"fmt"

	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/device"
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
	Instruments: instruments,
}

// Result is what the pass hands to the host half of the detector.
type Result struct {
	Options abi.IGuardOptions
}

type options struct {
	abi.IGuardOptions
	Volatile bool
	Prune    bool
	Hoist    bool
}

func flags(fs *flag.FlagSet) any {
	o := &options{IGuardOptions: abi.DefaultIGuardOptions()}
	fs.Var((*granularity)(&o.Granularity), "granularity", "`bytes` of memory that share one metadata entry: 1, 4, 8 or 16")
	fs.BoolVar(&o.Locks, "locks", o.Locks, "infer locks from atom.cas, atom.exch and fences, and check that accesses hold a common one")
	fs.BoolVar(&o.ITS, "its", o.ITS, "the threads of a warp may progress independently; false: they run in lock-step")
	fs.BoolVar(&o.Volatile, "volatile", o.Volatile, "volatile accesses are relaxed ones of system scope, as in the PTX memory model; false: plain accesses, as in the paper")
	fs.BoolVar(&o.Prune, "prune", false, "do not check an access that an earlier one in the same basic block covers; races may be reported at the earlier one")
	fs.BoolVar(&o.Hoist, "hoist", false, "check an address that does not change in a loop without synchronisation once each time a thread enters the loop; races may be reported at other accesses, or be missed if only later rounds show them")
	return o
}

// granularity is a flag that takes the supported values only.
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

func run(ctx *passes.Context) (any, error) {
	opts := ctx.Options.(*options)
	if _, ok := ctx.Module.Lookup(abi.IGuardState); ok {
		return nil, fmt.Errorf("the module already has %s: it is instrumented", abi.IGuardState)
	}
	calls, err := plan(ctx, opts)
	if err != nil {
		return nil, err
	}
	if err := calls.Insert(ctx, device.IGuard(), abi.IGuardState); err != nil {
		return nil, err
	}
	return &Result{Options: opts.IGuardOptions}, nil
}
