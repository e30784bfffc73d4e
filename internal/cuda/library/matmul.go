// cuBLASLt: products of matrices with matrices of their own for the results.

package library

// matmul returns the products of pairs of matrices, plus others, in matrices of their own. Each operand has its
// interval. The last arguments are the types that the call computes in and that scalars have.
func matmul[T number](c *call, k *kernels[T]) {
	var p product[T]
	p.dimensions(c)
	p.alpha, p.a = scalar[T](c, c.typ), c.typed()
	sa := c.integer()
	p.b = c.typed()
	sb := c.integer()
	p.beta, p.c = scalar[T](c, c.typ), c.typed()
	sc := c.integer()
	to := c.typed()
	sd, n := c.integer(), c.count()
	c.word() // gemmEx has it
	if scale := Type(c.word()); scale != c.typ {
		c.fail(Unsupported, "scalars of type %d are not supported, where it computes in %d", scale, c.typ)
	}
	a, b, from := p.a, p.b, p.c
	for i := 0; i < n && !c.failed(); i++ {
		d := to.at(i * sd)
		p.d = &d
		p.compute(c, k, a.at(i*sa).address, b.at(i*sb).address, from.at(i*sc).address)
	}
}
