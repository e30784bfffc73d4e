// cuBLAS, level 3: products and solutions of matrices. To gonum, a matrix as it lies in memory is the transposed one:
// it computes the transposed product, of the operands in the other order.

package library

import "gonum.org/v1/gonum/blas"

// product is what the forms of gemm have in common.
type product[T number] struct {
	ta, tb      blas.Transpose
	m, n, k     int
	alpha, beta T
	a, b, c     ref
	d           *ref // the result, nil if that is c
}

// dimensions takes what all forms begin with.
func (p *product[T]) dimensions(c *call) {
	p.ta, p.tb = c.transpose(), c.transpose()
	p.m, p.n, p.k = c.count(), c.count(), c.count()
}

// compute multiplies matrices that begin at the given addresses.
func (p *product[T]) compute(c *call, k *kernels[T], a, b, from uint64) {
	if c.failed() || p.m == 0 || p.n == 0 {
		return
	}
	p.a.address, p.b.address, p.c.address = a, b, from
	out := target(c, p.beta, p.c, p.m, p.n, whole)
	if c.failed() {
		return
	}
	if p.alpha == 0 || p.k == 0 {
		scale(p.beta, out)
	} else {
		ar, ac := shaped(p.ta, p.m, p.k)
		br, bc := shaped(p.tb, p.k, p.n)
		av, bv := matrix[T](c, p.a, ar, ac, whole), matrix[T](c, p.b, br, bc, whole)
		if c.failed() {
			return
		}
		p.panels(c, k, av, ar, bv, br, out)
	}
	to := p.c
	if p.d != nil {
		if to = *p.d; !c.shape(to, p.m, p.n) {
			return
		}
	}
	saveMatrix(c, to, out, p.m, p.n, whole)
}

// panels multiplies some columns of the result at a time, so that a call can be ended.
func (p *product[T]) panels(c *call, k *kernels[T], a []T, lda int, b []T, ldb int, out []T) {
	const operations = 1 << 28 // of a panel
	width := max(1, operations/(p.m*p.k))
	for j := 0; j < p.n && !c.failed(); j += width {
		n, from := min(width, p.n-j), j*ldb
		if p.tb != blas.NoTrans {
			from = j
		}
		k.gemm(p.tb, p.ta, n, p.m, p.k, p.alpha, b[from:], ldb, a, lda, p.beta, out[j*p.m:], p.m)
	}
}

// operand takes a matrix among the arguments: call.ref one of the call's type, call.typed one with a type of its own.
type operand func(*call) ref

// gemm returns the product of two matrices.
func gemm[T number](next operand) func(*call, *kernels[T]) {
	return func(c *call, k *kernels[T]) {
		p := productOf[T](c, next)
		p.compute(c, k, p.a.address, p.b.address, p.c.address)
	}
}

// gemmBatched returns the products of pairs of matrices. Arrays on the device have the addresses of the matrices.
func gemmBatched[T number](next operand) func(*call, *kernels[T]) {
	return func(c *call, k *kernels[T]) {
		p := productOf[T](c, next)
		p.batch(c, k, c.count())
	}
}

// productOf takes the arguments that both have.
func productOf[T number](c *call, next operand) (p product[T]) {
	p.dimensions(c)
	p.alpha, p.a, p.b = scalar[T](c, c.typ), next(c), next(c)
	p.beta, p.c = scalar[T](c, c.typ), next(c)
	return p
}

// batch computes n products. The operands are arrays of the addresses of the matrices.
func (p *product[T]) batch(c *call, k *kernels[T], n int) {
	var lists [3][]uint64
	if p.m == 0 || p.n == 0 {
		return
	}
	for i, r := range []ref{p.a, p.b, p.c} {
		lists[i] = pointers(c, r.address, n)
	}
	for i := 0; i < n && !c.failed(); i++ {
		p.compute(c, k, lists[0][i], lists[1][i], lists[2][i])
	}
}

// pointers reads an array of addresses.
func pointers(c *call, address uint64, n int) []uint64 {
	r := ref{address, 1, F64} // of the size of an address
	if n == 0 || c.failed() || !c.extent(r, n, 1, 1) {
		return nil
	}
	b, list := make([]byte, 8*n), make([]uint64, n)
	c.err = c.memory.Read(address, b)
	for i := range list {
		list[i] = le.Uint64(b[8*i:])
	}
	return list
}

// gemmStrided returns the products of pairs of matrices that lie at regular intervals, which follow the operands.
func gemmStrided[T number](next operand) func(*call, *kernels[T]) {
	return func(c *call, k *kernels[T]) {
		var p product[T]
		p.dimensions(c)
		p.alpha, p.a = scalar[T](c, c.typ), next(c)
		sa := c.integer()
		p.b = next(c)
		sb := c.integer()
		p.beta, p.c = scalar[T](c, c.typ), next(c)
		sc := c.integer()
		p.strided(c, k, sa, sb, sc, c.count())
	}
}

