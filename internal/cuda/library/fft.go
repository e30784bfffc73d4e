// cuFFT: transforms of one to three dimensions (cuFFT, "cuFFT API Reference"), none of which is scaled.

package library

import (
	"math/cmplx"

	"gonum.org/v1/gonum/dsp/fourier"
)

// mostDimensions is the most that a transform has.
const mostDimensions = 3

// layout is where the elements of one side of a plan lie: the extents of the array that holds them, and how far
// elements and transforms are apart.
type layout struct {
	embed            [mostDimensions]int
	stride, distance int
}

// plan is a transform as cufftPlanMany describes it.
type plan struct {
	rank, batch   int
	n             [mostDimensions]int
	in, out       layout
	first, second Type // of input and output
	inverse       bool
}

// execute transforms: the name of the function says the types.
func execute(first, second Type) func(*call) {
	return func(c *call) {
		p := plan{first: first, second: second}
		from, to, direction := c.word(), c.word(), c.integer()
		p.rank, p.batch = c.count(), c.count()
		for _, list := range []*[mostDimensions]int{&p.n, &p.in.embed, &p.out.embed} {
			for i := range list {
				list[i] = c.count()
			}
		}
		p.in.stride, p.in.distance, p.out.stride, p.out.distance = c.count(), c.count(), c.count(), c.count()
		if p.rank < 1 || p.rank > mostDimensions || direction*direction != 1 {
			c.fail(Invalid, "a transform of %d dimensions in direction %d", p.rank, direction)
			return
		}
		p.inverse = direction == 1
		for i := range p.rank {
			if p.n[i] == 0 {
				c.fail(Invalid, "a dimension of a transform is 0")
			}
		}
		for i := 0; i < p.batch && !c.failed(); i++ {
			p.transform(c, ref{from, 1, first}.at(i*p.in.distance), ref{to, 1, second}.at(i*p.out.distance))
		}
	}
}

// halved returns the extents of the side with complex elements: of a transform of real ones, the half that determines
// the others.
func (p *plan) halved() [mostDimensions]int {
	n := p.n
	if p.first != p.second {
		n[p.rank-1] = n[p.rank-1]/2 + 1
	}
	return n
}

// transform makes one transform of a batch.
func (p *plan) transform(c *call, from, to ref) {
	whole, half := p.n, p.halved()
	inExtent, outExtent := half, half
	if p.first == p.first.Part() {
		inExtent = whole
	}
	if p.second == p.second.Part() {
		outExtent = whole
	}
	data := p.in.gather(c, from, p.rank, inExtent)
	if c.failed() {
		return
	}
	if p.second == p.second.Part() {
		data = p.complete(data, half)
	}
	for axis := p.rank - 1; axis >= 0 && !c.failed(); axis-- {
		p.along(data, axis)
	}
	p.out.scatter(c, to, p.rank, whole, outExtent, data)
}

// along transforms all lines of an array along an axis.
func (p *plan) along(data []complex128, axis int) {
	n, step := p.n[axis], 1
	for i := axis + 1; i < p.rank; i++ {
		step *= p.n[i]
	}
	t, line := fourier.NewCmplxFFT(n), make([]complex128, n)
	for begin := 0; begin < len(data); begin += n * step {
		for offset := begin; offset < begin+step; offset++ {
			for i := range line {
				line[i] = data[offset+i*step]
			}
			if p.inverse {
				t.Sequence(line, line)
			} else {
				t.Coefficients(line, line)
			}
			for i, v := range line {
				data[offset+i*step] = v
			}
		}
	}
}

// complete makes all coefficients of a real transform out of the half that is given: X[-k] is the conjugated X[k].
func (p *plan) complete(half []complex128, extent [mostDimensions]int) []complex128 {
	out := make([]complex128, volume(p.n, p.rank))
	each(p.rank, p.n, func(k int, at [mostDimensions]int) {
		last := p.rank - 1
		mirrored := at[last] >= extent[last]
		for i := range p.rank {
			if mirrored && at[i] > 0 {
				at[i] = p.n[i] - at[i]
			}
		}
		out[k] = half[elementAt(p.rank, extent, at)]
		if mirrored {
			out[k] = cmplx.Conj(out[k])
		}
	})
	return out
}

func volume(n [mostDimensions]int, rank int) int {
	p := 1
	for _, v := range n[:rank] {
		p *= v
	}
	return p
}

// elementAt returns the number of an element in an array without gaps.
func elementAt(rank int, extent, at [mostDimensions]int) (k int) {
	for i := range rank {
		k = k*extent[i] + at[i]
	}
	return k
}

// each calls f for all elements of an array, in the order in memory.
func each(rank int, extent [mostDimensions]int, f func(k int, at [mostDimensions]int)) {
	var at [mostDimensions]int
	for k := range volume(extent, rank) {
		f(k, at)
		for i := rank - 1; i >= 0; i-- {
			if at[i]++; at[i] < extent[i] {
				break
			}
			at[i] = 0
		}
	}
}

// rows calls f for each row of an array: the element in memory with which it begins.
func (l *layout) rows(rank int, extent [mostDimensions]int, f func(row, begin int)) {
	length := extent[rank-1]
	extent[rank-1] = 1
	row := 0
	each(rank, extent, func(_ int, at [mostDimensions]int) {
		f(row*length, elementAt(rank, l.embed, at)*l.stride)
		row++
	})
}

// fits checks that an array lies in an allocation.
func (l *layout) fits(c *call, r ref, rank int, extent [mostDimensions]int) bool {
	last := 0
	for i := range rank {
		if i > 0 && l.embed[i] < extent[i] || l.stride < 1 {
			c.fail(Invalid, "an array of a transform has %d elements in %d, %d apart", extent[i], l.embed[i], l.stride)
			return false
		}
		if last = last*l.embed[i] + extent[i] - 1; last > most {
			c.fail(Invalid, "an array of a transform has more than %d elements", most)
			return false
		}
	}
	return c.extent(r, last+1, l.stride, 1)
}

// gather reads an array.
func (l *layout) gather(c *call, r ref, rank int, extent [mostDimensions]int) []complex128 {
	if !l.fits(c, r, rank, extent) {
		return nil
	}
	out, length := make([]complex128, volume(extent, rank)), extent[rank-1]
	l.rows(rank, extent, func(row, begin int) {
		e := r.at(begin)
		e.step = l.stride
		copy(out[row:], vector[complex128](c, e, length))
	})
	return out
}

// scatter writes the part of an array that a side has.
func (l *layout) scatter(c *call, r ref, rank int, whole, extent [mostDimensions]int, data []complex128) {
	if c.failed() || !l.fits(c, r, rank, extent) {
		return
	}
	length := extent[rank-1]
	l.rows(rank, extent, func(row, begin int) {
		from := row / length * whole[rank-1]
		e := r.at(begin)
		e.step = l.stride
		saveVector(c, e, data[from:from+length])
	})
}

// transforms are the functions of cuFFT that execute a plan. Their parameters are those of execute.
func transforms() []row {
	const letters = "p p i i i iii iii iii i i i i"
	return []row{
		{".cufftExecC2C", "", letters, execute(C32, C32)},
		{".cufftExecZ2Z", "", letters, execute(C64, C64)},
		{".cufftExecR2C", "", letters, execute(F32, C32)},
		{".cufftExecD2Z", "", letters, execute(F64, C64)},
		{".cufftExecC2R", "", letters, execute(C32, F32)},
		{".cufftExecZ2D", "", letters, execute(C64, F64)},
	}
}
