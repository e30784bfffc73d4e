// The builtins for integers, and their conversions.

package device_test

import (
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"testing"
)

func arithmetic(t *testing.T, m *kernels) {
	random := rand.New(rand.NewPCG(1, 2))
	t.Run("integers", func(t *testing.T) { check(t, m, "integers", integers(random), integerFunctions()) })
	t.Run("longs", func(t *testing.T) { check(t, m, "longs", longs(random), longFunctions()) })
	floatTests(t, m, random)
}

// integers are triples of 32 bits: corner cases, then random ones.
func integers(random *rand.Rand) []int32 {
	list := []int32{0, 0, 0, -1, -1, -1, math.MinInt32, math.MinInt32, 31, math.MaxInt32, math.MaxInt32, 32, 1, math.MinInt32, 33, math.MinInt32, -1, 0x3210, 1, -1, 0x7654}
	for range 3 * 40 {
		list = append(list, int32(random.Uint32()>>random.IntN(32)))
	}
	for i := range 10 {
		list = append(list, int32(random.Uint32()), int32(random.Uint32()), int32(i*7))
	}
	return list
}

func longs(random *rand.Rand) []int64 {
	list := []int64{0, 0, 0, -1, -1, 0, math.MinInt64, math.MinInt64, 0, math.MaxInt64, math.MaxInt64, 0, math.MinInt64, 1, 0, 1 << 24, 1<<24 + 1, 0}
	for range 3 * 40 {
		list = append(list, int64(random.Uint64()>>random.IntN(64)))
	}
	return list
}

type integerFunction = func(x, y, z int32) any

// two is a function of two inputs, one is of one.
func two[T, U, R any](convert func(T) U, f func(a, b U) R) func(x, y, z T) any {
	return func(x, y, _ T) any { return f(convert(x), convert(y)) }
}

func one[T, U, R any](convert func(T) U, f func(a U) R) func(x, y, z T) any {
	return func(x, _, _ T) any { return f(convert(x)) }
}

func itself[T any](v T) T         { return v }
func unsigned(v int32) uint32     { return uint32(v) }
func unsignedLong(v int64) uint64 { return uint64(v) }

// funnel shifts the 64 bits of two words.
func funnel(low, high int32, by uint32, left bool) uint32 {
	both := uint64(uint32(high))<<32 | uint64(uint32(low))
	if left {
		return uint32(both << by >> 32)
	}
	return uint32(both >> by)
}

// dot adds to z the products of n parts of x, from bit 0 on, and of y, from bit from on.
func dot(x, y, z int32, n, size, from int, signed bool) int64 {
	sum := int64(z)
	for i := range n {
		a, b := int64(uint32(x)>>(size*i)&(1<<size-1)), int64(uint32(y)>>(from+8*i)&0xff)
		if signed {
			a, b = a<<(64-size)>>(64-size), int64(int8(b))
		}
		sum += a * b
	}
	return sum
}

func dots(n, size, from int) (signed, plain integerFunction) {
	return func(x, y, z int32) any { return int32(dot(x, y, z, n, size, from, true)) },
		func(x, y, z int32) any { return uint32(dot(x, y, z, n, size, from, false)) }
}

func distance[T int64 | uint64](a, b T) uint32 { return uint32(max(a, b) - min(a, b)) }

func absolute[T int32 | int64](v T) T { return max(v, -v) }

