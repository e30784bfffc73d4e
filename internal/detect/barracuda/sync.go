// Synchronisation variables: acquire and release with the scopes of the paper.

package barracuda

import "slices"

// syncVar is S_x: what threads of each block last released at location x, and with which scope. The paper keeps a
// vector clock for each block; releases of global scope write those of all blocks (RELGLOBAL), and acquires of global
// scope read all of them (ACQGLOBAL). Here clocks that concern all blocks are kept once. A line of the processor's
// cache has room for two syncVars.
type syncVar struct {
	global   *releasedClock // releases of global scope: in all S_x[b]
	own      *releasedClock // releases of block scope by one block; with mutual scopes, releases of any scope
	*rareVar                // read-only if it is noRare: write to what rare returns
	block    uint32         // the block of own
}

// rareVar is the part of a syncVar that most locations do not need.
type rareVar struct {
	releaseTable                        // releases of block scope by blocks other than syncVar.block
	all          *releasedClock         // releases of any scope by any thread: ⊔ S_x[b]
	wide         *releasedClock         // releases kept without their scope, after the limit on entries: every acquire reads them
	clusters     map[uint64]*clusterVar // by cluster
	last         *acquisition           // nil if no acquire has joined several clocks
}

// noRare is the rareVar of locations that need none.
var noRare rareVar

// rare returns the location's own rareVar, which it makes if missing.
func (s *syncVar) rare() *rareVar {
	if s.rareVar == &noRare {
		s.rareVar = new(rareVar)
	}
	return s.rareVar
}

// acquisition is the clocks that an acquire has joined, and the result.
type acquisition struct {
	parts [4]*releasedClock
	all   *releasedClock
}

// below reports whether clock c of the location is known to be included in that of a thread that has acquired seen.
func (s *syncVar) below(c, seen *releasedClock) bool {
	return c == nil || c == seen || seen != nil && s.last != nil && seen == s.last.all &&
		slices.Contains(s.last.parts[:], c)
}

// raise returns sum(old, vc), where old is a clock of the location and vc that of a thread that has acquired seen.
func (s *syncVar) raise(old, vc, seen *releasedClock) *releasedClock {
	if s.below(old, seen) {
		return vc
	}
	return sum(old, vc)
}

// clusterVar is S_x for the blocks of a cluster, a scope newer than the paper.
type clusterVar struct {
	all *releasedClock // releases of any scope by its blocks
	own *releasedClock // releases of cluster scope
}

// acqBlock returns what ACQBLOCK joins into C_t: the releases to the block.
func (s *syncVar) acqBlock(b *block) *releasedClock {
	vc := sum(s.global, s.of(b.index))
	if c := s.clusters[b.cluster]; c != nil {
		vc = sum(vc, c.own)
	}
	return vc
}

// acqCluster returns what an acquire of cluster scope joins: the releases to the cluster, or by one of its blocks.
func (s *syncVar) acqCluster(b *block) *releasedClock {
	if c := s.clusters[b.cluster]; c != nil {
		return sum(s.global, c.all)
	}
	return s.global
}

// acqGlobal returns what ACQGLOBAL joins into C_t: all releases.
func (s *syncVar) acqGlobal() *releasedClock { return s.all }

// acqMutual returns what an acquire joins if both scopes must include the other thread: the releases by its own block,
// and those whose scope is within its own (PTX ISA, "Morally Strong Operations"; Options.Paper).
func (s *syncVar) acqMutual(b *block, scope Scope) *releasedClock {
	own := s.of(b.index)
	if s.wide == nil && s.clusters == nil {
		switch {
		case scope != ScopeGlobal || s.global == nil || s.global == own:
			return own
		case own == nil:
			return s.global
		}
	}
	parts := [4]*releasedClock{s.wide, own}
	if c := s.clusters[b.cluster]; c != nil && scope >= ScopeCluster {
		parts[2] = c.own
	}
	if scope == ScopeGlobal {
		parts[3] = s.global
	}
	if one, only := onlyPart(&parts); only {
		return one
	}
	if s.last == nil || parts != s.last.parts {
		s.rare().last = &acquisition{parts: parts}
		for _, c := range parts {
			s.last.all = sum(s.last.all, c)
		}
	}
	return s.last.all
}

// onlyPart returns the clock that all non-nil parts equal, or false if they differ.
func onlyPart(parts *[4]*releasedClock) (one *releasedClock, only bool) {
	for _, c := range parts {
		switch {
		case c == nil || c == one:
		case one != nil:
			return nil, false
		default:
			one = c
		}
	}
	return one, true
}

