// Accesses of all replicas behind a multicast address: multimem.

package exec

import (
	"github.com/ptxsan/ptxsan/emu/internal/async"
	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/num"
	"github.com/ptxsan/ptxsan/emu/internal/scalar"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// multimem executes an instruction once for each replica of a multicast object. An address outside all multicast
// objects is treated as the address of an object's only replica: the instruction accesses memory at the address itself.
type multimem struct {
	one     state.BodyFunc // accesses one replica
	address state.Slot     // address in the object
	off     uint64         // offset of the operand, which one adds to addresses
	size    uint64         // bytes that a lane accesses
	regs    []state.Operand
	reduce  func(values [][2]uint64) [2]uint64 // of ld_reduce: the value of an element, given those of the replicas
}

// decodeMultimem decodes all of multimem (PTX ISA 9.7.9.14).
func decodeMultimem(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	if in.Has("bulk") {
		return async.BulkCopy(d, in)
	}
	c := &multimem{}
	decodeOne := decodeAtomic
	switch {
	case in.Has("ld_reduce"):
		decodeOne = decodeLoad
	case in.Has("st"):
		decodeOne = decodeStore
	}
	out, err := decodeOne(d, in)
	if err != nil {
		return out, err
	}
	at, err := decode.Addr(d, in, in.Access.Addr)
	if err != nil {
		return out, err
	}
	value := 0
	if !in.Has("ld_reduce") {
		value = in.Access.Addr + 1
	}
	t := in.Decoded.Operands[value].Type
	c.one, c.address, c.off = out.Body, out.A, uint64(at.Off)
	c.size = uint64(max(in.Decoded.Operands[value].Vec, 1) * t.Size())
	out.A, out.Op, out.Form, out.Body = decode.Temp(d, 64), vector.Slow, nil, c.exec
	if value == 0 {
		if c.regs, err = decode.MemRegs(d, in, 0, true); err != nil {
			return out, err
		}
		out.Body = c.load
		if c.reduce = reductionOf(decode.ModOf(in, "add", "min", "max", "and", "or", "xor"), t); c.reduce == nil {
			return out, decode.Unsupported(d, in, "%s", in.Text())
		}
	}
	return out, nil
}

// exec executes a store, or a reduction into memory.
func (c *multimem) exec(x *state.Engine, in *state.Inst, m state.Lanes) {
	c.each(x, in, m, func(_ int, m state.Lanes) { c.one(x, in, m) })
}

// each calls access once for each replica: number is the replica's, m are the lanes that access it, and in.A holds
// their addresses in the replica. A fault ends the calls.
func (c *multimem) each(x *state.Engine, in *state.Inst, m state.Lanes, access func(number int, m state.Lanes)) {
	var behind [state.WarpSize][]uint64
	address, most := *x.Frame.R64(c.address), 0
	for rest := m; rest != 0; rest &= rest - 1 {
		i, why := rest.First(), ""
		if behind[i], why = x.M.Dev.Mem.Behind(address[i]+c.off, c.size); why != "" {
			faults.Raise(x, in, i, "out-of-bounds", address[i]+c.off, "%d bytes at address 0x%x, which %s", c.size,
				address[i]+c.off, why)
			return
		}
		most = max(most, len(behind[i]))
	}
	for r := 0; r < most && x.Fault == nil; r++ {
		lanes, last, a := state.Lanes(0), 0, x.Frame.R64(in.A)
		for rest := m; rest != 0; rest &= rest - 1 {
			if i := rest.First(); r < len(behind[i]) {
				lanes, last = lanes|1<<i, i
				a[i] = behind[i][r] - c.off
			}
		}
		x.M.Dev.Mem.AsOwner(address[last], a[last], func() { access(r, lanes) })
	}
}

// load executes a load of the reduction of all replicas.
func (c *multimem) load(x *state.Engine, in *state.Inst, m state.Lanes) {
	var found [state.WarpSize][maxVector][][2]uint64
	c.each(x, in, m, func(_ int, m state.Lanes) {
		if c.one(x, in, m); x.Fault != nil {
			return
		}
		for ; m != 0; m &= m - 1 {
			for k, r := range c.regs {
				i := m.First()
				found[i][k] = append(found[i][k], x.Frame.Lane(r.Slot, events.SlotBits(r.Typ), i))
			}
		}
	})
	if x.Fault != nil {
		return
	}
	for ; m != 0; m &= m - 1 {
		for k, r := range c.regs {
			if i := m.First(); len(found[i][k]) > 1 {
				x.Frame.SetLane(r.Slot, events.SlotBits(r.Typ), i, c.reduce(found[i][k]))
			}
		}
	}
}

// reductionOf returns a function that reduces values of a type, nil if there is none. Sums of values of 8 and 16 bits
// are rounded once: the manual leaves the precision of intermediate sums open but for a least one (.acc::f32,
// .acc::f16).
func reductionOf(op string, t isa.Type) func(values [][2]uint64) [2]uint64 {
	f, bits := scalar.Format(t), uint(t.Bits())
	if p, packed := packings[t]; packed {
		f, bits = p.format, p.bits
	}
	if f == nil || bits > 16 {
		one := async.Reduction(op, t)
		if one == nil {
			return nil
		}
		return func(values [][2]uint64) [2]uint64 {
			sum := values[0]
			for _, v := range values[1:] {
				sum = one(sum, v)
			}
			return sum
		}
	}
	return func(values [][2]uint64) (reduced [2]uint64) {
		for at := uint(0); at < uint(t.Bits()); at += bits {
			reduced[0] |= reduceNumbers(op, f, values, at, 1<<bits-1) << at
		}
		return reduced
	}
}

// reduceNumbers reduces the numbers that begin at a bit of the values.
func reduceNumbers(op string, f *num.Format, values [][2]uint64, at uint, mask uint64) uint64 {
	if op == "add" {
		sum := 0.0
		for _, v := range values {
			sum += f.Float64(v[0] >> at & mask)
		}
		return f.FromFloat64(sum, num.RN)
	}
	best := values[0][0] >> at & mask
	for _, v := range values[1:] {
		best = num.MinMax{Max: op == "max"}.Select(f, best, v[0]>>at&mask)
	}
	return best
}
