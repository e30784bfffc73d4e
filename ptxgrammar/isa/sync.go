// Synchronisation: the instructions with which threads order their operations, or wait for others.

package isa

import (
	"slices"
	"strings"
)

// Sync is the kind of a synchronising instruction.
type Sync uint8

// Kinds of synchronisation (PTX ISA, "Parallel Synchronization and Communication Instructions").
const (
	SyncNone    Sync = iota // another instruction
	SyncBarrier             // a barrier of threads: see Barrier
	SyncFence               // a fence of memory or between proxies
	SyncAccess              // a strong access: an atomic operation, or a load or store with semantics
	SyncArrive              // an arrival at an mbarrier object
	SyncPhase               // a wait for a phase of an mbarrier object, or a test of one
	SyncCopies              // a wait for groups of asynchronous copies
	SyncMatrix              // a fence of asynchronous matrix operations, or a wait for them
	SyncTensor              // a tcgen05 fence
	SyncGrid                // a wait for the grids that a grid depends on
)

var syncNames = []string{
	SyncNone: "none", SyncBarrier: "barrier", SyncFence: "fence", SyncAccess: "access", SyncArrive: "arrival",
	SyncPhase: "mbarrier wait", SyncCopies: "wait for copies", SyncMatrix: "wait for matrix operations",
	SyncTensor: "tcgen05 fence", SyncGrid: "wait for grids",
}

func (s Sync) String() string { return syncNames[s] }

// Sync returns the kind of synchronisation of the instruction.
func (d *Decoded) Sync() Sync {
	step, _ := d.CopyGroups()
	m := d.Mbarrier()
	switch {
	case d.Instr.Class == ClassBarrier:
		return SyncBarrier
	case d.Instr.Class == ClassFence:
		return SyncFence
	case m == MbarrierArrive || m == MbarrierDrop || d.Instr.Name == "cp" && d.Has("arrive"):
		return SyncArrive
	case m.Waits():
		return SyncPhase
	case step == CopyGroupsWait || step == CopyGroupsWaitAll:
		return SyncCopies
	case d.TensorFence() != TensorNone:
		return SyncTensor
	case (d.Instr.Class == ClassMemory || d.Instr.Class == ClassAtomic) && !d.Signals() && !d.Has("async") && d.Strong():
		return SyncAccess
	case d.Effects()&Orders == 0 || d.Access.Kind != AccessNone:
		return SyncNone
	case d.OrdersGrids():
		return SyncGrid
	case d.Wgmma() || d.Tcgen05():
		return SyncMatrix
	}
	return SyncNone
}

// FencesProxies reports whether the instruction is a fence between proxies, or one of the initialisation of barrier
// objects.
func (d *Decoded) FencesProxies() bool {
	return d.Instr.Class == ClassFence && slices.ContainsFunc(d.Mods, func(m string) bool {
		return m == "mbarrier_init" || strings.HasPrefix(m, "proxy")
	})
}

// SkipsLatest reports whether the operand of a wait for groups is the number of the latest groups that it does not wait
// for, and returns its index.
func (d *Decoded) SkipsLatest() (operand int, ok bool) {
	if s := d.Sync(); s != SyncCopies && s != SyncMatrix {
		return 0, false
	}
	n := d.operandNamed("n")
	return n, n >= 0
}
