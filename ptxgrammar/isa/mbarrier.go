// Operations on mbarrier objects.

package isa

import "slices"

// Mbarrier is an operation on an mbarrier object (PTX ISA, "mbarrier").
type Mbarrier uint8

// Operations on mbarrier objects. An arrival with the modifier expect_tx also expects transactions.
const (
	MbarrierNone    Mbarrier = iota // nothing
	MbarrierInit                    // initialises the object
	MbarrierInval                   // invalidates the object
	MbarrierArrive                  // arrives
	MbarrierDrop                    // arrives, and reduces the expected arrivals of later phases
	MbarrierTest                    // tests whether a phase is complete
	MbarrierTry                     // tests whether a phase is complete, and may wait for a time
	MbarrierExpect                  // expects transactions
	MbarrierDone                    // completes transactions
	MbarrierPending                 // returns the pending arrivals in a state
)

var mbarrierWords = []string{
	MbarrierInit: "init", MbarrierInval: "inval", MbarrierArrive: "arrive", MbarrierDrop: "arrive_drop",
	MbarrierTest: "test_wait",
	MbarrierTry:  "try_wait", MbarrierExpect: "expect_tx", MbarrierDone: "complete_tx",
	MbarrierPending: "pending_count",
}

// Mbarrier returns the operation of an mbarrier instruction, MbarrierNone for other instructions, including copies that
// signal an mbarrier.
func (d *Decoded) Mbarrier() Mbarrier {
	if d.Instr.Name != "mbarrier" {
		return MbarrierNone
	}
	return Mbarrier(max(0, slices.IndexFunc(mbarrierWords, func(w string) bool { return w != "" && d.Has(w) })))
}

// Waits reports whether the operation tests the completion of a phase.
func (m Mbarrier) Waits() bool { return m == MbarrierTest || m == MbarrierTry }
