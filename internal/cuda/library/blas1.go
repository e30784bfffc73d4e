// cuBLAS, level 1: vectors.

package library

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/cblas128"
)

// size takes the length of vectors. One that is not positive stands for nothing to do.
func (c *call) size() int { return min(max(c.integer(), 0), most) }

func axpy[T number](c *call) {
	n, alpha := c.size(), scalar[T](c, c.typ)
	x, to := c.ref(), c.ref()
	if alpha == 0 {
		return
	}
	v, y := vector[T](c, x, n), vector[T](c, to, n)
	if c.failed() {
		return
	}
	for i := range v {
		y[i] += alpha * v[i]
	}
	saveVector(c, to, y)
}

func copyVector[T number](c *call) {
	n, x, to := c.size(), c.ref(), c.ref()
	saveVector(c, to, vector[T](c, x, n))
}

func swap[T number](c *call) {
	n, x, y := c.size(), c.ref(), c.ref()
	v, w := vector[T](c, x, n), vector[T](c, y, n)
	saveVector(c, x, w)
	saveVector(c, y, v)
}

// scal scales by a scalar of the type of the elements, or by a real one.
func scal[T number](ofReal bool) func(*call) {
	return func(c *call) {
		n, t := c.size(), c.typ
		if ofReal {
			t = t.Part()
		}
		alpha, x := scalar[T](c, t), c.ref()
		v := vector[T](c, x, n)
		for i := range v {
			v[i] *= alpha
		}
		saveVector(c, x, v)
	}
}

// dot is a scalar product; of conjugated elements of the first vector if the name says so.
func dot[T number](conjugated bool) func(*call) {
	return func(c *call) {
		n, x, y := c.size(), c.ref(), c.ref()
		v, w := vector[T](c, x, n), vector[T](c, y, n)
		if c.failed() {
			return
		}
		if conjugated {
			conjugate(v)
		}
		var sum T
		for i := range v {
			sum += v[i] * w[i]
		}
		result(c, c.next(), c.typ, sum)
	}
}

// rotate applies a rotation with a real cosine and a sine that may be complex.
func rotate[T number](realSine bool) func(*call) {
	return func(c *call) {
		n, x, y := c.size(), c.ref(), c.ref()
		t := c.typ
		if realSine {
			t = t.Part()
		}
		cos, sin := scalar[T](c, c.typ.Part()), scalar[T](c, t)
		v, w := vector[T](c, x, n), vector[T](c, y, n)
		if c.failed() {
			return
		}
		back := conjugate([]T{sin})[0]
		for i := range v {
			v[i], w[i] = cos*v[i]+sin*w[i], cos*w[i]-back*v[i]
		}
		saveVector(c, x, v)
		saveVector(c, y, w)
	}
}

// magnitude is what asum sums up and amax compares: the sum of the absolute parts.
func magnitude[T number](v T) float64 {
	re, im := parts(v)
	return math.Abs(re) + math.Abs(im)
}

func asum[T number](c *call) {
	n, x := c.size(), c.ref()
	sum := 0.0
	for _, v := range vector[T](c, x, n) {
		sum += magnitude(v)
	}
	result(c, c.next(), c.typ.Part(), sum)
}

func nrm2[T number](c *call) {
	n, x := c.size(), c.ref()
	norm := 0.0
	switch v := any(vector[T](c, x, n)).(type) {
	case []float64:
		norm = blas64.Nrm2(blas64.Vector{N: len(v), Data: v, Inc: 1})
	case []complex128:
		norm = cblas128.Nrm2(cblas128.Vector{N: len(v), Data: v, Inc: 1})
	}
	result(c, c.next(), c.typ.Part(), norm)
}

// extreme finds the first element of the largest or smallest magnitude: its number from 1, or 0 in an empty vector.
func extreme[T number](largest bool) func(*call) {
	return func(c *call) {
		n, x := c.size(), c.ref()
		if x.step < 1 {
			n = 0
		}
		at, best := 0, 0.0
		for i, v := range vector[T](c, x, n) {
			if m := magnitude(v); at == 0 || largest && m > best || !largest && m < best {
				at, best = i+1, m
			}
		}
		to, b := c.next(), make([]byte, 4, 8)
		le.PutUint32(b, uint32(at))
		if c.wide {
			b = append(b, 0, 0, 0, 0)
		}
		c.give(to, b)
	}
}
