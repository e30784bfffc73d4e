// Decoding of loads whose value is used only under a condition. A lane in which the condition is false executes such a load,
// and listeners get no event of it.

package emu

import (
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/lowering"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/rewrite/query"
)

// demand returns the condition under which the value of a load is used, if the listener needs only such loads.
func (d *decoder) demand(in *rewrite.Inst) (query.Demand, bool) {
	if i := &d.m.interest; d.m.cfg.Listener == nil || !i.Used || in.Access.Kind != isa.AccessLoad || !i.NeedsSite(in) {
		return query.Demand{}, false
	}
	return query.DemandOf(in)
}

// appendDemanded is append for a load that is decoded to two: one without events, for lanes that do not use the value,
// and one for the others. A StepListener observes an instruction before them.
func (d *decoder) appendDemanded(in *rewrite.Inst, src int32, c query.Demand, step instFlags) error {
	if step != 0 {
		d.fn.code = append(d.fn.code, inst{body: execNothing, guard: slotTrue, src: src, flags: step})
	}
	used, unused, err := d.demanded(in, src, c)
	if err != nil {
		return err
	}
	d.silent = true
	err = d.appendUnder(in, src, unused.slot, unused.xor, 0)
	if d.silent = false; err != nil {
		return err
	}
	return d.appendUnder(in, src, used.slot, used.xor, 0)
}

// predicate is a predicate, inverted by xor in some lanes.
type predicate struct {
	slot slot
	xor  lanes
}

// demanded returns the predicates of the lanes that execute a load and use its value, and of those that do not use it.
func (d *decoder) demanded(in *rewrite.Inst, src int32, c query.Demand) (used, unused predicate, err error) {
	regs := slices.Clone(d.regs)
	defer func() { d.regs = regs }()
	for _, a := range c.Ahead {
		if err := d.appendAhead(a, src); err != nil {
			return used, unused, err
		}
	}
	if len(c.Any) == 1 && in.Guard == nil {
		s, xor := d.regs[c.Any[0].Reg.Index], lanes(0)
		if c.Any[0].Not {
			xor = allLanes
		}
		return predicate{s, xor}, predicate{s, ^xor}, nil
	}
	u := predicate{slot: d.alloc(1)}
	n := predicate{slot: d.alloc(1)}
	d.anyOf(src, u.slot, c.Any)
	d.appendPredicate(src, vector.NotPred, execNotPred, n.slot, u.slot, 0)
	if in.Guard != nil {
		g := d.positiveGuard(in, src)
		d.appendPredicate(src, vector.AndPred, execAndPred, u.slot, u.slot, g)
		d.appendPredicate(src, vector.AndPred, execAndPred, n.slot, n.slot, g)
	}
	return u, n, nil
}

// appendAhead executes an instruction ahead of its place: what it writes is in slots of its own.
func (d *decoder) appendAhead(in *rewrite.Inst, src int32) error {
	in.Defs(func(r *rewrite.Reg) {
		s, bits := d.alloc(slotBits(r.Type)), slotBits(r.Type)
		if reads(in, r) {
			d.fn.code = append(d.fn.code, inst{
				d: s, a: d.regs[r.Index], body: moveBody(r.Type),
				op: lowering.Move(bits), guard: slotTrue, src: src,
			})
		}
		d.regs[r.Index] = s
	})
	return d.appendUnder(in, src, slotTrue, 0, 0)
}

// reads reports whether an instruction reads a register.
func reads(in *rewrite.Inst, r *rewrite.Reg) (found bool) {
	in.Uses(func(u *rewrite.Reg) { found = found || u == r })
	return found
}

// anyOf computes whether one of some conditions holds.
func (d *decoder) anyOf(src int32, to slot, any []query.Condition) {
	for i, c := range any {
		from := d.regs[c.Reg.Index]
		if c.Not {
			n := d.alloc(1)
			d.appendPredicate(src, vector.NotPred, execNotPred, n, from, 0)
			from = n
		}
		if i == 0 {
			d.appendPredicate(src, lowering.Move(1), execMovePred, to, from, 0)
		} else {
			d.appendPredicate(src, vector.OrPred, execOrPred, to, to, from)
		}
	}
}

// positiveGuard returns the guard of an instruction as a predicate that is not inverted.
func (d *decoder) positiveGuard(in *rewrite.Inst, src int32) slot {
	g := d.regs[in.Guard.Index]
	if !in.GuardNot {
		return g
	}
	n := d.alloc(1)
	d.appendPredicate(src, vector.NotPred, execNotPred, n, g, 0)
	return n
}

// appendPredicate computes a predicate from one or two.
func (d *decoder) appendPredicate(src int32, op vector.Op, body bodyFunc, to, a, b slot) {
	d.fn.code = append(d.fn.code, inst{d: to, a: a, b: b, body: body, op: op, guard: slotTrue, src: src})
}

func execAndPred(x *engine, in *inst, m lanes) {
	put(x.frame.p(in.d), m, *x.frame.p(in.a)&*x.frame.p(in.b))
}

func execOrPred(x *engine, in *inst, m lanes) {
	put(x.frame.p(in.d), m, *x.frame.p(in.a)|*x.frame.p(in.b))
}
