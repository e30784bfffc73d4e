// What instructions do with mbarrier objects.

package isa

import "slices"

// Mbarrier is what an instruction does with an mbarrier object (PTX ISA, "mbarrier").
type Mbarrier uint8

// What instructions do. An arrival may expect transactions, too, which its modifier expect_tx says.
const (
	MbarrierNone    Mbarrier = iota // nothing
	MbarrierInit                    // makes it
	MbarrierInval                   // ends it
	MbarrierArrive                  // arrives
	MbarrierDrop                    // arrives, and is not expected in later phases
	MbarrierTest                    // asks whether a phase is complete
	MbarrierTry                     // the same, and may wait for a time
	MbarrierExpect                  // expects transactions
	MbarrierDone                    // completes transactions
	MbarrierPending                 // reads the arrivals that are left out of a state
)

var mbarrierWords = []string{
	MbarrierInit: "init", MbarrierInval: "inval", MbarrierArrive: "arrive", MbarrierDrop: "arrive_drop", MbarrierTest: "test_wait",
	MbarrierTry: "try_wait", MbarrierExpect: "expect_tx", MbarrierDone: "complete_tx", MbarrierPending: "pending_count",
}

// Mbarrier is MbarrierNone for other instructions than those of mbarrier: copies that signal one among them.
func (d *Decoded) Mbarrier() Mbarrier {
	if d.Instr.Name != "mbarrier" {
		return MbarrierNone
	}
	return Mbarrier(max(0, slices.IndexFunc(mbarrierWords, func(w string) bool { return w != "" && d.Has(w) })))
}

// Waits reports whether it asks for a phase.
func (m Mbarrier) Waits() bool { return m == MbarrierTest || m == MbarrierTry }
