// What a listener of a run receives and needs.

package state

import (
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Listener observes execution at warp granularity. It receives accesses in the order in which they take effect, before
// any later event; memory may already have changed at that time. Sites are numbered as in internal/sites. Without a
// listener, a machine spends one predictable branch per memory access.
//
// A listener that is an abi.LoopReceiver may receive batches with loops.
type Listener interface {
	abi.Receiver
	// Interest returns the events that the listener needs. It is called when the machine is made, and must always
	// return the same. The listener receives no others.
	Interest() Interest
}

// Interest is the set of events that a Listener needs, and functions that the emulator calls in addition to the methods
// of abi.Receiver. The emulator does not make events that its listener does not need, which makes runs faster.
type Interest struct {
	abi.Needs
	// Site reports whether accesses by an instruction are needed; nil means all. The emulator calls it while decoding.
	// It must always return the same.
	Site func(*rewrite.Inst) bool
	// Block is called when a block of a grid of the host begins. It reports whether accesses of the block are needed
	// that cannot be used for synchronisation; nil means yes. Launches in parts call it concurrently.
	Block func(block uint64) bool
	// First is called for an instruction that makes its first access on the machine, but not in parts of a launch.
	First func(*rewrite.Inst)
	// Kernel is called before the abi.EventKernelBegin of each grid.
	Kernel func(kernel *rewrite.Func)
	// Step is called before an instruction is executed, and before the events that it causes. An instruction that waits
	// is executed once. An indirect call is executed by all threads for the first callee, and again by the threads that
	// have another callee. Steps do not change the program's results or interleaving, but make the emulator slower, by
	// half at least.
	Step func(*Step)
	// Steps reports whether Step is called for an instruction; nil means for all. The others keep their speed.
	Steps func(*rewrite.Inst) bool
	// Parts returns what receives a launch of a kernel in parts, nil if the listener must receive it as a whole. A part
	// is a set of blocks that are independent of the blocks of other parts: no block accesses bytes of device memory
	// that another block writes. The parts are executed in parallel, and are the same for any number of goroutines.
	Parts func(kernel *rewrite.Func) abi.PartsReceiver
}

// NeedsSite reports whether accesses by an instruction are needed.
func (a *Interest) NeedsSite(in *rewrite.Inst) bool { return a.Site == nil || a.Site(in) }

// NeedsStep reports whether Step is called for an instruction.
func (a *Interest) NeedsStep(in *rewrite.Inst) bool {
	return a.Step != nil && (a.Steps == nil || a.Steps(in))
}

// NeedsAccess reports whether an access by an instruction to a space is needed.
func (a *Interest) NeedsAccess(in *rewrite.Inst, space isa.Space) bool {
	return a.NeedsSite(in) && (a.Shared || space != isa.SpaceShared || in.Access.Space == isa.SpaceNone)
}

// NeedsLaunch reports whether more is needed than the beginning and the end of launches of a kernel that calls nothing.
func (a *Interest) NeedsLaunch(f *rewrite.Func) bool {
	return !a.Skips || slices.ContainsFunc(f.Insts, func(in *rewrite.Inst) bool {
		return slices.ContainsFunc(in.Accesses, func(ac isa.Access) bool {
			return ac.Space != isa.SpaceLocal && ac.Space != isa.SpaceParam && a.NeedsAccess(in, ac.Space)
		})
	})
}

// NopListener receives all events, with accesses without values, and ignores them.
type NopListener struct{}

// Interest implements Listener.
func (NopListener) Interest() Interest {
	return Interest{Needs: abi.Needs{Shared: true, Branches: true, Lanes: true}}
}

// Event implements abi.Receiver.
func (NopListener) Event(*abi.Event) {}

// Accesses implements abi.Receiver.
func (NopListener) Accesses(*abi.Batch) {}
