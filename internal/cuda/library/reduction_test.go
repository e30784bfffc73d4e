// Reductions of NCCL and the data of its collective operations.

package library_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"

	"github.com/ptxsan/ptxsan/internal/cuda/library"
)

// TestReductions: each reduction of three ranks, of integers that wrap, and of numbers that are rounded once.
func TestReductions(t *testing.T) {
	le := binary.LittleEndian
	word := func(size int, v uint64) []byte { return le.AppendUint64(nil, v)[:size] }
	f32 := func(v float32) []byte { return le.AppendUint32(nil, math.Float32bits(v)) }
	half := func(v float64) []byte { return library.Encode(library.F16, complex(v, 0)) }
	bfloat := func(v float64) []byte { return library.Encode(library.BF16, complex(v, 0)) }
	double := func(v float64) []byte { return library.Encode(library.F64, complex(v, 0)) }
	nan := math.NaN()
	negative := func(v int64) uint64 { return uint64(v) }
	for _, c := range []struct {
		name   string
		op     library.Reduction
		typ    library.Element
		parts  [][]byte
		scales [][]byte
		want   []byte
	}{
		{"sum wraps", library.Sum, library.ElementI8, [][]byte{{100}, {100}, {1}}, nil, []byte{201}},
		{"product", library.Prod, library.ElementI32, [][]byte{word(4, negative(-3)), word(4, 5), word(4, 7)}, nil, word(4, negative(-105))},
		{"signed least", library.Min, library.ElementI64, [][]byte{word(8, 2), word(8, negative(-1)), word(8, 3)}, nil, word(8, negative(-1))},
		{"unsigned greatest", library.Max, library.ElementU64, [][]byte{word(8, 2), word(8, 1<<63+1), word(8, 1<<63)}, nil, word(8, 1<<63+1)},
		{"unsigned bytes", library.Max, library.ElementU8, [][]byte{{1}, {200}, {127}}, nil, []byte{200}},
		{"signed average", library.Avg, library.ElementI32, [][]byte{word(4, negative(-4)), word(4, negative(-3)), word(4, 0)}, nil, word(4, negative(-2))},
		{"unsigned sum", library.Sum, library.ElementU32, [][]byte{word(4, 1<<31), word(4, 1<<31), word(4, 3)}, nil, word(4, 3)},
		{"rounded once", library.Sum, library.ElementF32, [][]byte{f32(1 << 24), f32(1), f32(1)}, nil, f32(1<<24 + 2)},
		{"average", library.Avg, library.ElementF64, [][]byte{double(1), double(2), double(4.5)}, nil, double(2.5)},
		{"no number", library.Max, library.ElementF64, [][]byte{double(nan), double(2), double(nan)}, nil, double(2)},
		{"no number, least", library.Min, library.ElementF64, [][]byte{double(3), double(nan), double(4)}, nil, double(3)},
		{"half", library.Sum, library.ElementF16, [][]byte{half(2048), half(1), half(1)}, nil, half(2050)},
		{"half, too large", library.Prod, library.ElementF16, [][]byte{half(256), half(256), half(1)}, nil, half(math.Inf(1))},
		{"bfloat16", library.Sum, library.ElementBF16, [][]byte{bfloat(256), bfloat(1), bfloat(1)}, nil, bfloat(258)},
		{"scaled", library.PreMulSum, library.ElementF32, [][]byte{f32(1), f32(2), f32(3)}, [][]byte{f32(10), f32(100), f32(1000)}, f32(3210)},
		{"scaled integers", library.PreMulSum, library.ElementU8, [][]byte{{1}, {2}, {3}}, [][]byte{{10}, {5}, {1}}, []byte{23}},
		// 1.25 + 0.125 = 1.375, 8 + 0.5 = 8.5 between 8 and 9 goes to the even 8, 448 + 448 stays at the greatest
		{"e4m3", library.Sum, library.ElementE4M3, [][]byte{{0x3a, 0x50, 0x7e}, {0x20, 0x30, 0x7e}}, nil, []byte{0x3b, 0x50, 0x7e}},
		{"e4m3, not a number and signs", library.Sum, library.ElementE4M3, [][]byte{{0x7f, 0xba, 0x80}, {0, 0x3a, 0x80}}, nil, []byte{0x7f, 0, 0x80}},
		// the least number is 2^-16: 3/4 of it is nearer than 0
		{"e5m2", library.PreMulSum, library.ElementE5M2, [][]byte{{1, 0x7c, 0x3c}}, [][]byte{{0x3a}}, []byte{1, 0x7b, 0x3a}},
	} {
		if got := c.op.Reduce(c.typ, c.parts, c.scales); !bytes.Equal(got, c.want) {
			t.Errorf("%s: % x, want % x", c.name, got, c.want)
		}
	}
}

// TestFloat8: every finite number of 8 bits is rounded to itself.
func TestFloat8(t *testing.T) {
	for _, c := range []struct {
		typ  library.Element
		last byte // finite
	}{{library.ElementE4M3, 0x7e}, {library.ElementE5M2, 0x7b}} {
		for code := range 256 {
			b := []byte{byte(code)}
			if b[0]&0x7f > c.last {
				continue
			}
			if got := library.Sum.Reduce(c.typ, [][]byte{b}, nil); got[0] != b[0] {
				t.Errorf("%v: %#x becomes %#x", c.typ, code, got[0])
			}
		}
	}
}

// TestPatterns: how many parts each of three ranks sends and receives, if rank 1 is the root.
func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		f              library.Collective
		sent, received [3]int
	}{
		{library.AllReduce, [3]int{1, 1, 1}, [3]int{1, 1, 1}},
		{library.Reduce, [3]int{1, 1, 1}, [3]int{0, 1, 0}},
		{library.ReduceScatter, [3]int{3, 3, 3}, [3]int{1, 1, 1}},
		{library.Broadcast, [3]int{0, 1, 0}, [3]int{1, 1, 1}},
		{library.AllGather, [3]int{1, 1, 1}, [3]int{3, 3, 3}},
		{library.AllToAll, [3]int{3, 3, 3}, [3]int{3, 3, 3}},
		{library.Gather, [3]int{1, 1, 1}, [3]int{0, 3, 0}},
		{library.Scatter, [3]int{0, 3, 0}, [3]int{1, 1, 1}},
		{library.Send, [3]int{0, 1, 0}, [3]int{1, 0, 1}},
		{library.Recv, [3]int{0, 1, 0}, [3]int{1, 0, 1}},
	} {
		var sent, received [3]int
		for rank := range sent {
			sent[rank], received[rank] = c.f.Sent(rank, 1, 3), c.f.Received(rank, 1, 3)
		}
		if sent != c.sent || received != c.received {
			t.Errorf("%s: ranks send %v and receive %v", c.f.Name(), sent, received)
		}
	}
	if _, ok := library.PartBytes(1<<61, library.ElementF64, 2); ok {
		t.Error("2^61 doubles are accepted")
	}
	if _, ok := library.PartBytes(1<<60, library.ElementU8, 1<<10); ok {
		t.Error("2^70 bytes are accepted")
	}
}
