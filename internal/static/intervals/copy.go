// Asynchronous copies: which barriers a thread passes, and what it accesses, before it has waited for a copy.

package intervals

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/symbolic"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// maxGroups limits the number of groups that are counted; a wait that leaves more groups pending is ignored.
const maxGroups = 32

// roundUnknown is a number of iterations since a copy was issued that is not counted: more than maxAhead, or the loop
// was left.
const roundUnknown = maxAhead + 1

// inFlight is a state of the search from a copy: an instruction, and the groups that the thread has committed since.
type inFlight struct {
	place
	groups int8
	passed
}

// passed holds the iterations since a copy was issued, by loop.
type passed struct {
	around  [maxTurns]uint8 // for the loops around the copy, the innermost first: how many have begun
	entered [maxTurns]uint8 // for other loops with barriers: 0 outside, n in iteration n-1
}

// meanwhile is an access by the issuing thread itself before it has waited for its copy.
type meanwhile struct {
	place
	passed
}

// copied is an asynchronous copy and its loops.
type copied struct {
	place
	around, others []*symbolic.Loop
}

// follows finds what a thread may do between a copy and its wait for it. The copy is performed at any time in between,
// so it is treated as if issued behind each barrier that the thread passes.
func (b *Barriers) follows(at place) {
	c := b.copied(at)
	seen := make(map[inFlight]bool)
	var work []inFlight
	push := func(v inFlight) {
		if !seen[v] {
			seen[v] = true
			work = append(work, v)
		}
	}
	first := inFlight{place: place{at.f, at.at + 1}}
	push(first)
	for len(work) > 0 && b.limit > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		b.flight(c, v, push)
	}
}

// copied returns a copy with the loops around it, and other loops with barriers.
func (b *Barriers) copied(at place) *copied {
	c := &copied{place: at, around: firstLoops(at.f.LoopsAround(at.f.CFG.BlockOf[at.at]))}
	for _, l := range b.loops {
		if !slices.Contains(c.around, l) {
			c.others = append(c.others, l)
		}
	}
	c.others = firstLoops(c.others)
	return c
}

// firstLoops returns the loops whose iterations are counted.
func firstLoops(ls []*symbolic.Loop) []*symbolic.Loop { return ls[:min(len(ls), maxTurns)] }

// flight processes the rest of a block.
func (b *Barriers) flight(c *copied, v inFlight, push func(inFlight)) {
	f := v.f
	if v.at >= len(f.Func.Insts) {
		c.returns(v, push)
		return
	}
	blk := f.CFG.BlockOf[v.at]
	for i := v.at; i < blk.End; i++ {
		b.limit--
		in, at := f.Func.Insts[i], place{f, i}
		if in.Guard == nil && v.waits(in) {
			return
		}
		if _, ok := b.is[at]; ok {
			b.note(c.place, after{b.starting[at], since{turns: c.turns(&b.starts[b.starting[at]], v.passed)}})
		}
		if len(in.Accesses) > 0 {
			b.meet(c.place, meanwhile{at, v.passed})
		}
		callees := f.Callees(in)
		for _, callee := range callees {
			push(inFlight{place{callee, 0}, v.groups, v.passed})
		}
		if len(callees) > 0 && in.Guard == nil {
			return
		}
	}
	for _, s := range blk.Succs {
		next := v
		if next.passed = c.behind(v.passed, f, blk, s); s != f.CFG.Exit {
			next.place = place{f, s.Start}
			push(next)
			continue
		}
		if last := f.Func.Insts[blk.End-1]; !last.Effects().Has(isa.Exits) && !last.Effects().Has(isa.Aborts) ||
			len(blk.Succs) > 1 {
			c.returns(next, push)
		}
	}
}

// waits counts the group that an instruction commits, and reports whether the instruction waits for the copy.
func (v *inFlight) waits(in *rewrite.Inst) bool {
	step, bulk := in.CopyGroups()
	if bulk {
		return false
	}
	switch step {
	case isa.CopyGroupsWaitAll:
		return true
	case isa.CopyGroupsCommit:
		v.groups = min(v.groups+1, maxGroups)
	case isa.CopyGroupsWait:
		n := &in.Operands[0]
		return n.Kind == rewrite.OperandImm && n.Imm < uint64(v.groups)
	}
	return false
}

// returns continues behind the call of a frame.
func (c *copied) returns(v inFlight, push func(inFlight)) {
	p := v.f.Parent
	if p == nil {
		return
	}
	for i, l := range c.around {
		if l.Frame == v.f {
			v.around[i] = roundUnknown
		}
	}
	v.place = place{p, v.f.Call.Index + 1}
	push(v)
}

// behind counts an edge: a back edge or exit of the loops around the copy, or the entry or a back edge of other loops.
func (c *copied) behind(p passed, f *symbolic.Frame, from, to *rewrite.Block) passed {
	for i, l := range c.around {
		switch {
		case l.Frame != f || !f.InLoop(from, l.Loop):
		case !f.InLoop(to, l.Loop):
			p.around[i] = roundUnknown
		case l.Loop.Header == to:
			p.around[i] = min(p.around[i]+1, roundUnknown)
		}
	}
	for i, l := range c.others {
		if l.Frame == f && l.Loop.Header == to {
			if p.entered[i] = min(p.entered[i]+1, roundUnknown); !f.InLoop(from, l.Loop) {
				p.entered[i] = 1
			}
		}
	}
	return p
}

// turns returns, for each loop around a barrier, the iteration in which the copy was issued relative to the barrier, or
// the iteration of the barrier if the copy was issued before the loop.
func (c *copied) turns(barrier *point, p passed) (out [maxTurns]uint8) {
	for i := range out {
		out[i] = turnOut
		if i < barrier.around {
			out[i] = turnMany
		}
	}
	for k, m := range firstLoops(barrier.loops[:barrier.around]) {
		if i := slices.Index(c.around, m); i >= 0 && p.around[i] != roundUnknown {
			if out[k] = turnNone; p.around[i] > 0 {
				out[k] = turnBefore + p.around[i] - 1
			}
		}
		if i := slices.Index(c.others, m); i >= 0 && p.entered[i] > 0 && p.entered[i] != roundUnknown {
			out[k] = turnEntered + p.entered[i] - 1
		}
	}
	return out
}

// meet records an access of a thread that has a copy in flight.
func (b *Barriers) meet(copying place, m meanwhile) {
	for _, x := range b.met[copying] {
		if x == m {
			return
		}
	}
	b.met[copying] = append(b.met[copying], m)
}

// Meanwhile returns the phases in which a thread may make an access before it has waited for its own copy: conditions
// on the iterations of loops. The copy is the first access of the phase.
func (b *Barriers) Meanwhile(copying, other *symbolic.Access) []Phase {
	var out []Phase
	c := b.copied(place{copying.Frame, copying.Inst.Index})
	for _, m := range b.met[c.place] {
		if m.place != (place{other.Frame, other.Inst.Index}) {
			continue
		}
		p := Phase{}
		for i, l := range c.around {
			if m.around[i] != roundUnknown {
				p = append(p, Rounds{l, 0, -int64(m.around[i])})
			}
		}
		for i, l := range c.others {
			if n := m.entered[i]; n > 0 && n != roundUnknown {
				p = append(p, Rounds{l, 2, int64(n) - 1})
			}
		}
		out = append(out, p)
	}
	return out
}
