// Operations among the lanes of a warp: shfl, vote, match, redux, elect, activemask.

package emu

import (
	"github.com/ptxsan/ptxsan/emu/internal/lowering"
	"github.com/ptxsan/ptxsan/emu/internal/num"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/rewrite/query"
)

// shflLane returns the lane that lane i reads under a mode, and whether it is in range (PTX ISA, shfl.sync).
var shflLane = map[string]func(i, b, c uint32) (j uint32, ok bool){
	"up": func(i, b, c uint32) (uint32, bool) {
		low := shflMax(i, c)
		j := int32(i) - int32(b&31)
		return uint32(j), j >= int32(low)
	},
	"down": func(i, b, c uint32) (uint32, bool) { j := i + b&31; return j, j <= shflMax(i, c) },
	"bfly": func(i, b, c uint32) (uint32, bool) { j := i ^ b&31; return j, j <= shflMax(i, c) },
	"idx": func(i, b, c uint32) (uint32, bool) {
		seg := c >> 8 & 31
		j := i&seg | b&31&^seg
		return j, j <= shflMax(i, c)
	},
}

// shflMax returns the clamp of lane i: maxLane in the manual.
func shflMax(i, c uint32) uint32 { seg := c >> 8 & 31; return i&seg | c&31&^seg }

// decodeShfl: shfl{.sync}.mode.b32 d[|p], a, b, c{, membermask}.
func decodeShfl(d *decoder, in *rewrite.Inst) (inst, error) {
	dst, p, err := d.pair(in, isa.B32)
	if err != nil {
		return inst{}, err
	}
	src, err := d.sources(in, 4, isa.B32)
	if err != nil {
		return inst{}, err
	}
	mode := modOf(in, "up", "down", "bfly", "idx")
	pick := shflLane[mode]
	op := &syncOp{reads: slotsOf(src...), writes: slotsOf(dst, p), orders: query.HandsOver(in)}
	op.body = func(x *engine, in *inst, part lanes) {
		f := x.frame
		d, a, b, c := f.r32(in.d), *f.r32(in.a), f.r32(in.c), f.r32(src[2].slot)
		inRange := lanes(0)
		for m := part; m != 0; m &= m - 1 {
			i := m.first()
			j, ok := pick(uint32(i), b[i], c[i])
			if ok {
				inRange |= m & -m
			}
			if ok && !part.has(int(j)) && x.m.cfg.Synccheck {
				x.raise(in, i, "barrier-divergence", 0,
					"shuffle from lane %d, which does not take part: the lanes 0x%08x do", j, uint32(part))
				return
			}
			switch {
			case !ok:
				d[i] = a[i]
			case part.has(int(j)):
				d[i] = a[j]
			default: // undefined in PTX; devices give 0, and programs rely on it
				d[i] = 0
			}
		}
		if p.slot != 0 {
			setPred(f, p.slot, part, inRange)
		}
	}
	i, err := decodeSync(d, in, syncMember(in), op, inst{d: dst.slot, a: src[0].slot, c: src[1].slot})
	from, clamp := &in.Operands[2], &in.Operands[3]
	switch {
	case err != nil || d.m.cfg.Synccheck || clamp.Kind != rewrite.OperandImm:
	case from.Kind == rewrite.OperandImm:
		d.inAssembly(&i, op, vector.ShuffleIdx32)
		d.vectorShfl(&i, p, func(lane uint32) (uint32, bool) { return pick(lane, uint32(from.Imm), uint32(clamp.Imm)) })
	case mode == "idx" && p.slot == 0 && clamp.Imm == warpSize-1:
		d.inAssembly(&i, op, vector.ShuffleIdx32)
	}
	return i, err
}

