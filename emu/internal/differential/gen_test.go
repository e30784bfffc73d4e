// The generator of random programs.

package differential

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// generator makes one program.
type generator struct {
	*rand.Rand
	p     *Program
	sm    int
	ops   map[scalar][]operation // by type of result
	next  int                    // number of the next generated name
	kinds []func(place) *stmt

	fn *function
	s  scope
}

// A scope has the variables that expressions can use.
type scope struct {
	scalars []variable
	arrays  []array
	records []recordVariable
	params  bool // the kernel's Params are accessible
}

// A recordVariable is a variable of a struct type.
type recordVariable struct {
	expr string
	typ  *structType
}

// place describes the context of a statement.
type place struct {
	mask    string // variable with the mask of the executing lanes, "" if it is not known
	uniform bool   // all threads of the block execute the statement
	exits   bool   // break and continue are allowed
	leaves  string // for statements of a loop's body, the mask of the loop, else ""
	depth   int
	times   int // upper bound on executions in one call of the function
}

// inner returns the place of a statement nested in one at this place.
func (at place) inner() place {
	at.depth++
	at.leaves = ""
	return at
}

const (
	maxCost  = 4000 // approximate number of statements that a thread executes
	maxDepth = 4
)

// Generate makes the program of a seed, for architectures from sm on.
func Generate(seed uint64, sm int) *Program {
	g := newGenerator(seed, sm)
	for range g.IntN(4) {
		g.structType()
	}
	g.constants()
	for range g.IntN(6) {
		g.function()
	}
	g.kernel()
	return g.p
}

// edges is the number of values of each type that GenerateOperations tries.
const edges = 32

// GenerateOperations makes a program that executes every instruction of the table with all pairs of some values, mostly
// values at the limits of ranges: the threads of a warp and the iterations of its loop enumerate them.
func GenerateOperations(seed uint64, sm int) *Program {
	g := newGenerator(seed, sm)
	g.p.Grid, g.p.Block = 1, edges
	g.edgeTables()
	g.fn = &function{kind: uniform}
	g.p.kernel = g.fn
	g.kernelHead()
	var body []*stmt
	for _, op := range operationsFor(sm) {
		var args []string
		for i, t := range op.args {
			arg := fmt.Sprintf("(%s)edges_%[1]s[i%d]", t.c, i)
			if t.float {
				arg = fmt.Sprintf("f%d_of(edges_%s[i%d])", t.bits, t.c, i)
			}
			args = append(args, arg)
		}
		v := variable{expr: fmt.Sprintf("%s(%s)", op.name, strings.Join(args, ", ")), typ: op.result}
		body = append(body, leaf("h = mix(h, %s);", g.mixed(v)))
	}
	g.fn.body = []*stmt{{text: []string{edgeLoop, "}"}, blocks: [][]*stmt{body}}}
	g.fn.tail = "  mem->out[gid] = h;\n"
	return g.p
}

// edgeTables defines the values, floating-point numbers as bits. Half of each table is limits of the type's ranges.
func (g *generator) edgeTables() {
	for _, t := range append(allWords, floatTypes...) {
		values := integerEnds(t)
		if t.float {
			values = floatEnds(t)
		}
		for len(values) < edges {
			v := g.Uint64() >> g.IntN(t.bits) << (64 - t.bits) >> (64 - t.bits)
			if t.float {
				v = g.floatBits(t)
			}
			values = append(values, v)
		}
		text := fmt.Sprintf("CONSTANT u%d edges_%s[%d] = {", t.bits, t.c, edges)
		for _, v := range values {
			text += fmt.Sprintf("%#xull, ", v)
		}
		g.p.tables = append(g.p.tables, text+"};")
	}
}

// integerEnds returns numbers near 0 and near the limits of the signed and the unsigned type.
func integerEnds(t scalar) []uint64 {
	all := ^uint64(0) >> (64 - t.bits)
	top := all>>1 + 1
	return []uint64{0, 1, 2, all, all - 1, top, top + 1, top - 1, top - 2, top >> 1, uint64(t.bits), uint64(t.bits) - 1, uint64(t.bits) + 1, 255, 128}
}

// floatEnds returns the bits of zeros, ones, subnormal numbers, the largest ones, infinities and NaN.
func floatEnds(t scalar) []uint64 {
	mantissa, sign := 23, uint64(1)<<31
	if t.bits == 64 {
		mantissa, sign = 52, uint64(1)<<63
	}
	normal := uint64(1) << mantissa
	infinity := sign - normal
	one := infinity >> 1 &^ (normal - 1)
	return []uint64{0, sign, one, sign | one, 1, sign | 1, normal - 1, normal, sign | normal, infinity - 1, sign | (infinity - 1), infinity, sign | infinity, sign - 1, infinity | normal>>1}
}

// edgeLoop begins a loop in which the threads of a warp have all pairs of i0 and i1, because the determinant of the
// factors is odd.
const edgeLoop = `#pragma unroll 1
for (u32 k = 0; k < 32; k++) {
u32 i0 = (k + tid * 3) & 31, i1 = (k * 5 + tid * 2) & 31, i2 = (k * 7 + tid * 9) & 31, i3 = (k * 3 + tid * 5) & 31;`

