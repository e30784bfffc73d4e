// Places of threads: which of them operations of a scope reach.

package accesses

import "github.com/ptxsan/ptxsan/runtime/abi"

// Reach is a scope: the distance from the block of its thread that an operation reaches.
type Reach uint8

// The reaches, and their number.
const (
	ReachBlock Reach = iota
	ReachCluster
	ReachDevice // of launches on devices with a number; it is ReachAll for others, which are all on one
	ReachAll
	Reaches
)

// ReachOf returns the reach of a scope of threads on a device with a number, or without.
func ReachOf(s abi.Scope, numbered bool) Reach {
	switch s {
	case abi.ScopeCTA:
		return ReachBlock
	case abi.ScopeCluster:
		return ReachCluster
	case abi.ScopeGPU:
		if numbered {
			return ReachDevice
		}
	}
	return ReachAll
}

// Place is where a thread is: its device, grid, block and cluster.
type Place struct {
	Device  uint32 // from 1; 0 if all threads are on one device
	Grid    uint32
	Block   uint64
	Cluster uint64
}

// Within reports whether an operation at p that reaches r includes threads at q.
func (p *Place) Within(r Reach, q *Place) bool {
	switch {
	case r == ReachAll:
		return true
	case r == ReachDevice:
		return p.Device == q.Device && p.Device != 0
	case p.Grid != q.Grid:
		return false
	case r == ReachCluster:
		return p.Cluster == q.Cluster
	}
	return p.Block == q.Block
}

// Least returns the least reach of an operation at p that includes threads at q.
func (p *Place) Least(q *Place) Reach {
	for r := ReachBlock; r < ReachAll; r++ {
		if p.Within(r, q) {
			return r
		}
	}
	return ReachAll
}

// Mutual reports whether the scopes of operations at p and q include each other's threads.
func Mutual(pr Reach, p *Place, qr Reach, q *Place) bool {
	return p.Within(pr, q) && q.Within(qr, p)
}