func integerFunctions() map[string]integerFunction {
	dp4a, udp4a := dots(4, 8, 0)
	low, ulow := dots(2, 16, 0)
	high, uhigh := dots(2, 16, 16)
	want := map[string]integerFunction{
		"__popc(a)": one(unsigned, func(a uint32) int32 { return int32(bits.OnesCount32(a)) }),
		"__clz(i)":  one(unsigned, func(a uint32) int32 { return int32(bits.LeadingZeros32(a)) }),
		"__ffs(i)":  one(unsigned, func(a uint32) int32 { return int32((bits.TrailingZeros32(a) + 1) % 33) }),
		"__brev(a)": one(unsigned, bits.Reverse32),
		"__byte_perm(a, b, c)": func(x, y, z int32) any {
			both, r := uint64(uint32(y))<<32|uint64(uint32(x)), uint32(0)
			for i := range 4 {
				r |= uint32(both>>(z>>(4*i)&7*8)) & 0xff << (8 * i)
			}
			return r
		},
		"__funnelshift_l(a, b, c)":  func(x, y, z int32) any { return funnel(x, y, uint32(z)&31, true) },
		"__funnelshift_lc(a, b, c)": func(x, y, z int32) any { return funnel(x, y, min(uint32(z), 32), true) },
		"__funnelshift_r(a, b, c)":  func(x, y, z int32) any { return funnel(x, y, uint32(z)&31, false) },
		"__funnelshift_rc(a, b, c)": func(x, y, z int32) any { return funnel(x, y, min(uint32(z), 32), false) },
		"__sad(i, j, c)":            func(x, y, z int32) any { return distance(int64(x), int64(y)) + uint32(z) },
		"__usad(a, b, c)":           func(x, y, z int32) any { return distance(uint64(uint32(x)), uint64(uint32(y))) + uint32(z) },

		"__dp4a(i, j, k)": dp4a, "__dp4a(p, q, k)": dp4a, "__dp4a(a, b, c)": udp4a, "__dp4a(r, s, c)": udp4a,
		"__dp2a_lo(i, j, k)": low, "__dp2a_lo(h, q, k)": low, "__dp2a_lo(a, b, c)": ulow, "__dp2a_lo(u, s, c)": ulow,
		"__dp2a_hi(i, j, k)": high, "__dp2a_hi(h, q, k)": high, "__dp2a_hi(a, b, c)": uhigh, "__dp2a_hi(u, s, c)": uhigh,

		"__mulhi(i, j)":  two(itself[int32], func(a, b int32) int32 { return int32(int64(a) * int64(b) >> 32) }),
		"__umulhi(a, b)": two(unsigned, func(a, b uint32) uint32 { return uint32(uint64(a) * uint64(b) >> 32) }),
		"__mul24(i, j)":  two(itself[int32], func(a, b int32) int32 { return a << 8 >> 8 * (b << 8 >> 8) }),
		"__umul24(a, b)": two(unsigned, func(a, b uint32) uint32 { return a & 0xffffff * (b & 0xffffff) }),
		"__hadd(i, j)":   two(itself[int32], func(a, b int32) int32 { return int32((int64(a) + int64(b)) >> 1) }),
		"__rhadd(i, j)":  two(itself[int32], func(a, b int32) int32 { return int32((int64(a) + int64(b) + 1) >> 1) }),
		"__uhadd(a, b)":  two(unsigned, func(a, b uint32) uint32 { return uint32((uint64(a) + uint64(b)) >> 1) }),
		"__urhadd(a, b)": two(unsigned, func(a, b uint32) uint32 { return uint32((uint64(a) + uint64(b) + 1) >> 1) }),
		"abs(i)":         one(itself[int32], absolute[int32]),

		"__int_as_float(i)":      one(unsigned, math.Float32frombits),
		"__uint_as_float(a)":     one(unsigned, math.Float32frombits),
		"__hiloint2double(i, j)": func(x, y, _ int32) any { return math.Float64frombits(uint64(uint32(x))<<32 | uint64(uint32(y))) },
		"__int2double_rn(i)":     func(x, _, _ int32) any { return float64(x) },
		"__uint2double_rn(a)":    func(x, _, _ int32) any { return float64(uint32(x)) },
		"min(i, j)":              two(itself[int32], func(a, b int32) int32 { return min(a, b) }),
		"max(i, j)":              two(itself[int32], func(a, b int32) int32 { return max(a, b) }),
	}
	for _, pair := range []string{"(a, b)", "(i, b)", "(a, j)"} {
		want["min"+pair] = two(unsigned, func(a, b uint32) uint32 { return min(a, b) })
		want["max"+pair] = two(unsigned, func(a, b uint32) uint32 { return max(a, b) })
	}
	for _, mode := range modes {
		want["__int2float_"+mode+"(i)"] = func(x, _, _ int32) any { return integerTo32(big.NewInt(int64(x)), mode) }
		want["__uint2float_"+mode+"(a)"] = func(x, _, _ int32) any { return integerTo32(big.NewInt(int64(uint32(x))), mode) }
	}
	return want
}

func longFunctions() map[string]func(x, y, z int64) any {
	want := map[string]func(x, y, z int64) any{
		"__popcll(a)": one(unsignedLong, func(a uint64) int32 { return int32(bits.OnesCount64(a)) }),
		"__clzll(i)":  one(unsignedLong, func(a uint64) int32 { return int32(bits.LeadingZeros64(a)) }),
		"__ffsll(i)":  one(unsignedLong, func(a uint64) int32 { return int32((bits.TrailingZeros64(a) + 1) % 65) }),
		"__brevll(a)": one(unsignedLong, bits.Reverse64),
		"__mul64hi(i, j)": two(itself[int64], func(a, b int64) int64 {
			p := new(big.Int).Mul(big.NewInt(a), big.NewInt(b))
			return p.Rsh(p, 64).Int64()
		}),
		"__umul64hi(a, b)":        two(unsignedLong, func(a, b uint64) uint64 { high, _ := bits.Mul64(a, b); return high }),
		"__longlong_as_double(i)": one(unsignedLong, math.Float64frombits),
	}
	for _, name := range []string{"abs(i)", "abs(l)", "labs(l)", "llabs(i)"} {
		want[name] = one(itself[int64], absolute[int64])
	}
	for _, pair := range []string{"(i, j)", "(l, m)"} {
		want["min"+pair] = two(itself[int64], func(a, b int64) int64 { return min(a, b) })
		want["max"+pair] = two(itself[int64], func(a, b int64) int64 { return max(a, b) })
	}
	for _, pair := range []string{"(a, b)", "(i, b)", "(a, j)", "(u, v)", "(l, v)", "(u, m)"} {
		want["min"+pair] = two(unsignedLong, func(a, b uint64) uint64 { return min(a, b) })
		want["max"+pair] = two(unsignedLong, func(a, b uint64) uint64 { return max(a, b) })
	}
	for _, mode := range modes {
		want["__ll2float_"+mode+"(i)"] = func(x, _, _ int64) any { return integerTo32(big.NewInt(x), mode) }
		want["__ull2float_"+mode+"(a)"] = func(x, _, _ int64) any { return integerTo32(new(big.Int).SetUint64(uint64(x)), mode) }
		want["__ll2double_"+mode+"(i)"] = func(x, _, _ int64) any { return integerTo64(big.NewInt(x), mode) }
		want["__ull2double_"+mode+"(a)"] = func(x, _, _ int64) any { return integerTo64(new(big.Int).SetUint64(uint64(x)), mode) }
	}
	return want
}

func integerTo32(n *big.Int, mode string) float32 {
	if n.Sign() == 0 {
		return 0
	}
	return float32(binary32.round(new(big.Rat).SetInt(n), mode))
}

func integerTo64(n *big.Int, mode string) float64 {
	if n.Sign() == 0 {
		return 0
	}
	return binary64.round(new(big.Rat).SetInt(n), mode)
}