// newGenerator starts a program.
func newGenerator(seed uint64, sm int) *generator {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 0)), p: &Program{Seed: seed}, sm: sm, ops: map[scalar][]operation{}}
	for _, op := range operationsFor(sm) {
		g.ops[op.result] = append(g.ops[op.result], op)
	}
	g.kinds = g.statementKinds()
	shape := pickOne(g, [][2]int{{1, 32}, {1, 33}, {1, 48}, {1, 64}, {1, 96}, {2, 32}, {2, 40}, {2, 64}, {3, 32}, {1, 128}, {5, 32}, {2, 80}})
	g.p.Grid, g.p.Block = shape[0], shape[1]
	return g
}

func pickOne[T any](g *generator, list []T) T { return list[g.IntN(len(list))] }

// name returns a new name.
func (g *generator) name(prefix string) string {
	g.next++
	return fmt.Sprintf("%s%d", prefix, g.next)
}

// chance returns true once in n times.
func (g *generator) chance(n int) bool { return g.IntN(n) == 0 }

// structType makes a struct or union; structs may hold earlier ones.
func (g *generator) structType() {
	s := &structType{name: g.name("S"), union: g.chance(4)}
	for i := range 1 + g.IntN(5) {
		f := field{name: fmt.Sprintf("f%d", i), typ: pickOne(g, commonTypes)}
		switch g.IntN(6) {
		case 0:
			f.n = 2 << g.IntN(3)
		case 1, 2:
			f.typ = pickOne(g, integerTypes)
			f.width = 1 + g.IntN(f.typ.bits)
		case 3:
			if len(g.p.types) > 0 && !s.union {
				f.nested = pickOne(g, g.p.types)
			}
		}
		if s.union { // the bits of a NaN may change
			f.typ, f.width = pickOne(g, integerTypes), 0
		}
		s.fields = append(s.fields, f)
	}
	g.p.types = append(g.p.types, s)
}

// constants makes tables in constant and global memory.
func (g *generator) constants() {
	for range g.IntN(3) {
		t, n, name := pickOne(g, integerTypes), 4<<g.IntN(3), g.name("t")
		g.table(pickOne(g, []string{"CONSTANT", "DEVICE"}), t, name, n)
		g.s.arrays = append(g.s.arrays, array{name, t, n, true})
	}
}

// table defines an array of literals.
func (g *generator) table(space string, t scalar, name string, n int) {
	text := fmt.Sprintf("%s %s %s[%d] = {", space, t.c, name, n)
	for range n {
		text += g.literal(t) + ", "
	}
	g.p.tables = append(g.p.tables, text+"};")
}

// declare adds a local variable of a scalar type, an array or a struct to the function.
func (g *generator) declare() {
	switch k := g.IntN(10); {
	case k == 0:
		a := array{g.name("a"), pickOne(g, commonTypes), 2 << g.IntN(4), false}
		g.head("%s %s[%d];", a.elem.c, a.expr, a.n)
		g.head("for (u32 i = 0; i < %d; i++) %s[i] = (%s)(i * %d);", a.n, a.expr, a.elem.c, g.IntN(100))
		g.s.arrays = append(g.s.arrays, a)
	case k <= 2 && len(g.p.types) > 0:
		t, name := pickOne(g, g.p.types), g.name("s")
		g.head("%s %s;", t.name, name)
		g.head("__builtin_memset(&%s, 0, sizeof %[1]s);", name)
		g.addRecord(name, t)
	default:
		v := variable{expr: g.name("v"), typ: pickOne(g, commonTypes)}
		g.head("%s %s = %s;", v.typ.c, v.expr, g.expr(v.typ, 1))
		g.s.scalars = append(g.s.scalars, v)
	}
}

func (g *generator) head(format string, args ...any) {
	g.fn.head = append(g.fn.head, fmt.Sprintf(format, args...))
}

// addRecord adds a struct and its fields to the scope.
func (g *generator) addRecord(expr string, t *structType) {
	g.s.records = append(g.s.records, recordVariable{expr, t})
	g.addFields(expr+".", t)
}

func (g *generator) addFields(prefix string, t *structType) {
	for _, f := range t.fields {
		switch {
		case f.nested != nil:
			g.addFields(prefix+f.name+".", f.nested)
		case f.n > 0:
			g.s.arrays = append(g.s.arrays, array{prefix + f.name, f.typ, f.n, false})
		default:
			g.s.scalars = append(g.s.scalars, variable{expr: prefix + f.name, typ: f.typ, field: f.width > 0})
		}
	}
}

// addScratch adds the thread's private storage to the scope.
func (g *generator) addScratch(p string) {
	for _, a := range []array{
		{"b", typeU8, 16, false}, {"h", typeI16, 8, false}, {"w", typeU32, 8, false}, {"d", typeU64, 4, false}, {"f", typeF32, 4, false}, {"g", typeF64, 4, false},
	} {
		a.expr = p + a.expr
		g.s.arrays = append(g.s.arrays, a)
	}
	for _, member := range []string{"x", "y", "z", "w"} {
		g.s.scalars = append(g.s.scalars, variable{expr: p + "q[1]." + member, typ: typeU32})
	}
}