// vectorShfl translates a shuffle to assembly if each lane reads a constant lane: the one that pick returns, or the
// lane itself if pick reports that it is out of range.
func (d *decoder) vectorShfl(i *inst, inRange operand, pick func(lane uint32) (uint32, bool)) {
	if i.op == vector.Slow {
		return
	}
	var from, ok vec32
	for lane := range from {
		from[lane] = uint32(lane)
		if j, is := pick(uint32(lane)); is {
			from[lane], ok[lane] = j, 1
		}
	}
	s := vector.Inst{
		D: uint32(i.d), A: uint32(i.a), B: uint32(i.b), C: uint32(d.constantLanes(from)),
		Count: vector.CountVisible,
	}
	s.Set(i.op)
	i.form = &vectorForm{seq: []vector.Inst{s}}
	if inRange.slot != 0 {
		i.form.add(vector.SetNe32, uint32(inRange.slot), uint32(d.constantLanes(ok)), uint32(d.constant(32, 0)))
	}
}

// setPred sets a predicate in the lanes of m to v.
func setPred(f *frame, s slot, m, v lanes) {
	p := f.p(s)
	*p = *p&^m | v&m
}

// decodeVote: vote{.sync}.{all,any,uni}.pred d, {!}a{, m}; vote{.sync}.ballot.b32.
func decodeVote(d *decoder, in *rewrite.Inst) (inst, error) {
	mode := modOf(in, "all", "any", "uni", "ballot")
	t := isa.Pred
	if mode == "ballot" {
		t = isa.B32
	}
	dst, err := d.target(in, &in.Operands[0], t)
	if err != nil {
		return inst{}, err
	}
	src, err := d.sources(in, 2, isa.Pred)
	if err != nil {
		return inst{}, err
	}
	op := &syncOp{reads: slotsOf(src...), writes: slotsOf(dst)}
	op.body = func(x *engine, in *inst, part lanes) {
		v := *x.frame.p(in.a) & part
		ok := false
		switch mode {
		case "ballot":
			d := x.frame.r32(in.d)
			for m := part; m != 0; m &= m - 1 {
				d[m.first()] = uint32(v)
			}
			return
		case "all":
			ok = v == part
		case "any":
			ok = v != 0
		case "uni":
			ok = v == 0 || v == part
		}
		if ok {
			setPred(x.frame, in.d, part, part)
		} else {
			setPred(x.frame, in.d, part, 0)
		}
	}
	i, err := decodeSync(d, in, syncMember(in), op, inst{d: dst.slot, a: src[0].slot})
	d.inAssembly(&i, op, lowering.Votes[mode])
	return i, err
}

// decodeMatch: match.any.sync.type d, a, m; match.all.sync.type d[|p], a, m.
func decodeMatch(d *decoder, in *rewrite.Inst) (inst, error) {
	t := in.Type(0)
	dst, p, err := d.pair(in, isa.B32)
	if err != nil {
		return inst{}, err
	}
	src, err := d.sources(in, 2, t)
	if err != nil {
		return inst{}, err
	}
	all := in.Has("all")
	wide := src[0].wide()
	op := &syncOp{reads: slotsOf(src...), writes: slotsOf(dst, p)}
	op.body = func(x *engine, in *inst, part lanes) {
		f := x.frame
		d := f.r32(in.d)
		equal := lanes(0)
		rest := part
		if !all && wide && ascending(f.r64(in.a), part) { // usual for addresses: all values differ
			for ; rest != 0; rest &= rest - 1 {
				d[rest.first()] = uint32(rest & -rest)
			}
		}
		for rest != 0 {
			var same lanes
			if wide {
				same = equalLanes64(f.r64(in.a), rest, f.r64(in.a)[rest.first()])
			} else {
				same = equalLanes(f.r32(in.a), rest, f.r32(in.a)[rest.first()])
			}
			v := same
			if all && same != part { // no lane has a match
				same, v = part, 0
			}
			rest &^= same
			equal |= v
			for m := same; m != 0; m &= m - 1 {
				d[m.first()] = uint32(v)
			}
		}
		if p.slot != 0 {
			setPred(f, p.slot, part, equal)
		}
	}
	i, err := decodeSync(d, in, syncMember(in), op, inst{d: dst.slot, a: src[0].slot})
	if wide && !all {
		d.inAssembly(&i, op, vector.MatchAny64)
	}
	return i, err
}

// ascending reports whether each lane's value is greater than those of the lanes before.
func ascending(r *vec64, m lanes) bool {
	last := r[m.first()]
	for k := m & (m - 1); k != 0; k &= k - 1 {
		v := r[k.first()]
		if v <= last {
			return false
		}
		last = v
	}
	return true
}