func (p *product[T]) strided(c *call, k *kernels[T], sa, sb, sc, n int) {
	a, b, to := p.a, p.b, p.c
	if p.m == 0 || p.n == 0 {
		return
	}
	for i := 0; i < n && !c.failed(); i++ {
		p.compute(c, k, a.at(i*sa).address, b.at(i*sb).address, to.at(i*sc).address)
	}
}

// gemmEx returns a function with a cublasComputeType_t, which is the last argument but one: the call computes in this
// type, in complex numbers if those of the first operand are complex.
func gemmEx(form func(*call)) func(*call) {
	return func(c *call) {
		compute, ok := computeTypes[c.args[len(c.args)-2].Words[0]]
		if !ok {
			c.fail(Unsupported, "the compute type %d is not supported", c.args[len(c.args)-2].Words[0])
			return
		}
		if a := Type(c.args[FirstType].Words[0]); a.isComplex() {
			compute = map[Type]Type{F32: C32, F64: C64}[compute.Part()]
		}
		c.typ = compute
		form(c)
		c.args = nil
	}
}

// computeTypes are the types of scalars by the numbers of cublasComputeType_t, and of cudaDataType as earlier versions
// have them.
var computeTypes = map[uint64]Type{
	64: F16, 65: F16, 68: F32, 69: F32, 74: F32, 75: F32, 77: F32, 78: F32, 70: F64, 71: F64, 72: I32, 73: I32,
	uint64(F32): F32, uint64(F64): F64, uint64(F16): F16, uint64(I32): I32, uint64(C32): C32, uint64(C64): C64,
}

// symm multiplies by a symmetric or Hermitian matrix.
func symm[T number](hermitian bool) func(*call, *kernels[T]) {
	return func(c *call, k *kernels[T]) {
		left, s := c.side()
		t, u := c.fill()
		m, n, alpha := c.count(), c.count(), scalar[T](c, c.typ)
		a, b := c.ref(), c.ref()
		beta, to := scalar[T](c, c.typ), c.ref()
		order := n
		if left {
			order = m
		}
		av, bv := matrix[T](c, a, order, order, t), matrix[T](c, b, m, n, whole)
		out := target(c, beta, to, m, n, whole)
		if c.failed() || m == 0 || n == 0 {
			return
		}
		f := k.symm
		if hermitian {
			f = k.hemm
		}
		f(s, u, n, m, alpha, av, order, bv, m, beta, out, m)
		saveMatrix(c, to, out, m, n, whole)
	}
}

// across returns the operation of syrk and its relatives as gonum sees it.
func across(t blas.Transpose, hermitian bool) blas.Transpose {
	switch {
	case t != blas.NoTrans:
		return blas.NoTrans
	case hermitian:
		return blas.ConjTrans
	}
	return blas.Trans
}

// syrk multiplies a matrix by its transposed one, or its conjugated one.
func syrk[T number](hermitian bool) func(*call, *kernels[T]) {
	return func(c *call, k *kernels[T]) {
		t, u := c.fill()
		op := c.transpose()
		n, depth, of := c.count(), c.count(), c.typ
		if hermitian {
			of = of.Part()
		}
		alpha, a := scalar[T](c, of), c.ref()
		beta, to := scalar[T](c, of), c.ref()
		rows, columns := shaped(op, n, depth)
		av, out := matrix[T](c, a, rows, columns, whole), target(c, beta, to, n, n, t)
		if c.failed() || n == 0 {
			return
		}
		if re, _ := parts(alpha); hermitian {
			by, _ := parts(beta)
			k.herk(u, across(op, true), n, depth, re, av, max(1, rows), by, out, n)
		} else {
			k.syrk(u, across(op, false), n, depth, alpha, av, max(1, rows), beta, out, n)
		}
		saveMatrix(c, to, out, n, n, t)
	}
}

// syr2k is syrk of two matrices, in both orders.
func syr2k[T number](hermitian bool) func(*call, *kernels[T]) {
	return func(c *call, k *kernels[T]) {
		t, u := c.fill()
		op := c.transpose()
		n, depth, of := c.count(), c.count(), c.typ
		if hermitian {
			of = of.Part()
		}
		alpha, a, b := scalar[T](c, c.typ), c.ref(), c.ref()
		beta, to := scalar[T](c, of), c.ref()
		rows, columns := shaped(op, n, depth)
		av, bv := matrix[T](c, a, rows, columns, whole), matrix[T](c, b, rows, columns, whole)
		out := target(c, beta, to, n, n, t)
		if c.failed() || n == 0 {
			return
		}
		if by, _ := parts(beta); hermitian {
			k.her2k(u, across(op, true), n, depth, conjugate([]T{alpha})[0], av, max(1, rows), bv, max(1, rows), by,
				out, n)
		} else {
			k.syr2k(u, across(op, false), n, depth, alpha, av, max(1, rows), bv, max(1, rows), beta, out, n)
		}
		saveMatrix(c, to, out, n, n, t)
	}
}

