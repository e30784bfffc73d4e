package solve

// The queries of the race detector on the kernels of its paper and their like, written down by
// hand with what the host code says about them: each is answered with and without these facts.

import (
	"math"

	"github.com/ptxsan/ptxsan/internal/static/expr"
)

// The queries are written with the constructors of package expr under short names.
type (
	Int  = expr.Int
	Bool = expr.Bool
)

var (
	Const, Var, Uniform     = expr.Const, expr.Var, expr.Uniform
	Add, Sub, Mul, Div, Rem = expr.Add, expr.Sub, expr.Mul, expr.Div, expr.Rem
	And, Xor                = expr.And, expr.Xor
	Eq, Ne, Lt, Le, Gt, Ge  = expr.Eq, expr.Ne, expr.Lt, expr.Le, expr.Gt, expr.Ge
	All, Any                = expr.All, expr.Any
)

// A raceQuery asks whether two threads of a kernel can meet. Alone is the verdict without facts,
// hosted with them.
type raceQuery struct {
	name          string
	goal          []*Bool
	facts         []Fact
	alone, hosted Verdict
}

// side is a thread of the two.
type side struct{ tx, ty, bx, by *Int }

// A setting has the variables of a launch of one or two dimensions.
type setting struct {
	ntx, nty, ngx, ngy *Int
	t                  [2]side
	ranges             []*Bool
}

// launch returns the variables of a launch: free dimensions, and two threads within them.
func launch(dims int) *setting {
	s := &setting{ntx: Uniform("ntid.x", 1, 1024), nty: Const(1), ngx: Uniform("nctaid.x", 1, math.MaxInt32), ngy: Const(1)}
	if dims > 1 {
		s.nty, s.ngy = Uniform("ntid.y", 1, 1024), Uniform("nctaid.y", 1, 65535)
		s.ranges = append(s.ranges, Le(Mul(s.ntx, s.nty), Const(1024)))
	}
	for k := range s.t {
		t := side{Var("tid.x", 0, 1023).Instance(k + 1), Const(0), Var("ctaid.x", 0, math.MaxInt32-1).Instance(k + 1), Const(0)}
		s.ranges = append(s.ranges, Lt(t.tx, s.ntx), Lt(t.bx, s.ngx))
		if dims > 1 {
			t.ty, t.by = Var("tid.y", 0, 1023).Instance(k+1), Var("ctaid.y", 0, 65534).Instance(k+1)
			s.ranges = append(s.ranges, Lt(t.ty, s.nty), Lt(t.by, s.ngy))
		}
		s.t[k] = t
	}
	return s
}

// x and y are the coordinates of a thread in the grid, linear its number in its block.
func (s *setting) x(k int) *Int      { return Add(Mul(s.t[k].bx, s.ntx), s.t[k].tx) }
func (s *setting) y(k int) *Int      { return Add(Mul(s.t[k].by, s.nty), s.t[k].ty) }
func (s *setting) linear(k int) *Int { return Add(s.t[k].tx, Mul(s.t[k].ty, s.ntx)) }

// otherBlock, sameBlock and sameWarp say where the two threads are.
func (s *setting) otherBlock() *Bool {
	return Any(Ne(s.t[0].bx, s.t[1].bx), Ne(s.t[0].by, s.t[1].by))
}

func (s *setting) sameBlock() *Bool {
	return All(Eq(s.t[0].bx, s.t[1].bx), Eq(s.t[0].by, s.t[1].by))
}

func (s *setting) sameWarp() *Bool {
	return All(s.sameBlock(), Ne(s.linear(0), s.linear(1)), Eq(Div(s.linear(0), Const(32)), Div(s.linear(1), Const(32))))
}

// with returns the goal of a query: the ranges of the launch and more.
func (s *setting) with(fs ...*Bool) []*Bool { return append(append([]*Bool{}, s.ranges...), fs...) }

// host makes facts of pairs of a name and a formula.
func host(pairs ...any) []Fact {
	var facts []Fact
	for i := 0; i < len(pairs); i += 2 {
		facts = append(facts, Fact{pairs[i].(string), pairs[i+1].(*Bool)})
	}
	return facts
}

// param is a 32-bit parameter.
func param(name string) *Int { return Uniform(name, math.MinInt32, math.MaxInt32) }

// local is a value that each thread has for itself.
func local(name string, k int, lo, hi int64) *Int { return Var(name, lo, hi).Instance(k + 1) }

