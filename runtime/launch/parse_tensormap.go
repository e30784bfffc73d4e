// Parsing tensor maps.

package launch

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/ptxsan/ptxsan/internal/yamldoc"
)

// TensorMap describes a buffer as a tensor, and the part that one instruction copies, as cuTensorMapEncodeTiled and
// cuTensorMapEncodeIm2col of the CUDA driver do. As an argument it is passed by value to a parameter of 128 bytes, and
// by address to others.
type TensorMap struct {
	Pos
	Name    string
	Buffer  string
	Offset  uint64   // bytes, of the first element in the buffer
	Type    string   // of an element: a name of tensorTypes; "" is that of the buffer
	Dims    []uint32 // elements, the innermost dimension first
	Strides []uint64 // bytes, of all dimensions but the first; nil for no gaps
	Box     []uint32 // elements; nil in im2col mode
	Steps   []uint32 // element strides; nil for 1
	// Swizzle is none, 32B, 64B, 128B, 128B-atom32B, 128B-atom32B-flip8B, 128B-atom64B or 96B. Interleave is none, 16B
	// or 32B. Fill is zero or nan.
	Swizzle, Interleave, Fill string
	Mode                      string  // tiled, im2col, im2col-w or im2col-w-128
	Lower, Upper              []int32 // corners of the box of pixels
	Channels, Pixels          uint32  // channels per pixel, pixels per column
	// Store names the buffer that gets a copy of the object, "" for none; the next field is the offset there.
	Store   string
	StoreAt uint64
}

// Columns reports whether the map is in an im2col mode.
func (t *TensorMap) Columns() bool { return t.Mode != "tiled" }

// TensorMap returns the tensor map of a name, nil when there is none.
func (f *File) TensorMap(name string) *TensorMap {
	for i := range f.TensorMaps {
		if f.TensorMaps[i].Name == name {
			return &f.TensorMaps[i]
		}
	}
	return nil
}

// TensorMapSize is the size in bytes of a tensor map on a device.
const TensorMapSize = 128

// TensorMapByValue reports whether the argument is a tensor map passed by value. Only the device can provide its bytes,
// not Bytes.
func (a *Arg) TensorMapByValue(p Param) bool {
	return a.Kind == ArgBuffer && a.tensorMap && p.Array && p.Size == TensorMapSize
}

// tensorTypes lists the types of elements; with .ftz, subnormal numbers load as zeros.
var tensorTypes = []string{
	"u8", "u16", "u32", "s32", "u64", "s64", "f16", "bf16", "f32", "f64", "tf32", "f32.ftz",
	"tf32.ftz", "b4x16", "b4x16_p64", "b6x16_p32",
}

// Limits of a tensor map; those of devices are narrower.
const (
	maxTensorRank   = 5
	maxTensorExtent = 1<<32 - 1
	maxTensorBytes  = 1 << 40
)

func (r *reader) tensorMaps(n *yaml.Node, f *File) error {
	return r.Pairs(n, "tensormaps", func(key, v *yaml.Node) error {
		if key.Value == "" || len(key.Value) > MaxNameLength {
			return r.Pos(key).Errorf("expected a name for the tensor map")
		}
		t := TensorMap{
			Pos: r.Pos(key), Name: key.Value, Swizzle: "none", Interleave: "none", Fill: "zero",
			Mode: "tiled",
		}
		if err := r.tensorMap(v, &t); err != nil {
			return err
		}
		f.TensorMaps = append(f.TensorMaps, t)
		return nil
	})
}

func (r *reader) tensorMap(n *yaml.Node, t *TensorMap) error {
	err := r.Fields(n, "tensor map "+t.Name,
		yamldoc.Key("buffer", func(v *yaml.Node) (err error) {
			t.Buffer, err = r.Text(v, "the name of a buffer")
			return
		}),
		yamldoc.Key("offset", func(v *yaml.Node) (err error) {
			t.Offset, err = r.uint(v, "offset, in bytes", 0, maxTensorBytes)
			return
		}),
		yamldoc.Key("type", func(v *yaml.Node) (err error) {
			t.Type, err = r.word(v, "a type of elements", tensorTypes...)
			return
		}),
		yamldoc.Key("dims", extents(r, "dims", &t.Dims)),
		yamldoc.Key("strides", func(v *yaml.Node) error {
			return r.eachOf(v, "strides", func(e *yaml.Node) error {
				s, err := r.uint(e, "a stride in bytes", 0, maxTensorBytes)
				t.Strides = append(t.Strides, s)
				return err
			})
		}),
		yamldoc.Key("box", extents(r, "box", &t.Box)),
		yamldoc.Key("steps", extents(r, "steps", &t.Steps)),
		yamldoc.Key("swizzle", words(r, "a swizzle", &t.Swizzle, "none", "32B", "64B", "128B", "128B-atom32B",
			"128B-atom32B-flip8B", "128B-atom64B", "96B")),
		yamldoc.Key("interleave", words(r, "an interleave layout", &t.Interleave, "none", "16B", "32B")),
		yamldoc.Key("l2", words(r, "an L2 promotion", new(string), "none", "64B", "128B", "256B")),
		yamldoc.Key("fill", words(r, "what is outside the tensor", &t.Fill, "zero", "nan")),
		yamldoc.Key("mode", func(v *yaml.Node) error {
			w, err := r.word(v, "a mode", "tiled", "im2col", "im2col-w", "im2col-w-128")
			t.Mode = w
			return err
		}),
		yamldoc.Key("lower", corners(r, "lower", &t.Lower)),
		yamldoc.Key("upper", corners(r, "upper", &t.Upper)),
		yamldoc.Key("channels", extent32(r, "channels", &t.Channels)),
		yamldoc.Key("pixels", extent32(r, "pixels", &t.Pixels)),
		yamldoc.Key("store", func(v *yaml.Node) error { return r.tensorStore(v, t) }),
	)
	if err != nil {
		return err
	}
	return r.checkTensorMap(n, t)
}

