// cuBLAS against the definitions of its functions.

package library_test

import (
	"fmt"
	"math/cmplx"
	"testing"

	"github.com/ptxsan/ptxsan/internal/cuda/library"
)

var types = map[string]library.Type{"S": library.F32, "D": library.F64, "C": library.C32, "Z": library.C64, "H": library.F16}

// A grid is a matrix by its elements.
type grid struct {
	rows, columns int
	at            func(i, j int) complex128
}

// lies returns a matrix that lies in memory, and its elements. What a triangle leaves out is not written.
func (m *memory) lies(t library.Type, rows, columns int, in func(i, j int) bool) (list []complex128, ld int, g grid) {
	ld = rows + 2
	list = m.numbers(t, ld*columns)
	for k := range list {
		if i, j := k%ld, k/ld; i >= rows || !in(i, j) {
			list[k] = cmplx.NaN()
		}
	}
	return list, ld, grid{rows, columns, func(i, j int) complex128 { return list[j*ld+i] }}
}

func everywhere(int, int) bool { return true }

// op is the operation of a cublasOperation_t.
func op(t int, a grid) grid {
	switch t {
	case 1:
		return grid{a.columns, a.rows, func(i, j int) complex128 { return a.at(j, i) }}
	case 2:
		return grid{a.columns, a.rows, func(i, j int) complex128 { return cmplx.Conj(a.at(j, i)) }}
	}
	return a
}

// times multiplies matrices.
func times(a, b grid) grid {
	return grid{a.rows, b.columns, func(i, j int) (sum complex128) {
		for k := range a.columns {
			sum += a.at(i, k) * b.at(k, j)
		}
		return sum
	}}
}

// turned returns the dimensions of a matrix whose operation has the given ones.
func turned(t, rows, columns int) (int, int) {
	if t == 0 {
		return rows, columns
	}
	return columns, rows
}

// half reports what is in a triangle, by the number of a cublasFillMode_t.
func half(fill int) func(i, j int) bool {
	return func(i, j int) bool { return fill == 0 && i >= j || fill == 1 && i <= j }
}

// mirrored completes a triangle to a symmetric or Hermitian matrix.
func mirrored(a grid, fill int, hermitian bool) grid {
	in := half(fill)
	return grid{a.rows, a.columns, func(i, j int) complex128 {
		switch {
		case i == j && hermitian:
			return complex(real(a.at(i, i)), 0)
		case in(i, j):
			return a.at(i, j)
		case hermitian:
			return cmplx.Conj(a.at(j, i))
		}
		return a.at(j, i)
	}}
}

// updated returns what lies in memory after c = by + beta c in a part of it.
func updated(list []complex128, ld int, in func(i, j int) bool, by grid, beta complex128) []complex128 {
	out := append([]complex128(nil), list...)
	for j := range by.columns {
		for i := range by.rows {
			if in(i, j) {
				old := complex128(0)
				if beta != 0 {
					old = beta * list[j*ld+i]
				}
				out[j*ld+i] = by.at(i, j) + old
			}
		}
	}
	return out
}

func scaled(by complex128, a grid) grid {
	return grid{a.rows, a.columns, func(i, j int) complex128 { return by * a.at(i, j) }}
}

func sum(a, b grid) grid {
	return grid{a.rows, a.columns, func(i, j int) complex128 { return a.at(i, j) + b.at(i, j) }}
}

// factor is a scalar of a type.
func factor(t library.Type, re, im float64) complex128 {
	if t == t.Part() {
		im = 0
	}
	return complex(re, im)
}

// nothingUnknown wants no byte to have been read that nothing has written.
func (m *memory) nothingUnknown(what string) {
	m.t.Helper()
	if m.unknown > 0 {
		m.t.Fatalf("%s reads %d bytes that it does not refer to", what, m.unknown)
	}
}

// TestGemm: all forms of gemm, of all operations, types and ways to pass scalars.
func TestGemm(t *testing.T) {
	for letter, typ := range types {
		for ta := range 3 {
			for tb := range 3 {
				for _, beta := range []complex128{0, factor(typ, 2, -1)} {
					gemm(t, letter, typ, ta, tb, beta)
				}
			}
		}
	}
}

