// cuFFT against the definition of the discrete Fourier transform.

package library_test

import (
	"fmt"
	"math"
	"math/cmplx"
	"testing"

	"github.com/ptxsan/ptxsan/internal/cuda/library"
)

// side is the layout of one side of a transform: extents of its array, of those that hold it, and steps.
type side struct {
	extent, embed    []int
	stride, distance int
}

// place returns where an element lies.
func (s *side) place(batch int, at []int) (k int) {
	for i, v := range at {
		k = k*s.embed[i] + v
	}
	return k*s.stride + batch*s.distance
}

// points calls f for each element.
func points(extent []int, f func(at []int)) {
	at := make([]int, len(extent))
	var level func(i int)
	level = func(i int) {
		if i == len(extent) {
			f(at)
			return
		}
		for at[i] = range extent[i] {
			level(i + 1)
		}
	}
	level(0)
}

// dft is the definition.
func dft(n []int, x func(at []int) complex128, direction float64, k []int) (sum complex128) {
	points(n, func(at []int) {
		phase := 0.0
		for i := range n {
			phase += float64(at[i]*k[i]) / float64(n[i])
		}
		sum += x(at) * cmplx.Exp(complex(0, direction*2*math.Pi*phase))
	})
	return sum
}

// TestTransforms: transforms of all types, with layouts that have gaps.
func TestTransforms(t *testing.T) {
	for _, c := range []struct {
		name       string
		from, to   library.Type
		directions []int
	}{
		{"cufftExecC2C", library.C32, library.C32, []int{-1, 1}},
		{"cufftExecZ2Z", library.C64, library.C64, []int{-1, 1}},
		{"cufftExecR2C", library.F32, library.C32, []int{-1}},
		{"cufftExecD2Z", library.F64, library.C64, []int{-1}},
		{"cufftExecC2R", library.C32, library.F32, []int{1}},
		{"cufftExecZ2D", library.C64, library.F64, []int{1}},
	} {
		for _, n := range [][]int{{1}, {8}, {7}, {30}, {4, 6}, {3, 5}, {2, 3, 4}, {3, 2, 5}} {
			for _, direction := range c.directions {
				transform(t, c.name, c.from, c.to, n, direction)
			}
		}
	}
}

func transform(t *testing.T, name string, from, to library.Type, n []int, direction int) {
	const batch = 2
	m := newMemory(t)
	in, out := sideOf(n, from, to), sideOf(n, to, from)
	data := make([]complex128, in.distance*batch)
	for i := range data {
		data[i] = cmplx.NaN()
	}
	// the signal, of which the input may be the half that determines it
	values := make(map[string]complex128)
	signal := func(b int, at []int) complex128 { return values[fmt.Sprint(b, at)] }
	for b := range batch {
		points(n, func(at []int) { values[fmt.Sprint(b, at)] = m.numbers(from, 1)[0] })
		if to == to.Part() { // coefficients of a real signal
			real := make(map[string]complex128)
			points(n, func(at []int) { real[fmt.Sprint(at)] = m.numbers(to, 1)[0] })
			points(n, func(k []int) {
				values[fmt.Sprint(b, k)] = dft(n, func(at []int) complex128 { return real[fmt.Sprint(at)] }, -1, append([]int(nil), k...))
			})
		}
		points(in.extent, func(at []int) { data[in.place(b, at)] = signal(b, at) })
	}
	source, result := m.put(from, data), m.room(out.distance*batch*to.Size())
	args := []any{source, result, direction, len(n), batch}
	for _, list := range [][]int{n, in.embed, out.embed} {
		for i := range 3 {
			v := 1
			if i < len(list) {
				v = list[i]
			}
			args = append(args, v)
		}
	}
	m.call(name, append(args, in.stride, in.distance, out.stride, out.distance)...)
	m.nothingUnknown(name)
	got := m.get(to, result, out.distance*batch)
	scale := float64(len(values))
	for b := range batch {
		points(out.extent, func(k []int) {
			want := dft(n, func(at []int) complex128 { return signal(b, at) }, float64(direction), k)
			if v := got[out.place(b, k)]; !(cmplx.Abs(v-want) < 1e-5*scale*scale) {
				t.Fatalf("%s of %v, batch %d: element %v is %v, want %v", name, n, b, k, v, want)
			}
		})
	}
}

// sideOf returns a side with gaps: of complex elements beside real ones half of the last dimension.
func sideOf(n []int, own, other library.Type) side {
	s := side{extent: append([]int(nil), n...), embed: append([]int(nil), n...), stride: 2}
	if own != own.Part() && other == other.Part() {
		s.extent[len(n)-1] = n[len(n)-1]/2 + 1
	}
	s.distance = s.stride
	for i := range n {
		s.embed[i] = s.extent[i] + 1
		s.distance *= s.embed[i]
	}
	return s
}

// TestBadTransforms: layouts that no array has.
func TestBadTransforms(t *testing.T) {
	m := newMemory(t)
	at := m.put(library.C32, m.numbers(library.C32, 64))
	for _, bad := range [][]any{
		{at, at, -1, 0, 1, 4, 1, 1, 4, 1, 1, 4, 1, 1, 1, 4, 1, 4},
		{at, at, 0, 1, 1, 4, 1, 1, 4, 1, 1, 4, 1, 1, 1, 4, 1, 4},
		{at, at, -1, 1, 1, 0, 1, 1, 4, 1, 1, 4, 1, 1, 1, 4, 1, 4},
		{at, at, -1, 1, 1, 65, 1, 1, 65, 1, 1, 65, 1, 1, 1, 65, 1, 65},
		{at, at, -1, 3, 1, 1 << 20, 1 << 20, 1 << 20, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1},
		{at, at, -1, 2, 1, 2, 1 << 30, 1, 2, 1 << 30, 1, 2, 1 << 30, 1, 0, 1, 0, 1},
		{at, at, -1, 3, 1, 1 << 30, 1 << 30, 1 << 30, 1 << 30, 1 << 30, 1 << 30, 1 << 30, 1 << 30, 1 << 30, 1, 1, 1, 1},
	} {
		if _, err := m.try("cufftExecC2C", bad...); err == nil {
			t.Errorf("%v is accepted", bad[2:])
		}
	}
}
