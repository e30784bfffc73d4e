// cuBLAS's functions of vectors against their definitions.

package library_test

import (
	"math"
	"math/cmplx"
	"testing"

	"github.com/ptxsan/ptxsan/internal/cuda/library"
)

func symmetricVector(t *testing.T, letter string, typ library.Type, fill int, hermitian bool) {
	const n, step = 4, 3
	m := newMemory(t)
	a, lda, ag := m.lies(typ, n, n, half(fill))
	x, y, alpha, beta := m.numbers(typ, n), m.numbers(typ, n), factor(typ, 2, 1), factor(typ, -1, 3)
	pa, px, py := m.put(typ, a), m.put(typ, spread(x, -step)), m.put(typ, spread(y, step))
	name := named(letter, hermitian, "symv", "hemv")
	m.call(name, fill, n, alpha, pa, lda, px, -step, beta, py, step)
	want := applied(mirrored(ag, fill, hermitian), x)
	for i := range want {
		want[i] = alpha*want[i] + beta*y[i]
	}
	m.near(name, typ, m.get(typ, py, len(spread(want, step))), spread(want, step))
	product := func(x, y []complex128) grid {
		return grid{n, n, func(i, j int) complex128 {
			if hermitian {
				return x[i] * cmplx.Conj(y[j])
			}
			return x[i] * y[j]
		}}
	}
	one, other := alpha, alpha
	if hermitian {
		one, other = 2, cmplx.Conj(alpha)
		for i := range n {
			a[i*lda+i] = complex(real(a[i*lda+i]), 0)
		}
	}
	pa, py = m.put(typ, a), m.put(typ, spread(y, step))
	m.call(named(letter, hermitian, "syr", "her"), fill, n, one, px, -step, pa, lda)
	m.near("syr", typ, m.get(typ, pa, len(a)), updated(a, lda, half(fill), scaled(one, product(x, x)), 1))
	pa = m.put(typ, a)
	m.call(named(letter, hermitian, "syr2", "her2"), fill, n, alpha, px, -step, py, step, pa, lda)
	m.near("syr2", typ, m.get(typ, pa, len(a)), updated(a, lda, half(fill), sum(scaled(alpha, product(x, y)), scaled(other, product(y, x))), 1))
	m.nothingUnknown(name)
}

// TestGemv: gemv and ger, and the sums and products of matrices that are not BLAS.
func TestGemv(t *testing.T) {
	for _, letter := range []string{"S", "D", "C", "Z"} {
		for trans := range 3 {
			typ, m := types[letter], newMemory(t)
			const rows, columns, step = 4, 3, 2
			a, lda, ag := m.lies(typ, rows, columns, everywhere)
			out, in := turned(trans, rows, columns)
			x, y, alpha, beta := m.numbers(typ, in), m.numbers(typ, out), factor(typ, 2, 1), factor(typ, -1, 3)
			pa, px, py := m.put(typ, a), m.put(typ, spread(x, step)), m.put(typ, spread(y, -step))
			m.call("cublas"+letter+"gemv_v2", trans, rows, columns, alpha, pa, lda, px, step, beta, py, -step)
			want := applied(op(trans, ag), x)
			for i := range want {
				want[i] = alpha*want[i] + beta*y[i]
			}
			m.near(letter+"gemv", typ, m.get(typ, py, len(spread(want, -step))), spread(want, -step))
			general(m, letter, typ, trans)
			m.nothingUnknown(letter)
		}
	}
}

func general(m *memory, letter string, typ library.Type, trans int) {
	const rows, columns, step = 4, 3, 2
	alpha, beta := factor(typ, 2, 1), factor(typ, -1, 3)
	ar, ac := turned(trans, rows, columns)
	a, lda, ag := m.lies(typ, ar, ac, everywhere)
	b, ldb, bg := m.lies(typ, rows, columns, everywhere)
	pa, pb, out := m.put(typ, a), m.put(typ, b), m.put(typ, make([]complex128, ldb*columns))
	m.call("cublas"+letter+"geam", trans, 0, rows, columns, alpha, pa, lda, beta, pb, ldb, out, ldb)
	none := make([]complex128, len(b))
	m.near("geam", typ, m.get(typ, out, len(b)), updated(none, ldb, everywhere, sum(scaled(alpha, op(trans, ag)), scaled(beta, bg)), 0))
	x, y := m.numbers(typ, rows), m.numbers(typ, columns)
	px, py := m.put(typ, spread(x, -step)), m.put(typ, spread(y, step))
	for side, d := range [][]complex128{x, y} {
		m.call("cublas"+letter+"dgmm", side, rows, columns, pb, ldb, []any{px, py}[side], []int{-step, step}[side], out, ldb)
		want := grid{rows, columns, func(i, j int) complex128 { return bg.at(i, j) * d[[]int{i, j}[side]] }}
		m.near("dgmm", typ, m.get(typ, out, len(b)), updated(none, ldb, everywhere, want, 0))
	}
	for name, conjugated := range map[string]bool{"ger": false, "geru": false, "gerc": true} {
		if (name == "ger") == (typ == typ.Part()) {
			pc := m.put(typ, b)
			m.call("cublas"+letter+name+"_v2", rows, columns, alpha, px, -step, py, step, pc, ldb)
			by := grid{rows, columns, func(i, j int) complex128 {
				if conjugated {
					return alpha * x[i] * cmplx.Conj(y[j])
				}
				return alpha * x[i] * y[j]
			}}
			m.near(name, typ, m.get(typ, pc, len(b)), updated(b, ldb, everywhere, by, 1))
		}
	}
}

