package barracuda

import "slices"

// syncVar is S_x: when threads of each block, and with which scope, last synchronised
// with location x. The paper keeps a vector clock for each block, which releases of
// global scope write for all blocks (RELGLOBAL) and acquires of global scope read of
// all (ACQGLOBAL). Here those that concern all blocks are kept once.
type syncVar struct {
	all      *clocks                // releases of any scope by anyone: ⊔ S_x[b]
	global   *clocks                // releases of global scope: in all S_x[b]
	wide     *clocks                // releases for whose scope there was no room
	blocks   map[uint64]*clocks     // releases of block scope, by block; of mutual scopes, of any scope
	clusters map[uint64]*clusterVar // by cluster
	last     acquired
}

// acquired is what an acquire has joined, and the result.
type acquired struct {
	parts [4]*clocks
	all   *clocks
}

// below reports whether clocks of the location are known to be below those of a thread that
// has acquired seen.
func (s *syncVar) below(c, seen *clocks) bool {
	return c == nil || c == seen || seen != nil && seen == s.last.all && slices.Contains(s.last.parts[:], c)
}

// raise is join(old, vc) for clocks of the location and those of a thread that has acquired
// seen.
func (s *syncVar) raise(old, vc, seen *clocks) *clocks {
	if s.below(old, seen) {
		return vc
	}
	return join(old, vc)
}

// clusterVar is the same for the blocks of a cluster, whose scope is newer than the paper.
type clusterVar struct {
	all *clocks // releases of any scope by its blocks
	own *clocks // releases of cluster scope
}

// acqBlock is what ACQBLOCK joins into C_t: what has been released to the block.
func (s *syncVar) acqBlock(b *block) *clocks {
	vc := join(s.global, s.blocks[b.index])
	if c := s.clusters[b.cluster]; c != nil {
		vc = join(vc, c.own)
	}
	return vc
}

// acqCluster is the same for an acquire of cluster scope: what has been released to the
// cluster, or by one of its blocks.
func (s *syncVar) acqCluster(b *block) *clocks {
	if c := s.clusters[b.cluster]; c != nil {
		return join(s.global, c.all)
	}
	return s.global
}

// acqGlobal is what ACQGLOBAL joins into C_t: all that has been released.
func (s *syncVar) acqGlobal() *clocks { return s.all }

// acqMutual is what an acquire joins when both scopes have to include the other thread:
// what its own block has released, and what has been released to a scope that is in its
// own (PTX ISA, "Morally Strong Operations"; Options.Paper).
func (s *syncVar) acqMutual(b *block, scope Scope) *clocks {
	parts := [4]*clocks{s.wide, s.blocks[b.index]}
	if c := s.clusters[b.cluster]; c != nil && scope >= ScopeCluster {
		parts[2] = c.own
	}
	if scope == ScopeGlobal {
		parts[3] = s.global
	}
	if parts != s.last.parts {
		s.last = acquired{parts: parts}
		for _, c := range parts {
			s.last.all = join(s.last.all, c)
		}
	}
	return s.last.all
}

func (s *syncVar) acquire(b *block, scope Scope) *clocks {
	switch scope {
	case ScopeGlobal:
		return s.acqGlobal()
	case ScopeCluster:
		return s.acqCluster(b)
	}
	return s.acqBlock(b)
}

// relBlock is RELBLOCK. The figure's rules put C_t in the place of S_x[b]; section 3.2
// orders every release before a later acquire, which takes a join.
func (s *syncVar) relBlock(b *block, vc *clocks) {
	if s.blocks == nil {
		s.blocks = make(map[uint64]*clocks)
	}
	s.blocks[b.index] = join(s.blocks[b.index], vc)
}

// relCluster is the same for the blocks of a cluster.
func (s *syncVar) relCluster(b *block, vc *clocks) {
	c := s.cluster(b)
	c.own = join(c.own, vc)
}

// relGlobal is RELGLOBAL, for all blocks.
func (s *syncVar) relGlobal(vc *clocks) { s.global = join(s.global, vc) }

// entries is how many entries a release of a block makes that are not there yet.
func (s *syncVar) entries(b *block, scope Scope, mutual bool) int {
	n := 0
	if b.clustered && s.clusters[b.cluster] == nil {
		n++
	}
	if (mutual || scope == ScopeBlock) && s.blocks[b.index] == nil {
		n++
	}
	return n
}

// releaseAll is a release to all blocks whose scope is forgotten.
func (s *syncVar) releaseAll(vc *clocks) {
	s.all = join(s.all, vc)
	s.wide = join(s.wide, vc)
	s.relGlobal(vc)
}

func (s *syncVar) release(b *block, scope Scope, vc *clocks) {
	only := s.all == s.global // all releases have been global
	s.all = join(s.all, vc)
	if b.clustered {
		c := s.cluster(b)
		c.all = join(c.all, vc)
	}
	switch scope {
	case ScopeGlobal:
		if only {
			s.global = s.all
			return
		}
		s.relGlobal(vc)
	case ScopeCluster:
		s.relCluster(b, vc)
	default:
		s.relBlock(b, vc)
	}
}

// relMutual is a release for acqMutual, by a thread that has acquired seen.
func (s *syncVar) relMutual(b *block, scope Scope, vc, seen *clocks) {
	if s.blocks == nil {
		s.blocks = make(map[uint64]*clocks)
	}
	s.blocks[b.index] = s.raise(s.blocks[b.index], vc, seen)
	if scope >= ScopeCluster && b.clustered {
		c := s.cluster(b)
		c.own = s.raise(c.own, vc, seen)
	}
	if scope == ScopeGlobal {
		s.global = s.raise(s.global, vc, seen)
	}
}

func (s *syncVar) cluster(b *block) *clusterVar {
	c := s.clusters[b.cluster]
	if c == nil {
		if s.clusters == nil {
			s.clusters = make(map[uint64]*clusterVar)
		}
		c = new(clusterVar)
		s.clusters[b.cluster] = c
	}
	return c
}

// rising reports whether each lane has an address beyond that of the lane before, so that all
// are at locations of their own.
func (op *Op) rising() bool {
	m := op.Mask
	last := op.Addr[first(m)]
	for m &= m - 1; m != 0; m &= m - 1 {
		addr := op.Addr[first(m)]
		if addr <= last {
			return false
		}
		last = addr
	}
	return true
}

// synchronise is ACQBLOCK, RELBLOCK, ACQGLOBAL, RELGLOBAL, or the first of them and
// then the second, which is ACQRELBLK and ACQRELGLB, for each lane of an operation. The
// ENDINSN that follows increments the clocks of those that release.
func (s *syncVars) synchronise(b *block, w *warp, p *path, op *Op) {
	scope := op.Order.Scope
	if scope == ScopeCluster && !b.clustered {
		scope = ScopeBlock
	}
	before := w.view(p)
	after := before
	apart := op.rising()
	for m := op.Mask; m != 0; {
		key := keyOf(op, first(m))
		lanes := m & -m // at the same location
		for r := m & (m - 1); r != 0 && !apart; r &= r - 1 {
			if i := first(r); op.Addr[i] == key.addr {
				lanes |= 1 << i
			}
		}
		m &^= lanes
		var acquired *clocks
		if op.Order.Acquire {
			if x := s.find(key); x != nil {
				acquired = s.acquire(x, b, scope)
				after.acquire(acquired, w.full)
			}
		}
		if op.Order.Release {
			s.release(s.at(key), b, scope, join(acquired, before.clocks(lanes, w.full)), before.seen)
		}
	}
	*p = after.path
}
