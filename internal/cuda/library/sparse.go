// cuSPARSE's generic API: sparse matrices, and their products with dense ones (cuSPARSE, "cuSPARSE Generic API
// Reference").

package library

import "gonum.org/v1/gonum/blas"

// sparse describes a sparse matrix in memory. Of a format with offsets, these are of rows or columns.
type sparse struct {
	rows, columns, entries   int
	offsets, indices         index
	values                   ref
	base                     int
	byColumns, byCoordinates bool // offsets are of columns; there are row numbers instead of offsets
}

// index is an array of integers in memory.
type index struct {
	address uint64
	typ     uint64 // cusparseIndexType_t
}

// dense describes a dense vector, of one column, or a dense matrix.
type dense struct {
	rows, columns int
	values        ref // whose step is the leading dimension
	byRows        bool
}

// Types of integers by the numbers of cusparseIndexType_t.
const (
	index32 = 2
	index64 = 3
)

// read reads n integers.
func (x index) read(c *call, n int) []int {
	size := map[uint64]int{index32: 4, index64: 8}[x.typ]
	if size == 0 {
		c.fail(Unsupported, "the index type %d is not supported", x.typ)
	}
	if c.failed() || n == 0 || !c.extent(ref{x.address, 1, map[int]Type{4: I32, 8: F64}[size]}, n, 1, 1) {
		return nil
	}
	b, list := make([]byte, n*size), make([]int, n)
	c.err = c.memory.Read(x.address, b)
	for i := range list {
		if size == 4 {
			list[i] = int(int32(le.Uint32(b[i*size:])))
		} else {
			list[i] = int(int64(le.Uint64(b[i*size:])))
		}
	}
	return list
}

// createSparse makes a descriptor.
func createSparse(byColumns, byCoordinates bool) func(*call) {
	return func(c *call) {
		c.next() // where the number goes
		s := &sparse{
			rows: c.count(), columns: c.count(), entries: c.count(), byColumns: byColumns,
			byCoordinates: byCoordinates,
		}
		s.offsets.address, s.indices.address, s.values.address = c.word(), c.word(), c.word()
		s.offsets.typ = c.word()
		s.indices.typ = s.offsets.typ
		if !byCoordinates {
			s.indices.typ = c.word()
		}
		if c.choice("the base of indices") {
			s.base = 1
		}
		s.values.typ, s.values.step = c.element(), 1
		c.make(s)
	}
}

func createVector(c *call) {
	c.next()
	d := &dense{rows: c.count(), columns: 1}
	d.values.address, d.values.typ = c.word(), c.element()
	d.values.step = max(1, d.rows)
	c.make(d)
}

func createMatrix(c *call) {
	c.next()
	d := &dense{rows: c.count(), columns: c.count()}
	d.values.step, d.values.address, d.values.typ = c.count(), c.word(), c.element()
	switch order := c.word(); order {
	case 1:
	case 2:
		d.byRows = true
	default:
		c.fail(Invalid, "the order of a matrix is %d", order)
	}
	c.make(d)
}

func setDense(c *call) {
	if d := object[*dense](c); !c.failed() {
		d.values.address = c.word()
	}
}

func setSparse(c *call) {
	if s := object[*sparse](c); !c.failed() {
		s.values.address = c.word()
	}
}

func setPointers(c *call) {
	if s := object[*sparse](c); !c.failed() {
		s.offsets.address, s.indices.address, s.values.address = c.word(), c.word(), c.word()
	}
}

func sizes(c *call) {
	if s := object[*sparse](c); !c.failed() {
		for _, v := range []int{s.rows, s.columns, s.entries} {
			c.giveWord(uint64(v))
		}
	}
}

// entry is an element of a sparse matrix.
type entry[T number] struct {
	row, column int
	value       T
}

