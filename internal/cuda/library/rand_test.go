// cuRAND against known numbers of its generators, and the moments of its distributions.

package library_test

import (
	"math"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/internal/cuda/library"
)

const (
	xorwow, mrg32k3a, mt19937, philox, sobol32, sobol64 = 101, 121, 142, 161, 201, 203
)

// generator makes a generator.
func (m *memory) generator(kind, seed int) uint64 {
	m.t.Helper()
	g := m.call("curand.create", kind, 0)[0][0]
	if kind < sobol32 {
		m.call("curandSetPseudoRandomGeneratorSeed", g, seed)
	}
	return g
}

// drawn calls a function of a generator, and returns n numbers of a type.
func (m *memory) drawn(name string, g uint64, t library.Type, n int, params ...any) (list []float64) {
	m.t.Helper()
	at := m.room(n * t.Size())
	m.call(name, append([]any{g, at, n}, params...)...)
	for _, v := range m.get(t, at, n) {
		list = append(list, real(v))
	}
	return list
}

// TestKnownNumbers: the first numbers that the publications or their programs have.
func TestKnownNumbers(t *testing.T) {
	m := newMemory(t)
	if got, want := m.drawn("curandGenerate", m.generator(mt19937, 5489), library.U32, 3), []float64{3499211612, 581869302, 3890346734}; !slices.Equal(got, want) {
		t.Errorf("MT19937: %v, want %v", got, want)
	}
	if got, want := m.drawn("curandGenerate", m.generator(philox, 0), library.U32, 4), []float64{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}; !slices.Equal(got, want) {
		t.Errorf("Philox4x32-10: %v, want %v", got, want)
	}
	if got := library.EcuyerMRG(); math.Abs(got-0.127011122046577) > 1e-15 {
		t.Errorf("MRG32k3a: %v, want 0.127011122046577", got)
	}
	if got, want := library.MarsagliaXorwow(2), []uint32{246875399, 3690007200}; !slices.Equal(got, want) {
		t.Errorf("XORWOW: %v, want %v", got, want)
	}
}

// TestSobol: the points of Joe's and Kuo's program, and of each dimension each of 2^k intervals has one of the first
// 2^k points.
func TestSobol(t *testing.T) {
	m := newMemory(t)
	g := m.generator(sobol32, 0)
	m.call("curandSetQuasiRandomGeneratorDimensions", g, 3)
	want := []float64{0, 0.5, 0.75, 0.25, 0.375, 0.875, 0.625, 0.125, 0, 0.5, 0.25, 0.75, 0.375, 0.875, 0.125, 0.625, 0, 0.5, 0.25, 0.75, 0.625, 0.125, 0.875, 0.375}
	for i, v := range m.drawn("curandGenerate", g, library.U32, len(want)) {
		if v/(1<<32) != want[i] {
			t.Fatalf("point %d is %v, want %v", i, v/(1<<32), want[i])
		}
	}
	g = m.generator(sobol64, 0)
	const dimensions, n = 10, 64
	m.call("curandSetQuasiRandomGeneratorDimensions", g, dimensions)
	list := m.drawn("curandGenerateUniformDouble", g, library.F64, dimensions*n)
	for d := range dimensions {
		var seen [n]bool
		for _, v := range list[d*n : (d+1)*n] {
			seen[int(math.Ceil(v*n))-1] = true
		}
		if slices.Contains(seen[:], false) {
			t.Errorf("dimension %d leaves an interval empty", d)
		}
	}
}

// TestDistributions: mean and variance of many numbers.
func TestDistributions(t *testing.T) {
	const n = 40000
	logMean, logVariance := math.Exp(0.5+0.125), (math.Exp(0.25)-1)*math.Exp(1+0.25)
	for _, c := range []struct {
		name           string
		typ            library.Type
		params         []any
		mean, variance float64
	}{
		{"curandGenerateUniform", library.F32, nil, 0.5, 1.0 / 12},
		{"curandGenerateUniformDouble", library.F64, nil, 0.5, 1.0 / 12},
		{"curandGenerateNormal", library.F32, []any{3.0, 2.0}, 3, 4},
		{"curandGenerateNormalDouble", library.F64, []any{3.0, 2.0}, 3, 4},
		{"curandGenerateLogNormal", library.F32, []any{0.5, 0.5}, logMean, logVariance},
		{"curandGenerateLogNormalDouble", library.F64, []any{0.5, 0.5}, logMean, logVariance},
		{"curandGeneratePoisson", library.U32, []any{2.5}, 2.5, 2.5},
		{"curandGeneratePoisson", library.U32, []any{100.0}, 100, 100},
	} {
		for _, kind := range []int{xorwow, mrg32k3a, mt19937, philox, sobol32, sobol64} {
			m := newMemory(t)
			g := m.generator(kind, 42)
			if kind >= sobol32 {
				m.call("curandSetGeneratorOffset", g, 1)
			}
			sum, square := 0.0, 0.0
			for _, v := range m.drawn(c.name, g, c.typ, n, c.params...) {
				sum, square = sum+v, square+v*v
				if v < 0 && c.typ != library.F32 && c.mean < 1 || math.IsNaN(v) {
					t.Fatalf("%s of generator %d: %v", c.name, kind, v)
				}
			}
			mean := sum / n
			if variance := square/n - mean*mean; math.Abs(mean-c.mean) > 5*math.Sqrt(c.variance/n) || math.Abs(variance/c.variance-1) > 0.08 {
				t.Errorf("%s of generator %d: mean %.4f and variance %.4f, want %.4f and %.4f", c.name, kind, mean, variance, c.mean, c.variance)
			}
		}
	}
}

// TestSequence: a generator goes on where it was, begins again with its seed, and an offset leaves numbers out.
func TestSequence(t *testing.T) {
	for _, kind := range []int{xorwow, mrg32k3a, mt19937, philox, sobol32} {
		m := newMemory(t)
		g := m.generator(kind, 7)
		all := m.drawn("curandGenerate", g, library.U32, 20)
		g = m.generator(kind, 7)
		if got := append(m.drawn("curandGenerate", g, library.U32, 8), m.drawn("curandGenerate", g, library.U32, 12)...); !slices.Equal(got, all) {
			t.Errorf("generator %d in two calls: %v, want %v", kind, got, all)
		}
		if kind == mt19937 {
			continue
		}
		m.call("curandSetGeneratorOffset", g, 6)
		if got := m.drawn("curandGenerate", g, library.U32, 4); !slices.Equal(got, all[6:10]) {
			t.Errorf("generator %d from 6 on: %v, want %v", kind, got, all[6:10])
		}
	}
	m := newMemory(t)
	for _, bad := range [][]any{{"curandGenerateNormal", m.generator(xorwow, 1), m.room(64), 3, 0.0, 1.0}, {"curandGenerate", uint64(99), m.room(64), 3}, {"curandGeneratePoisson", m.generator(xorwow, 1), m.room(64), 4, -1.0}, {"curandGenerate", m.generator(xorwow, 1), m.room(4), 3}} {
		if _, err := m.try(bad[0].(string), bad[1:]...); err == nil {
			t.Errorf("%v is accepted", bad)
		}
	}
}