func (s *syncVar) acquire(b *block, scope Scope) *releasedClock {
	switch scope {
	case ScopeGlobal:
		return s.acqGlobal()
	case ScopeCluster:
		return s.acqCluster(b)
	}
	return s.acqBlock(b)
}

// relBlock is RELBLOCK. The figure's rules replace S_x[b] by C_t. Section 3.2 orders every release before a later
// acquire, which requires a join.
func (s *syncVar) relBlock(b *block, vc *releasedClock) {
	s.set(b.index, sum(s.of(b.index), vc))
}

// relCluster is RELBLOCK for the blocks of a cluster.
func (s *syncVar) relCluster(b *block, vc *releasedClock) {
	c := s.cluster(b)
	c.own = sum(c.own, vc)
}

// relGlobal is RELGLOBAL, for all blocks.
func (s *syncVar) relGlobal(vc *releasedClock) { s.global = sum(s.global, vc) }

// entries returns the number of new entries that a release of a block needs, whose own clock is of.
func (s *syncVar) entries(b *block, of **releasedClock, scope Scope, mutual bool) int {
	n := 0
	if b.clustered && s.clusters[b.cluster] == nil {
		n++
	}
	if (mutual || scope == ScopeBlock) && of == nil {
		n++
	}
	return n
}

// releaseAll records a release to all blocks, without its scope.
func (s *syncVar) releaseAll(vc *releasedClock) {
	r := s.rare()
	r.all, r.wide = sum(r.all, vc), sum(r.wide, vc)
	s.relGlobal(vc)
}

func (s *syncVar) release(b *block, scope Scope, vc *releasedClock) {
	only := s.all == s.global // all releases so far have been global
	s.rare().all = sum(s.all, vc)
	if b.clustered {
		c := s.cluster(b)
		c.all = sum(c.all, vc)
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

// relMutual records a release for acqMutual, by a thread that has acquired seen, of a block whose own clock is of.
func (s *syncVar) relMutual(b *block, of **releasedClock, scope Scope, vc, seen *releasedClock) {
	var before, after *releasedClock
	if of != nil {
		before = *of
		after = s.raise(before, vc, seen)
		*of = after
	} else {
		after = vc
		s.set(b.index, vc)
	}
	if scope >= ScopeCluster && b.clustered {
		c := s.cluster(b)
		c.own = s.raise(c.own, vc, seen)
	}
	switch {
	case scope != ScopeGlobal:
	case s.global == before:
		s.global = after
	default:
		s.global = s.raise(s.global, vc, seen)
	}
}

func (s *syncVar) cluster(b *block) *clusterVar {
	c := s.clusters[b.cluster]
	if c == nil {
		if s.clusters == nil {
			s.rare().clusters = make(map[uint64]*clusterVar)
		}
		c = new(clusterVar)
		s.clusters[b.cluster] = c
	}
	return c
}

// rising reports whether the address of each lane is greater than that of the lane before, so that all lanes are at
// different locations.
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

// synchronise applies ACQBLOCK, RELBLOCK, ACQGLOBAL or RELGLOBAL, or an acquire and then a release, which is ACQRELBLK
// and ACQRELGLB, for each lane of an operation. The ENDINSN that follows increments the clocks of the lanes that
// release.
func (s *syncVars) synchronise(b *block, w *warp, p *path, op *Op) {
	scope := op.Order.Scope
	if scope == ScopeCluster && !b.clustered {
		scope = ScopeBlock
	}
	before := w.clockOf(p)
	after := before
	var by *threadClock // the path's clock before, for released clocks
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
		own := s.made(key)
		var acquired *releasedClock
		if op.Order.Acquire {
			if x := s.known(own); x != nil {
				if acquired = s.acquire(x, b, scope); before.includes(acquired) {
					acquired = nil
				}
				after.acquire(acquired, &s.builders)
			}
		}
		if op.Order.Release {
			if by == nil {
				by = s.paths.Next()
				*by = before
				by.seen = nil
			}
			vc := s.released.Next()
			vc.by, vc.lanes = by, lanes
			vc.acquires(acquired, &s.builders.released)
			s.release(s.at(key, own), b, scope, vc, before.seen)
		}
	}
	if after.rest != before.rest {
		after.endAcquires(&s.builders)
	}
	*p = after.path
}
