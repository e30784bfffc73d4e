// Initial contents of buffers: constants, ranges, random numbers, files.

package launch

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
)

// chunkBytes is the size of the pieces in which a buffer is written.
const chunkBytes = 64 << 10

// Fill writes the initial contents of the buffer in pieces. Zeros are not
// written: device memory starts as zeros.
func (b *Buffer) Fill(write func(offset uint64, p []byte) error) error {
	return b.at(b.Init.fill(b.Type, b.Count, write))
}

// at adds the buffer's position to an error without a position.
func (b *Buffer) at(err error) error {
	if err == nil {
		return nil
	}
	return b.Errorf("buffer %s: %v", b.Name, err)
}

// Fill writes the value of a global variable of count elements of type t. If a list is shorter than the variable, the
// other elements stay as they are.
func (g *Global) Fill(t Type, count uint64, write func(offset uint64, p []byte) error) error {
	if n := uint64(len(g.Init.List)); g.Init.Kind == InitList {
		if n > count {
			return g.Errorf("global %s has %d elements of %s, but %d values are given", g.Name, count, t, n)
		}
		count = n
	}
	if err := g.Init.write(t, count, write); err != nil {
		return g.Errorf("global %s: %v", g.Name, err)
	}
	return nil
}

// fill calls write for the contents, without zero pieces.
func (in *Init) fill(t Type, count uint64, write func(uint64, []byte) error) error {
	if in.Kind == InitNumber && in.Value.zero() {
		return nil
	}
	return in.write(t, count, write)
}

func (in *Init) write(t Type, count uint64, write func(uint64, []byte) error) error {
	if in.Kind == InitFile {
		return in.writeFile(t, count, write)
	}
	next, err := in.first(t)
	if err != nil {
		return err
	}
	buf := make([]byte, 0, chunkBytes)
	for i, off := uint64(0), uint64(0); i < count; i++ {
		if buf, err = next(buf, i); err != nil {
			return err
		}
		if len(buf) >= chunkBytes || i == count-1 {
			if err := write(off, buf); err != nil {
				return err
			}
			off += uint64(len(buf))
			buf = buf[:0]
		}
	}
	return nil
}

// generator appends element i. It must be called for each i in order.
type generator func(dst []byte, i uint64) ([]byte, error)

// first returns the generator of an Init that is not a file, after checking that
// the values fit the type.
func (in *Init) first(t Type) (generator, error) {
	switch in.Kind {
	case InitNumber:
		one, err := in.Value.Append(nil, t)
		return func(dst []byte, _ uint64) ([]byte, error) { return append(dst, one...), nil }, err
	case InitList:
		for i, n := range in.List {
			if _, err := n.Append(nil, t); err != nil {
				return nil, fmt.Errorf("value %d: %w", i, err)
			}
		}
		return func(dst []byte, i uint64) ([]byte, error) { return in.List[i].Append(dst, t) }, nil
	case InitRandom:
		return in.randoms(t)
	default:
	}
	if t.Float() {
		return func(dst []byte, i uint64) ([]byte, error) { return Float(float64(i)).Append(dst, t) }, nil
	}
	// Integers wrap around: iota of u8 is 0 to 255 and again 0.
	return func(dst []byte, i uint64) ([]byte, error) { return appendUint(dst, i, t.Size()), nil }, nil
}

// defaultRange returns the range of init: random without min and max: [0, 1] for
// floating point, every value for integers.
func defaultRange(t Type) (lo, hi Number) {
	if t.Float() {
		return Number{}, Int(1)
	}
	low, high := intRange(t)
	if typeFacts[t].kind == kindBits {
		low = 0
	}
	return Number{neg: low > 0, mag: low}, Number{mag: high}
}

// randomSpan returns the lowest integer of a random range as two's complement and the
// number of further values above it.
func randomSpan(in Init, t Type) (lo, span uint64, err error) {
	if in.Min.Float64() > in.Max.Float64() {
		return 0, 0, fmt.Errorf("min %s is larger than max %s", in.Min, in.Max)
	}
	if t.Float() {
		if s := in.Max.Float64() - in.Min.Float64(); math.IsNaN(s) || math.IsInf(s, 0) {
			return 0, 0, fmt.Errorf("min %s and max %s are not a finite range", in.Min, in.Max)
		}
		return 0, 0, nil
	}
	signed := func(n Number) (uint64, bool) {
		i, ok := n.integral()
		if i.neg {
			return -i.mag, ok
		}
		return i.mag, ok
	}
	lo, okLo := signed(in.Min)
	hi, okHi := signed(in.Max)
	if !okLo || !okHi {
		return 0, 0, fmt.Errorf("min %s and max %s must be integers for %s", in.Min, in.Max, t)
	}
	return lo, hi - lo, nil
}

func (in *Init) randoms(t Type) (generator, error) {
	lo, span, err := randomSpan(*in, t)
	state := in.Seed
	if t.Float() {
		low, width := in.Min.Float64(), in.Max.Float64()-in.Min.Float64()
		return func(dst []byte, _ uint64) ([]byte, error) {
			u := float64(splitmix(&state)>>11) / (1 << 53)
			return Float(low+u*width).Append(dst, t)
		}, err
	}
	return func(dst []byte, _ uint64) ([]byte, error) {
		v := splitmix(&state)
		if span != 1<<64-1 {
			v, _ = bits.Mul64(v, span+1)
		}
		return appendUint(dst, lo+v, t.Size()), nil
	}, err
}

// splitmix returns the next value of the SplitMix64 generator (Steele, Lea, Flood, OOPSLA 2014). Its whole state is 64
// bits, the seed.
func splitmix(state *uint64) uint64 {
	*state += 0x9e3779b97f4a7c15
	z := *state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// writeFile copies the data of a raw or .npy file, which must hold exactly count
// elements.
func (in *Init) writeFile(t Type, count uint64, write func(uint64, []byte) error) error {
	if in.held != nil {
		if uint64(len(in.held)) != count*uint64(t.Size()) {
			return fmt.Errorf("%s holds %d bytes, expected %d elements of %s", in.Path, len(in.held), count, t)
		}
		return write(0, in.held)
	}
	f, err := in.open()
	if err != nil {
		return err
	}
	defer f.Close()
	start, n, err := dataOf(f, t)
	if err != nil {
		return fmt.Errorf("%s: %w", in.Path, err)
	}
	if n != count {
		return fmt.Errorf("%s holds %d elements of %s, expected %d", in.Path, n, t, count)
	}
	buf := make([]byte, chunkBytes)
	data := io.NewSectionReader(f, start, int64(n)*int64(t.Size()))
	for off := uint64(0); ; {
		k, readErr := io.ReadFull(data, buf)
		if k > 0 {
			if err := write(off, buf[:k]); err != nil {
				return err
			}
			off += uint64(k)
		}
		switch {
		case off == n*uint64(t.Size()):
			return nil
		case errors.Is(readErr, io.EOF), errors.Is(readErr, io.ErrUnexpectedEOF):
			return fmt.Errorf("%s became shorter while it was read", in.Path)
		case readErr != nil:
			return readErr
		}
	}
}

// Zeroed reports whether a buffer begins with nothing but zeros.
func (b *Buffer) Zeroed() bool { return b.Init.Kind == InitNumber && b.Init.Value.zero() }
