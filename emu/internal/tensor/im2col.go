// The im2col modes: the pixels of a tensor that form a column.

package tensor

import (
	"errors"
	"fmt"
	"math"

	"github.com/ptxsan/ptxsan/emu/internal/diag"
)

// The im2col modes copy a column of pixels of a batch of images, and for each pixel consecutive channels (PTX ISA,
// "Im2col mode"). The pixels are those of a box, from the one at the instruction's coordinates on: along the first
// spatial dimension, then the next, then in the next image. The instruction's offsets, the distance of a filter's
// weight from its first weight, are added to each pixel and do not change the box.
//
// The wide modes stay in the first spatial dimension and continue at its end with the next image; other spatial
// dimensions keep their coordinates. The pixels are followed by a halo, which is the next pixels of the walk: in mode
// im2col::w after all pixels, in mode im2col::w::128 after every 32 of the 128.

// MinColumnRank is the minimum number of dimensions of a tensor of images.
const MinColumnRank = 3

// setColumn encodes a column; nil for none.
func (p *Image) setColumn(c *Column) error {
	if c == nil {
		return nil
	}
	p.Im2col, p.Box[0], p.Box[1] = 1+uint8(c.Wide), c.Channels, c.Pixels
	space := max(p.Dimensions()-2, 0)
	if c.Wide != WideNot {
		space = min(space, 1)
	}
	if c.Wide == Wide128 {
		p.Box[1] = groups * groupPixels
	}
	if len(c.Lower) != space || len(c.Upper) != space {
		return fmt.Errorf("corners of %d and %s, the box has %d", len(c.Lower), diag.Plural(len(c.Upper), "dimension"),
			space)
	}
	for d := range c.Lower {
		if !fitsInt16(c.Lower[d]) || !fitsInt16(c.Upper[d]) {
			return p.cornerError()
		}
		p.Lower[d], p.Upper[d] = int16(c.Lower[d]), int16(c.Upper[d])
	}
	return nil
}

func fitsInt16(v int32) bool { return int32(int16(v)) == v }

// checkColumn returns an error if the column is not usable.
func (p *Image) checkColumn() error {
	if p.Im2col == 0 {
		return nil
	}
	limit := p.cornerLimit()
	switch {
	case p.Im2col > 1+uint8(Wide128):
		return fmt.Errorf("mode %d, expected 0 to %d", p.Im2col, 1+Wide128)
	case p.Im2col > 1 && (p.Swizzle == 0 || p.Atomicity == atom32Flip8):
		return errors.New("no swizzle, or that of 32-byte atoms and flipped halves, with which the wide modes do not go")
	case p.Dimensions() < MinColumnRank:
		return fmt.Errorf("images in %s, expected %d to %d", diag.Plural(p.Dimensions(), "dimension"), MinColumnRank,
			MaxRank)
	case p.Box[0] < 1 || p.Box[0] > maxBox:
		return fmt.Errorf("%s of a pixel, expected 1 to %d", diag.Plural(int(p.Box[0]), "channel"), maxBox)
	case p.Box[1] < 1 || p.Box[1] > maxColumnPixels:
		return fmt.Errorf("a column of %s, expected 1 to %d", diag.Plural(int(p.Box[1]), "pixel"), maxColumnPixels)
	}
	for d := range p.boxed() {
		low, high := int64(p.Lower[d]), int64(p.Upper[d])
		switch {
		case min(low, high) < -limit || max(low, high) >= limit:
			return p.cornerError()
		case p.lastPixel(d+1) < low:
			return errors.New("the box of pixels is empty")
		}
	}
	return nil
}

// boxed returns the number of dimensions in which the box of pixels has corners.
func (p *Image) boxed() int {
	if p.Im2col > 1 {
		return 1
	}
	return p.Dimensions() - 2
}

// cornerLimit returns the limit of the corners: 2^15 for one spatial dimension, 2^7 for two, 2^4 for three; 2^15 in the
// wide modes, which have one.
func (p *Image) cornerLimit() int64 {
	if p.Im2col > 1 {
		return math.MaxInt16 + 1
	}
	return [...]int64{
		math.MaxInt16 + 1, math.MaxInt8 + 1,
		1 << 4,
	}[min(max(p.Dimensions(), MinColumnRank), MaxRank)-MinColumnRank]
}

func (p *Image) cornerError() error {
	return fmt.Errorf("corners %v and %v, expected numbers from %d to %d", p.Lower, p.Upper, -p.cornerLimit(),
		p.cornerLimit()-1)
}

// lastPixel returns the last index of the box in dimension d.
func (p *Image) lastPixel(d int) int64 { return int64(p.Dims[d]) - 1 + int64(p.Upper[d-1]) }

// In mode im2col::w::128 a column has groups groups of groupPixels pixels, each group with a halo.
const (
	groups      = 4
	groupPixels = 32
)

// ColumnBytes returns the size in shared memory of a column with a halo of the given number of pixels.
func (p *Image) ColumnBytes(halo int) uint64 {
	if p.Im2col == 1+uint8(Wide128) {
		halo *= groups
	}
	return p.rowBytes() * uint64(int(p.Box[1])+halo)
}

// Column calls f for the pieces of the column at a shared address with a halo of the given number of pixels, pixel by
// pixel. It stops when f returns false.
func (p *Image) Column(at [MaxRank]int32, offsets [MaxRank - 2]uint16, halo int, tile uint64, f func(Piece) bool) {
	next := p.walk(at)
	put := func(pixel [MaxRank]int64) bool {
		index := pixel
		for d := 1; d < p.Dimensions()-1; d++ {
			index[d] += int64(offsets[d-1])
		}
		ok := p.rowPieces(p.rowAt(index), pixel[0], tile, f)
		tile += p.rowBytes()
		return ok
	}
	if p.Im2col != 1+uint8(Wide128) {
		for range int(p.Box[1]) + halo {
			if !put(next()) {
				return
			}
		}
		return
	}
	walked := make([][MaxRank]int64, groups*groupPixels+halo)
	for i := range walked {
		if walked[i] = next(); i < groups*groupPixels && !put(walked[i]) {
			return
		}
	}
	for h := range halo { // pixel h of the halos of all groups, in the order of tcgen05.cp.4x256b
		for group := range groups {
			if !put(walked[(group+1)*groupPixels+h]) {
				return
			}
		}
	}
}

// walk returns an iterator over the pixels of the box from one on.
func (p *Image) walk(at [MaxRank]int32) func() [MaxRank]int64 {
	var pixel [MaxRank]int64
	for d := range pixel {
		pixel[d] = int64(at[d])
	}
	image, boxed := p.Dimensions()-1, p.boxed()
	return func() [MaxRank]int64 {
		now := pixel
		d := 1
		for ; d <= boxed; d++ {
			if pixel[d] += int64(p.Steps[d]); pixel[d] <= p.lastPixel(d) {
				break
			}
			pixel[d] = int64(p.Lower[d-1])
		}
		if d > boxed {
			pixel[image]++
		}
		return now
	}
}
