// Operations on barriers.

package isa

// Barrier is an operation on a barrier of threads (PTX ISA, "bar, barrier", "bar.warp.sync", "barrier.cluster").
type Barrier struct {
	Of      BarrierOf
	Step    BarrierStep
	Aligned bool // all threads of a warp execute the same instruction
	// ID and Threads are the indices of the operands with the barrier's number and the number of participating threads.
	// For a warp's barrier, ID is the index of the mask. -1 when there is none.
	ID, Threads int
}

// BarrierOf is the set of threads that a barrier belongs to.
type BarrierOf uint8

// Owners of barriers.
const (
	BarrierOfNone BarrierOf = iota
	BarrierOfWarp
	BarrierOfCTA
	BarrierOfCluster
)

// BarrierStep is the operation of a thread.
type BarrierStep uint8

// Barrier operations.
const (
	BarrierSync   BarrierStep = iota // arrives and waits
	BarrierArrive                    // arrives without waiting
	BarrierWait                      // waits after an arrival
	BarrierReduce                    // arrives, waits and returns a value of all threads
)

// Barrier returns the operation of the instruction on a barrier; false for other instructions, including those on
// mbarrier objects.
func (d *Decoded) Barrier() (Barrier, bool) {
	if d.Instr.Class != ClassBarrier {
		return Barrier{}, false
	}
	b := Barrier{Of: BarrierOfCTA, Aligned: d.Instr.Name == "bar" ||
		d.Has("aligned"), ID: d.operandNamed("a"), Threads: d.operandNamed("b")}
	switch {
	case d.Has("warp"):
		b.Of, b.Aligned, b.ID = BarrierOfWarp, false, d.operandNamed("membermask")
	case d.Has("cluster"):
		b.Of = BarrierOfCluster
	}
	switch {
	case d.Has("arrive"):
		b.Step = BarrierArrive
	case d.Has("wait"):
		b.Step = BarrierWait
	case d.Has("red"):
		b.Step = BarrierReduce
	}
	return b, true
}

// OrdersGrids reports whether an instruction orders dependent grids: griddepcontrol.
func (d *Decoded) OrdersGrids() bool { return d.Instr.Name == "griddepcontrol" }
