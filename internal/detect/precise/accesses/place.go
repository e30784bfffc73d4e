// Places of threads: which of them operations of a scope reach.

package accesses

import "github.com/ptxsan/ptxsan/runtime/abi"

// Reach is a scope as seen from one GPU: the distance from the block of its thread that an operation reaches.
type Reach uint8

// The reaches, and their number.
const (
	ReachBlock Reach = iota
	ReachCluster
	ReachAll
	Reaches
)

// ReachOf returns the reach of a scope.
func ReachOf(s abi.Scope) Reach {
	switch s {
	case abi.ScopeCTA:
		return ReachBlock
	case abi.ScopeCluster:
		return ReachCluster
	}
	return ReachAll
}

// Place is where a thread is: its grid, block and cluster.
type Place struct {
	Grid    uint32
	Block   uint64
	Cluster uint64
}

// Within reports whether an operation at p that reaches r includes threads at q.
func (p *Place) Within(r Reach, q *Place) bool {
	switch {
	case r == ReachAll:
		return true
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
