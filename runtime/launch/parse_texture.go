// Parsing textures and surfaces.

package launch

import (
	"go.yaml.in/yaml/v3"

	"github.com/ptxsan/ptxsan/internal/yamldoc"
)

// Texture is a buffer that kernels read as a texture or access as a surface. An argument with its name is the texture
// or surface object, and a .texref or .surfref with its name is bound to it.
type Texture struct {
	Pos
	Name      string
	Buffer    string    // holds the texels, row by row; its type is that of a channel
	Size      [3]uint32 // texels; 1 beyond Dims
	Dims      int       // 1 to 3
	Layers    uint32    // of an array, 0 for none
	Channels  int       // 1, 2 or 4
	Pitch     uint64    // bytes from row to row, 0 for rows without gaps
	Address   string    // clamp, border, wrap or mirror
	Filter    string    // point or linear
	Samples   uint32    // of a texel, 0 for 1
	Levels    uint32    // of detail, 0 for 1; stored one after the other in the buffer
	MipLinear bool      // linear filter between levels
	Compare   string    // how the operand of a depth texture compares with a texel: less, ...; "" for other textures
	// Cube groups every six layers as the faces of a cube. Normalized says that coordinates range from 0 to 1. Fraction
	// says that integers are read as fractions, SRGB that they are also converted to linear light. Linear says that the
	// texture is a plain buffer (tex1Dfetch).
	Cube, Normalized, Fraction, SRGB, Linear bool
}

// Texture returns the texture of a name, nil when there is none.
func (f *File) Texture(name string) *Texture {
	for i := range f.Textures {
		if f.Textures[i].Name == name {
			return &f.Textures[i]
		}
	}
	return nil
}

// Limits of a texture: its extent and its layers, samples of a texel, levels of detail.
const (
	maxTextureExtent = 1 << 27
	maxSamples       = 16
	maxLevels        = 28
)

// Comparisons lists the comparisons of a depth texture.
var Comparisons = []string{"never", "less", "equal", "less-equal", "greater", "not-equal", "greater-equal", "always"}

func (r *reader) textures(n *yaml.Node, f *File) error {
	return r.Pairs(n, "textures", func(key, v *yaml.Node) error {
		if key.Value == "" || len(key.Value) > MaxNameLength {
			return r.Pos(key).Errorf("expected a name for the texture")
		}
		t := Texture{Pos: r.Pos(key), Name: key.Value, Channels: 1, Address: "clamp", Filter: "point"}
		if err := r.texture(v, &t); err != nil {
			return err
		}
		f.Textures = append(f.Textures, t)
		return nil
	})
}

func (r *reader) texture(n *yaml.Node, t *Texture) error {
	// is returns a parser of one of two words; the second word sets the flag.
	is := func(to *bool, what, no, yes string) func(*yaml.Node) error {
		return func(v *yaml.Node) error {
			w, err := r.word(v, what, no, yes)
			*to = w == yes
			return err
		}
	}
	err := r.Fields(n, "texture "+t.Name,
		yamldoc.Key("buffer", func(v *yaml.Node) (err error) {
			t.Buffer, err = r.Text(v, "the name of a buffer")
			return
		}),
		yamldoc.Key("size", func(v *yaml.Node) (err error) {
			t.Dims = 1
			if v.Kind == yaml.SequenceNode {
				t.Dims = len(v.Content)
			}
			t.Size, err = r.extent(v, "size", [3]uint64{maxTextureExtent, maxTextureExtent, maxTextureExtent})
			return
		}),
		yamldoc.Key("layers", func(v *yaml.Node) error {
			c, err := r.uint(v, "layers", 1, maxTextureExtent)
			t.Layers = uint32(c)
			return err
		}),
		yamldoc.Key("channels", func(v *yaml.Node) error {
			c, err := r.uint(v, "channels", 1, 4)
			t.Channels = int(c)
			return err
		}),
		yamldoc.Key("pitch", func(v *yaml.Node) (err error) {
			t.Pitch, err = r.uint(v, "pitch, in bytes", 1, 1<<40)
			return
		}),
		yamldoc.Key("address", func(v *yaml.Node) (err error) {
			t.Address, err = r.word(v, "an address mode", "clamp", "border", "wrap", "mirror")
			return
		}),
		yamldoc.Key("filter", func(v *yaml.Node) (err error) {
			t.Filter, err = r.word(v, "a filter", "point", "linear")
			return
		}),
		yamldoc.Key("cube", is(&t.Cube, "whether layers are the faces of cubes", "false", "true")),
		yamldoc.Key("coordinates", is(&t.Normalized, "what coordinates are", "texels", "normalized")),
		yamldoc.Key("read", func(v *yaml.Node) error {
			w, err := r.word(v, "what reading gives", "element", "normalized", "srgb")
			t.Fraction, t.SRGB = w != "element", w == "srgb"
			return err
		}),
		yamldoc.Key("samples", func(v *yaml.Node) error {
			c, err := r.uint(v, "samples", 1, maxSamples)
			t.Samples = uint32(c)
			return err
		}),
		yamldoc.Key("levels", func(v *yaml.Node) error {
			c, err := r.uint(v, "levels", 1, maxLevels)
			t.Levels = uint32(c)
			return err
		}),
		yamldoc.Key("mip", is(&t.MipLinear, "a filter between levels", "point", "linear")),
		yamldoc.Key("compare", words(r, "a comparison", &t.Compare, Comparisons...)),
		yamldoc.Key("memory", is(&t.Linear, "how the memory is laid out", "array", "linear")),
	)
	switch {
	case err != nil:
		return err
	case t.Buffer == "":
		return r.Pos(n).Errorf("texture %s has no buffer; expected buffer: NAME", t.Name)
	case t.Dims == 0:
		return r.Pos(n).Errorf("texture %s has no size; expected size: [x, y, z]", t.Name)
	}
	return nil
}

// checkTextures checks that textures are in existing buffers, and have unique names.
func (f *File) checkTextures() error {
	for i := range f.Textures {
		t := &f.Textures[i]
		switch {
		case f.Buffer(t.Buffer) == nil:
			return t.Errorf("texture %s lies in the buffer %q, which is not declared; %s", t.Name,
				yamldoc.Shorten(t.Buffer), f.bufferList())
		case f.Buffer(t.Name) != nil:
			return t.Errorf("texture %s has the name of a buffer", t.Name)
		}
	}
	return nil
}