func gemm(t *testing.T, letter string, typ library.Type, ta, tb int, beta complex128) {
	const rows, columns, depth = 5, 4, 3
	m := newMemory(t)
	ar, ac := turned(ta, rows, depth)
	br, bc := turned(tb, depth, columns)
	a, lda, ag := m.lies(typ, ar, ac, everywhere)
	b, ldb, bg := m.lies(typ, br, bc, everywhere)
	c, ldc, _ := m.lies(typ, rows, columns, func(int, int) bool { return beta != 0 })
	alpha := factor(typ, 3, 1)
	want := updated(c, ldc, everywhere, scaled(alpha, times(op(ta, ag), op(tb, bg))), beta)
	name := "cublas" + letter + "gemm"
	if letter != "H" {
		name += "_v2"
	}
	pa, pb, pc := m.put(typ, a), m.put(typ, b), m.put(typ, c)
	what := fmt.Sprintf("%s %d %d beta %v", name, ta, tb, beta)
	m.call(name, ta, tb, rows, columns, depth, alpha, pa, lda, pb, ldb, beta, pc, ldc)
	m.near(what, typ, m.get(typ, pc, len(c)), want)
	pc = m.put(typ, c)
	m.call("cublas"+letter+"gemmStridedBatched_64", ta, tb, rows, columns, depth, onDevice(m.put(typ, []complex128{alpha})), pa, lda, 0, pb, ldb, 0, beta, pc, ldc, 0, 1)
	m.near(what+" strided", typ, m.get(typ, pc, len(c)), want)
	pc = m.put(typ, c)
	m.call("cublas"+letter+"gemmBatched", ta, tb, rows, columns, depth, alpha, m.array(pa), lda, m.array(pb), ldb, beta, m.array(pc), ldc, 1)
	m.near(what+" batched", typ, m.get(typ, pc, len(c)), want)
	m.nothingUnknown(what)
}

// array allocates an array of addresses.
func (m *memory) array(list ...uint64) uint64 {
	at := m.room(8 * len(list))
	for i, v := range list {
		if err := m.Write(at+uint64(8*i), []byte{byte(v), byte(v >> 8), byte(v >> 16), byte(v >> 24), 0, 0, 0, 0}); err != nil {
			m.t.Fatal(err)
		}
	}
	return at
}

// TestGemmEx: operands of narrow types, with results of wider ones.
func TestGemmEx(t *testing.T) {
	const n, single, integer, half = 4, 68, 72, 64
	for _, c := range []struct {
		from, to, scalar library.Type
		compute          int
	}{
		{library.F16, library.F16, library.F16, half},
		{library.F16, library.F32, library.F32, single},
		{library.BF16, library.BF16, library.F32, single},
		{library.BF16, library.F32, library.F32, single},
		{library.I8, library.I32, library.I32, integer},
		{library.C32, library.C32, library.C32, single},
		{library.F64, library.F64, library.F64, 70},
		{library.F32, library.F32, library.F32, 0},
	} {
		m := newMemory(t)
		a, lda, ag := m.lies(c.from, n, n, everywhere)
		b, ldb, bg := m.lies(c.from, n, n, everywhere)
		r, ldc, _ := m.lies(c.to, n, n, everywhere)
		alpha, beta := typedScalar{c.scalar, 2}, typedScalar{c.scalar, 1}
		want := updated(r, ldc, everywhere, scaled(2, times(ag, bg)), 1)
		pa, pb, pc := m.put(c.from, a), m.put(c.from, b), m.put(c.to, r)
		m.call("cublasGemmEx", 0, 0, n, n, n, alpha, pa, c.from, lda, pb, c.from, ldb, beta, pc, c.to, ldc, c.compute, -1)
		m.near(fmt.Sprintf("%+v", c), c.to, m.get(c.to, pc, len(r)), want)
		pc = m.put(c.to, r)
		m.call("cublasGemmStridedBatchedEx", 0, 0, n, n, n, alpha, pa, c.from, lda, 0, pb, c.from, ldb, 0, beta, pc, c.to, ldc, 0, 1, c.compute, -1)
		m.near(fmt.Sprintf("strided %+v", c), c.to, m.get(c.to, pc, len(r)), want)
		pc = m.put(c.to, r)
		pd := m.put(c.to, make([]complex128, len(r)))
		m.call("cublasLtMatmul", 0, 0, n, n, n, alpha, pa, c.from, lda, 0, pb, c.from, ldb, 0, beta, pc, c.to, ldc, 0, pd, c.to, ldc, 0, 1, c.compute, int(c.scalar))
		m.near(fmt.Sprintf("of other memory %+v", c), c.to, m.get(c.to, pc, len(r)), r)
		for j := range n {
			m.near(fmt.Sprintf("into other memory %+v", c), c.to, m.get(c.to, pd, len(r))[j*ldc:j*ldc+n], want[j*ldc:j*ldc+n])
		}
		pc = m.put(c.to, r)
		m.call("cublasGemmBatchedEx", 0, 0, n, n, n, alpha, m.array(pa), c.from, lda, m.array(pb), c.from, ldb, beta, m.array(pc), c.to, ldc, 1, c.compute, -1)
		m.near(fmt.Sprintf("batched %+v", c), c.to, m.get(c.to, pc, len(r)), want)
	}
	m := newMemory(t)
	if _, err := m.try("cublasGemmEx", 0, 0, 1, 1, 1, 1, 0, 28, 1, 0, 28, 1, 1, 0, 28, 1, single, -1); err == nil {
		t.Error("operands of 8 bits in a floating-point format are accepted")
	}
}

