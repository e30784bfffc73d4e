// cuBLAS, level 2: matrices and vectors. To gonum, a matrix as it lies in memory is the transposed one.

package library

func gemv[T number](c *call, k *kernels[T]) {
	t, m, n := c.transpose(), c.count(), c.count()
	alpha, a, x := scalar[T](c, c.typ), c.ref(), c.ref()
	beta, to := scalar[T](c, c.typ), c.ref()
	if c.failed() || m == 0 || n == 0 {
		return
	}
	in, out := shaped(t, n, m)
	y := targetVector(c, beta, to, out)
	if alpha == 0 || c.err != nil {
		scale(beta, y)
	} else {
		av, xv := matrix[T](c, a, m, n, whole), vector[T](c, x, in)
		if c.failed() {
			return
		}
		k.gemv(seen(t, av), n, m, alpha, av, m, xv, 1, beta, y, 1)
	}
	saveVector(c, to, y)
}

// scale multiplies by beta in place.
func scale[T number](beta T, list []T) {
	for i := range list {
		list[i] *= beta
	}
}

// symv is of symmetric matrices, or of Hermitian ones.
func symv[T number](hermitian bool) func(*call, *kernels[T]) {
	return func(c *call, k *kernels[T]) {
		t, u := c.fill()
		n, alpha := c.count(), scalar[T](c, c.typ)
		a, x := c.ref(), c.ref()
		beta, to := scalar[T](c, c.typ), c.ref()
		av, xv := matrix[T](c, a, n, n, t), vector[T](c, x, n)
		y := targetVector(c, beta, to, n)
		if c.failed() || n == 0 {
			return
		}
		if hermitian {
			k.hemv(u, n, alpha, conjugate(av), n, xv, 1, beta, y, 1)
		} else {
			k.symv(u, n, alpha, av, n, xv, 1, beta, y, 1)
		}
		saveVector(c, to, y)
	}
}

// ger adds a product of vectors to a matrix; conjugated elements of the second one if the name says so.
func ger[T number](conjugated bool) func(*call, *kernels[T]) {
	return func(c *call, k *kernels[T]) {
		m, n, alpha := c.count(), c.count(), scalar[T](c, c.typ)
		x, y, to := c.ref(), c.ref(), c.ref()
		if alpha == 0 {
			return
		}
		xv, yv, a := vector[T](c, x, m), vector[T](c, y, n), matrix[T](c, to, m, n, whole)
		if c.failed() || m == 0 || n == 0 {
			return
		}
		if conjugated {
			conjugate(yv)
		}
		k.ger(n, m, alpha, yv, 1, xv, 1, a, m)
		saveMatrix(c, to, a, m, n, whole)
	}
}

// syr adds products of vectors to a triangle of a symmetric or Hermitian matrix: of one vector with itself, or of two
// in both orders.
func syr[T number](vectors int, hermitian bool) func(*call, *kernels[T]) {
	return func(c *call, _ *kernels[T]) {
		t, _ := c.fill()
		n, of := c.count(), c.typ
		if hermitian && vectors == 1 {
			of = of.Part()
		}
		alpha, x := scalar[T](c, of), c.ref()
		y := x
		if vectors == 2 {
			y = c.ref()
		}
		to := c.ref()
		if alpha == 0 {
			return
		}
		xv, yv, a := vector[T](c, x, n), vector[T](c, y, n), matrix[T](c, to, n, n, t)
		if c.failed() || n == 0 {
			return
		}
		update(t, n, alpha, xv, yv, a, vectors, hermitian)
		saveMatrix(c, to, a, n, n, t)
	}
}

// update is syr in memory of the host.
func update[T number](t triangle, n int, alpha T, x, y, a []T, vectors int, hermitian bool) {
	back, xc, yc := alpha, x, y
	if hermitian {
		back = conjugate([]T{alpha})[0]
		xc, yc = conjugate(append([]T(nil), x...)), conjugate(append([]T(nil), y...))
	}
	for j := range n {
		first, end := t.rows(j, n)
		for i := first; i < end; i++ {
			a[j*n+i] += alpha * x[i] * yc[j]
			if vectors == 2 {
				a[j*n+i] += back * y[i] * xc[j]
			}
		}
		if hermitian { // the diagonal of such a matrix is real
			re, _ := parts(a[j*n+j])
			a[j*n+j] = of[T](complex(re, 0))
		}
	}
}

// triangular multiplies a vector by a triangular matrix, or solves for it.
func triangular[T number](solve bool) func(*call, *kernels[T]) {
	return func(c *call, k *kernels[T]) {
		t, u := c.fill()
		op := c.transpose()
		t, d := c.diagonal(t)
		n, a, to := c.count(), c.ref(), c.ref()
		av, x := matrix[T](c, a, n, n, t), vector[T](c, to, n)
		if c.failed() || n == 0 {
			return
		}
		f := k.trmv
		if solve {
			f = k.trsv
		}
		f(u, seen(op, av), d, n, av, n, x, 1)
		saveVector(c, to, x)
	}
}
