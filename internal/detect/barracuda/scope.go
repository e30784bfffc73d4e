// Scopes of atomic operations, and whether two operations are within each other's scope.

package barracuda

// Scopes on atomic operations are newer than the paper. Two concurrent ones race unless the scope of each includes the
// other's thread (PTX ISA, "Morally Strong Operations").

// atomicScopes holds the scope of the atomic accesses of each instruction.
type atomicScopes []Scope // by site; ScopeGlobal if unknown

// maxReachSites limits the table: the sites of modules are dense, but those of a damaged trace may not be.
const maxReachSites = 1 << 24

// note records the scope of an atomic access.
func (r *atomicScopes) note(op *Op) {
	if op.Reach == ScopeGlobal || op.Site >= maxReachSites {
		return
	}
	for int(op.Site) >= len(*r) {
		*r = append(*r, ScopeGlobal)
	}
	(*r)[op.Site] = op.Reach
}

func (r atomicScopes) of(site uint32) Scope {
	if int(site) < len(r) {
		return r[site]
	}
	return ScopeGlobal
}

func (a *access) atomicKind() bool { return a.kind == Atomic || a.kind == AtomicRead }

// inScope reports whether the scopes of an atomic access and of an earlier one, by a warp at a site, include each
// other's threads.
func (a *access) inScope(warp, site uint32) bool {
	block, other := uint64(a.id>>fanoutBits), uint64(warp>>fanoutBits)
	switch {
	case block == other:
		return true
	case a.op.Reach == ScopeBlock:
		return false
	}
	switch min(a.op.Reach, a.checker.scopes.of(site)) {
	case ScopeGlobal:
		return true
	case ScopeCluster:
		return a.checker.clusterOf(block) == a.checker.clusterOf(other)
	}
	return false
}
