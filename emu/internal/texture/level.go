// Mipmap levels: their sizes, and the selection of a level.

package texture

import (
	"math"
)

// Levels of detail (PTX ISA, tex: .base, .level, .grad; CUDA Driver API, mipmapped arrays): the level that an
// instruction reads, and filtering between two levels.

// addLevel adds the next level of detail, whose texels begin offset bytes after those of the first, and returns its
// size in bytes.
func (t *Texture) addLevel(offset uint64) uint64 {
	if t.levels == nil {
		t.levels = []Texture{*t}
	}
	l := t.levels[len(t.levels)-1]
	l.levels, l.Addr, l.Pitch = nil, t.Addr+offset, 0
	l.Width, l.Height, l.Depth = max(l.Width/2, 1), max(l.Height/2, 1), max(l.Depth/2, 1)
	size, err := l.extent()
	if err != nil {
		panic("BUG: emu: a level of detail larger than the first: " + err.Error())
	}
	t.levels = append(t.levels, l)
	return size
}

// Level returns a level of detail, or the nearest existing one.
func (t *Texture) Level(k int64) *Texture {
	if t.levels == nil {
		return t
	}
	return &t.levels[max(0, min(k, int64(len(t.levels))-1))]
}

// normalizedCopy returns the texture with coordinates from 0 to 1.
func (t *Texture) normalizedCopy() *Texture {
	n := *t
	n.Normalized = true
	n.levels = append([]Texture(nil), t.levels...)
	for i := range n.levels {
		n.levels[i].Normalized = true
	}
	return &n
}

// SampleLevel reads the texture at a level of detail that may be between two levels.
func (t *Texture) SampleLevel(lod float64, read func(level *Texture) (Texel, error)) (Texel, error) {
	last := float64(max(len(t.levels), 1) - 1)
	if lod != lod {
		lod = 0
	}
	if c := t.LOD; c != nil {
		lod = max(float64(c.Least), min(lod+float64(c.Bias), float64(c.Most)))
	}
	lod = max(0, min(lod, last))
	if !t.MipLinear {
		return read(t.Level(int64(math.Ceil(lod - 0.5))))
	}
	low := math.Floor(lod)
	weight := math.Round((lod-low)*filterUnit) / filterUnit
	a, err := read(t.Level(int64(low)))
	if err != nil || weight == 0 {
		return a, err
	}
	b, err := read(t.Level(int64(low) + 1))
	for i := range a {
		x, y := float64(math.Float32frombits(a[i])), float64(math.Float32frombits(b[i]))
		a[i] = math.Float32bits(float32(x*(1-weight) + y*weight))
	}
	return a, err
}

// GradientLevel returns the level of detail for gradients of the coordinates: the binary logarithm of the longer one,
// in texels.
func (t *Texture) GradientLevel(dx, dy [3]float32) float64 {
	length := func(g [3]float32) float64 {
		sum := 0.0
		for d := range t.Dims {
			v := float64(g[d])
			if t.Normalized {
				v *= float64(t.Size(d))
			}
			sum += v * v
		}
		return math.Sqrt(sum)
	}
	return math.Log2(max(length(dx), length(dy)))
}
