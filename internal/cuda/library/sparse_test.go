// cuSPARSE against products of dense matrices.

package library_test

import (
	"fmt"
	"testing"

	"github.com/ptxsan/ptxsan/internal/cuda/library"
)

const single32, single64 = 2, 3 // cusparseIndexType_t

// integers allocates integers of 32 or 64 bits.
func (m *memory) integers(kind int, list []int) uint64 {
	var b []byte
	for _, v := range list {
		for i := range map[int]int{single32: 4, single64: 8}[kind] {
			b = append(b, byte(v>>(8*i)))
		}
	}
	at := m.room(len(b))
	if err := m.Write(at, b); err != nil {
		m.t.Fatal(err)
	}
	return at
}

// sparse makes a sparse matrix with some elements, of all formats, and returns its descriptor.
func (m *memory) sparse(format string, t library.Type, rows, columns, kind, base int) (descriptor uint64, g grid) {
	values := make(map[[2]int]complex128)
	outer, inner := rows, columns
	if format == "Csc" {
		outer, inner = columns, rows
	}
	offsets, numbers, indices, list := []int{base}, []int(nil), []int(nil), []complex128(nil)
	for i := range outer {
		for j := range inner {
			if m.random.IntN(2) == 0 {
				at, v := [2]int{i, j}, m.numbers(t, 1)[0]
				if format == "Csc" {
					at = [2]int{j, i}
				}
				values[at] = v
				numbers, indices, list = append(numbers, i+base), append(indices, j+base), append(list, v)
			}
		}
		offsets = append(offsets, len(list)+base)
	}
	types := []any{kind, kind}
	if format == "Coo" {
		offsets, types = numbers, []any{kind}
	}
	args := append([]any{0, rows, columns, len(list), m.integers(kind, offsets), m.integers(kind, indices), m.put(t, list)}, types...)
	descriptor = m.call("cusparseCreate"+format, append(args, base, t)...)[0][0]
	return descriptor, grid{rows, columns, func(i, j int) complex128 { return values[[2]int{i, j}] }}
}

// dense makes a dense matrix, and returns its descriptor, where it lies, and its elements by their place.
func (m *memory) dense(t library.Type, rows, columns, order int) (descriptor, at uint64, list []complex128, place func(i, j int) int) {
	ld := rows + 1
	place = func(i, j int) int { return j*ld + i }
	if order == 2 {
		ld = columns + 1
		place = func(i, j int) int { return i*ld + j }
	}
	list = m.numbers(t, ld*max(rows, columns))
	at = m.put(t, list)
	return m.call("cusparseCreateDnMat", 0, rows, columns, ld, at, t, order)[0][0], at, list, place
}

// TestSparse: SpMV, SpMM and the dense form, of all formats, operations, orders and types.
func TestSparse(t *testing.T) {
	for _, typ := range []library.Type{library.F32, library.F64, library.C32, library.C64} {
		for k := range 3 * 3 * 3 * 2 * 2 {
			sparseProducts(t, typ, []string{"Csr", "Csc", "Coo"}[k%3], k/3%3, k/9%3, k/27%2+1, k/54)
		}
	}
}

func sparseProducts(t *testing.T, typ library.Type, format string, ta, tb, order, base int) {
	const rows, depth, columns = 4, 3, 2
	m := newMemory(t)
	ar, ac := turned(ta, rows, depth)
	a, ag := m.sparse(format, typ, ar, ac, single32+base, base)
	br, bc := turned(tb, depth, columns)
	b, _, bl, bp := m.dense(typ, br, bc, order)
	c, at, cl, cp := m.dense(typ, rows, columns, 3-order)
	alpha, beta := typedScalar{typ, factor(typ, 2, 1)}, typedScalar{typ, factor(typ, -1, 3)}
	what := fmt.Sprintf("%s of type %d, operations %d and %d, order %d", format, typ, ta, tb, order)
	product := scaled(alpha.v, times(op(ta, ag), op(tb, grid{br, bc, func(i, j int) complex128 { return bl[bp(i, j)] }})))
	m.call("cusparseSpMM", ta, tb, alpha, a, b, beta, c, typ, 0, 0)
	want := append([]complex128(nil), cl...)
	for i := range rows {
		for j := range columns {
			want[cp(i, j)] = product.at(i, j) + beta.v*cl[cp(i, j)]
		}
	}
	m.near("SpMM "+what, typ, m.get(typ, at, len(want)), want)
	x, y := m.numbers(typ, depth), m.numbers(typ, rows)
	py := m.put(typ, y)
	vx, vy := m.call("cusparseCreateDnVec", 0, depth, m.put(typ, x), typ)[0][0], m.call("cusparseCreateDnVec", 0, rows, py, typ)[0][0]
	m.call("cusparseSpMV", ta, alpha, a, vx, beta, vy, typ, 0, 0)
	sum := applied(op(ta, ag), x)
	for i := range y {
		y[i] = alpha.v*sum[i] + beta.v*y[i]
	}
	m.near("SpMV "+what, typ, m.get(typ, py, rows), y)
	d, at, before, dp := m.dense(typ, ar, ac, order)
	m.call("cusparseSparseToDense", a, d, 0, 0)
	got := m.get(typ, at, len(before))
	for i := range ar {
		for j := range ac {
			m.near("dense "+what, typ, []complex128{got[dp(i, j)]}, []complex128{ag.at(i, j)})
		}
	}
}

// TestBadSparse: matrices that lie about themselves.
func TestBadSparse(t *testing.T) {
	m := newMemory(t)
	values := m.put(library.F32, []complex128{1, 2, 3})
	x := m.call("cusparseCreateDnVec", 0, 2, values, library.F32)[0][0]
	y := m.call("cusparseCreateDnVec", 0, 2, m.put(library.F32, []complex128{0, 0}), library.F32)[0][0]
	one := typedScalar{library.F32, 1}
	for _, bad := range []struct{ offsets, indices []int }{{[]int{0, 1, 3}, []int{0, 1, 2}}, {[]int{0, 1, 3}, []int{0, -1, 1}}, {[]int{0, 4, 3}, []int{0, 1, 1}}, {[]int{0, 2, 1}, []int{0, 1, 1}}, {[]int{1, 2, 3}, []int{0, 1, 1}}, {[]int{0, 1, 1 << 30}, []int{0, 1, 1}}, {[]int{0, 1, 2}, []int{0, 1, 1}}} {
		a := m.call("cusparseCreateCsr", 0, 2, 2, 3, m.integers(single32, bad.offsets), m.integers(single32, bad.indices), values, single32, single32, 0, library.F32)[0][0]
		if _, err := m.try("cusparseSpMV", 0, one, a, x, one, y, library.F32, 0, 0); err == nil {
			t.Errorf("%v is accepted", bad)
		}
	}
	a := m.call("cusparseCreateCsr", 0, 2, 2, 1<<30, m.integers(single32, []int{0, 1, 1 << 30}), m.integers(single32, []int{0, 1, 1}), values, single32, single32, 0, library.F32)[0][0]
	if _, err := m.try("cusparseSpMV", 0, one, a, x, one, y, library.F32, 0, 0); err == nil {
		t.Error("a matrix with more elements than memory is accepted")
	}
	m.call("cusparseDestroySpMat", a)
	if _, err := m.try("cusparseSpMatGetSize", a, 0, 0, 0); err == nil {
		t.Error("a destroyed matrix has a size")
	}
}
