// Fields of tensor maps in memory, as tensormap.replace names them.

package tensor

import (
	"fmt"
	"math"
	"slices"
)

// Field is a field that tensormap.replace sets. The edited map is checked when it is used, because fields are set one
// by one.
type Field struct {
	name     string
	bit      int // bit of ordinal 0 in the Image.Magic of a draft
	Ordinals int // number of ordinals; 0 for a field without
	set      func(p *Image, ord int, v uint64)
	optional bool // a map made from zeros need not set it: zero is no interleaving, zeros outside the tensor, or the usual atomicity
}

// fields lists all fields.
var fields = []Field{
	{name: "global_address", bit: 0, set: func(p *Image, _ int, v uint64) { p.Addr = v }},
	{name: "rank", bit: 1, set: func(p *Image, _ int, v uint64) { p.Rank = code(v) }},
	{name: "elemtype", bit: 2, set: func(p *Image, _ int, v uint64) { p.Elem = code(v) }},
	{name: "interleave_layout", bit: 3, set: func(p *Image, _ int, v uint64) { p.Interleave = code(v) }, optional: true},
	{name: "swizzle_mode", bit: 4, set: func(p *Image, _ int, v uint64) { p.Swizzle = code(v) }},
	{name: "fill_mode", bit: 5, set: func(p *Image, _ int, v uint64) { p.Fill = code(v) }, optional: true},
	{name: "box_dim", bit: 6, Ordinals: MaxRank, set: func(p *Image, ord int, v uint64) { p.Box[ord] = uint32(v) }},
	{name: "global_dim", bit: 11, Ordinals: MaxRank, set: func(p *Image, ord int, v uint64) { p.Dims[ord] = uint32(v) }},
	{name: "element_stride", bit: 16, Ordinals: MaxRank, set: func(p *Image, ord int, v uint64) { p.Steps[ord] = uint32(v) }},
	{name: "global_stride", bit: 21, Ordinals: MaxRank - 1, set: func(p *Image, ord int, v uint64) { p.Strides[ord] = v }},
	{name: "swizzle_atomicity", bit: 25, set: func(p *Image, _ int, v uint64) { p.Atomicity = code(v) }, optional: true},
}

// FieldNamed returns the field with the given name in the instruction, nil if there is none.
func FieldNamed(name string) *Field {
	if i := slices.IndexFunc(fields, func(f Field) bool { return f.name == name }); i >= 0 {
		return &fields[i]
	}
	return nil
}

// A program may create a map from 128 zero bytes with tensormap.replace alone, as Triton does. Until it is complete,
// its first word records the fields that have been set.
const (
	draftTag  = 0x74666172 << 32
	draftMask = 1<<32 - 1
)

// DraftAt reads a map for changing a field of it; zeros are a map without fields.
func DraftAt(b []byte) (*Image, error) {
	p := decodeImage(b)
	switch {
	case p.Magic == magic || p.draft():
		return p, nil
	case *p == Image{}:
		p.Magic = draftTag
		return p, nil
	}
	return nil, errNoMap
}

// draft reports whether the map is being created from zeros.
func (p *Image) draft() bool { return p.Magic&^draftMask == draftTag }

// Replace sets a field.
func (p *Image) Replace(f *Field, ord int, v uint64) {
	f.set(p, ord, v)
	if p.draft() {
		p.Magic |= 1 << (f.bit + ord)
	}
}

// missing names a field that a map created from zeros lacks, "" if there is none. The rank determines the required
// dimensions.
func (p *Image) missing() string {
	if !p.draft() {
		return ""
	}
	for _, f := range fields {
		if f.Ordinals == 0 && !f.optional && p.Magic>>f.bit&1 == 0 {
			return f.name
		}
	}
	for _, f := range fields {
		n := min(f.Ordinals, p.Dimensions())
		if f.name == "global_stride" {
			n = min(f.Ordinals, p.Dimensions()-1)
		}
		for ord := range n {
			if p.Magic>>(f.bit+ord)&1 == 0 {
				return fmt.Sprintf("%s %d", f.name, ord)
			}
		}
	}
	return ""
}

// code returns a code of the manual's tables; invalid codes stay invalid.
func code(v uint64) uint8 { return uint8(min(uint32(v), math.MaxUint8)) }