// c is a constant.
func c(k int64) *Int { return Const(k) }

// dim says that a dimension of the launch is a value.
func is(x, y *Int) *Bool { return Eq(x, y) }

// ceil returns x / k rounded up.
func ceil(x *Int, k int64) *Int { return Div(Add(x, c(k-1)), c(k)) }

// raceQueries returns all queries.
func raceQueries() []raceQuery {
	var qs []raceQuery
	for _, f := range []func() []raceQuery{
		matrixCopies, reduceFinal, toneMapping, convolution, luDecomposition, needlemanWunsch, pitchLinear, matrixProducts,
		slidingWindows, locks, warps, strides, bitQueries, tissue, fitQueries, wrapQueries, stridePairs,
	} {
		qs = append(qs, f()...)
	}
	return qs
}

// matrixCopies: a triangle of a matrix is copied to the other (Fig. 1), and out of packed form.
func matrixCopies() []raceQuery {
	var qs []raceQuery
	for _, kind := range []string{"write-write", "write-read"} {
		s := launch(2)
		rows, cols := param("rows"), param("cols")
		at := func(k int, x, y *Int) *Int { return Add(Mul(y, cols), x) }
		guard := func(k int) *Bool { return All(Gt(s.y(k), s.x(k)), Lt(s.y(k), rows)) }
		other := at(1, s.x(1), s.y(1))
		if kind == "write-read" {
			other = at(1, s.y(1), s.x(1))
		}
		qs = append(qs, raceQuery{
			"copyUppToLow " + kind, s.with(guard(0), guard(1), Eq(at(0, s.x(0), s.y(0)), other), s.otherBlock()),
			host("assert", Eq(rows, cols)), Sat, Unsat,
		})
	}
	s := launch(2)
	rows, cols, stride := param("rows"), param("cols"), param("stride")
	at := func(k int) *Int { return Add(Mul(s.y(k), stride), s.x(k)) }
	guard := func(k int) *Bool { return All(Lt(s.x(k), cols), Lt(s.y(k), rows)) }
	return append(qs, raceQuery{
		"copyFromTp", s.with(guard(0), guard(1), Eq(at(0), at(1)), s.otherBlock()),
		host("assert", Eq(rows, cols), "stride", Ge(stride, cols)), Sat, Unsat,
	})
}

// reduceFinal: the first thread of each block writes one place (Fig. 2).
func reduceFinal() []raceQuery {
	s := launch(1)
	return []raceQuery{{
		"reduceFinal", s.with(Eq(s.t[0].tx, c(0)), Eq(s.t[1].tx, c(0)), s.otherBlock()),
		host("grid", is(s.ngx, c(1)), "block", is(s.ntx, c(256))), Sat, Unsat,
	}}
}

// toneMapping: an image with channels, whose width gives the grid (Fig. 3).
func toneMapping() []raceQuery {
	var qs []raceQuery
	for _, channel := range []int64{0, 3} {
		s := launch(2)
		width, height, channels := param("width"), param("height"), param("channels")
		at := func(k int) *Int { return Add(Mul(width, channels, s.y(k)), Mul(s.x(k), channels)) }
		name := "toneMapping channels 0 and 0"
		if channel == 3 {
			name = "toneMapping channels 0 and 3"
		}
		qs = append(qs, raceQuery{
			name, s.with(Eq(at(0), Add(at(1), c(channel))), s.otherBlock()),
			host("block.x", is(s.ntx, c(16)), "block.y", is(s.nty, c(16)), "width", Gt(width, c(0)), "height", Gt(height, c(0)),
				"channels", Eq(channels, c(4)), "grid.x", is(s.ngx, Div(width, c(16))), "grid.y", is(s.ngy, Div(height, c(16)))),
			Sat, Unsat,
		})
	}
	return qs
}

