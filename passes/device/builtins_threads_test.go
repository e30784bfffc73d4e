// The builtins for threads: indices, votes, matches, shuffles, reductions, barriers, time and control; and the rest of
// what needs a newer GPU or only clang compiles.

package device_test

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"
)

const lanes = 32

func threads(t *testing.T, m *kernels) {
	for _, name := range []string{"int", "unsigned", "long", "ulong", "longlong", "ull", "float", "double"} {
		t.Run("warp_"+name, func(t *testing.T) { checkWarp(t, m, name) })
	}
	t.Run("votes", func(t *testing.T) {
		var in []int32
		var odd uint32
		for lane := range int32(lanes) {
			value := lane * lane / 3
			in = append(in, value, 0, 0)
			odd |= uint32(value&1) << lane
		}
		want := map[string]func(lane int) uint64{
			"__ballot_sync(~0u, odd)":                func(int) uint64 { return uint64(odd) },
			"__activemask()":                         func(int) uint64 { return math.MaxUint32 },
			"__all_sync(~0u, odd)":                   func(int) uint64 { return 0 },
			"__syncthreads_count(odd)":               func(int) uint64 { return ones(odd) },
			"__syncthreads_and(odd) != 0":            func(int) uint64 { return 0 },
			"block.x + block.y + block.z + first.x":  func(int) uint64 { return lanes + 2 },
			"thread.x + thread.y + thread.z":         func(lane int) uint64 { return uint64(lane) },
			"gridDim.x + warpSize":                   func(int) uint64 { return 1 + lanes },
			"again.x * 100 + again.y * 10 + again.z": func(int) uint64 { return 341 },
		}
		list := m.expressions(t, "KERNEL(votes,", "PUT")
		for row, results := range m.column(t, "votes", lanes, len(list), in) {
			f, known := want[list[row]]
			if !known {
				f = func(int) uint64 { return 1 } // true
			}
			for lane, got := range results {
				if got != f(lane) {
					t.Errorf("%s is %#x in lane %d, want %#x", list[row], got, lane, f(lane))
				}
			}
		}
	})
	t.Run("control", func(t *testing.T) {
		for _, in := range []int32{7, -7} { // __brkpt does nothing where no debugger is attached
			if got := m.column(t, "stopped", 1, 1, []int32{in, 0, 0}); got[0][0] != uint64(uint32(in)) {
				t.Errorf("stopped: result is %d, want %d", got[0][0], in)
			}
		}
		for kernel, fault := range map[string]string{"trapped": "trap", "asserted": "assertion `in[0] >= 0` failed"} {
			if got := m.column(t, kernel, 1, 1, []int32{7, 0, 0}); got[0][0] != 7 {
				t.Errorf("%s: result is %d, want 7", kernel, got[0][0])
			}
			_, err := m.launch(t, kernel, 1, []int32{-7, 0, 0}, make([]uint64, 1))
			if err == nil || !strings.Contains(err.Error(), fault) {
				t.Errorf("%s: the launch ends with %v, want %q", kernel, err, fault)
			}
		}
	})
}

func ones(v uint32) (n uint64) {
	for ; v != 0; v &= v - 1 {
		n++
	}
	return n
}

// checkWarp compares shuffles and matches with the CUDA C++ Programming Guide ("Warp Shuffle Functions", "Warp Match
// Functions").
func checkWarp(t *testing.T, m *kernels, name string) {
	var in []int32
	for lane := range int32(lanes) {
		in = append(in, 1000+lane*lane, lane/5%3, 0)
	}
	// shuffled is the value of the lane that a shuffle reads, the lane's own where that is beyond its part of the warp.
	shuffled := func(lane, from, width int, idx bool) uint64 {
		if first := lane / width * width; idx {
			from = first + from%width
		} else if from < first || from >= first+width {
			from = lane
		}
		return uint64(in[3*from])
	}
	equal := func(lane int) (mask uint64) {
		for other := range lanes {
			if in[3*other+1] == in[3*lane+1] {
				mask |= 1 << other
			}
		}
		return mask
	}
	// An exclusive or reads lower parts of the warp, and not higher ones.
	butterfly := func(lane, by, width int) uint64 {
		if from := lane ^ by; from < lane/width*width+width {
			return uint64(in[3*from])
		}
		return uint64(in[3*lane])
	}
	want := []func(lane int) uint64{
		func(lane int) uint64 { return shuffled(lane, 3, 32, true) },
		func(lane int) uint64 { return shuffled(lane, 3, 8, true) },
		func(lane int) uint64 { return shuffled(lane, lane-2, 32, false) },
		func(lane int) uint64 { return shuffled(lane, lane-2, 16, false) },
		func(lane int) uint64 { return shuffled(lane, lane+5, 32, false) },
		func(lane int) uint64 { return shuffled(lane, lane+5, 8, false) },
		func(lane int) uint64 { return butterfly(lane, 9, 32) },
		func(lane int) uint64 { return butterfly(lane, 9, 8) },
		equal,
		func(int) uint64 { return 0 },
		func(int) uint64 { return 0 },
		func(int) uint64 { return math.MaxUint32 },
		func(int) uint64 { return 1 },
	}
	for row, results := range m.column(t, "warp_"+name, lanes, len(want), in) {
		for lane, got := range results {
			if w := want[row](lane); got != w {
				t.Errorf("result %d is %#x in lane %d, want %#x", row, got, lane, w)
			}
		}
	}
}

