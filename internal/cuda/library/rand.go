// cuRAND's host API: generators and distributions (cuRAND, "Host API Overview").

package library

import (
	"math"
	"math/rand/v2"
)

// Types of generators by the numbers of curandRngType_t.
const (
	rngDefault      = 100
	rngXORWOW       = 101
	rngMRG32k3a     = 121
	rngMT19937      = 142
	rngPhilox       = 161
	rngQuasiDefault = 200
	rngSobol32      = 201
	rngSobol64      = 203
)

// generator is a generator with its options.
type generator struct {
	kind       uint64
	seed       uint64
	offset     uint64 // numbers that come before the first one
	dimensions int
	source     source // nil until the first number
	drawn      uint64 // points of a quasi-random generator
}

func (g *generator) quasi() bool { return g.kind >= rngQuasiDefault }

func createGenerator(c *call) {
	g := &generator{kind: c.word(), dimensions: 1}
	switch g.kind {
	case rngDefault:
		g.kind = rngXORWOW
	case rngQuasiDefault:
		g.kind = rngSobol32
	case rngXORWOW, rngMRG32k3a, rngMT19937, rngPhilox, rngSobol32, rngSobol64:
	default:
		c.fail(Unsupported, "the generator %d is not supported", g.kind)
	}
	c.make(g)
}

// option changes an option of a generator, which begins again.
func option(set func(c *call, g *generator, v uint64)) func(*call) {
	return func(c *call) {
		g, v := object[*generator](c), c.word()
		if c.failed() {
			return
		}
		set(c, g, v)
		g.source, g.drawn = nil, 0
	}
}

func setSeed(c *call, g *generator, v uint64) {
	if g.quasi() {
		c.fail(Invalid, "a quasi-random generator has no seed")
		return
	}
	g.seed, g.offset = v, 0
}

func setOffset(c *call, g *generator, v uint64) {
	if g.kind == rngMT19937 {
		c.fail(Invalid, "a generator of type MT19937 has no offset")
		return
	}
	g.offset = v
}

// setOrdering accepts any ordering: each is one of the same distribution.
func setOrdering(c *call, g *generator, v uint64) {
	const firstQuasi = 200
	if v < 100 || (v > firstQuasi) != g.quasi() {
		c.fail(Invalid, "the ordering %d is not one of such generators", v)
	}
}

func setDimensions(c *call, g *generator, v uint64) {
	switch {
	case !g.quasi() || v == 0:
		c.fail(Invalid, "%d dimensions", v)
	case v > uint64(len(sobol)):
		c.fail(Unsupported, "%d dimensions are not supported, of at most %d", v, len(sobol))
	default:
		g.dimensions = int(v)
	}
}

// begin makes the source of a pseudo-random generator, and leaves out the numbers before the offset.
func (g *generator) begin(c *call) {
	if g.source != nil || g.quasi() {
		return
	}
	left := g.offset
	switch g.kind {
	case rngXORWOW:
		g.source = newXorwow(g.seed)
	case rngMRG32k3a:
		g.source = newMRG32k3a(g.seed)
	case rngMT19937:
		g.source = newMT19937(g.seed)
	case rngPhilox:
		g.source = &philox{key: g.seed, counter: left / 4}
		left %= 4
	}
	const between = 1 << 20 // numbers between looks at the context
	for ; left > 0 && !c.failed(); left-- {
		g.source.next()
		for n := uint64(0); n < between && left > 1; n++ {
			g.source.next()
			left--
		}
	}
}

// Uint64 implements rand.Source of math/rand/v2.
func (g *generator) Uint64() uint64 { return uint64(g.source.next())<<32 | uint64(g.source.next()) }

// Numbers in (0, 1], as cuRAND's uniform ones are.
func uniform32(v uint32) float64 { return (float64(v) + 1) / (1 << 32) }
func uniform64(v uint64) float64 { return (float64(v>>11) + 1) / (1 << 53) }

// draw makes the numbers of a distribution from a generator.
type draw struct {
	typ Type
	// pair makes two numbers of a pseudo-random generator, and point one of a point of a quasi-random one.
	pair  func(g *generator) (a, b float64)
	point func(x uint64) float64
	even  bool // pseudo-random numbers come in pairs only
}

// generate writes numbers, some at a time. Those of a quasi-random generator are all of one dimension after the other.
func generate(distribution func(c *call) draw) func(*call) {
	return func(c *call) {
		g := object[*generator](c)
		to, n := ref{c.word(), 1, F32}, c.integer()
		d := distribution(c)
		to.typ = d.typ
		switch {
		case c.failed() || n == 0:
			return
		case n < 0 || g.quasi() && n%g.dimensions != 0 || !g.quasi() && d.even && n%2 != 0:
			c.fail(Invalid, "%d numbers, expected a multiple of the dimensions, and of 2 for normal ones", n)
			return
		case !c.extent(to, n, 1, 1):
			return
		}
		if g.quasi() {
			g.points(c, d, to, n/g.dimensions)
			return
		}
		g.begin(c)
		fill(c, to, n, func(out []float64) {
			for i := 0; i < len(out); i += 2 {
				a, b := d.pair(g)
				copy(out[i:], []float64{a, b})
			}
		})
	}
}