// convolution: the rows of a separable filter, eight results for each thread.
func convolution() []raceQuery {
	s := launch(2)
	width, height, pitch := param("imageW"), param("imageH"), param("pitch")
	at := func(k int) *Int {
		x := Add(Mul(Sub(Mul(s.t[k].bx, c(8)), c(1)), c(16)), s.t[k].tx)
		y := Add(Mul(s.t[k].by, c(4)), s.t[k].ty)
		return Add(Mul(y, pitch), x, Mul(local("i", k, 1, 8), c(16)))
	}
	return []raceQuery{{
		"convolutionRows", s.with(Eq(at(0), at(1)), s.otherBlock()),
		host("block.x", is(s.ntx, c(16)), "block.y", is(s.nty, c(4)), "pitch", Eq(pitch, width), "w", Gt(width, c(0)), "h", Gt(height, c(0)),
			"assert w", Eq(Rem(width, c(128)), c(0)), "assert h", Eq(Rem(height, c(4)), c(0)),
			"grid.x", is(s.ngx, Div(Div(width, c(8)), c(16))), "grid.y", is(s.ngy, Div(height, c(4)))), Sat, Unsat,
	}}
}

// luDecomposition: the offset is bounded by the host's loop (Fig. 4). The bound alone is not enough.
func luDecomposition() []raceQuery {
	var qs []raceQuery
	for _, kind := range []string{"write-write", "write-read", "offset only"} {
		s := launch(2)
		dim, off := param("dim"), param("offset")
		place := func(k int, row *Int) *Int {
			return Add(Mul(row, dim), off, Mul(Add(s.t[k].bx, c(1)), c(16)), s.t[k].tx)
		}
		row := func(k int) *Int { return Add(off, Mul(Add(s.t[k].by, c(1)), c(16)), s.t[k].ty) }
		other := place(1, row(1))
		if kind == "write-read" {
			other = place(1, Add(off, s.t[1].ty))
		}
		blocks := Sub(Div(Sub(dim, off), c(16)), c(1))
		q := raceQuery{
			"luDecomposition " + kind, s.with(Eq(place(0, row(0)), other), s.otherBlock()),
			host("block.x", is(s.ntx, c(16)), "block.y", is(s.nty, c(16)), "loop from", Ge(off, c(0)), "loop to", Lt(off, Sub(dim, c(16))),
				"dim", Gt(dim, c(0)), "grid.x", is(s.ngx, blocks), "grid.y", is(s.ngy, blocks)), Sat, Unsat,
		}
		if kind == "offset only" {
			q.facts, q.hosted = host("loop from", Ge(off, c(0)), "loop to", Lt(off, dim)), Sat
		}
		qs = append(qs, q)
	}
	return qs
}

// needlemanWunsch: blocks of a matrix along a diagonal.
func needlemanWunsch() []raceQuery {
	var qs []raceQuery
	for _, kind := range []string{"write-write", "write-read north", "write-read west"} {
		s := launch(1)
		cols, blk, row0, col0, width := param("max_cols"), param("blk"), param("offset_r"), param("offset_c"), param("block_width")
		base := func(k int) *Int {
			return Add(Mul(row0, cols), col0, Mul(cols, c(16), Sub(Sub(blk, c(1)), s.t[k].bx)), Mul(c(16), s.t[k].bx))
		}
		w := Add(base(0), s.t[0].tx, cols, c(1), Mul(cols, local("ty", 0, 0, 15)))
		var other *Int
		switch kind {
		case "write-write":
			other = Add(base(1), s.t[1].tx, cols, c(1), Mul(cols, local("ty", 1, 0, 15)))
		case "write-read north":
			other = Add(base(1), s.t[1].tx, c(1))
		default:
			other = Add(base(1), cols, Mul(cols, s.t[1].tx))
		}
		qs = append(qs, raceQuery{
			"needlemanWunsch " + kind, s.with(Eq(w, other), s.otherBlock()),
			host("block", is(s.ntx, c(16)), "cols", Ge(cols, c(1)), "width", Eq(width, Div(Sub(cols, c(1)), c(16))), "row0", Eq(row0, c(0)),
				"col0", Eq(col0, c(0)), "loop from", Ge(blk, c(1)), "loop to", Le(blk, width), "grid", is(s.ngx, blk)), Sat, Unsat,
		})
	}
	return qs
}

