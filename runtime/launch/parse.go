// Parsing a launch file: buffers, globals, limits.

package launch

import (
	"errors"
	"math/bits"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/ptxsan/ptxsan/internal/yamldoc"
)

// Limits of a launch. Grid, block and cluster extents are those of CUDA's technical specifications (compute capability
// 9.0); shared memory is the maximum per block on any device.
const (
	MaxGridX         = 1<<31 - 1
	MaxGridYZ        = 65535
	MaxBlockXY       = 1024
	MaxBlockZ        = 64
	MaxBlockThreads  = 1024
	MaxClusterBlocks = 16
	MaxSharedBytes   = 227 << 10
	MaxFields        = 1 << 12 // elements of a by-value argument
	MaxArgs          = 1 << 12
	MaxLaunches      = 1 << 16 // of a launch file
	DefaultMaxBytes  = 4 << 30 // of all buffers together
	MaxNameLength    = 1 << 12
)

// Options of Parse and Load.
type Options struct {
	MaxBytes uint64 // limit on all buffers together, 0 = DefaultMaxBytes
	Root     string // folder that must contain the files of buffers, "" = that of the launch file
	Name     string // of the launch file in messages, "" = the path given to Load
}

// Parse parses the text of a launch file. It opens no files: buffers that are filled from a file and give no count have
// Count 0 until Load resolves them. The error is an *Error.
func Parse(name string, src []byte, opts Options) (*File, error) {
	r := &reader{yamldoc.Reader{File: name, Kind: "launch file"}}
	root, err := r.Document(src, "\"launches:\"")
	if err != nil {
		return nil, err
	}
	f := &File{Name: name, Text: src}
	err = r.Fields(root, "the launch file",
		yamldoc.Key("buffers", func(v *yaml.Node) error { return r.buffers(v, f) }),
		yamldoc.Key("textures", func(v *yaml.Node) error { return r.textures(v, f) }),
		yamldoc.Key("tensormaps", func(v *yaml.Node) error { return r.tensorMaps(v, f) }),
		yamldoc.Key("endpoints", func(v *yaml.Node) error { return r.endpoints(v, f) }),
		yamldoc.Key("globals", func(v *yaml.Node) error { return r.globals(v, f) }),
		yamldoc.Key("launches", func(v *yaml.Node) error { return r.launches(v, f) }),
		yamldoc.Key("guessed", func(v *yaml.Node) error {
			w, wrong := r.word(v, "whether the file is a template", "false", string(GuessedAll), string(GuessedNumbers),
				string(GuessedContents))
			f.Guessed, f.Sized = wrong == nil && w != "false", w == string(GuessedContents)
			f.Shaped = f.Sized || w == string(GuessedNumbers)
			return wrong
		}),
		yamldoc.Key("host", func(v *yaml.Node) error {
			w, wrong := r.word(v, "whether the host accesses memory while kernels run", "unknown", "none")
			f.NoHost = wrong == nil && w == "none"
			return wrong
		}),
		yamldoc.Key("expect", func(v *yaml.Node) error { return r.expect(v, f) }),
	)
	if err != nil {
		return nil, err
	}
	if len(f.Launches) == 0 {
		return nil, r.Pos(root).Errorf("no launches; expected \"launches:\" with at least one {kernel, grid, block, args}")
	}
	if err := f.checkTextures(); err != nil {
		return nil, err
	}
	if err := f.checkTensorMaps(); err != nil {
		return nil, err
	}
	if err := f.checkEndpoints(); err != nil {
		return nil, err
	}
	if err := f.checkNames(); err != nil {
		return nil, err
	}
	if err := f.checkSize(opts); err != nil {
		return nil, err
	}
	return f, nil
}

// checkNames checks that arguments and expectations name existing buffers.
func (f *File) checkNames() error {
	for i := range f.Launches {
		if err := f.checkArgs(f.Launches[i].Args); err != nil {
			return err
		}
	}
	if f.Expect == nil {
		return nil
	}
	for i := range f.Expect.Buffers {
		e := &f.Expect.Buffers[i]
		b := f.Buffer(e.Name)
		if b == nil {
			return e.Errorf("expect names the buffer %q, which is not declared; %s", yamldoc.Shorten(e.Name),
				f.bufferList())
		}
		if e.Equals.Kind == InitFile {
			continue
		}
		if _, err := e.Equals.first(b.Type); err != nil {
			return e.Errorf("buffer %s: %v", e.Name, err)
		}
	}
	return nil
}