// points writes n points of each dimension.
func (g *generator) points(c *call, d draw, to ref, n int) {
	for dimension := range g.dimensions {
		v, at := directions(dimension), g.offset+g.drawn
		fill(c, to.at(dimension*n), n, func(out []float64) {
			for i := range out {
				out[i] = d.point(sobolPoint(&v, at))
				at++
			}
		})
	}
	g.drawn += uint64(n)
}

// fill writes n numbers, some at a time.
func fill(c *call, to ref, n int, next func(out []float64)) {
	const some = 1 << 16
	for at := 0; at < n && !c.failed(); at += some {
		out := make([]float64, min(some, n-at))
		next(out)
		save(c, to.at(at), out)
	}
}

// bits32 are integers of 32 bits.
func bits32(*call) draw {
	return draw{
		typ:   U32,
		pair:  func(g *generator) (a, b float64) { return float64(g.source.next()), float64(g.source.next()) },
		point: func(x uint64) float64 { return float64(x >> 32) },
	}
}

func uniform(t Type) func(*call) draw {
	return func(*call) draw {
		d := draw{typ: t, point: func(x uint64) float64 { return uniform32(uint32(x >> 32)) }}
		d.pair = func(g *generator) (a, b float64) { return uniform32(g.source.next()), uniform32(g.source.next()) }
		if t == F64 {
			d.pair = func(g *generator) (a, b float64) { return uniform64(g.Uint64()), uniform64(g.Uint64()) }
			d.point = uniform64
		}
		return d
	}
}

// normal is by the transformation of Box and Muller, of quasi-random points by the inverse of the distribution
// function.
func normal(t Type, then func(float64) float64) func(*call) draw {
	return func(c *call) draw {
		mean, deviation := math.Float64frombits(c.word()), math.Float64frombits(c.word())
		u := uniform(t)(c)
		return draw{
			typ: t, even: true,
			pair: func(g *generator) (a, b float64) {
				x, y := u.pair(g)
				sin, cos := math.Sincos(2 * math.Pi * y)
				radius := deviation * math.Sqrt(-2*math.Log(x))
				return then(mean + radius*sin), then(mean + radius*cos)
			},
			point: func(x uint64) float64 {
				p := (float64(x>>11) + 0.5) / (1 << 53)
				return then(mean + deviation*math.Sqrt2*math.Erfinv(2*p-1))
			},
		}
	}
}

func identity(v float64) float64 { return v }

// poisson draws pseudo-random numbers by rejection, and of quasi-random points by the inverse of the distribution
// function.
func poisson(c *call) draw {
	mean := math.Float64frombits(c.word())
	const largest = 400000 // as cuRAND has it
	if !(mean > 0 && mean <= largest) {
		c.fail(Invalid, "the mean of a Poisson distribution is %g", mean)
	}
	return draw{
		typ: U32,
		pair: func(g *generator) (a, b float64) {
			from := rand.New(g)
			return poissonNumber(mean, from), poissonNumber(mean, from)
		},
		point: func(x uint64) float64 { return poissonQuantile(mean, uniform64(x)) },
	}
}

// generateLong writes integers of 64 bits, which generators of 64 bits have.
func generateLong(c *call) {
	g := object[*generator](c)
	to, n := c.word(), c.integer()
	if c.failed() {
		return
	}
	if g.kind != rngSobol64 || n < 0 || n%g.dimensions != 0 {
		c.fail(Invalid, "%d numbers of 64 bits, expected a generator of 64 bits and a multiple of its dimensions", n)
		return
	}
	each := n / g.dimensions
	for dimension := range g.dimensions {
		v := directions(dimension)
		for i := 0; i < each && !c.failed(); i++ {
			c.err = c.memory.Write(to, le.AppendUint64(nil, sobolPoint(&v, g.offset+g.drawn+uint64(i))))
			to += 8
		}
	}
	g.drawn += uint64(each)
}

// generators are the functions of cuRAND that take a generator.
func generators() []row {
	return []row{
		{".curand.create", "", "e O", createGenerator},
		{".curand.destroy", "", "l", destroy},
		{"curandSetPseudoRandomGeneratorSeed", "", "o l", option(setSeed)},
		{"curandSetGeneratorOffset", "", "o l", option(setOffset)},
		{"curandSetGeneratorOrdering", "", "o e", option(setOrdering)},
		{"curandSetQuasiRandomGeneratorDimensions", "", "o e", option(setDimensions)},
		{"curandGenerate", "", "o p l", generate(bits32)},
		{"curandGenerateLongLong", "", "o p l", generateLong},
		{"curandGenerateUniform", "", "o p l", generate(uniform(F32))},
		{"curandGenerateUniformDouble", "", "o p l", generate(uniform(F64))},
		{"curandGenerateNormal", "", "o p l f f", generate(normal(F32, identity))},
		{"curandGenerateNormalDouble", "", "o p l d d", generate(normal(F64, identity))},
		{"curandGenerateLogNormal", "", "o p l f f", generate(normal(F32, math.Exp))},
		{"curandGenerateLogNormalDouble", "", "o p l d d", generate(normal(F64, math.Exp))},
		{"curandGeneratePoisson", "", "o p l d", generate(poisson)},
	}
}