// pitchLinear: the size of a row is that of an allocation (Fig. 5). That it is positive, as the
// paper has it, is not enough: a row of four bytes has one element.
func pitchLinear() []raceQuery {
	s := launch(2)
	row := param("rowSize")
	at := func(k int) *Int { return Add(Mul(s.y(k), Div(row, c(4))), s.x(k)) }
	goal := s.with(Eq(at(0), at(1)), s.otherBlock())
	width, height := param("width"), param("height")
	return []raceQuery{
		{"pitchLinear positive", goal, host("allocation", Gt(row, c(0))), Sat, Sat},
		{"pitchLinear", goal, host("allocation", Gt(row, c(0)), "w", Gt(width, c(0)), "h", Gt(height, c(0)), "w fits", Le(width, c(1<<29-1)),
			"cudaMallocPitch", Ge(row, Mul(width, c(4))), "block.x", is(s.ntx, c(32)), "block.y", is(s.nty, c(32)),
			"grid.x", is(s.ngx, Div(width, c(32))), "grid.y", is(s.ngy, Div(height, c(32)))), Sat, Unsat},
	}
}

// matrixProducts: one element for each thread, with and without a guard.
func matrixProducts() []raceQuery {
	s := launch(2)
	n, m := param("N"), param("M")
	at := func(k int) *Int { return Add(Mul(s.y(k), n), s.x(k)) }
	guard := func(k int) *Bool { return All(Lt(s.x(k), n), Lt(s.y(k), m)) }
	block := host("block.x", is(s.ntx, c(16)), "block.y", is(s.nty, c(16)), "n", Gt(n, c(0)), "m", Gt(m, c(0)))
	up := append(host("grid.x", is(s.ngx, ceil(n, 16)), "grid.y", is(s.ngy, ceil(m, 16))), block...)
	down := append(host("grid.x", is(s.ngx, Div(n, c(16))), "grid.y", is(s.ngy, Div(m, c(16)))), block...)
	return []raceQuery{
		{"matrixProduct guarded", s.with(guard(0), guard(1), Eq(at(0), at(1)), s.otherBlock()), up, Unsat, Unsat},
		{"matrixProduct", s.with(Eq(at(0), at(1)), s.otherBlock()), down, Sat, Unsat},
	}
}

// slidingWindows: a convolution with atomics of too small a scope, and a stencil in place.
func slidingWindows() []raceQuery {
	s := launch(1)
	filter, size := param("filterSize"), param("arraySize")
	at := func(k int) *Int {
		return Div(Add(Mul(local("k", k, 0, 1<<20), c(15*1024)), s.x(k)), filter)
	}
	conv := raceQuery{
		"1dconv scope", s.with(Gt(filter, c(0)), Lt(at(0), size), Lt(at(1), size), Eq(at(0), at(1)), s.otherBlock()),
		host("block", is(s.ntx, c(1024)), "grid", is(s.ngx, c(15)), "filter", Gt(filter, c(0)), "array", Gt(size, c(0))), Sat, Sat,
	}
	s = launch(1)
	n := param("n")
	inner := func(k int) *Bool { return All(Ge(s.x(k), c(1)), Lt(s.x(k), Sub(n, c(1)))) }
	return []raceQuery{conv, {
		"stencil", s.with(inner(0), inner(1), Eq(s.x(0), Sub(s.x(1), c(1))), s.otherBlock()),
		host("block", is(s.ntx, c(256)), "grid", is(s.ngx, ceil(n, 256)), "n", Gt(n, c(0))), Sat, Sat,
	}}
}

// locks: is the lock the same where the data are? Of one kernel it is, of the other it is not.
func locks() []raceQuery {
	var qs []raceQuery
	for _, bad := range []bool{false, true} {
		s := launch(1)
		cols, rows := param("cB"), param("rA")
		var data, lock [2]*Int
		var guard [2]*Bool
		for k := range 2 {
			i, row := local("i", k, 0, 1<<20), local("row", k, 0, 1<<20)
			col := Add(Mul(i, c(32)), s.t[k].tx)
			data[k] = Add(col, Mul(row, cols))
			lock[k] = Rem(data[k], c(1024))
			if bad {
				lock[k] = Add(Mul(s.t[k].bx, c(32)), s.t[k].tx)
			}
			guard[k] = All(Lt(s.t[k].tx, c(32)), Lt(row, rows), Lt(col, cols))
		}
		q := raceQuery{
			"lock", s.with(guard[0], guard[1], Ge(cols, c(0)), Eq(data[0], data[1]), Ne(lock[0], lock[1]), s.otherBlock()),
			host("block", is(s.ntx, c(1024)), "grid", is(s.ngx, c(15)), "cols", Gt(cols, c(0)), "rows", Gt(rows, c(0))), Unsat, Unsat,
		}
		if bad {
			q.name, q.alone, q.hosted = "lock of another address", Sat, Sat
		}
		qs = append(qs, q)
	}
	return qs
}

