// Random number generators by their publications. Each has one sequence: cuRAND interleaves the sequences of many
// threads, and seeds them in a way of its own, so that its numbers are others of the same distribution.

package library

import "math/bits"

// source is a generator of 32 bits at a time.
type source interface {
	next() uint32
}

// splitMix derives states from a seed (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA
// 2014).
type splitMix uint64

func (s *splitMix) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// xorwow is Marsaglia: Xorshift RNGs, Journal of Statistical Software 8 (2003), section 3.1.
type xorwow struct {
	x [5]uint32
	d uint32
}

func newXorwow(seed uint64) source {
	g, s := &xorwow{}, splitMix(seed)
	for i := range g.x {
		g.x[i] = uint32(s.next()) | 1 // not all may be 0
	}
	g.d = uint32(s.next())
	return g
}

func (g *xorwow) next() uint32 {
	t, last := g.x[0]^g.x[0]>>2, g.x[4]
	copy(g.x[:], g.x[1:])
	g.x[4] = last ^ last<<4 ^ t ^ t<<1
	g.d += 362437
	return g.d + g.x[4]
}

// mrg32k3a is L'Ecuyer: Good Parameters and Implementations for Combined Multiple Recursive Random Number Generators,
// Operations Research 47 (1999), figure I.
type mrg32k3a struct{ a, b [3]uint64 }

const (
	mrgFirst  = 4294967087
	mrgSecond = 4294944443
)

func newMRG32k3a(seed uint64) source {
	g, s := &mrg32k3a{}, splitMix(seed)
	for i := range g.a {
		g.a[i], g.b[i] = 1+s.next()%(mrgFirst-1), 1+s.next()%(mrgSecond-1)
	}
	return g
}

// next returns the combined value, of 1 to mrgFirst, scaled to 32 bits.
func (g *mrg32k3a) next() uint32 { return uint32(g.combined() * (1 << 32) / (mrgFirst + 1)) }

func (g *mrg32k3a) combined() uint64 {
	p := (1403580*g.a[1] + 810728*(mrgFirst-g.a[0])) % mrgFirst
	q := (527612*g.b[2] + 1370589*(mrgSecond-g.b[0])) % mrgSecond
	g.a, g.b = [3]uint64{g.a[1], g.a[2], p}, [3]uint64{g.b[1], g.b[2], q}
	if p > q {
		return p - q
	}
	return p + mrgFirst - q
}

// philox is Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel Random Numbers: As Easy as 1, 2, 3, SC 2011). The key
// is the seed.
type philox struct {
	key     uint64
	counter uint64
	block   [4]uint32
	left    int
}

func (g *philox) next() uint32 {
	if g.left == 0 {
		g.block, g.left = philoxBlock([4]uint32{uint32(g.counter), uint32(g.counter >> 32)}, uint32(g.key),
			uint32(g.key>>32)), 4
		g.counter++
	}
	g.left--
	return g.block[3-g.left]
}

// philoxBlock applies the ten rounds to a counter.
func philoxBlock(c [4]uint32, k0, k1 uint32) [4]uint32 {
	for range 10 {
		h0, l0 := bits.Mul32(0xd2511f53, c[0])
		h1, l1 := bits.Mul32(0xcd9e8d57, c[2])
		c = [4]uint32{h1 ^ c[1] ^ k0, l1, h0 ^ c[3] ^ k1, l0}
		k0, k1 = k0+0x9e3779b9, k1+0xbb67ae85
	}
	return c
}

// mt19937 is Matsumoto, Nishimura: Mersenne Twister, ACM TOMACS 8 (1998), with the initialisation of 2002.
type mt19937 struct {
	x  [624]uint32
	at int
}

func newMT19937(seed uint64) source {
	g := &mt19937{at: len(mt19937{}.x)}
	g.x[0] = uint32(seed ^ seed>>32)
	for i := 1; i < len(g.x); i++ {
		g.x[i] = 1812433253*(g.x[i-1]^g.x[i-1]>>30) + uint32(i)
	}
	return g
}

func (g *mt19937) next() uint32 {
	const n, m = 624, 397
	if g.at == n {
		for i := range n {
			y := g.x[i]&(1<<31) | g.x[(i+1)%n]&(1<<31-1)
			g.x[i] = g.x[(i+m)%n] ^ y>>1 ^ 0x9908b0df*(y&1)
		}
		g.at = 0
	}
	y := g.x[g.at]
	g.at++
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}

// sobol has the direction numbers of a dimension (Joe, Kuo: Constructing Sobol Sequences with Better Two-Dimensional
// Projections, SIAM J. Sci. Comput. 30 (2008)): the degree and the inner coefficients of a polynomial, and the first
// numbers.
var sobol = []struct {
	inner uint64
	first []uint64
}{
	{0, nil},
	{0, []uint64{1}},
	{1, []uint64{1, 3}},
	{1, []uint64{1, 3, 1}},
	{2, []uint64{1, 1, 1}},
	{1, []uint64{1, 1, 3, 3}},
	{4, []uint64{1, 3, 5, 13}},
	{2, []uint64{1, 1, 5, 5, 17}},
	{4, []uint64{1, 1, 5, 5, 5}},
	{7, []uint64{1, 1, 7, 11, 19}},
}

// directions returns the direction numbers of a dimension, from 0, of 64 bits each.
func directions(dimension int) (v [64]uint64) {
	s := sobol[dimension]
	degree := len(s.first)
	for i := range v {
		switch {
		case degree == 0:
			v[i] = 1 << (63 - i)
		case i < degree:
			v[i] = s.first[i] << (63 - i)
		default:
			v[i] = v[i-degree] ^ v[i-degree]>>degree
			for k := 1; k < degree; k++ {
				v[i] ^= s.inner >> (degree - 1 - k) & 1 * v[i-k]
			}
		}
	}
	return v
}

// sobolPoint returns the n-th point of a dimension, by the Gray code of its number.
func sobolPoint(v *[64]uint64, n uint64) (x uint64) {
	for g := n ^ n>>1; g != 0; g &= g - 1 {
		x ^= v[bits.TrailingZeros64(g)]
	}
	return x
}