// read reads a sparse matrix.
func read[T number](c *call, s *sparse) (list []entry[T]) {
	second, values := s.indices.read(c, s.entries), vector[T](c, s.values, s.entries)
	if c.failed() {
		return nil
	}
	first := s.numbers(c)
	if c.failed() {
		return nil
	}
	for k, v := range values {
		i, j := first[k], second[k]-s.base
		if s.byColumns {
			i, j = j, i
		}
		if i < 0 || i >= s.rows || j < 0 || j >= s.columns {
			c.fail(Invalid, "an element of a sparse matrix is in row %d of %d and column %d of %d", i, s.rows, j,
				s.columns)
			return nil
		}
		list = append(list, entry[T]{i, j, v})
	}
	return list
}

// numbers returns the row of each element, or the column if offsets are of columns.
func (s *sparse) numbers(c *call) []int {
	if s.byCoordinates {
		rows := s.offsets.read(c, s.entries)
		for i := range rows {
			rows[i] -= s.base
		}
		return rows
	}
	n := s.rows
	if s.byColumns {
		n = s.columns
	}
	offsets, list := s.offsets.read(c, n+1), make([]int, 0, 64)
	if c.failed() {
		return nil
	}
	for i := range n {
		if begin, end := offsets[i]-s.base, offsets[i+1]-s.base; begin != len(list) || end < begin || end > s.entries {
			c.fail(Invalid, "row or column %d of a sparse matrix has the elements %d to %d of %d", i, begin, end,
				s.entries)
			return nil
		}
		for len(list) < offsets[i+1]-s.base {
			list = append(list, i)
		}
	}
	if len(list) != s.entries {
		c.fail(Invalid, "a sparse matrix has %d elements in its rows or columns, and %d in all", len(list), s.entries)
	}
	return list
}

// numbersOf reads a dense matrix, of which at returns the place of an element. It is not read if its factor is 0.
func numbersOf[T number](c *call, d *dense, factor T) (list []T, at func(i, j int) int) {
	rows, columns := d.rows, d.columns
	at = func(i, j int) int { return j*rows + i }
	if d.byRows {
		rows, columns = columns, rows
		at = func(i, j int) int { return i*rows + j }
	}
	return target(c, factor, d.values, rows, columns, whole), at
}

// multiplication is what SpMV and SpMM have in common: the operations of the sparse and the dense operand.
func multiplication[T number](c *call, ofDense bool) {
	ta, tb := c.transpose(), blas.NoTrans
	if ofDense {
		tb = c.transpose()
	}
	compute := c.typ
	alpha, a, b := scalar[T](c, compute), object[*sparse](c), object[*dense](c)
	beta, out := scalar[T](c, compute), object[*dense](c)
	if c.failed() {
		return
	}
	rows, depth := shaped(ta, a.rows, a.columns)
	inner, columns := shaped(tb, b.rows, b.columns)
	if out.rows != rows || out.columns != columns || depth != inner {
		c.fail(Invalid, "a product of %dx%d and %dx%d elements has %dx%d", rows, depth, inner, columns, out.rows,
			out.columns)
		return
	}
	list, to := numbersOf(c, out, beta)
	entries := read[T](c, a)
	right, from := numbersOf(c, b, T(1))
	if c.failed() {
		return
	}
	scale(beta, list)
	accumulate(c, entries, ta, columns, func(i, k, j int, v T) {
		at := from(k, j)
		if tb != blas.NoTrans {
			at = from(j, k)
		}
		x := right[at]
		if tb == blas.ConjTrans {
			x = conjugate([]T{x})[0]
		}
		list[to(i, j)] += alpha * v * x
	})
	saveDense(c, out, list)
}

// accumulate calls f for each product of an element of the operation of a sparse matrix, at (i, k), and one at (k, j).
func accumulate[T number](c *call, entries []entry[T], t blas.Transpose, columns int, f func(i, k, j int, v T)) {
	for _, e := range entries {
		i, k, v := e.row, e.column, e.value
		if t != blas.NoTrans {
			i, k = k, i
		}
		if t == blas.ConjTrans {
			v = conjugate([]T{v})[0]
		}
		if columns > 1<<10 && c.failed() {
			return
		}
		for j := range columns {
			f(i, k, j, v)
		}
	}
}

