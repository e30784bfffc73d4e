// Workloads: kernels with inputs, expected results and sizes.

package main

import (
	"math"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
)

// workload is a program to measure: a kernel, or several in turn, at several sizes.
type workload struct {
	name  string
	sizes []uint32
	// units returns the number of steps of a scalar program of size n, up to a constant factor. Time should be
	// proportional to it.
	units func(n uint32) float64
	// checked is the number of sizes, from the smallest on, that are also measured with the detector.
	checked int
	build   func(n uint32) *problem
}

// problem is a workload of one size.
type problem struct {
	buffers [][]uint32 // device memory before the run
	out     int        // the buffer that holds the result
	want    []uint32   // the result, computed in Go
	run     func(l launcher) error
}

// launcher is the interface of a device for problems.
type launcher interface {
	// launch runs a kernel. An argument is a number or the buffer of a problem.
	launch(kernel string, grid, block emu.Dim3, args ...any) error
	// word returns the first word of a buffer; setWord writes it.
	word(b buffer) (uint32, error)
	setWord(b buffer, v uint32) error
}

// buffer is an index into problem.buffers.
type buffer int

// Units of work.
func linear(n uint32) float64 { return float64(n) }
func square(n uint32) float64 { return float64(n) * float64(n) }
func cube(n uint32) float64   { return float64(n) * float64(n) * float64(n) }

// network returns the number of comparisons of a bitonic sort.
func network(n uint32) float64 {
	l := math.Log2(float64(n))
	return float64(n) * l * (l + 1) / 2
}

// mix is a hash function that generates inputs; mix in kernels/native.c is the same.
func mix(i uint32) uint32 {
	i = (i + 1) * 2654435761
	i ^= i >> 15
	i *= 2246822519
	return i ^ i>>13
}

// checksum returns a checksum of a result; checksum in kernels/native.c is the same.
func checksum(words []uint32) uint32 {
	h := uint32(1)
	for _, v := range words {
		h = h*31 + v
	}
	return h
}

// fill returns a slice of n words.
func fill(n uint32, f func(i uint32) uint32) []uint32 {
	out := make([]uint32, n)
	for i := range out {
		out[i] = f(uint32(i))
	}
	return out
}

// floats returns n small whole numbers; float32 represents their sums and products exactly, in any order of evaluation.
func floats(n uint32) []uint32 {
	return fill(n, func(i uint32) uint32 { return bits(float32(mix(i) % 16)) })
}

func bits(f float32) uint32  { return math.Float32bits(f) }
func float(u uint32) float32 { return math.Float32frombits(u) }

// line and plane return extents.
func line(n uint32) emu.Dim3     { return emu.Dim3{X: n, Y: 1, Z: 1} }
func plane(x, y uint32) emu.Dim3 { return emu.Dim3{X: x, Y: y, Z: 1} }

// rows launches n threads in blocks of 256.
func rows(l launcher, kernel string, n uint32, args ...any) error {
	return l.launch(kernel, line((n+255)/256), line(256), args...)
}

// tiles launches one thread for each element of an n by n matrix.
func tiles(l launcher, kernel string, n uint32, args ...any) error {
	return l.launch(kernel, plane(n/16, n/16), plane(16, 16), args...)
}

// allWorkloads returns the workloads, in the order of the report.
func allWorkloads() []*workload { return slices.Concat(denseWorkloads(), irregularWorkloads()) }
