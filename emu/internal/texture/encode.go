// Encoding texels: the formats of surface stores.

package texture

import (
	"math"

	"github.com/ptxsan/ptxsan/emu/internal/num"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// Storing texels: conversion of numbers to the format of a texture or surface.

// Encode writes a texel: 32-bit integers to integer formats, f32 to floating-point formats and fractions. It reports
// whether memory changed.
func (t *Texture) Encode(b []byte, v Texel) bool {
	changed := false
	for k := range t.Channels {
		raw := t.rawChannel(v[k])
		for i := range t.Format.Size() {
			p := &b[k*t.Format.Size()+i]
			changed = changed || *p != byte(raw>>(8*i))
			*p = byte(raw >> (8 * i))
		}
	}
	return changed
}

// rawChannel returns a component in the texture's format. Integers are truncated.
func (t *Texture) rawChannel(v uint32) uint32 {
	f := float64(math.Float32frombits(v))
	switch {
	case t.Format == isa.F16:
		return uint32(num.F16.FromFloat64(f, num.RN))
	case t.Fraction:
		limit, low := t.fractionLimit(), 0.0
		if t.Format.Signed() {
			low = -1
		}
		if f != f {
			f = 0
		}
		return uint32(int64(math.RoundToEven(max(low, min(f, 1)) * float64(limit))))
	}
	return v
}

// fractionLimit returns the number that reads as 1.
func (t *Texture) fractionLimit() int64 {
	limit := int64(1)<<t.Format.Bits() - 1
	if t.Format.Signed() {
		limit >>= 1
	}
	return limit
}