func saveDense[T number](c *call, d *dense, list []T) {
	rows, columns := d.rows, d.columns
	if d.byRows {
		rows, columns = columns, rows
	}
	saveMatrix(c, d.values, list, rows, columns, whole)
}

// inType has a function compute in the type that its arguments say.
func inType(kind int, ofReal, ofComplex func(*call)) func(*call) {
	return func(c *call) {
		t, known := computeTypes[c.args[kind].Words[0]]
		if !known {
			c.fail(Unsupported, "the compute type %d is not supported", c.args[kind].Words[0])
			return
		}
		c.typ = t
		typed(ofReal, ofComplex)(c)
		c.args = nil
	}
}

// products of a sparse matrix by a vector, or by a matrix.
func sparseProduct(ofDense bool) func(*call) {
	compute := 6
	if ofDense {
		compute = 7
	}
	return inType(compute, func(c *call) { multiplication[float64](c, ofDense) },
		func(c *call) { multiplication[complex128](c, ofDense) })
}

// toDense writes a sparse matrix as a dense one.
func toDense(c *call) {
	a, d := object[*sparse](c), object[*dense](c)
	if c.failed() {
		return
	}
	if a.rows != d.rows || a.columns != d.columns {
		c.fail(Invalid, "a matrix of %dx%d elements as one of %dx%d", a.rows, a.columns, d.rows, d.columns)
		return
	}
	list, at := numbersOf(c, d, complex128(0))
	entries := read[complex128](c, a)
	if c.failed() {
		return
	}
	for _, e := range entries {
		list[at(e.row, e.column)] = e.value
	}
	saveDense(c, d, list)
}

// needsRoom says how large a buffer a function needs: none, but programs allocate what they are told.
func needsRoom(c *call) {
	const some = 8
	c.giveWord(some)
}

// nothing is for functions that only make others faster.
func nothing(*call) {}

// sparseMatrices are the functions of cuSPARSE.
func sparseMatrices() []row {
	const (
		offsets     = "O l l l p p p e e e e"
		coordinates = "O l l l p p p e e e"
		spmv        = "h e x p p x p c e"
		spmm        = "h e e x p p x p c e"
	)
	return []row{
		{"cusparseCreate{,Const}Csr", "", offsets, createSparse(false, false)},
		{"cusparseCreate{,Const}Csc", "", offsets, createSparse(true, false)},
		{"cusparseCreate{,Const}Coo", "", coordinates, createSparse(false, true)},
		{"cusparseCreate{,Const}DnVec", "", "O l p e", createVector},
		{"cusparseCreate{,Const}DnMat", "", "O l l l p e e", createMatrix},
		{"cusparseDestroy{SpMat,DnVec,DnMat}", "", "p", destroy},
		{"cusparse{DnVec,DnMat}SetValues", "", "p p", setDense},
		{"cusparseSpMatSetValues", "", "p p", setSparse},
		{"cusparse{Csr,Csc,Coo}SetPointers", "", "p p p p", setPointers},
		{"cusparseSpMatGetSize", "", "p Z Z Z", sizes},
		{"cusparseSpMV_bufferSize", "", spmv + "Z", needsRoom},
		{"cusparseSpMV_preprocess", "", spmv + "p", nothing},
		{"cusparseSpMV", "", spmv + "p", sparseProduct(false)},
		{"cusparseSpMM_bufferSize", "", spmm + "Z", needsRoom},
		{"cusparseSpMM_preprocess", "", spmm + "p", nothing},
		{"cusparseSpMM", "", spmm + "p", sparseProduct(true)},
		{"cusparseSparseToDense_bufferSize", "", "h p p e Z", needsRoom},
		{"cusparseSparseToDense", "", "h p p e p", toDense},
	}
}
