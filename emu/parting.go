package emu

// Where lanes part and meet under the lockstep policy, as rewrite.Parting says. Most
// branches have one join that all lanes come to which do not end before: it is in the
// instruction, as under the other policies. The others have a parting.

// parting is what a branch does with lanes that go different ways.
type parting struct {
	joins      []joinPoint // outermost first
	takenFirst bool        // go on with the lanes that jump
}

// joinPoint is a join of a parting.
type joinPoint struct {
	pc      int32
	partial bool // lanes may come past it
}

// partingOf is decoder.joinOf under the lockstep policy. A branch that one join does
// not describe gets a parting.
func (d *decoder) partingOf(b *body, i int, pc int32) int32 {
	p := b.parting(i)
	for _, j := range p.joins {
		d.endsAt(j.pc)
	}
	switch {
	case p.takenFirst || len(p.joins) > 1 || len(p.joins) == 1 && p.joins[0].partial:
		if d.fn.partings == nil {
			d.fn.partings = map[int32]*parting{}
		}
		d.fn.partings[pc] = p
		return joinAtReturn
	case len(p.joins) == 1:
		return p.joins[0].pc
	}
	return joinAtReturn
}

// parting is where the lanes go that part at instruction i. Lanes that return from an
// inlined body meet at its end at the latest; from others they meet in the caller.
func (b *body) parting(i int) *parting {
	cfg, p := b.src.CFG(), &parting{}
	block := cfg.BlockOf[i]
	from := b.src.Partings()[block.Index]
	last := len(from.Joins) - 1
	whole := from.Whole
	if b.place != nil && (last < 0 || from.Joins[last] != block.IPDom) {
		p.joins = append(p.joins, joinPoint{pc: b.end()})
		whole = false
	}
	for k := last; k >= 0; k-- {
		p.joins = append(p.joins, joinPoint{b.starts[from.Joins[k].Start], k < last || !whole})
	}
	p.takenFirst = from.First != nil && from.First == block.Succs[0]
	return p
}

// part splits g, which stands at the branch in: the lanes in taken go to the target, the
// others on.
func (x *exec) part(g *group, taken lanes, in *inst, p *parting) {
	x.expect(g, p)
	fall := g.pc + 1
	if p.takenFirst {
		x.setAside(g, g.mask&^taken, fall, p)
		g.pc = in.tgt
		return
	}
	x.setAside(g, taken, in.tgt, p)
	g.pc = fall
}

// expect gives g the joins of a parting, but those that it has.
func (x *exec) expect(g *group, p *parting) {
	for _, j := range p.joins {
		if !g.expectedAt(j.pc) {
			g.join = x.newJoin(g.frame, j.pc, g.mask, g.join)
			g.join.partial = j.partial
		}
	}
}

// expectedAt reports whether g has a join at pc of its frame.
func (g *group) expectedAt(pc int32) bool {
	for j := g.join; j != nil && j.frame == g.frame; j = j.parent {
		if j.pc == pc {
			return true
		}
	}
	return false
}

// setAside takes the lanes in m from g, to go on at pc when it is their turn. Under the
// lockstep policy, for which there is a parting, they wait right away if they have a join
// there.
func (x *exec) setAside(g *group, m lanes, pc int32, p *parting) {
	if p != nil {
		if j := g.join.reached(g.frame, pc); j != nil {
			x.leaveUntil(g.join, j, m)
			x.wait(j, m)
			g.mask &^= m
			return
		}
	}
	x.sched.diverged(x, x.split(g, m, pc, g.join))
}
