// Memory of a device for tests, and calls over it.

package library_test

import (
	"context"
	"errors"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"github.com/ptxsan/ptxsan/internal/cuda/library"
)

const base = 0x1000

var errOutside = errors.New("outside")

// memory is memory of a device, from base on. Reads of bytes that are not written are counted.
type memory struct {
	t       *testing.T
	state   library.State
	random  *rand.Rand
	bytes   []byte
	known   []bool
	unknown int
}

func newMemory(t *testing.T) *memory {
	return &memory{t: t, random: rand.New(rand.NewPCG(1, 2))}
}

func (m *memory) Holds(address, size uint64) error {
	if address < base || size > uint64(len(m.bytes)) || address-base > uint64(len(m.bytes))-size {
		return errOutside
	}
	return nil
}

func (m *memory) Read(address uint64, to []byte) error {
	if err := m.Holds(address, uint64(len(to))); err != nil {
		return err
	}
	for i := range to {
		if !m.known[address-base+uint64(i)] {
			m.unknown++
		}
	}
	copy(to, m.bytes[address-base:])
	return nil
}

func (m *memory) Write(address uint64, from []byte) error {
	if err := m.Holds(address, uint64(len(from))); err != nil {
		return err
	}
	copy(m.bytes[address-base:], from)
	for i := range from {
		m.known[address-base+uint64(i)] = true
	}
	return nil
}

// room allocates bytes that nothing has written.
func (m *memory) room(size int) uint64 {
	at := base + uint64(len(m.bytes))
	m.bytes, m.known = append(m.bytes, make([]byte, size)...), append(m.known, make([]bool, size)...)
	return at
}

// put allocates numbers of a type. Those that are not a number are left unwritten.
func (m *memory) put(t library.Type, list []complex128) uint64 {
	at := m.room(len(list) * t.Size())
	for i, v := range list {
		if !cmplx.IsNaN(v) {
			if err := m.Write(at+uint64(i*t.Size()), library.Encode(t, v)); err != nil {
				m.t.Fatal(err)
			}
		}
	}
	return at
}

// get reads numbers of a type, unwritten ones as not a number.
func (m *memory) get(t library.Type, at uint64, n int) []complex128 {
	out := make([]complex128, n)
	for i := range out {
		from := at - base + uint64(i*t.Size())
		out[i] = cmplx.NaN()
		if m.known[from] {
			out[i] = library.Decode(t, m.bytes[from:])
		}
	}
	return out
}

// call calls a function. Arguments are integers, addresses (uint64), and scalars (complex128) of the function's type.
func (m *memory) call(name string, args ...any) library.Results {
	m.t.Helper()
	r, err := m.try(name, args...)
	if err != nil {
		m.t.Fatalf("%s: %v", name, err)
	}
	return r
}

func (m *memory) try(name string, args ...any) (library.Results, error) {
	return m.state.Call(context.Background(), name, arguments(name, args), m)
}

func arguments(name string, args []any) (list []library.Arg) {
	f := library.Named(name)
	for i, a := range args {
		var x library.Arg
		switch a := a.(type) {
		case int:
			x.Words[0] = uint64(a)
		case uint64:
			x.Words[0] = a
		case float64:
			x.Words[0] = math.Float64bits(a)
		case library.Type:
			x.Words[0] = uint64(a)
		case onDevice:
			x = library.Arg{Words: [2]uint64{uint64(a)}, OnDevice: true}
		case typedScalar:
			x = scalar(a.t, a.v)
		case complex128:
			t := f.Type
			if i < len(f.Kinds) && f.Kinds[i] == library.RealScalar {
				t = t.Part()
			}
			x = scalar(t, a)
		}
		list = append(list, x)
	}
	return list
}

// onDevice is the address of a scalar on the device, and typedScalar one of a type of its own.
type (
	onDevice    uint64
	typedScalar struct {
		t library.Type
		v complex128
	}
)

func scalar(t library.Type, v complex128) (x library.Arg) {
	b := append(library.Encode(t, v), make([]byte, 16)...)
	for i := range 16 {
		x.Words[i/8] |= uint64(b[i]) << (8 * (i % 8))
	}
	return x
}

// numbers returns small numbers that all types have exactly.
func (m *memory) numbers(t library.Type, n int) []complex128 {
	out := make([]complex128, n)
	for i := range out {
		out[i] = complex(float64(m.random.IntN(9)-4), 0)
		if t != t.Part() {
			out[i] += complex(0, float64(m.random.IntN(9)-4))
		}
	}
	return out
}

// near compares numbers with the error that a type allows.
func (m *memory) near(what string, t library.Type, got, want []complex128) {
	m.t.Helper()
	allowed := map[library.Type]float64{library.F16: 1e-2, library.BF16: 4e-2, library.F32: 1e-5, library.C32: 1e-5}[t]
	for i := range want {
		a, b := got[i], want[i]
		if cmplx.IsNaN(a) != cmplx.IsNaN(b) || cmplx.Abs(a-b) > (allowed+1e-12)*(1+cmplx.Abs(b)) {
			m.t.Fatalf("%s: element %d is %v, want %v\n got %v\nwant %v", what, i, a, b, got, want)
		}
	}
}
