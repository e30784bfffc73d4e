// Operations among the lanes of a warp: shfl, vote, match, redux, elect, activemask.

package exec

import (
	"github.com/ptxsan/ptxsan/emu/internal/barriers"
	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/lowering"
	"github.com/ptxsan/ptxsan/emu/internal/num"
	"github.com/ptxsan/ptxsan/emu/internal/state"
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
func decodeShfl(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	dst, p, err := decode.Pair(d, in, isa.B32)
	if err != nil {
		return state.Inst{}, err
	}
	src, err := sources(d, in, 4, isa.B32)
	if err != nil {
		return state.Inst{}, err
	}
	mode := decode.ModOf(in, "up", "down", "bfly", "idx")
	pick := shflLane[mode]
	op := &state.SyncOp{Reads: decode.SlotsOf(src...), Writes: decode.SlotsOf(dst, p), Orders: query.HandsOver(in)}
	op.Body = func(x *state.Engine, in *state.Inst, part state.Lanes) {
		f := x.Frame
		d, a, b, c := f.R32(in.D), *f.R32(in.A), f.R32(in.C), f.R32(src[2].Slot)
		inRange := state.Lanes(0)
		for m := part; m != 0; m &= m - 1 {
			i := m.First()
			j, ok := pick(uint32(i), b[i], c[i])
			if ok {
				inRange |= m & -m
			}
			if ok && !part.Has(int(j)) && x.M.Cfg.Synccheck {
				faults.Raise(x, in, i, "barrier-divergence", 0,
					"shuffle from lane %d, which does not take part: the lanes 0x%08x do", j, uint32(part))
				return
			}
			if ok && !part.Has(int(j)) && x.M.Cfg.Absent != nil {
				x.M.Cfg.Absent(f.Fn.SourceOf(in.Src).In)
			}
			switch {
			case !ok:
				d[i] = a[i]
			case part.Has(int(j)):
				d[i] = a[j]
			default: // undefined in PTX; devices give 0, and programs rely on it
				d[i] = 0
			}
		}
		if p.Slot != 0 {
			decode.SetPred(f, p.Slot, part, inRange)
		}
	}
	i, err := decodeSync(d, in, syncMember(in), op, state.Inst{D: dst.Slot, A: src[0].Slot, C: src[1].Slot})
	from, clamp := &in.Operands[2], &in.Operands[3]
	switch {
	case err != nil || d.M.Cfg.Synccheck || clamp.Kind != rewrite.OperandImm || d.M.Cfg.Absent != nil && !whole(in):
	case from.Kind == rewrite.OperandImm:
		inAssembly(d, &i, op, vector.ShuffleIdx32)
		vectorShfl(d, &i, p, func(lane uint32) (uint32,
			bool,
		) {
			return pick(lane, uint32(from.Imm), uint32(clamp.Imm))
		})
	case mode == "idx" && p.Slot == 0 && clamp.Imm == state.WarpSize-1:
		inAssembly(d, &i, op, vector.ShuffleIdx32)
	}
	return i, err
}

// whole reports whether an operation among lanes names all lanes of a warp. In assembly, they all take part.
func whole(in *rewrite.Inst) bool {
	o := in.Operands[len(in.Operands)-1]
	return in.Has("sync") && o.Kind == rewrite.OperandImm && uint32(o.Imm) == 1<<state.WarpSize-1
}

// vectorShfl translates a shuffle to assembly if each lane reads a constant lane: the one that pick returns, or the
// lane itself if pick reports that it is out of range.
func vectorShfl(d *state.Decoder, i *state.Inst, inRange state.Operand, pick func(lane uint32) (uint32, bool)) {
	if i.Op == vector.Slow {
		return
	}
	var from, ok state.Vec32
	for lane := range from {
		from[lane] = uint32(lane)
		if j, is := pick(uint32(lane)); is {
			from[lane], ok[lane] = j, 1
		}
	}
	s := vector.Inst{
		D: uint32(i.D), A: uint32(i.A), B: uint32(i.B), C: uint32(decode.ConstantLanes(d, from)),
		Count: vector.CountVisible,
	}
	s.Set(i.Op)
	i.Form = &state.VectorForm{Seq: []vector.Inst{s}}
	if inRange.Slot != 0 {
		i.Form.Add(vector.SetNe32, uint32(inRange.Slot), uint32(decode.ConstantLanes(d, ok)),
			uint32(decode.Constant(d, 32, 0)))
	}
}

// decodeVote: vote{.sync}.{all,any,uni}.pred d, {!}a{, m}; vote{.sync}.ballot.b32.
func decodeVote(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	mode := decode.ModOf(in, "all", "any", "uni", "ballot")
	t := isa.Pred
	if mode == "ballot" {
		t = isa.B32
	}
	dst, err := decode.Target(d, in, &in.Operands[0], t)
	if err != nil {
		return state.Inst{}, err
	}
	src, err := sources(d, in, 2, isa.Pred)
	if err != nil {
		return state.Inst{}, err
	}
	op := &state.SyncOp{Reads: decode.SlotsOf(src...), Writes: decode.SlotsOf(dst)}
	op.Body = func(x *state.Engine, in *state.Inst, part state.Lanes) {
		v := *x.Frame.P(in.A) & part
		ok := false
		switch mode {
		case "ballot":
			d := x.Frame.R32(in.D)
			for m := part; m != 0; m &= m - 1 {
				d[m.First()] = uint32(v)
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
			decode.SetPred(x.Frame, in.D, part, part)
		} else {
			decode.SetPred(x.Frame, in.D, part, 0)
		}
	}
	i, err := decodeSync(d, in, syncMember(in), op, state.Inst{D: dst.Slot, A: src[0].Slot})
	inAssembly(d, &i, op, lowering.Votes[mode])
	return i, err
}

// decodeMatch: match.any.sync.type d, a, m; match.all.sync.type d[|p], a, m.
func decodeMatch(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	t := in.Type(0)
	dst, p, err := decode.Pair(d, in, isa.B32)
	if err != nil {
		return state.Inst{}, err
	}
	src, err := sources(d, in, 2, t)
	if err != nil {
		return state.Inst{}, err
	}
	all := in.Has("all")
	wide := src[0].Wide()
	op := &state.SyncOp{Reads: decode.SlotsOf(src...), Writes: decode.SlotsOf(dst, p)}
	op.Body = func(x *state.Engine, in *state.Inst, part state.Lanes) {
		f := x.Frame
		d := f.R32(in.D)
		equal := state.Lanes(0)
		rest := part
		if !all && wide && ascending(f.R64(in.A), part) { // usual for addresses: all values differ
			for ; rest != 0; rest &= rest - 1 {
				d[rest.First()] = uint32(rest & -rest)
			}
		}
		for rest != 0 {
			var same state.Lanes
			if wide {
				same = equalLanes64(f.R64(in.A), rest, f.R64(in.A)[rest.First()])
			} else {
				same = barriers.EqualLanes(f.R32(in.A), rest, f.R32(in.A)[rest.First()])
			}
			v := same
			if all && same != part { // no lane has a match
				same, v = part, 0
			}
			rest &^= same
			equal |= v
			for m := same; m != 0; m &= m - 1 {
				d[m.First()] = uint32(v)
			}
		}
		if p.Slot != 0 {
			decode.SetPred(f, p.Slot, part, equal)
		}
	}
	i, err := decodeSync(d, in, syncMember(in), op, state.Inst{D: dst.Slot, A: src[0].Slot})
	if wide && !all {
		inAssembly(d, &i, op, vector.MatchAny64)
	}
	return i, err
}

// ascending reports whether each lane's value is greater than those of the lanes before.
func ascending(r *state.Vec64, m state.Lanes) bool {
	last := r[m.First()]
	for k := m & (m - 1); k != 0; k &= k - 1 {
		v := r[k.First()]
		if v <= last {
			return false
		}
		last = v
	}
	return true
}

// equalLanes64 is EqualLanes for a 64-bit register.
func equalLanes64(r *state.Vec64, m state.Lanes, v uint64) state.Lanes {
	for k := m; k != 0; k &= k - 1 {
		if r[k.First()] != v {
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
func decodeRedux(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	word := decode.ModOf(in, "add", "min", "max", "and", "or", "xor")
	combine := reduxOps[word+"."+in.Type(0).String()]
	float := in.Type(0) == isa.F32
	if float {
		combine = floatRedux(in)
	}
	if combine == nil {
		return state.Inst{}, decode.Unsupported(d, in, "%s", in.Text())
	}
	dst, err := decode.Dst(d, in)
	if err != nil {
		return state.Inst{}, err
	}
	src, err := sources(d, in, 2, in.Type(0))
	if err != nil {
		return state.Inst{}, err
	}
	op := &state.SyncOp{Reads: decode.SlotsOf(src...), Writes: decode.SlotsOf(dst)}
	op.Body = func(x *state.Engine, in *state.Inst, part state.Lanes) {
		d, a := x.Frame.R32(in.D), x.Frame.R32(in.A)
		v := a[part.First()]
		if float { // the result for a single lane is canonical too
			v = combine(v, v)
		}
		for m := part & (part - 1); m != 0; m &= m - 1 {
			v = combine(v, a[m.First()])
		}
		for m := part; m != 0; m &= m - 1 {
			d[m.First()] = v
		}
	}
	return decodeSync(d, in, syncMember(in), op, state.Inst{D: dst.Slot, A: src[0].Slot})
}

// decodeElect: elect.sync d|p, membermask. The leader is the lowest lane.
func decodeElect(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	dst, p, err := decode.Pair(d, in, isa.B32)
	if err != nil {
		return state.Inst{}, err
	}
	op := &state.SyncOp{Writes: decode.SlotsOf(dst, p)}
	op.Body = func(x *state.Engine, in *state.Inst, part state.Lanes) {
		d := x.Frame.R32(in.D)
		for m := part; m != 0; m &= m - 1 {
			d[m.First()] = uint32(part.First())
		}
		if p.Slot != 0 {
			decode.SetPred(x.Frame, p.Slot, part, part&-part)
		}
	}
	return decodeSync(d, in, syncMember(in), op, state.Inst{D: dst.Slot})
}

// decodeActivemask: the lanes that execute the instruction together.
func decodeActivemask(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	dst, err := decode.Dst(d, in)
	if err != nil {
		return state.Inst{}, err
	}
	return state.Inst{
		D: dst.Slot, Flags: state.FlagVisible, Op: vector.ActiveMask,
		Body: func(x *state.Engine, in *state.Inst, m state.Lanes) {
			d := x.Frame.R32(in.D)
			for k := m; k != 0; k &= k - 1 {
				d[k.First()] = uint32(m)
			}
		},
	}, nil
}