// checkTensorMap checks that the map has exactly the fields that its mode needs.
func (r *reader) checkTensorMap(n *yaml.Node, t *TensorMap) error {
	column := t.Lower != nil || t.Upper != nil || t.Channels != 0 || t.Pixels != 0
	switch {
	case t.Buffer == "":
		return r.Pos(n).Errorf("tensor map %s has no buffer; expected buffer: NAME", t.Name)
	case t.Dims == nil:
		return r.Pos(n).Errorf("tensor map %s has no dims; expected dims: [x, y, ...], the innermost first", t.Name)
	case t.Columns() && t.Box != nil:
		return r.Pos(n).Errorf("tensor map %s has a box; mode: %s has lower, upper, channels and pixels", t.Name,
			t.Mode)
	case t.Columns() && (t.Lower == nil || t.Upper == nil || t.Channels == 0 ||
		t.Pixels == 0 && t.Mode != "im2col-w-128"):
		return r.Pos(n).Errorf("tensor map %s lacks one of lower, upper, channels and pixels, which mode: %s needs",
			t.Name, t.Mode)
	case !t.Columns() && column:
		return r.Pos(n).Errorf("tensor map %s: lower, upper, channels and pixels are for mode: im2col", t.Name)
	case !t.Columns() && t.Box == nil:
		return r.Pos(n).Errorf("tensor map %s has no box; expected box: [x, y, ...], in elements", t.Name)
	}
	return nil
}

func (r *reader) tensorStore(n *yaml.Node, t *TensorMap) error {
	return r.Fields(n, "store of tensor map "+t.Name,
		yamldoc.Key("buffer", func(v *yaml.Node) (err error) {
			t.Store, err = r.Text(v, "the name of a buffer")
			return
		}),
		yamldoc.Key("offset", func(v *yaml.Node) (err error) {
			t.StoreAt, err = r.uint(v, "offset, in bytes", 0, maxTensorBytes)
			return
		}),
	)
}

// eachOf parses a list of one to five elements.
func (r *reader) eachOf(n *yaml.Node, what string, f func(*yaml.Node) error) error {
	items, err := r.list(n, fmt.Sprintf("%s (a list of 1 to %d numbers)", what, maxTensorRank))
	if err != nil {
		return err
	}
	if len(items) == 0 || len(items) > maxTensorRank {
		return r.Pos(n).Errorf("%s has %d numbers, expected 1 to %d", what, len(items), maxTensorRank)
	}
	for _, e := range items {
		if err := f(e); err != nil {
			return err
		}
	}
	return nil
}

func extents(r *reader, what string, to *[]uint32) func(*yaml.Node) error {
	return func(v *yaml.Node) error {
		return r.eachOf(v, what, func(e *yaml.Node) error {
			c, err := r.uint(e, "a number of elements", 1, maxTensorExtent)
			*to = append(*to, uint32(c))
			return err
		})
	}
}

func extent32(r *reader, what string, to *uint32) func(*yaml.Node) error {
	return func(v *yaml.Node) error {
		c, err := r.uint(v, what, 1, maxTensorExtent)
		*to = uint32(c)
		return err
	}
}

func corners(r *reader, what string, to *[]int32) func(*yaml.Node) error {
	return func(v *yaml.Node) error {
		return r.eachOf(v, what, func(e *yaml.Node) error {
			const limit = 1 << 15
			want := fmt.Sprintf("an offset in pixels (an integer from %d to %d)", -limit, limit-1)
			c, err := r.number(e, want)
			if err != nil {
				return err
			}
			i, ok := c.integral()
			if !ok || i.mag > limit || i.mag == limit && !i.neg {
				return r.Expected(e, want)
			}
			offset := int32(i.mag)
			if i.neg {
				offset = -offset
			}
			*to = append(*to, offset)
			return nil
		})
	}
}

func words(r *reader, what string, to *string, words ...string) func(*yaml.Node) error {
	return func(v *yaml.Node) (err error) { *to, err = r.word(v, what, words...); return }
}

// checkTensorMaps checks that tensors are in existing buffers, and that maps have unique names.
func (f *File) checkTensorMaps() error {
	for i := range f.TensorMaps {
		t := &f.TensorMaps[i]
		b := f.Buffer(t.Buffer)
		switch {
		case b == nil:
			return t.Errorf("tensor map %s is of the buffer %q, which is not declared; %s", t.Name,
				yamldoc.Shorten(t.Buffer), f.bufferList())
		case t.Store != "" && f.Buffer(t.Store) == nil:
			return t.Errorf("tensor map %s is stored in the buffer %q, which is not declared; %s", t.Name,
				yamldoc.Shorten(t.Store), f.bufferList())
		case f.Buffer(t.Name) != nil || f.Texture(t.Name) != nil:
			return t.Errorf("tensor map %s has the name of a buffer or texture", t.Name)
		}
		if t.Type == "" {
			t.Type = b.Type.String()
		}
	}
	return nil
}