// warps: threads of one warp.
func warps() []raceQuery {
	s := launch(1)
	one := raceQuery{"warp, one place", s.with(s.sameWarp()), host("block", is(s.ntx, c(16)), "grid", is(s.ngx, c(1))), Sat, Sat}
	s = launch(2)
	at := func(k int) *Int { return Add(s.t[k].tx, Mul(s.t[k].ty, c(16))) }
	return []raceQuery{one, {
		"warp, rows of 16", s.with(Eq(at(0), at(1)), s.sameWarp()),
		host("block.x", is(s.ntx, c(16)), "block.y", is(s.nty, c(16))), Sat, Unsat,
	}}
}

// strides: a loop with the grid as its stride, and a step of a reduction in shared memory.
func strides() []raceQuery {
	s := launch(1)
	n := param("n")
	at := func(k int) *Int { return Add(s.x(k), Mul(local("k", k, 0, 1<<30), s.ntx, s.ngx)) }
	loop := raceQuery{
		"grid-stride loop", s.with(Lt(at(0), n), Lt(at(1), n), Eq(at(0), at(1)), s.otherBlock()),
		host("block", is(s.ntx, c(256)), "grid", is(s.ngx, c(120)), "n", Gt(n, c(0))), Unsat, Unsat,
	}
	s = launch(1)
	step := Uniform("s", 1, 1024)
	return []raceQuery{loop, {
		"shared reduction", s.with(Lt(s.t[0].tx, step), Lt(s.t[1].tx, step), Eq(s.t[0].tx, Add(s.t[1].tx, step)), s.sameBlock()),
		host("block", is(s.ntx, c(256))), Unsat, Unsat,
	}}
}

// bitQueries: partners by exclusive or, places by a mask.
func bitQueries() []raceQuery {
	s := launch(1)
	j := param("j")
	p1, p2 := Xor(s.x(0), j), Xor(s.x(1), j)
	bitonic := raceQuery{
		"bitonic sort", s.with(Gt(p1, s.x(0)), Gt(p2, s.x(1)), Eq(p1, s.x(1)), s.otherBlock()),
		host("block", is(s.ntx, c(256)), "j", Gt(j, c(0))), Unsat, Unsat,
	}
	s = launch(1)
	size := param("tableSize")
	at := func(k int) *Int { return And(local("ran", k, math.MinInt32, math.MaxInt32), Sub(size, c(1))) }
	return []raceQuery{bitonic, {
		"randomAccess", s.with(Eq(at(0), at(1)), s.otherBlock()),
		host("block", is(s.ntx, c(128)), "grid", is(s.ngx, c(1)), "size", Gt(size, c(0))), Sat, Unsat,
	}}
}

// tissue: places by division and remainder.
func tissue() []raceQuery {
	var qs []raceQuery
	for _, kind := range []string{"blocks", "warp"} {
		s := launch(1)
		step, nnt, istep := param("step"), param("nnt"), param("istep")
		place := func(k int) *Int { return Div(s.x(k), step) }
		part := func(k int) *Int { return Rem(s.x(k), step) }
		where, hosted := s.otherBlock(), Unsat
		if kind == "warp" {
			where, hosted = s.sameWarp(), Sat
		}
		all := Mul(step, nnt)
		qs = append(qs, raceQuery{
			"tissue " + kind, s.with(Ge(step, c(1)), Lt(s.x(0), all), Lt(s.x(1), all), Lt(place(0), nnt), Lt(place(1), nnt),
				Eq(part(0), c(0)), Ge(istep, c(1)), Lt(istep, step), Eq(part(1), istep), Eq(place(0), place(1)), where),
			host("step", Eq(step, c(4)), "block", is(s.ntx, c(256)), "nnt", Le(nnt, c(32768)), "nnt > 0", Gt(nnt, c(0)),
				"grid", is(s.ngx, ceil(all, 256))), Sat, hosted,
		})
	}
	return qs
}