// TestSymmetric: symm, syrk, syr2k and their Hermitian relatives refer to one triangle.
func TestSymmetric(t *testing.T) {
	for _, letter := range []string{"S", "D", "C", "Z"} {
		typ := types[letter]
		for fill := range 2 {
			for k := range 3 {
				for _, hermitian := range []bool{false, true} {
					if !hermitian || typ != typ.Part() {
						symmetricProduct(t, letter, typ, k%2, fill, hermitian)
						rankUpdates(t, letter, typ, k, fill, hermitian)
						symmetricVector(t, letter, typ, fill, hermitian)
					}
				}
			}
		}
	}
}

// named returns the symmetric or the Hermitian name.
func named(letter string, hermitian bool, symmetric, other string) string {
	if hermitian {
		symmetric = other
	}
	return "cublas" + letter + symmetric + "_v2"
}

func symmetricProduct(t *testing.T, letter string, typ library.Type, side, fill int, hermitian bool) {
	const rows, columns = 4, 3
	m, order := newMemory(t), rows
	if side == 1 {
		order = columns
	}
	a, lda, ag := m.lies(typ, order, order, half(fill))
	b, ldb, bg := m.lies(typ, rows, columns, everywhere)
	c, ldc, _ := m.lies(typ, rows, columns, everywhere)
	alpha, beta, full := factor(typ, 2, 1), factor(typ, -1, 3), mirrored(ag, fill, hermitian)
	product := times(full, bg)
	if side == 1 {
		product = times(bg, full)
	}
	want := updated(c, ldc, everywhere, scaled(alpha, product), beta)
	pc, name := m.put(typ, c), named(letter, hermitian, "symm", "hemm")
	m.call(name, side, fill, rows, columns, alpha, m.put(typ, a), lda, m.put(typ, b), ldb, beta, pc, ldc)
	what := fmt.Sprintf("%s side %d fill %d", name, side, fill)
	m.near(what, typ, m.get(typ, pc, len(c)), want)
	m.nothingUnknown(what)
}

func rankUpdates(t *testing.T, letter string, typ library.Type, trans, fill int, hermitian bool) {
	const n, depth = 4, 3
	if hermitian && trans == 1 || !hermitian && trans == 2 {
		return // not defined
	}
	m := newMemory(t)
	rows, columns := turned(trans, n, depth)
	a, lda, ag := m.lies(typ, rows, columns, everywhere)
	b, ldb, bg := m.lies(typ, rows, columns, everywhere)
	c, ldc, _ := m.lies(typ, n, n, half(fill))
	back := 1
	alpha, beta := factor(typ, 2, 1), factor(typ, -1, 3)
	if hermitian {
		back, alpha, beta = 2, 2, -1
		for i := range n {
			c[i*ldc+i] = complex(real(c[i*ldc+i]), 0)
		}
	}
	x, y := op(trans, ag), op(trans, bg)
	pa, pb, pc := m.put(typ, a), m.put(typ, b), m.put(typ, c)
	name := named(letter, hermitian, "syrk", "herk")
	m.call(name, fill, trans, n, depth, alpha, pa, lda, beta, pc, ldc)
	what := fmt.Sprintf("%s fill %d trans %d", name, fill, trans)
	m.near(what, typ, m.get(typ, pc, len(c)), updated(c, ldc, half(fill), scaled(alpha, times(x, op(back, x))), beta))
	other := alpha
	if hermitian {
		alpha, other = 2+1i, 2-1i
	}
	pc, name = m.put(typ, c), named(letter, hermitian, "syr2k", "her2k")
	m.call(name, fill, trans, n, depth, alpha, pa, lda, pb, ldb, beta, pc, ldc)
	product := sum(scaled(alpha, times(x, op(back, y))), scaled(other, times(y, op(back, x))))
	what = fmt.Sprintf("%s fill %d trans %d", name, fill, trans)
	m.near(what, typ, m.get(typ, pc, len(c)), updated(c, ldc, half(fill), product, beta))
	m.nothingUnknown(what)
}

