// What instructions do at barriers.

package isa

// Barrier is what an instruction does at a barrier of threads (PTX ISA, "bar, barrier",
// "bar.warp.sync", "barrier.cluster").
type Barrier struct {
	Of      BarrierOf
	Step    BarrierStep
	Aligned bool // all threads of a warp execute the same instruction
	// ID and Threads are the indices of the operands that number the barrier and say how
	// many threads take part; of a warp's, ID is that of the mask. -1 when there is none.
	ID, Threads int
}

// BarrierOf says whose barrier it is.
type BarrierOf uint8

// Owners of barriers.
const (
	BarrierOfNone BarrierOf = iota
	BarrierOfWarp
	BarrierOfCTA
	BarrierOfCluster
)

// BarrierStep is what a thread does there.
type BarrierStep uint8

// Steps.
const (
	BarrierSync   BarrierStep = iota // arrives and waits
	BarrierArrive                    // arrives and goes on
	BarrierWait                      // waits, having arrived
	BarrierReduce                    // arrives, waits and has a value of all threads
)

// Barrier is what the instruction does at a barrier; false for other instructions, those
// on mbarrier objects among them.
func (d *Decoded) Barrier() (Barrier, bool) {
	if d.Instr.Class != ClassBarrier {
		return Barrier{}, false
	}
	b := Barrier{Of: BarrierOfCTA, Aligned: d.Instr.Name == "bar" || d.Has("aligned"), ID: d.operandNamed("a"), Threads: d.operandNamed("b")}
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
