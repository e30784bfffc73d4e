package barracuda

// syncVar is S_x: when threads of each block, and with which scope, last synchronised
// with location x. The paper keeps a vector clock for each block, which releases of
// global scope write for all blocks (RELGLOBAL) and acquires of global scope read of
// all (ACQGLOBAL). Here those that concern all blocks are kept once.
type syncVar struct {
	all      *clocks                // releases of any scope by anyone: ⊔ S_x[b]
	global   *clocks                // releases of global scope: in all S_x[b]
	blocks   map[uint64]*clocks     // releases of block scope, by block
	clusters map[uint64]*clusterVar // by cluster
}

// clusterVar is the same for the blocks of a cluster, whose scope is newer than the paper.
type clusterVar struct {
	all *clocks // releases of any scope by its blocks
	own *clocks // releases of cluster scope
}

// acquired is what an acquire of a block learns: the join of the S_x[b] in scope.
func (s *syncVar) acquired(b *block, scope Scope) *clocks {
	switch scope {
	case ScopeGlobal:
		return s.all
	case ScopeCluster:
		if c := s.clusters[b.cluster]; c != nil {
			return join(s.global, c.all)
		}
		return s.global
	}
	vc := join(s.global, s.blocks[b.index])
	if c := s.clusters[b.cluster]; c != nil {
		vc = join(vc, c.own)
	}
	return vc
}

// release adds a release. The figure's rules put C_t in the place of S_x[b]; section
// 3.2 orders every release before a later acquire, which takes a join.
func (s *syncVar) release(b *block, scope Scope, vc *clocks) {
	s.all = join(s.all, vc)
	c := s.clusters[b.cluster]
	if c == nil {
		if s.clusters == nil {
			s.clusters = make(map[uint64]*clusterVar)
		}
		c = new(clusterVar)
		s.clusters[b.cluster] = c
	}
	c.all = join(c.all, vc)
	switch scope {
	case ScopeGlobal:
		s.global = join(s.global, vc)
	case ScopeCluster:
		c.own = join(c.own, vc)
	default:
		if s.blocks == nil {
			s.blocks = make(map[uint64]*clocks)
		}
		s.blocks[b.index] = join(s.blocks[b.index], vc)
	}
}

// syncKey names a synchronisation location. Shared memory is that of a cluster.
type syncKey struct {
	cluster uint64
	shared  bool
	addr    uint64
}

// syncVars are the S_x.
type syncVars map[syncKey]*syncVar

func (s syncVars) at(k syncKey) *syncVar {
	x := s[k]
	if x == nil {
		x = new(syncVar)
		s[k] = x
	}
	return x
}

// synchronise is ACQBLOCK, RELBLOCK, ACQRELBLK, ACQGLOBAL, RELGLOBAL or ACQRELGLB for
// each lane of an operation, without the ENDINSN that follows.
func (s syncVars) synchronise(b *block, w *warp, p *path, op *Op) {
	before := w.view(p)
	after := before
	for m := op.Mask; m != 0; {
		key := keyOf(op, first(m))
		lanes := uint32(0) // at the same location
		for r := m; r != 0; r &= r - 1 {
			if i := first(r); op.Addr[i] == key.addr {
				lanes |= 1 << i
			}
		}
		m &^= lanes
		x, acquired := s.at(key), (*clocks)(nil)
		if op.Order.Acquire {
			acquired = x.acquired(b, op.Order.Scope)
			after.acquire(acquired, w.full)
		}
		if op.Order.Release {
			x.release(b, op.Order.Scope, join(acquired, before.clocks(lanes, w.full)))
		}
	}
	*p = after.path
}