// equalLanes64 is equalLanes for a 64-bit register.
func equalLanes64(r *vec64, m lanes, v uint64) lanes {
	for k := m; k != 0; k &= k - 1 {
		if r[k.first()] != v {
			m &^= k & -k
		}
	}
	return m
}

// reduxOps are the integer reductions of redux.sync.
var reduxOps = map[string]func(a, b uint32) uint32{
	"add.u32": func(a, b uint32) uint32 { return a + b },
	"add.s32": func(a, b uint32) uint32 { return a + b },
	"min.u32": func(a, b uint32) uint32 { return min(a, b) },
	"max.u32": func(a, b uint32) uint32 { return max(a, b) },
	"min.s32": func(a, b uint32) uint32 { return uint32(min(int32(a), int32(b))) },
	"max.s32": func(a, b uint32) uint32 { return uint32(max(int32(a), int32(b))) },
	"and.b32": func(a, b uint32) uint32 { return a & b },
	"or.b32":  func(a, b uint32) uint32 { return a | b },
	"xor.b32": func(a, b uint32) uint32 { return a ^ b },
}

// floatRedux returns the reduction of redux.sync on f32: min and max, of magnitudes with .abs.
func floatRedux(in *rewrite.Inst) func(a, b uint32) uint32 {
	mm := num.MinMax{Max: in.Has("max"), Abs: in.Has("abs"), NaN: in.Has("NaN")}
	return func(a, b uint32) uint32 { return uint32(mm.Select(num.F32, uint64(a), uint64(b))) }
}

// decodeRedux: redux.sync.op.type d, a, membermask.
func decodeRedux(d *decoder, in *rewrite.Inst) (inst, error) {
	word := modOf(in, "add", "min", "max", "and", "or", "xor")
	combine := reduxOps[word+"."+in.Type(0).String()]
	float := in.Type(0) == isa.F32
	if float {
		combine = floatRedux(in)
	}
	if combine == nil {
		return inst{}, d.unsupported(in, "%s", in.Text())
	}
	dst, err := d.dst(in)
	if err != nil {
		return inst{}, err
	}
	src, err := d.sources(in, 2, in.Type(0))
	if err != nil {
		return inst{}, err
	}
	op := &syncOp{reads: slotsOf(src...), writes: slotsOf(dst)}
	op.body = func(x *engine, in *inst, part lanes) {
		d, a := x.frame.r32(in.d), x.frame.r32(in.a)
		v := a[part.first()]
		if float { // the result for a single lane is canonical too
			v = combine(v, v)
		}
		for m := part & (part - 1); m != 0; m &= m - 1 {
			v = combine(v, a[m.first()])
		}
		for m := part; m != 0; m &= m - 1 {
			d[m.first()] = v
		}
	}
	return decodeSync(d, in, syncMember(in), op, inst{d: dst.slot, a: src[0].slot})
}

// decodeElect: elect.sync d|p, membermask. The leader is the lowest lane.
func decodeElect(d *decoder, in *rewrite.Inst) (inst, error) {
	dst, p, err := d.pair(in, isa.B32)
	if err != nil {
		return inst{}, err
	}
	op := &syncOp{writes: slotsOf(dst, p)}
	op.body = func(x *engine, in *inst, part lanes) {
		d := x.frame.r32(in.d)
		for m := part; m != 0; m &= m - 1 {
			d[m.first()] = uint32(part.first())
		}
		if p.slot != 0 {
			setPred(x.frame, p.slot, part, part&-part)
		}
	}
	return decodeSync(d, in, syncMember(in), op, inst{d: dst.slot})
}

// decodeActivemask: the lanes that execute the instruction together.
func decodeActivemask(d *decoder, in *rewrite.Inst) (inst, error) {
	dst, err := d.dst(in)
	if err != nil {
		return inst{}, err
	}
	return inst{d: dst.slot, flags: flagVisible, op: vector.ActiveMask, body: func(x *engine, in *inst, m lanes) {
		d := x.frame.r32(in.d)
		for k := m; k != 0; k &= k - 1 {
			d[k.first()] = uint32(m)
		}
	}}, nil
}
