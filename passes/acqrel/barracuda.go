// The patterns as BARRACUDA uses them: which instructions acquire or release.

package acqrel

// BARRACUDA (PLDI 2017, section 3.1) takes patterns thus: a load and an atom.cas with
// a fence behind acquire, a store and an atom.exch with a fence before release, and
// another atomic operation between two fences does both. The paper is silent on those
// with one fence. Behind, it makes an acquire; before, both: what the counter of
// threadFenceReduction is, in which the paper finds no race.

// Acquires reports whether the access acquires, to BARRACUDA.
func (p *Pattern) Acquires() bool {
	op := p.Inst.Access.AtomOp
	other := p.Inst.Access.Atomic() && op != "cas" && op != "exch"
	return p.Kind == Acquire || p.Kind == AcquireRelease || p.Kind == Lock || p.Kind == Release && other && len(p.Fences) > 0
}

// Releases reports whether the access releases, to BARRACUDA.
func (p *Pattern) Releases() bool {
	return p.Kind == Release || p.Kind == AcquireRelease || p.Kind == Unlock
}
