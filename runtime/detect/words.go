// The vocabulary of races: kinds, causes, lock faults, severities.

package detect

import "fmt"

// Kind is the relation of the two threads of a race.
type Kind string

// Kinds, from the widest to the narrowest.
const (
	Host        Kind = "host"         // an operation of an application's streams, and host code
	InterKernel Kind = "inter-kernel" // two operations of streams, or launches that overlap
	InterBlock  Kind = "inter-block"  // threads of two blocks
	IntraBlock  Kind = "intra-block"  // threads of two warps of a block
	IntraWarp   Kind = "intra-warp"   // lanes of a warp
)

// Kinds lists every kind of a race inside a launch.
var Kinds = []Kind{InterBlock, IntraBlock, IntraWarp}

// Cause is the kind of synchronisation that is missing between the two accesses of a race.
type Cause string

// Causes of races.
const (
	MissingBarrier          Cause = "missing-barrier"
	MissingWarpSync         Cause = "missing-warp-sync"
	MissingFence            Cause = "missing-fence"
	InsufficientFenceScope  Cause = "insufficient-fence-scope"
	InsufficientAtomicScope Cause = "insufficient-atomic-scope"
	NotStrong               Cause = "not-strong"
	MissingLock             Cause = "missing-lock"
	BranchOrder             Cause = "branch-order"
	MissingAsyncWait        Cause = "missing-async-wait"
	NotReadOnly             Cause = "not-read-only"
	MissingStreamOrder      Cause = "missing-stream-order"
	MissingHostWait         Cause = "missing-host-wait"
	MissingGridWait         Cause = "missing-grid-wait"
	RepeatedUpdate          Cause = "repeated-update"
	WeakOutcome             Cause = "weak-outcome"
)

// Causes lists every cause of a race inside a launch, in the order of the documentation.
var Causes = []Cause{
	MissingBarrier, MissingWarpSync, MissingFence, InsufficientFenceScope,
	InsufficientAtomicScope, NotStrong, MissingLock, BranchOrder, MissingAsyncWait,
	NotReadOnly,
}

// LockFault says what is wrong with the locks that the two sides of a race hold.
type LockFault string

// Faults of locks.
const (
	FirstUnlocked  LockFault = "first-unlocked"  // the first access is made without a lock
	SecondUnlocked LockFault = "second-unlocked" // the second access is made without a lock
	LocksDiffer    LockFault = "different"       // the two have no lock in common
	LocksOfBlock   LockFault = "block-scope"     // the lock is of block scope, and the threads are in two blocks
)

// FlagFault says what is wrong with a flag by which one grid tells another one, which it overlaps, that it has accessed
// memory: the first writes it and the second reads it, both with strong accesses.
type FlagFault string

// Faults of flags.
const (
	FlagAcquire FlagFault = "no-acquire" // the second grid has read the flag, and does not acquire
	FlagRelease FlagFault = "no-release" // the first does not release when it writes the flag
	FlagBoth    FlagFault = "no-fence"   // neither does
	FlagEarly   FlagFault = "too-early"  // the first writes the flag before its access
)

// Severity says how bad a race is.
type Severity string

// Severities, from the least severe.
const (
	Info    Severity = "info"
	Warning Severity = "warning"
	Error   Severity = "error"
)

// LeftOpenRule is the rule of a warning about two strong accesses that nothing orders.
const LeftOpenRule = "both accesses are strong, which is no data race of the model; but nothing orders them, so that it is open what is read"

// OverwriteRule is the rule of a warning about a read that only a proxy fence would order before an asynchronous write.
const OverwriteRule = "the read precedes the copy in program order or across a barrier, but the manual asks for a proxy fence between accesses of a location through two proxies (PTX ISA, \"Async proxy\"); it has no exception for reads, though many programs do without; an error with --strict"

// IssueRule is the rule of a warning about a copy into tensor memory after an operation that the same thread has issued.
const IssueRule = "one thread issues the two, and programs rely on a GPU that executes tcgen05.cp after the tcgen05.mma and " +
	"tcgen05.cp before it; but the manual does not have the two among the pipelined pairs (PTX ISA, \"Pipelined tcgen05 Instructions\"); an error with --strict"

// StaleRule is the rule of a weak outcome.
const StaleRule = "both accesses are strong, which is no data race of the model; but in this run the thread had observed what follows the write, and has read an older value all the same"

// LeftOpen explains such a warning about threads within a scope.
func LeftOpen(scope string) (missing, hint string) {
	return "an order of the two, or an access that says that none is meant",
		fmt.Sprintf(".relaxed.%s in place of volatile, if any of the values will do; otherwise a barrier or a message between {first} and {second}", scope)
}
