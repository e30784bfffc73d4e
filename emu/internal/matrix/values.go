// Elements of matrices as numbers in double precision, one by one and by slices of shared memory.

package matrix

import (
	"math"
	"sync"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/num"
	"github.com/ptxsan/ptxsan/emu/internal/scalar"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// Number returns the function that converts bits of a type to a number.
func Number(t isa.Type) func(v uint64) float64 {
	switch f := scalar.Format(t); {
	case t == isa.UE8M0:
		return func(v uint64) float64 {
			if v == 0xff {
				return math.NaN()
			}
			return math.Ldexp(1, int(v)-127)
		}
	case t == isa.UE4M3:
		return func(v uint64) float64 { return num.E4M3.Float64(v & 0x7f) }
	case t == isa.F32:
		return func(v uint64) float64 { return float64(math.Float32frombits(uint32(v))) }
	case t == isa.BF16:
		return func(v uint64) float64 { return float64(math.Float32frombits(uint32(v) << 16)) }
	case t == isa.F16:
		return func(v uint64) float64 {
			if e := v >> 10 & 31; e-1 < 30 { // neither subnormal nor infinite
				return math.Float64frombits(v>>15<<63 | (e+1023-15)<<52 | v&1023<<42)
			}
			return f.Float64(v)
		}
	case f != nil:
		return f.Float64
	}
	return func(v uint64) float64 { return float64(scalar.Integer(v, t)) }
}

// Values converts elements of a type to numbers, those of up to eight bits by a table.
type Values struct {
	bits   int
	negate bool
	table  []float64
	format vector.Format
	of     func(v uint64) float64
}

// formats are the formats that package vector converts.
var formats = map[isa.Type]vector.Format{
	isa.F16: vector.F16, isa.BF16: vector.BF16, isa.TF32: vector.TF32,
	isa.F32: vector.F32,
}

// known are the Values made so far.
var known sync.Map

// ValuesOf returns the Values of a type; with negate, numbers have the opposite sign.
func ValuesOf(t isa.Type, negate bool) *Values {
	type key struct {
		t      isa.Type
		negate bool
	}
	f, ok := known.Load(key{t, negate})
	if !ok {
		f, _ = known.LoadOrStore(key{t, negate}, newValues(t, negate))
	}
	return f.(*Values)
}

func newValues(t isa.Type, negate bool) *Values {
	f := &Values{bits: t.Bits(), negate: negate, format: formats[t], of: Number(t)}
	if f.bits <= 8 {
		table := make([]float64, 1<<f.bits)
		for v := range table {
			table[v] = f.At(uint64(v))
		}
		f.table = table
	}
	return f
}

// At returns the number for a bit pattern.
func (f *Values) At(v uint64) float64 {
	switch {
	case f.table != nil:
		return f.table[v]
	case f.negate:
		return -f.of(v)
	}
	return f.of(v)
}

// Cells converts 32-bit elements.
func (f *Values) Cells(to []float64, from []uint32) {
	from = from[:len(to)]
	done := 0
	if len(to) > 0 && f.bits == 32 {
		done = vector.Widen(to, unsafe.Pointer(&from[0]), f.format)
		f.sign(to[:done])
	}
	mask := uint32(1)<<f.bits - 1
	for i, v := range from[done:] {
		to[done+i] = f.At(uint64(v & mask))
	}
}

// sign negates numbers if the Values have the opposite sign.
func (f *Values) sign(list []float64) {
	if f.negate {
		for i := range list {
			list[i] = -list[i]
		}
	}
}

// Slices converts slices of per elements each.
func (f *Values) Slices(to []float64, from [][2]uint64, per int) {
	done := 0
	switch whole := per*f.bits == 8*SliceBytes; {
	case len(from) == 0:
		return
	case whole && f.format != vector.NoFormat:
		done = vector.Widen(to[:len(from)*per], unsafe.Pointer(&from[0]), f.format) / per
		f.sign(to[:done*per])
	case whole && len(f.table) == 256:
		table := (*[256]float64)(f.table)
		for i, v := range unsafe.Slice((*byte)(unsafe.Pointer(&from[0])), len(from)*per) {
			to[i] = table[v]
		}
		return
	}
	for s := range from[done:] {
		for e := range per {
			to[(done+s)*per+e] = f.At(Element(&from[done+s], e, f.bits))
		}
	}
}

// Rounded returns the element of a result type for a sum. Integers wrap unless they saturate.
func Rounded(t isa.Type, saturate bool, sum float64) uint64 {
	switch {
	case t == isa.F32 && !saturate && sum == sum:
		return uint64(math.Float32bits(float32(sum)))
	case t == isa.S32 && saturate:
		return uint64(uint32(num.SatS32(int64(sum))))
	case t == isa.S32:
		return uint64(uint32(int64(sum)))
	}
	f := scalar.Format(t)
	v := f.FromFloat64(sum, num.RN)
	if saturate && (v == f.Inf(false) || v == f.Inf(true)) {
		v = f.MaxFinite(sum < 0)
	}
	return v
}

// Results writes sums as elements of 32 bits or fewer, one per cell.
func Results(to []uint32, t isa.Type, saturate bool, sums []float64) {
	if t == isa.F32 && !saturate {
		vector.Narrow(to, sums)
		return
	}
	for i, sum := range sums {
		to[i] = uint32(Rounded(t, saturate, sum))
	}
}
