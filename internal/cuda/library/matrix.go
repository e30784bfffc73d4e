// Matrices in memory, column-major, and the triangles of them that functions refer to.

package library

import "gonum.org/v1/gonum/blas"

// triangle is what a function refers to of a matrix.
type triangle uint8

const (
	whole triangle = iota
	upper
	lower
	strictUpper // without the diagonal
	strictLower
)

// rows returns the rows of a column that are in the triangle.
func (t triangle) rows(column, rows int) (first, end int) {
	switch t {
	case upper:
		return 0, min(column+1, rows)
	case strictUpper:
		return 0, min(column, rows)
	case lower:
		return min(column, rows), rows
	case strictLower:
		return min(column+1, rows), rows
	}
	return 0, rows
}

// shape checks the dimensions of a matrix, which must not be empty.
func (c *call) shape(r ref, rows, columns int) bool {
	if r.step < rows {
		c.fail(Invalid, "a matrix has %d rows, and %d elements from column to column", rows, r.step)
	}
	return c.err == nil && c.extent(r, columns, r.step, rows)
}

// parts calls f with the operand of each column that is in the triangle, and where it lies in a matrix without gaps.
func (t triangle) parts(r ref, rows, columns int, f func(e ref, first, end int)) {
	if t == whole && r.step == rows {
		f(r, 0, rows*columns)
		return
	}
	for j := range columns {
		if first, end := t.rows(j, rows); first < end {
			f(r.at(j*r.step+first), j*rows+first, j*rows+end)
		}
	}
}

// matrix reads a matrix: its columns without gaps. What is not in the triangle is 0.
func matrix[T number](c *call, r ref, rows, columns int, t triangle) []T {
	if rows == 0 || columns == 0 || !c.shape(r, rows, columns) {
		return nil
	}
	out := make([]T, rows*columns)
	t.parts(r, rows, columns, func(e ref, first, end int) { load(c, e, out[first:end]) })
	return out
}

// saveMatrix writes a matrix.
func saveMatrix[T number](c *call, r ref, in []T, rows, columns int, t triangle) {
	if len(in) == 0 || c.failed() || !c.shape(r, rows, columns) {
		return
	}
	t.parts(r, rows, columns, func(e ref, first, end int) { save(c, e, in[first:end]) })
}

// target reads a matrix that a call updates, unless the factor of what it holds is 0: then it is not read.
func target[T number](c *call, beta T, r ref, rows, columns int, t triangle) []T {
	if beta != 0 {
		return matrix[T](c, r, rows, columns, t)
	}
	if rows == 0 || columns == 0 || !c.shape(r, rows, columns) {
		return nil
	}
	return make([]T, rows*columns)
}

// targetVector is target of a vector.
func targetVector[T number](c *call, beta T, r ref, n int) []T {
	if beta != 0 {
		return vector[T](c, r, n)
	}
	if n == 0 || !c.spans(r, n) {
		return nil
	}
	return make([]T, n)
}

// Parameters of cuBLAS by their numbers (cuBLAS, "cuBLAS Datatypes Reference").

// transpose takes a cublasOperation_t.
func (c *call) transpose() blas.Transpose {
	switch v := c.word(); v {
	case 0:
		return blas.NoTrans
	case 1:
		return blas.Trans
	case 2:
		if c.typ.isComplex() {
			return blas.ConjTrans
		}
		return blas.Trans
	default:
		c.fail(Invalid, "an operation on a matrix is %d", v)
		return blas.NoTrans
	}
}

// shaped returns the rows and columns of a matrix whose transposed one, if t says so, has the given ones.
func shaped(t blas.Transpose, rows, columns int) (int, int) {
	if t == blas.NoTrans {
		return rows, columns
	}
	return columns, rows
}

// choice takes a number that is 0 or 1.
func (c *call) choice(what string) bool {
	v := c.word()
	if v > 1 {
		c.fail(Invalid, "%s is %d", what, v)
	}
	return v == 1
}

// fill takes a cublasFillMode_t: the triangle, and what it is to gonum, which sees the transposed matrix.
func (c *call) fill() (triangle, blas.Uplo) {
	if c.choice("the fill mode") {
		return upper, blas.Lower
	}
	return lower, blas.Upper
}

// diagonal takes a cublasDiagType_t. A unit diagonal is not referred to.
func (c *call) diagonal(t triangle) (triangle, blas.Diag) {
	switch {
	case !c.choice("the type of the diagonal"):
		return t, blas.NonUnit
	case t == upper:
		return strictUpper, blas.Unit
	}
	return strictLower, blas.Unit
}

// side takes a cublasSideMode_t: whether the matrix is on the left, and what that is to gonum.
func (c *call) side() (left bool, _ blas.Side) {
	if c.choice("the side") {
		return false, blas.Left
	}
	return true, blas.Right
}
