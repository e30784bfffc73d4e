// gonum's functions for both kinds of elements.

package library

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// kernels are gonum's functions of one kind of elements.
type kernels[T number] struct {
	gemv       func(t blas.Transpose, m, n int, alpha T, a []T, lda int, x []T, incx int, beta T, y []T, incy int)
	symv, hemv func(u blas.Uplo, n int, alpha T, a []T, lda int, x []T, incx int, beta T, y []T, incy int)
	ger        func(m, n int, alpha T, x []T, incx int, y []T, incy int, a []T, lda int)
	trmv, trsv func(u blas.Uplo, t blas.Transpose, d blas.Diag, n int, a []T, lda int, x []T, incx int)
	gemm       func(ta, tb blas.Transpose, m, n, k int, alpha T, a []T, lda int, b []T, ldb int, beta T, c []T, ldc int)
	symm, hemm func(s blas.Side, u blas.Uplo, m, n int, alpha T, a []T, lda int, b []T, ldb int, beta T, c []T, ldc int)
	syrk       func(u blas.Uplo, t blas.Transpose, n, k int, alpha T, a []T, lda int, beta T, c []T, ldc int)
	herk       func(u blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []T, lda int, beta float64, c []T,
		ldc int)
	syr2k func(u blas.Uplo, t blas.Transpose, n, k int, alpha T, a []T, lda int, b []T, ldb int, beta T, c []T,
		ldc int)
	her2k func(u blas.Uplo, t blas.Transpose, n, k int, alpha T, a []T, lda int, b []T, ldb int, beta float64,
		c []T, ldc int)
	trmm, trsm func(s blas.Side, u blas.Uplo, t blas.Transpose, d blas.Diag, m, n int, alpha T, a []T, lda int, b []T,
		ldb int)
}

var impl gonum.Implementation

var reals = kernels[float64]{
	gemv: impl.Dgemv, symv: impl.Dsymv, hemv: impl.Dsymv, ger: impl.Dger, trmv: impl.Dtrmv, trsv: impl.Dtrsv,
	gemm: impl.Dgemm, symm: impl.Dsymm, hemm: impl.Dsymm, syrk: impl.Dsyrk, herk: impl.Dsyrk, syr2k: impl.Dsyr2k,
	her2k: impl.Dsyr2k,
	trmm:  impl.Dtrmm, trsm: impl.Dtrsm,
}

var complexes = kernels[complex128]{
	gemv: impl.Zgemv, symv: symmetric, hemv: impl.Zhemv, ger: impl.Zgeru, trmv: impl.Ztrmv, trsv: impl.Ztrsv,
	gemm: impl.Zgemm, symm: impl.Zsymm, hemm: impl.Zhemm, syrk: impl.Zsyrk, herk: impl.Zherk, syr2k: impl.Zsyr2k,
	her2k: impl.Zher2k,
	trmm:  impl.Ztrmm, trsm: impl.Ztrsm,
}

// symmetric is symv of complex elements, which gonum has as symm of one column.
func symmetric(u blas.Uplo, n int, alpha complex128, a []complex128, lda int, x []complex128, incx int, beta complex128,
	y []complex128, incy int,
) {
	impl.Zsymm(blas.Left, u, n, 1, alpha, a, lda, x, incx, beta, y, incy)
}

// typed chooses between functions of real and of complex elements, by the type that the name says.
func typed(ofReal, ofComplex func(*call)) func(*call) {
	return func(c *call) {
		if c.typ.isComplex() {
			ofComplex(c)
			return
		}
		ofReal(c)
	}
}

// with is typed for functions over gonum's.
func with(ofReal func(*call, *kernels[float64]), ofComplex func(*call, *kernels[complex128])) func(*call) {
	return typed(func(c *call) { ofReal(c, &reals) }, func(c *call) { ofComplex(c, &complexes) })
}

// seen returns the operation on a matrix as gonum sees it, the transposed one. That of the conjugated one is none,
// after conjugation in place.
func seen[T number](t blas.Transpose, a []T) blas.Transpose {
	switch t {
	case blas.NoTrans:
		return blas.Trans
	case blas.ConjTrans:
		conjugate(a)
	}
	return blas.NoTrans
}