func (f *File) checkArgs(args []Arg) error {
	for i := range args {
		a := &args[i]
		if e := f.endpoint(a.Buffer); a.Kind == ArgBuffer && e != nil && a.Offset == 0 {
			*a = Arg{Pos: a.Pos, Kind: ArgNumber, Value: Int(int64(e.Number)), Type: a.Type}
		}
		a.tensorMap = f.TensorMap(a.Buffer) != nil
		if a.Kind == ArgBuffer && f.Buffer(a.Buffer) == nil && f.Texture(a.Buffer) == nil && !a.tensorMap {
			return a.Errorf("argument %q is neither a number nor a declared buffer; %s", yamldoc.Shorten(a.Buffer),
				f.bufferList())
		}
		if a.Offset > 0 && f.Buffer(a.Buffer) == nil {
			return a.Errorf("%q is no buffer, which an offset is for", yamldoc.Shorten(a.Buffer))
		}
		if err := f.checkArgs(a.Fields); err != nil {
			return err
		}
	}
	return nil
}

func (f *File) bufferList() string {
	if len(f.Buffers) == 0 {
		return "the file declares no buffers"
	}
	var names []string
	for i := range f.Buffers {
		names = append(names, f.Buffers[i].Name)
	}
	return "buffers: " + strings.Join(names, ", ")
}

// checkSize checks the total size of all buffers against the limit.
func (f *File) checkSize(opts Options) error {
	limit := opts.MaxBytes
	if limit == 0 {
		limit = DefaultMaxBytes
	}
	total := uint64(0)
	for i := range f.Buffers {
		b := &f.Buffers[i]
		high, size := bits.Mul64(b.Count, uint64(b.Type.Size()))
		if high != 0 || size > limit {
			return tooLarge{b.Errorf("buffer %q has %d elements of %s, more than the limit of %d bytes for all buffers",
				b.Name, b.Count, b.Type, limit)}
		}
		if total += size; total > limit {
			return tooLarge{b.Errorf("with buffer %q the buffers take %d bytes, more than the limit of %d bytes",
				b.Name, total, limit)}
		}
	}
	return nil
}

func (r *reader) buffers(n *yaml.Node, f *File) error {
	return r.Pairs(n, "buffers", func(key, v *yaml.Node) error {
		if key.Value == "" || len(key.Value) > MaxNameLength {
			return r.Pos(key).Errorf("expected a name for the buffer")
		}
		b := Buffer{Pos: r.Pos(key), Name: key.Value}
		if err := r.buffer(v, &b); err != nil {
			return err
		}
		f.Buffers = append(f.Buffers, b)
		return nil
	})
}

func (r *reader) buffer(n *yaml.Node, b *Buffer) error {
	var count, seed, lo, hi *yaml.Node
	keep := func(to **yaml.Node) func(*yaml.Node) error {
		return func(v *yaml.Node) error { *to = v; return nil }
	}
	err := r.Fields(n, "buffer "+b.Name,
		yamldoc.Key("type", func(v *yaml.Node) (err error) { b.Type, err = r.scalarType(v); return }),
		yamldoc.Key("count", keep(&count)),
		yamldoc.Key("init", func(v *yaml.Node) (err error) {
			b.Initialised = true
			b.Init, err = r.init(v, "init", true)
			return
		}),
		yamldoc.Key("seed", keep(&seed)),
		yamldoc.Key("min", keep(&lo)),
		yamldoc.Key("max", keep(&hi)),
	)
	if err != nil {
		return err
	}
	if b.Type == TypeNone {
		return r.Pos(n).Errorf("buffer %s has no type; expected type: one of %s", b.Name, typeNames())
	}
	if count != nil {
		if b.Count, err = r.uint(count, "count", 1, 1<<64-1); err != nil {
			return err
		}
	}
	if err := r.random(b, seed, lo, hi); err != nil {
		return err
	}
	return r.checkCount(n, b, count != nil)
}

