// The acquire and release of patterns as BARRACUDA defines them.

package acqrel

// BARRACUDA (PLDI 2017, section 3.1) interprets patterns as follows: a load and an atom.cas acquire if a fence follows,
// a store and an atom.exch release if a fence precedes, and another atomic operation between two fences does both. The
// paper does not define other atomic operations with one fence. Here, one with a fence behind acquires. One with a
// fence before does both, as the counter of threadFenceReduction, in which the paper finds no race.

// Acquires reports whether the access acquires in BARRACUDA's sense.
func (p *Pattern) Acquires() bool {
	op := p.Inst.Access.AtomOp
	other := p.Inst.Access.Atomic() && op != "cas" && op != "exch"
	return p.Kind == Acquire || p.Kind == AcquireRelease || p.Kind == Lock ||
		p.Kind == Release && other && len(p.Fences) > 0
}

// Releases reports whether the access releases in BARRACUDA's sense.
func (p *Pattern) Releases() bool {
	return p.Kind == Release || p.Kind == AcquireRelease || p.Kind == Unlock
}