// TestTriangular: trmm, trsm, trmv and trsv refer to a triangle, without its diagonal if that is of ones.
func TestTriangular(t *testing.T) {
	for _, letter := range []string{"S", "D", "C", "Z"} {
		for k := range 2 * 2 * 3 * 2 {
			triangular(t, letter, types[letter], k%2, k/2%2, k/4%3, k/12)
		}
	}
}

func triangular(t *testing.T, letter string, typ library.Type, side, fill, trans, diag int) {
	const rows, columns = 4, 3
	m, order := newMemory(t), rows
	if side == 1 {
		order = columns
	}
	in := func(i, j int) bool { return half(fill)(i, j) && (i != j || diag == 0) }
	a, lda, ag := m.lies(typ, order, order, in)
	for i := range order {
		if diag == 0 {
			a[i*lda+i] = 2
		}
	}
	full := op(trans, grid{order, order, func(i, j int) complex128 {
		switch {
		case i == j && diag == 1:
			return 1
		case in(i, j):
			return ag.at(i, j)
		}
		return 0
	}})
	b, ldb, bg := m.lies(typ, rows, columns, everywhere)
	alpha := factor(typ, 2, 1)
	product := times(full, bg)
	if side == 1 {
		product = times(bg, full)
	}
	what := fmt.Sprintf("%s side %d fill %d trans %d diag %d", letter, side, fill, trans, diag)
	pa, pb := m.put(typ, a), m.put(typ, b)
	out := m.put(typ, make([]complex128, ldb*columns))
	m.call("cublas"+letter+"trmm_v2", side, fill, trans, diag, rows, columns, alpha, pa, lda, pb, ldb, out, ldb)
	m.near("trmm "+what, typ, m.get(typ, out, len(b)), updated(make([]complex128, len(b)), ldb, everywhere, scaled(alpha, product), 0))
	m.call("cublas"+letter+"trsm_v2", side, fill, trans, diag, rows, columns, 1/alpha, pa, lda, out, ldb)
	got := m.get(typ, out, len(b))
	for i := range b {
		if cmplx.IsNaN(b[i]) {
			b[i] = 0
		}
	}
	m.near("trsm "+what, typ, got, b)
	if side == 0 {
		triangularVector(m, letter, typ, []int{fill, trans, diag}, full, pa, lda)
	}
	m.nothingUnknown(what)
}

func triangularVector(m *memory, letter string, typ library.Type, how []int, full grid, a uint64, lda int) {
	const step = -2
	x := m.numbers(typ, full.rows)
	px := m.put(typ, spread(x, step))
	m.call("cublas"+letter+"trmv_v2", how[0], how[1], how[2], full.rows, a, lda, px, step)
	want := spread(applied(full, x), step)
	m.near(fmt.Sprintf("%strmv %v", letter, how), typ, m.get(typ, px, len(want)), want)
	m.call("cublas"+letter+"trsv_v2", how[0], how[1], how[2], full.rows, a, lda, px, step)
	m.near(fmt.Sprintf("%strsv %v", letter, how), typ, m.get(typ, px, len(want)), spread(x, step))
}

// spread returns a vector as it lies in memory. What is between its elements is not written.
func spread(x []complex128, step int) []complex128 {
	wide := max(step, -step)
	out := make([]complex128, (len(x)-1)*wide+1)
	for i := range out {
		out[i] = cmplx.NaN()
	}
	for i, v := range x {
		if step < 0 {
			out[(len(x)-1-i)*wide] = v
		} else {
			out[i*wide] = v
		}
	}
	return out
}

// applied multiplies a matrix by a vector.
func applied(a grid, x []complex128) (y []complex128) {
	for i := range a.rows {
		y = append(y, times(a, grid{len(x), 1, func(k, _ int) complex128 { return x[k] }}).at(i, 0))
	}
	return y
}