// random parses the keys of init: random.
func (r *reader) random(b *Buffer, seed, lo, hi *yaml.Node) (err error) {
	if b.Init.Kind != InitRandom {
		for _, n := range []*yaml.Node{seed, lo, hi} {
			if n != nil {
				return r.Pos(n).Errorf("seed, min and max are for init: random only")
			}
		}
		return nil
	}
	b.Init.Min, b.Init.Max = defaultRange(b.Type)
	if seed != nil {
		if b.Init.Seed, err = r.uint(seed, "seed", 0, 1<<64-1); err != nil {
			return err
		}
	}
	for _, e := range []struct {
		node *yaml.Node
		to   *Number
	}{{lo, &b.Init.Min}, {hi, &b.Init.Max}} {
		if e.node == nil {
			continue
		}
		if *e.to, err = r.number(e.node, "a number"); err != nil {
			return err
		}
		if _, err := e.to.Append(nil, b.Type); err != nil {
			return r.Pos(e.node).Errorf("%v", err)
		}
	}
	if _, _, err := randomSpan(b.Init, b.Type); err != nil {
		return b.Errorf("%v", err)
	}
	return nil
}

// checkCount determines the number of elements and checks that they fit the type.
func (r *reader) checkCount(n *yaml.Node, b *Buffer, given bool) error {
	switch b.Init.Kind {
	case InitList:
		if !given {
			b.Count = uint64(len(b.Init.List))
		} else if b.Count != uint64(len(b.Init.List)) {
			return r.Pos(n).Errorf("buffer %s has count %d but init lists %d values", b.Name, b.Count, len(b.Init.List))
		}
	case InitFile:
		return nil
	default:
	}
	if b.Count == 0 {
		return r.Pos(n).Errorf("buffer %s has no count; expected count: N, or init with a list or a file", b.Name)
	}
	_, err := b.Init.first(b.Type)
	return b.at(err)
}

func (r *reader) scalarType(n *yaml.Node) (Type, error) {
	if n.Kind == yaml.ScalarNode {
		if t, ok := TypeOf(strings.TrimPrefix(n.Value, ".")); ok {
			return t, nil
		}
	}
	return TypeNone, r.Expected(n, "a type (one of: "+typeNames()+")")
}

// init parses number | iota | random | [list] | {file: path}.
func (r *reader) init(n *yaml.Node, what string, random bool) (Init, error) {
	want := what + " (a number, iota, a list of numbers, or {file: path})"
	if random {
		want = what + " (a number, iota, random, a list of numbers, or {file: path})"
	}
	switch {
	case n.Kind == yaml.ScalarNode && n.Value == "iota":
		return Init{Kind: InitIota}, nil
	case n.Kind == yaml.ScalarNode && n.Value == "random" && random:
		return Init{Kind: InitRandom}, nil
	case n.Kind == yaml.SequenceNode:
		in := Init{Kind: InitList, List: make([]Number, 0, len(n.Content))}
		for _, e := range n.Content {
			v, err := r.number(e, "a number")
			if err != nil {
				return in, err
			}
			in.List = append(in.List, v)
		}
		if len(in.List) == 0 {
			return in, r.Pos(n).Errorf("the list of values is empty; expected at least one number")
		}
		return in, nil
	case n.Kind == yaml.MappingNode:
		in := Init{Kind: InitFile}
		err := r.Fields(n, what, yamldoc.Key("file", func(v *yaml.Node) (err error) {
			in.Path, err = r.Text(v, "the path of a file")
			return
		}))
		if err == nil && in.Path == "" {
			err = r.Expected(n, want)
		}
		return in, err
	}
	v, err := r.number(n, want)
	return Init{Kind: InitNumber, Value: v}, err
}

func (r *reader) globals(n *yaml.Node, f *File) error {
	return r.Pairs(n, "globals", func(key, v *yaml.Node) error {
		in, err := r.init(v, "a value", false)
		if err != nil {
			return err
		}
		f.Globals = append(f.Globals, Global{r.Pos(key), key.Value, in})
		return nil
	})
}

// ErrTooLarge matches errors about buffers that exceed the limit.
var ErrTooLarge = errors.New("the buffers take too much memory")

// tooLarge is an error that matches ErrTooLarge.
type tooLarge struct{ error }

func (tooLarge) Is(target error) bool { return target == ErrTooLarge }

func (t tooLarge) Unwrap() error { return t.error }
