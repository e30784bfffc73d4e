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

// LeftOpen explains such a warning about threads within a scope.
func LeftOpen(scope string) (missing, hint string) {
	return "an order of the two, or an access that says that none is meant",
		fmt.Sprintf(".relaxed.%s in place of volatile, if any of the values will do; otherwise a barrier or a message between {first} and {second}", scope)
}