// newer runs what needs a newer GPU.
func newer(t *testing.T, m *kernels) {
	t.Run("reductions", func(t *testing.T) {
		var in []int32
		sum, least, most, and, or, xor := int32(0), int32(math.MaxInt32), int32(math.MinInt32), int32(-1), int32(0), int32(0)
		uleast, umost := uint32(math.MaxUint32), uint32(0)
		for lane := range int32(lanes) {
			v := (lane-9)*0x07654321 | 16
			in = append(in, v, 0, 0)
			sum, least, most, and, or, xor = sum+v, min(least, v), max(most, v), and&v, or|v, xor^v
			uleast, umost = min(uleast, uint32(v)), max(umost, uint32(v))
		}
		want := map[string]uint32{
			"__reduce_add_sync(~0u, i)": uint32(sum), "__reduce_add_sync(~0u, a)": uint32(sum),
			"__reduce_min_sync(~0u, i)": uint32(least), "__reduce_max_sync(~0u, i)": uint32(most),
			"__reduce_min_sync(~0u, a)": uleast, "__reduce_max_sync(~0u, a)": umost,
			"__reduce_and_sync(~0u, a)": uint32(and), "__reduce_or_sync(~0u, a)": uint32(or), "__reduce_xor_sync(~0u, a)": uint32(xor),
		}
		list := m.expressions(t, "KERNEL(reductions,", "PUT")
		if len(list) != len(want) {
			t.Fatalf("results are %q", list)
		}
		for row, results := range m.column(t, "reductions", lanes, len(list), in) {
			for lane, got := range results {
				if w := uint64(want[list[row]]); got != w {
					t.Errorf("%s is %#x in lane %d, want %#x", list[row], got, lane, w)
				}
			}
		}
	})
	t.Run("promoted", func(t *testing.T) {
		itself := func(x, _, _ int32) any { return float64(x) }
		check(t, m, "promoted", []int32{3, -7, 0, -2, 5, 0, 0, 1, 0, 1 << 10, -1, 0}, map[string]func(x, y, z int32) any{
			"floor(i)": itself, "ceil(i)": itself, "trunc(i)": itself, "rint(i)": itself, "nearbyint(i)": itself, "round(i)": itself,
			"fabs(i)":        func(x, _, _ int32) any { return math.Abs(float64(x)) },
			"sqrt(i * i)":    func(x, _, _ int32) any { return math.Sqrt(float64(x * x)) },
			"fmin(f, i)":     func(x, y, _ int32) any { return float64(min(x, y)) },
			"fmax(i, 2.5)":   func(x, _, _ int32) any { return max(float64(x), 2.5) },
			"copysign(i, f)": func(x, y, _ int32) any { return math.Copysign(float64(x), float64(y)) },
			"fma(i, f, 0.5)": func(x, y, _ int32) any { return float64(x)*float64(y) + 0.5 },
			"isnan(i)":       func(_, _, _ int32) any { return false },
			"isinf(i)":       func(_, _, _ int32) any { return false },
			"isfinite(i)":    func(_, _, _ int32) any { return true },
			"signbit(i)":     func(x, _, _ int32) any { return x < 0 },
		})
	})
	for _, scope := range []string{"", "_block", "_system"} {
		t.Run("vector_atomics"+scope, func(t *testing.T) {
			in, two, four := []float32{1, 2, 3, 4}, []float32{10, 20}, []float32{30, 40, 50, 60}
			after, err := m.launch(t, "vector_atomics"+scope, 1, in, make([]uint64, 12), two, four)
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range []float32{10, 20, 30, 40, 50, 60, 11, 22, 31, 42, 53, 64} {
				if got := math.Float32frombits(binary.LittleEndian.Uint32(after[1][8*i:])); got != want {
					t.Errorf("result %d is %v, want %v", i, got, want)
				}
			}
		})
	}
}