// triangularMatrix is what trmm and trsm begin with.
type triangularMatrix struct {
	order int
	part  triangle
	side  blas.Side
	fill  blas.Uplo
	op    blas.Transpose
	diag  blas.Diag
	m, n  int
}

func (c *call) triangularMatrix() (t triangularMatrix) {
	left, s := c.side()
	t.side = s
	t.part, t.fill = c.fill()
	t.op = c.transpose()
	t.part, t.diag = c.diagonal(t.part)
	t.m, t.n = c.count(), c.count()
	t.order = t.n
	if left {
		t.order = t.m
	}
	return t
}

// trmm multiplies by a triangular matrix, out of place.
func trmm[T number](c *call, k *kernels[T]) {
	t := c.triangularMatrix()
	alpha, a, b, to := scalar[T](c, c.typ), c.ref(), c.ref(), c.ref()
	apply(c, k.trmm, t, alpha, a, b, to)
}

// trsm solves for a triangular matrix, in place.
func trsm[T number](c *call, k *kernels[T]) {
	t := c.triangularMatrix()
	alpha, a, b := scalar[T](c, c.typ), c.ref(), c.ref()
	apply(c, k.trsm, t, alpha, a, b, b)
}

// trsmBatched is trsm of matrices whose addresses are in arrays.
func trsmBatched[T number](c *call, k *kernels[T]) {
	t := c.triangularMatrix()
	alpha, a, b := scalar[T](c, c.typ), c.ref(), c.ref()
	n := c.count()
	as, bs := pointers(c, a.address, n), pointers(c, b.address, n)
	for i := 0; i < n && !c.failed(); i++ {
		a.address, b.address = as[i], bs[i]
		apply(c, k.trsm, t, alpha, a, b, b)
	}
}

// apply multiplies by a triangular matrix, or solves for one.
func apply[T number](c *call, f func(s blas.Side, u blas.Uplo, t blas.Transpose, d blas.Diag, m, n int, alpha T, a []T,
	lda int, b []T, ldb int), t triangularMatrix, alpha T, a, from, to ref,
) {
	if c.failed() || t.m == 0 || t.n == 0 {
		return
	}
	out := target(c, alpha, from, t.m, t.n, whole)
	if alpha != 0 {
		av := matrix[T](c, a, t.order, t.order, t.part)
		if c.failed() {
			return
		}
		f(t.side, t.fill, t.op, t.diag, t.n, t.m, alpha, av, t.order, out, t.m)
	}
	saveMatrix(c, to, out, t.m, t.n, whole)
}

// geam adds two matrices.
func geam[T number](c *call) {
	ta, tb := c.transpose(), c.transpose()
	m, n := c.count(), c.count()
	alpha, a := scalar[T](c, c.typ), c.ref()
	beta, b, to := scalar[T](c, c.typ), c.ref(), c.ref()
	if c.failed() || m == 0 || n == 0 || !c.shape(to, m, n) {
		return
	}
	out := make([]T, m*n)
	add(c, out, ta, m, n, alpha, a)
	add(c, out, tb, m, n, beta, b)
	saveMatrix(c, to, out, m, n, whole)
}

// add adds a multiple of a matrix, which is not read if it is of 0.
func add[T number](c *call, out []T, t blas.Transpose, m, n int, alpha T, a ref) {
	if alpha == 0 {
		return
	}
	rows, columns := shaped(t, m, n)
	v := matrix[T](c, a, rows, columns, whole)
	if c.failed() {
		return
	}
	if t == blas.ConjTrans {
		conjugate(v)
	}
	for j := range n {
		for i := range m {
			if t == blas.NoTrans {
				out[j*m+i] += alpha * v[j*m+i]
			} else {
				out[j*m+i] += alpha * v[i*n+j]
			}
		}
	}
}

// dgmm multiplies a matrix by a diagonal one.
func dgmm[T number](c *call) {
	left, _ := c.side()
	m, n, a, x, to := c.count(), c.count(), c.ref(), c.ref(), c.ref()
	length := n
	if left {
		length = m
	}
	d, v := vector[T](c, x, length), matrix[T](c, a, m, n, whole)
	if c.failed() {
		return
	}
	for i := range v {
		if left {
			v[i] *= d[i%m]
		} else {
			v[i] *= d[i/m]
		}
	}
	saveMatrix(c, to, v, m, n, whole)
}
