// Sampling: coordinates to texels, address modes, filtering, comparison.

package texture

import (
	"encoding/binary"
	"math"

	"github.com/ptxsan/ptxsan/emu/internal/num"
	"github.com/ptxsan/ptxsan/emu/internal/scalar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// Sampling, as the CUDA C++ Programming Guide defines it in "Texture Fetching".

// Memory is the memory of texels.
type Memory interface {
	// Texel returns the n bytes at addr, which are a texel that is read.
	Texel(addr, n uint64) ([]byte, error)
}

// Texel is the channels of a texel: 32-bit integers, or float32 bits if the texture is Floating.
type Texel [4]uint32

// Place is the place of a texel lookup: indices that may be outside of the texture.
type Place struct {
	At     [3]int64
	Layer  int64
	Sample uint32
	// Depth is the operand of a depth comparison, whose result is the value read from a depth texture.
	Depth float32
}

// filterUnit is the number of steps of a filtering weight, which hardware holds as a fixed-point number with 8 fraction
// bits.
const filterUnit = 256

// Fetch reads the texel at p, after applying the address modes.
func (t *Texture) Fetch(mm Memory, p Place) (Texel, error) {
	for d := range t.Dims {
		i, ok := t.resolve(d, p.At[d])
		if !ok {
			return t.compared(t.outside(), p.Depth), nil
		}
		p.At[d] = i
	}
	p.Layer = max(0, min(p.Layer, int64(t.Layers)-1))
	inRow := (uint64(p.At[0])*uint64(t.Samples) + uint64(min(p.Sample, t.Samples-1))) * t.TexelSize()
	off := t.Offset(inRow, p.At[1], p.At[2], p.Layer)
	b, err := mm.Texel(t.Addr+off, t.TexelSize())
	if err != nil {
		return Texel{}, err
	}
	return t.compared(t.decode(b), p.Depth), nil
}

// resolve applies the address mode of a dimension to an index; it returns false outside of the texture.
func (t *Texture) resolve(d int, i int64) (int64, bool) {
	n := t.Size(d)
	if 0 <= i && i < n {
		return i, true
	}
	mode := t.Address[d]
	switch {
	case t.Buffer || mode == AddressBorder:
		return 0, false
	case mode == AddressWrap && t.Normalized:
		return ((i % n) + n) % n, true
	case mode == AddressMirror && t.Normalized:
		if i = ((i % (2 * n)) + 2*n) % (2 * n); i >= n {
			i = 2*n - 1 - i
		}
		return i, true
	}
	return max(0, min(i, n-1)), true
}

// outside returns the texel beyond the border.
func (t *Texture) outside() Texel {
	var v Texel
	if t.Floating() && !t.Buffer {
		for i := range v {
			v[i] = math.Float32bits(t.Border[i])
		}
	}
	return v
}

// decode decodes a texel; missing channels are 0, and alpha is 1.
func (t *Texture) decode(b []byte) Texel {
	v := Texel{3: 1}
	if t.Floating() {
		v[3] = math.Float32bits(1)
	}
	size := t.Format.Size()
	for i := range t.Channels {
		var raw uint32
		switch part := b[i*size:]; size {
		case 1:
			raw = uint32(part[0])
		case 2:
			raw = uint32(binary.LittleEndian.Uint16(part))
		default:
			raw = binary.LittleEndian.Uint32(part)
		}
		v[i] = t.channel(raw)
		if t.SRGB && i < 3 {
			v[i] = math.Float32bits(linearLight(math.Float32frombits(v[i])))
		}
	}
	return v
}

// linearLight converts a channel from sRGB to linear light (IEC 61966-2-1).
func linearLight(c float32) float32 {
	if c <= 0.04045 {
		return float32(float64(c) / 12.92)
	}
	return float32(math.Pow((float64(c)+0.055)/1.055, 2.4))
}

// compared returns the result of a depth comparison, or the unchanged texel for other textures.
func (t *Texture) compared(v Texel, depth float32) Texel {
	if t.Compare == CompareNone {
		return v
	}
	r := math.Float32frombits(v[0])
	passes := [...]bool{
		CompareNever: false, CompareLess: depth < r, CompareEqual: depth == r, CompareLessEqual: depth <= r,
		CompareGreater: depth > r, CompareNotEqual: depth != r, CompareGreaterEqual: depth >= r, CompareAlways: true,
	}[t.Compare]
	one := math.Float32bits(1)
	return Texel{boolean(passes) * one, 0, 0, one}
}

// channel returns the value of a channel as read by instructions.
func (t *Texture) channel(raw uint32) uint32 {
	value := int64(raw)
	if t.Format.Signed() {
		value = scalar.Integer(uint64(raw), t.Format)
	}
	switch {
	case t.Format == isa.F16:
		return uint32(num.F32.FromFloat64(num.F16.Float64(uint64(raw)), num.RN))
	case t.Fraction:
		return math.Float32bits(float32(max(-1, float64(value)/float64(t.fractionLimit()))))
	}
	return uint32(value)
}

// position converts a floating-point coordinate to texels.
func (t *Texture) position(d int, c float32) float64 {
	x := float64(c)
	if t.Normalized {
		x *= float64(t.Size(d))
	}
	const far = 1 << 40 // beyond every texture, and small enough for an int64 index
	if x != x {
		return 0
	}
	return max(-far, min(x, far))
}

// Face returns the face of a cube and the coordinates for a direction (CUDA C++ Programming Guide, "Cubemap Textures"):
// the axis of greatest magnitude selects the face; the other two components divided by it range from -1 to 1 over the
// face.
func (t *Texture) Face(c [3]float32, layer int64) (face *Texture, at [3]float32, index int64) {
	x, y, z := float64(c[0]), float64(c[1]), float64(c[2])
	var m, u, v float64
	switch ax, ay, az := math.Abs(x), math.Abs(y), math.Abs(z); {
	case ax >= ay && ax >= az:
		index, m, u, v = 0, ax, -z, -y
		if x < 0 {
			index, u = 1, z
		}
	case ay >= az:
		index, m, u, v = 2, ay, x, z
		if y < 0 {
			index, v = 3, -z
		}
	default:
		index, m, u, v = 4, az, x, -y
		if z < 0 {
			index, u = 5, -x
		}
	}
	return t.normalizedCopy(), [3]float32{float32((u/m + 1) / 2), float32((v/m + 1) / 2)}, 6*layer + index
}

// footprint returns the texel with the lowest indices around a position, and the weights of its upper neighbours in
// each dimension.
func (t *Texture) footprint(c [3]float32, offset [3]int64) (at [3]int64, weight [3]float64) {
	for d := range t.Dims {
		x := t.position(d, c[d])
		if t.Linear {
			x -= 0.5
		}
		at[d] = int64(math.Floor(x)) + offset[d]
		weight[d] = math.Round((x-math.Floor(x))*filterUnit) / filterUnit
	}
	return at, weight
}

// Sample reads the texture at floating-point coordinates.
func (t *Texture) Sample(mm Memory, c [3]float32, offset [3]int64, from Place) (Texel, error) {
	var weight [3]float64
	from.At, weight = t.footprint(c, offset)
	if !t.Linear {
		return t.Fetch(mm, from)
	}
	var sum [4]float64
	for corner := range 1 << t.Dims {
		p, w := from, 1.0
		for d := range t.Dims {
			if corner>>d&1 != 0 {
				p.At[d]++
				w *= weight[d]
			} else {
				w *= 1 - weight[d]
			}
		}
		if w == 0 {
			continue
		}
		v, err := t.Fetch(mm, p)
		if err != nil {
			return Texel{}, err
		}
		for i := range sum {
			sum[i] += w * float64(math.Float32frombits(v[i]))
		}
	}
	var v Texel
	for i := range v {
		v[i] = math.Float32bits(float32(sum[i]))
	}
	return v, nil
}

// Gather returns one channel of the four texels that linear filtering in two dimensions would use, counter-clockwise
// from the lower left (PTX ISA, tld4): (0,1), (1,1), (1,0), (0,0).
func (t *Texture) Gather(mm Memory, c [3]float32, offset [3]int64, from Place, channel int) (Texel, error) {
	linear := *t
	linear.Linear = true
	at, _ := linear.footprint(c, offset)
	var out Texel
	for i, corner := range [4][2]int64{{0, 1}, {1, 1}, {1, 0}, {0, 0}} {
		p := from
		p.At = [3]int64{at[0] + corner[0], at[1] + corner[1]}
		v, err := t.Fetch(mm, p)
		if err != nil {
			return out, err
		}
		out[i] = v[channel]
	}
	return out, nil
}
