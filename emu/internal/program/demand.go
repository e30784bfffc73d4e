// Decoding of loads whose value is used only under a condition. A lane in which the condition is false executes such a
// load, and listeners get no event of it.

package program

import (
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/exec"
	"github.com/ptxsan/ptxsan/emu/internal/lowering"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/rewrite/query"
)

// demand returns the condition under which the value of a load is used, if the listener needs only such loads.
func demand(d *state.Decoder, in *rewrite.Inst) (query.Demand, bool) {
	if i := &d.M.Interest; d.M.Cfg.Listener == nil || !i.Used || in.Access.Kind != isa.AccessLoad || !i.NeedsSite(in) {
		return query.Demand{}, false
	}
	return query.DemandOf(in)
}

// appendDemanded is append for a load that is decoded to two: one without events, for lanes that do not use the value,
// and one for the others. A StepListener observes an instruction before them.
func appendDemanded(d *state.Decoder, in *rewrite.Inst, src int32, c query.Demand, step state.InstFlags) error {
	if step != 0 {
		d.Fn.Code = append(d.Fn.Code, state.Inst{Body: exec.DoNothing, Guard: state.SlotTrue, Src: src, Flags: step})
	}
	used, unused, err := demanded(d, in, src, c)
	if err != nil {
		return err
	}
	d.Silent = true
	err = appendUnder(d, in, src, unused.slot, unused.xor, 0)
	if d.Silent = false; err != nil {
		return err
	}
	return appendUnder(d, in, src, used.slot, used.xor, 0)
}

// predicate is a predicate, inverted by xor in some lanes.
type predicate struct {
	slot state.Slot
	xor  state.Lanes
}

// demanded returns the predicates of the lanes that execute a load and use its value, and of those that do not use it.
func demanded(d *state.Decoder, in *rewrite.Inst, src int32, c query.Demand) (used, unused predicate, err error) {
	regs := slices.Clone(d.Regs)
	defer func() { d.Regs = regs }()
	for _, a := range c.Ahead {
		if err := appendAhead(d, a, src); err != nil {
			return used, unused, err
		}
	}
	if len(c.Any) == 1 && in.Guard == nil {
		s, xor := d.Regs[c.Any[0].Reg.Index], state.Lanes(0)
		if c.Any[0].Not {
			xor = state.AllLanes
		}
		return predicate{s, xor}, predicate{s, ^xor}, nil
	}
	u := predicate{slot: decode.Alloc(d, 1)}
	n := predicate{slot: decode.Alloc(d, 1)}
	anyOf(d, src, u.slot, c.Any)
	appendPredicate(d, src, vector.NotPred, decode.ExecNotPred, n.slot, u.slot, 0)
	if in.Guard != nil {
		g := positiveGuard(d, in, src)
		appendPredicate(d, src, vector.AndPred, execAndPred, u.slot, u.slot, g)
		appendPredicate(d, src, vector.AndPred, execAndPred, n.slot, n.slot, g)
	}
	return u, n, nil
}

// appendAhead executes an instruction ahead of its place: what it writes is in slots of its own.
func appendAhead(d *state.Decoder, in *rewrite.Inst, src int32) error {
	in.Defs(func(r *rewrite.Reg) {
		s, bits := decode.Alloc(d, events.SlotBits(r.Type)), events.SlotBits(r.Type)
		if reads(in, r) {
			d.Fn.Code = append(d.Fn.Code, state.Inst{
				D: s, A: d.Regs[r.Index], Body: exec.MoveBody(r.Type),
				Op: lowering.Move(bits), Guard: state.SlotTrue, Src: src,
			})
		}
		d.Regs[r.Index] = s
	})
	return appendUnder(d, in, src, state.SlotTrue, 0, 0)
}

// reads reports whether an instruction reads a register.
func reads(in *rewrite.Inst, r *rewrite.Reg) (found bool) {
	in.Uses(func(u *rewrite.Reg) { found = found || u == r })
	return found
}

// anyOf computes whether one of some conditions holds.
func anyOf(d *state.Decoder, src int32, to state.Slot, any []query.Condition) {
	for i, c := range any {
		from := d.Regs[c.Reg.Index]
		if c.Not {
			n := decode.Alloc(d, 1)
			appendPredicate(d, src, vector.NotPred, decode.ExecNotPred, n, from, 0)
			from = n
		}
		if i == 0 {
			appendPredicate(d, src, lowering.Move(1), exec.MovePredicate, to, from, 0)
		} else {
			appendPredicate(d, src, vector.OrPred, execOrPred, to, to, from)
		}
	}
}

// positiveGuard returns the guard of an instruction as a predicate that is not inverted.
func positiveGuard(d *state.Decoder, in *rewrite.Inst, src int32) state.Slot {
	g := d.Regs[in.Guard.Index]
	if !in.GuardNot {
		return g
	}
	n := decode.Alloc(d, 1)
	appendPredicate(d, src, vector.NotPred, decode.ExecNotPred, n, g, 0)
	return n
}

// appendPredicate computes a predicate from one or two.
func appendPredicate(d *state.Decoder, src int32, op vector.Op, body state.BodyFunc, to, a, b state.Slot) {
	d.Fn.Code = append(d.Fn.Code, state.Inst{D: to, A: a, B: b, Body: body, Op: op, Guard: state.SlotTrue, Src: src})
}

func execAndPred(x *state.Engine, in *state.Inst, m state.Lanes) {
	exec.Put(x.Frame.P(in.D), m, *x.Frame.P(in.A)&*x.Frame.P(in.B))
}

func execOrPred(x *state.Engine, in *state.Inst, m state.Lanes) {
	exec.Put(x.Frame.P(in.D), m, *x.Frame.P(in.A)|*x.Frame.P(in.B))
}