// TestVectors: level 1.
func TestVectors(t *testing.T) {
	for _, letter := range []string{"S", "D", "C", "Z"} {
		vectors(newMemory(t), letter, types[letter])
	}
}

func vectors(m *memory, letter string, typ library.Type) {
	const n, step = 5, 2
	x, y, alpha := m.numbers(typ, n), m.numbers(typ, n), factor(typ, 2, 1)
	sin, prefix, lower := factor(typ, 0.8, 0.5), map[string]string{"C": "Sc", "Z": "Dz"}[letter], map[string]string{"S": "s", "D": "d", "C": "c", "Z": "z"}[letter]
	if prefix == "" {
		prefix = letter
	}
	put := func() (uint64, uint64) { return m.put(typ, spread(x, step)), m.put(typ, spread(y, -step)) }
	holds := func(what string, at uint64, step int, want func(i int) complex128) {
		m.t.Helper()
		list := make([]complex128, n)
		for i := range list {
			list[i] = want(i)
		}
		m.near(letter+what, typ, m.get(typ, at, len(spread(list, step))), spread(list, step))
	}
	px, py := put()
	m.call("cublas"+letter+"axpy_v2", n, alpha, px, step, py, -step)
	holds("axpy", py, -step, func(i int) complex128 { return alpha*x[i] + y[i] })
	m.call("cublas"+letter+"copy_v2", n, px, step, py, -step)
	holds("copy", py, -step, func(i int) complex128 { return x[i] })
	m.call("cublas"+letter+"scal_v2_64", n, alpha, py, -step)
	holds("scal", py, -step, func(i int) complex128 { return alpha * x[i] })
	px, py = put()
	m.call("cublas"+letter+"swap_v2", n, px, step, py, -step)
	holds("swap", px, step, func(i int) complex128 { return y[i] })
	holds("swap", py, -step, func(i int) complex128 { return x[i] })
	px, py = put()
	m.call("cublas"+letter+"rot_v2", n, px, step, py, -step, complex(0.6, 0), sin)
	holds("rot", px, step, func(i int) complex128 { return 0.6*x[i] + sin*y[i] })
	holds("rot", py, -step, func(i int) complex128 { return 0.6*y[i] - cmplx.Conj(sin)*x[i] })
	px, py = put()
	scalars(m, letter, prefix, lower, typ, px, py, x, y)
}

func scalars(m *memory, letter, prefix, lower string, typ library.Type, px, py uint64, x, y []complex128) {
	const step = 2
	n := len(x)
	var dot, dotc complex128
	absolute, square, largest, smallest := 0.0, 0.0, 0, 0
	size := func(i int) float64 { return math.Abs(real(x[i])) + math.Abs(imag(x[i])) }
	for i := range x {
		dot, dotc = dot+x[i]*y[i], dotc+cmplx.Conj(x[i])*y[i]
		absolute, square = absolute+size(i), square+real(x[i]*cmplx.Conj(x[i]))
		if size(i) > size(largest) {
			largest = i
		}
		if size(i) < size(smallest) {
			smallest = i
		}
	}
	for name, want := range map[string]complex128{"dot": dot, "dotu": dot, "dotc": dotc} {
		if (name == "dot") == (typ == typ.Part()) {
			m.near(name, typ, m.returned(typ, m.call("cublas"+letter+name+"_v2", n, px, step, py, -step, 0)), []complex128{want})
		}
	}
	to := m.room(16)
	m.call("cublas"+prefix+"asum_v2", n, px, step, onDevice(to))
	m.near("asum", typ.Part(), m.get(typ.Part(), to, 1), []complex128{complex(absolute, 0)})
	m.near("nrm2", typ.Part(), m.returned(typ.Part(), m.call("cublas"+prefix+"nrm2_v2", n, px, step, 0)), []complex128{complex(math.Sqrt(square), 0)})
	if got := m.call("cublasI"+lower+"amax_v2", n, px, step, 0)[0][0]; got != uint64(largest+1) {
		m.t.Errorf("amax: %d, want %d", got, largest+1)
	}
	if got := m.call("cublasI"+lower+"amin_v2_64", n, px, step, 0)[0][0]; got != uint64(smallest+1) {
		m.t.Errorf("amin: %d, want %d", got, smallest+1)
	}
}

// returned decodes a result for the host.
func (m *memory) returned(t library.Type, r library.Results) []complex128 {
	m.t.Helper()
	if len(r) != 1 {
		m.t.Fatalf("%d results, want 1", len(r))
	}
	b := make([]byte, 16)
	for i := range b {
		b[i] = byte(r[0][i/8] >> (8 * (i % 8)))
	}
	return []complex128{library.Decode(t, b)}
}
