// Comparison of buffers with the values that the launch file expects.

package launch

import (
	"bytes"
	"fmt"
	"math"
)

// Mismatch is the first element of a buffer that differs from the expected value.
type Mismatch struct {
	Buffer    string
	Index     uint64
	Got, Want string
	Count     uint64 // number of different elements
}

// String describes the mismatch in one line.
func (m *Mismatch) String() string {
	s := fmt.Sprintf("%s[%d] is %s, expected %s", m.Buffer, m.Index, m.Got, m.Want)
	if m.Count > 1 {
		s += fmt.Sprintf(" (%d elements differ)", m.Count)
	}
	return s
}

// Compare reads the buffer b through read and compares it with the expected contents. A list shorter than the buffer is
// compared with the beginning of the buffer. The result is nil when they agree.
func (e *ExpectBuffer) Compare(b *Buffer, read func(offset uint64, p []byte) error) (*Mismatch, error) {
	count := b.Count
	if n := uint64(len(e.Equals.List)); e.Equals.Kind == InitList {
		if n > count {
			return nil, e.Errorf("buffer %s has %d elements, but %d are expected", b.Name, count, n)
		}
		count = n
	}
	var diff *Mismatch
	got := make([]byte, chunkBytes)
	err := e.Equals.write(b.Type, count, func(off uint64, want []byte) error {
		g := got[:len(want)]
		if err := read(off, g); err != nil || bytes.Equal(g, want) {
			return err
		}
		size := b.Type.Size()
		for i := 0; i < len(want); i += size {
			if b.Type.near(g[i:i+size], want[i:i+size], e.Tolerance) {
				continue
			}
			if diff == nil {
				diff = &Mismatch{
					Buffer: b.Name, Index: (off + uint64(i)) / uint64(size), Got: b.Type.Format(g[i:]),
					Want: b.Type.Format(want[i:]),
				}
			}
			diff.Count++
		}
		return nil
	})
	if err != nil {
		return nil, e.Errorf("buffer %s: %v", b.Name, err)
	}
	return diff, nil
}

// near reports whether two values differ by at most tol; NaN equals NaN.
func (t Type) near(a, b []byte, tol float64) bool {
	if bytes.Equal(a, b) {
		return true
	}
	x, y := t.float64(a), t.float64(b)
	if math.IsNaN(x) && math.IsNaN(y) || x == y && t.Float() {
		return true
	}
	return tol > 0 && math.Abs(x-y) <= tol
}

func (t Type) float64(p []byte) float64 {
	u := uint64(0)
	for i := t.Size() - 1; i >= 0; i-- {
		u = u<<8 | uint64(p[i])
	}
	shift := 64 - 8*t.Size()
	switch typeFacts[t].kind {
	case kindFloat:
		return decodeFloat(u, t)
	case kindSigned:
		return float64(int64(u<<shift) >> shift)
	default:
	}
	return float64(u)
}