// fitQueries ask whether the index of a thread can leave the range of a register: with the facts it
// cannot.
func fitQueries() []raceQuery {
	index := func() (s *setting, w, h, at *Int) {
		s = launch(2)
		w, h = param("w"), param("h")
		return s, w, h, Add(Mul(s.y(0), w), s.x(0))
	}
	large := func(at *Int) *Bool { return Any(Gt(at, c(math.MaxInt32)), Lt(at, c(math.MinInt32))) }
	s, w, h, at := index()
	guarded := raceQuery{"fits, guarded", s.with(Lt(s.x(0), w), Lt(s.y(0), h), large(at)), host("size", Le(Mul(w, h), c(1<<29))), Sat, Unsat}
	s, w, h, at = index()
	grid := raceQuery{"fits, by the grid", s.with(large(at)), host("size", Le(Mul(w, h), c(1<<29)), "w", Ge(w, c(1)), "h", Ge(h, c(1)),
		"block.x", is(s.ntx, c(16)), "block.y", is(s.nty, c(16)), "grid.x", is(s.ngx, Div(w, c(16))), "grid.y", is(s.ngy, Div(h, c(16)))), Sat, Unsat}
	s, w, _, at = index()
	size := param("size")
	bytes := raceQuery{
		"fits, by the allocation", s.with(Lt(s.x(0), w), Gt(Mul(c(4), at), c(1<<32))),
		host("in-bounds", Lt(Mul(at, c(4)), size)), Sat, Unsat,
	}
	s = launch(1)
	n := param("n")
	linear := raceQuery{"fits, one dimension", s.with(large(s.x(0))), host("block", is(s.ntx, c(256)), "grid", is(s.ngx, ceil(n, 256)), "n", Ge(n, c(1)),
		"n fits", Le(n, c(math.MaxInt32-255))), Sat, Unsat}
	return []raceQuery{guarded, grid, bytes, linear}
}

// wrapQueries have addresses as PTX computes them, modulo 2^32 and 2^64.
func wrapQueries() []raceQuery {
	s := launch(1)
	at := func(k int) *Int {
		return expr.Wrap(Add(s.t[k].tx, Mul(c(64), local("v", k, 0, math.MaxUint32))), 32, false)
	}
	residues := raceQuery{"one residue for each thread", s.with(Lt(s.t[0].tx, c(64)), Lt(s.t[1].tx, c(64)), Ne(s.t[0].tx, s.t[1].tx), Eq(at(0), at(1))), nil, Unsat, Unsat}
	s = launch(2)
	rows, cols := param("rows"), param("cols")
	guard := func(k int) *Bool { return All(Gt(s.y(k), s.x(k)), Lt(s.y(k), rows)) }
	bytes := func(x, y *Int) *Int { return Mul(c(4), Add(Mul(y, cols), x)) }
	distance := expr.Wrap(Sub(bytes(s.x(0), s.y(0)), bytes(s.y(1), s.x(1))), 64, true)
	grid := ceil(rows, 16)
	triangle := raceQuery{
		"copyUppToLow in bytes", s.with(guard(0), guard(1), Eq(distance, c(0)), s.otherBlock()),
		host("assert", Eq(rows, cols), "block.x", is(s.ntx, c(16)), "block.y", is(s.nty, c(16)), "grid.x", is(s.ngx, grid), "grid.y", is(s.ngy, grid)), Sat, Unsat,
	}
	return []raceQuery{residues, triangle}
}

// stridePairs have two elements for each thread, one stride apart: 2·i - i%stride is an element of which the other one
// is no such element.
func stridePairs() []raceQuery {
	var qs []raceQuery
	for _, q := range []struct {
		name     string
		bits     int // of the stride, a power of 2
		distance int64
		hosted   Verdict
	}{
		{"stride pairs, one element", 10, 0, Unsat},
		{"stride pairs, the stride apart", 10, 1024, Unsat},
		{"stride pairs, two strides apart", 10, 2048, Sat},
		{"stride pairs, less than the stride apart", 10, 1023, Sat},
		{"stride pairs, a large stride", 12, 0, Unsat},
	} {
		s := launch(1)
		at := func(k int) *Int { return Sub(Mul(c(2), s.x(k)), expr.Wrap(s.x(k), q.bits, false)) }
		filled := expr.Substitution{Int: func(v expr.Variable) *expr.Int {
			if v.Name == "ntid.x" {
				return c(512)
			}
			return nil
		}}
		var goal []*Bool
		for _, f := range s.with(Le(s.ngx, c(1024)), s.otherBlock(), Eq(at(0), Add(at(1), c(q.distance)))) {
			goal = append(goal, f.Subst(filled))
		}
		qs = append(qs, raceQuery{q.name, goal, nil, q.hosted, q.hosted})
	}
	return qs
}
