// The im2col modes: which pixels of a tensor are a column.

package tensor

import (
	"errors"
	"fmt"
	"math"

	"github.com/ptxsan/ptxsan/emu/internal/diag"
)

// The im2col modes: a column of pixels of a batch of images, and of each pixel a run of
// channels (PTX ISA, "Im2col mode"). The pixels are those of a box, from the one at the
// instruction's coordinates on: along the first dimension of space, then the next, then
// in the next image. The instruction's offsets, by which a filter's weight lies off its
// first, are added to each and do not change the box.

// MinColumnRank is the least number of dimensions of a tensor of images.
const MinColumnRank = 3

// setColumn encodes a column; nil for none.
func (p *Image) setColumn(c *Column) error {
	if c == nil {
		return nil
	}
	p.Im2col, p.Box[0], p.Box[1] = 1, c.Channels, c.Pixels
	space := max(p.Dimensions()-2, 0)
	if len(c.Lower) != space || len(c.Upper) != space {
		return fmt.Errorf("corners of %d and %s, the images have %d", len(c.Lower), diag.Plural(len(c.Upper), "dimension"), space)
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

// checkColumn says what makes the column unusable.
func (p *Image) checkColumn() error {
	if p.Im2col == 0 {
		return nil
	}
	limit := p.cornerLimit()
	switch {
	case p.Im2col > 1:
		return fmt.Errorf("mode %d, expected 0 or 1", p.Im2col)
	case p.Dimensions() < MinColumnRank:
		return fmt.Errorf("images in %s, expected %d to %d", diag.Plural(p.Dimensions(), "dimension"), MinColumnRank, MaxRank)
	case p.Box[0] < 1 || p.Box[0] > maxBox:
		return fmt.Errorf("%s of a pixel, expected 1 to %d", diag.Plural(int(p.Box[0]), "channel"), maxBox)
	case p.Box[1] < 1 || p.Box[1] > maxColumnPixels:
		return fmt.Errorf("a column of %s, expected 1 to %d", diag.Plural(int(p.Box[1]), "pixel"), maxColumnPixels)
	}
	for d := range p.Dimensions() - 2 {
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

// cornerLimit bounds the corners: 2^15 in one dimension of space, 2^7 in two, 2^4 in three.
func (p *Image) cornerLimit() int64 {
	return [...]int64{math.MaxInt16 + 1, math.MaxInt8 + 1, 1 << 4}[min(max(p.Dimensions(), MinColumnRank), MaxRank)-MinColumnRank]
}

func (p *Image) cornerError() error {
	return fmt.Errorf("corners %v and %v, expected numbers from %d to %d", p.Lower, p.Upper, -p.cornerLimit(), p.cornerLimit()-1)
}

// lastPixel is the last index of the box in dimension d.
func (p *Image) lastPixel(d int) int64 { return int64(p.Dims[d]) - 1 + int64(p.Upper[d-1]) }

// Column is the column at a shared address, pixel by pixel. It stops when f returns
// false.
func (p *Image) Column(at [MaxRank]int32, offsets [MaxRank - 2]uint16, tile uint64, f func(Piece) bool) {
	var pixel [MaxRank]int64
	for d := range pixel {
		pixel[d] = int64(at[d])
	}
	image := p.Dimensions() - 1
	for range p.Box[1] {
		index := pixel
		for d := 1; d < image; d++ {
			index[d] += int64(offsets[d-1])
		}
		if !p.rowPieces(p.rowAt(index), pixel[0], tile, f) {
			return
		}
		tile += p.rowBytes()
		d := 1
		for ; d < image; d++ {
			if pixel[d] += int64(p.Steps[d]); pixel[d] <= p.lastPixel(d) {
				break
			}
			pixel[d] = int64(p.Lower[d-1])
		}
		if d == image {
			pixel[image]++
		}
	}
}
