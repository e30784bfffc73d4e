// Parsing launches: kernels, extents, arguments, expectations.

package launch

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/ptxsan/ptxsan/internal/yamldoc"
)

func (r *reader) launches(n *yaml.Node, f *File) error {
	items, err := r.list(n, "launches (a list of {kernel, grid, block, args})")
	if err != nil {
		return err
	}
	if len(items) > MaxLaunches {
		return r.Pos(items[MaxLaunches]).Errorf("%d launches, the limit is %d", len(items), MaxLaunches)
	}
	for _, item := range items {
		l, err := r.launch(item, len(f.Launches) == 0)
		if err != nil {
			return err
		}
		f.Launches = append(f.Launches, l)
	}
	return nil
}

// launch parses a launch; first says that it is the first one of the file.
func (r *reader) launch(n *yaml.Node, first bool) (Launch, error) {
	l := Launch{Pos: r.Pos(n), ArgsPos: r.Pos(n), Cluster: [3]uint32{1, 1, 1}}
	var clusterPos Pos
	err := r.Fields(n, "the launch",
		yamldoc.Key("kernel", func(v *yaml.Node) (err error) {
			l.KernelPos = r.Pos(v)
			l.Kernel, err = r.Text(v, "the name of a kernel")
			return
		}),
		yamldoc.Key("grid", func(v *yaml.Node) (err error) {
			l.Grid, err = r.extent(v, "grid", [3]uint64{MaxGridX, MaxGridYZ, MaxGridYZ})
			return
		}),
		yamldoc.Key("block", func(v *yaml.Node) (err error) {
			l.Block, err = r.extent(v, "block", [3]uint64{MaxBlockXY, MaxBlockXY, MaxBlockZ})
			if n := volume(l.Block); err == nil && n > MaxBlockThreads {
				err = r.Pos(v).Errorf("the block has %d threads, more than %d", n, MaxBlockThreads)
			}
			return
		}),
		yamldoc.Key("cluster", func(v *yaml.Node) (err error) {
			clusterPos = r.Pos(v)
			l.Cluster, err = r.extent(v, "cluster", [3]uint64{MaxClusterBlocks, MaxClusterBlocks, MaxClusterBlocks})
			if n := volume(l.Cluster); err == nil && n > MaxClusterBlocks {
				err = r.Pos(v).Errorf("the cluster has %d blocks, more than %d", n, MaxClusterBlocks)
			}
			return
		}),
		yamldoc.Key("shared", func(v *yaml.Node) (err error) {
			l.Shared, err = r.uint(v, "shared, the bytes of dynamic shared memory", 0, MaxSharedBytes)
			return
		}),
		yamldoc.Key("cooperative", func(v *yaml.Node) error {
			w, err := r.word(v, "whether the launch is cooperative", "false", "true")
			l.Cooperative = w == "true"
			return err
		}),
		yamldoc.Key("programmatic", func(v *yaml.Node) error {
			w, err := r.word(v, "whether the launch may begin before the one before it has ended", "false", "true")
			if l.Programmatic = w == "true"; err == nil && l.Programmatic && first {
				err = r.Pos(v).Errorf("the first launch is programmatic: there is no launch before it that it could overlap")
			}
			return err
		}),
		yamldoc.Key("site", func(v *yaml.Node) (err error) {
			l.Site, err = r.Text(v, "a place in host code")
			return
		}),
		yamldoc.Key("args", func(v *yaml.Node) (err error) {
			l.ArgsPos = r.Pos(v)
			l.Args, err = r.args(v, "args (a list of numbers, buffer names and lists)", MaxArgs, true)
			return
		}),
	)
	if err != nil {
		return l, err
	}
	for _, need := range []struct {
		missing bool
		key     string
	}{{l.Kernel == "", "kernel"}, {l.Grid[0] == 0, "grid"}, {l.Block[0] == 0, "block"}} {
		if need.missing {
			return l, l.Errorf("the launch has no %s; expected {kernel: NAME, grid: [x, y, z], block: [x, y, z], args: [...]}", need.key)
		}
	}
	for i := range l.Grid {
		if l.Grid[i]%l.Cluster[i] != 0 {
			return l, clusterPos.Errorf("the grid %v is not a multiple of the cluster %v", l.Grid, l.Cluster)
		}
	}
	return l, nil
}

func volume(d [3]uint32) uint64 { return uint64(d[0]) * uint64(d[1]) * uint64(d[2]) }

// extent parses x, [x], [x, y] or [x, y, z].
func (r *reader) extent(n *yaml.Node, what string, limit [3]uint64) ([3]uint32, error) {
	d := [3]uint32{1, 1, 1}
	items := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		items = n.Content
	} else if !isNumber(n) {
		return d, r.Expected(n, what+" (x, or a list [x, y, z])")
	}
	if len(items) == 0 || len(items) > 3 {
		return d, r.Pos(n).Errorf("%s has %d extents; expected 1 to 3", what, len(items))
	}
	for i, item := range items {
		v, err := r.uint(item, what+" extent "+string("xyz"[i]), 1, limit[i])
		if err != nil {
			return d, err
		}
		d[i] = uint32(v)
	}
	return d, nil
}

func (r *reader) args(n *yaml.Node, what string, limit int, structs bool) ([]Arg, error) {
	items, err := r.list(n, what)
	if err != nil {
		return nil, err
	}
	if len(items) > limit {
		return nil, r.Pos(n).Errorf("%d values; expected at most %d", len(items), limit)
	}
	args := make([]Arg, 0, len(items))
	for _, item := range items {
		a, err := r.arg(item, structs)
		if err != nil {
			return nil, err
		}
		args = append(args, a)
	}
	return args, nil
}

// arg parses a number, a buffer name, {buffer: name, offset: bytes}, {type: number}, or a list of those.
func (r *reader) arg(n *yaml.Node, structs bool) (Arg, error) {
	a := Arg{Pos: r.Pos(n)}
	var err error
	switch {
	case isNumber(n):
		a.Value, err = r.number(n, "a number")
	case n.Kind == yaml.ScalarNode && n.Tag == "!!str" && n.Value != "":
		a.Kind, a.Buffer = ArgBuffer, n.Value
	case n.Kind == yaml.SequenceNode && structs:
		a.Kind = ArgStruct
		a.Fields, err = r.args(n, "the fields of a struct", MaxFields, false)
	case n.Kind == yaml.MappingNode && len(n.Content) > 0 && n.Content[0].Value == "buffer":
		a.Kind = ArgBuffer
		err = r.Fields(n, "the argument",
			yamldoc.Key("buffer", func(v *yaml.Node) (err error) {
				a.Buffer, err = r.Text(v, "the name of a buffer")
				return
			}),
			yamldoc.Key("offset", func(v *yaml.Node) (err error) {
				a.Offset, err = r.uint(v, "an offset in bytes", 0, 1<<48)
				return
			}))
	case n.Kind == yaml.MappingNode && len(n.Content) == 2:
		if a.Type, err = r.scalarType(n.Content[0]); err != nil {
			return a, err
		}
		if a.Value, err = r.number(n.Content[1], "a number"); err != nil {
			return a, err
		}
		if _, bad := a.Value.Append(nil, a.Type); bad != nil {
			err = a.Errorf("%v", bad)
		}
	default:
		err = r.Expected(n,
			"an argument (a number, the name of a buffer, {buffer: name, offset: bytes}, {type: number}, or a list of those for a struct)")
	}
	return a, err
}

// FaultClasses lists the classes of faults that a launch file may expect.
var FaultClasses = []string{
	"barrier-divergence", "deadlock", "livelock", "out-of-bounds", "misaligned",
	"use-after-free", "uninitialised", "timeout", "tensor-memory", "trap", "assert", "async-register", "unsupported",
}

func (r *reader) expect(n *yaml.Node, f *File) error {
	e := &Expect{Pos: r.Pos(n), Races: -1}
	f.Expect = e
	return r.Fields(n, "expect",
		yamldoc.Key("verdict", func(v *yaml.Node) (err error) {
			e.Verdict, err = r.word(v, "a verdict", verdicts...)
			return
		}),
		yamldoc.Key("races", func(v *yaml.Node) error {
			u, err := r.uint(v, "the number of races", 0, 1<<31-1)
			e.Races = int(u)
			return err
		}),
		yamldoc.Key("kinds", func(v *yaml.Node) (err error) {
			e.Kinds, err = r.words(v, "a kind", kinds...)
			return
		}),
		yamldoc.Key("space", func(v *yaml.Node) (err error) {
			e.Space, err = r.word(v, "a space", spaces...)
			return
		}),
		yamldoc.Key("lines", func(v *yaml.Node) (err error) { e.Lines, err = r.linePairs(v); return }),
		yamldoc.Key("fault", func(v *yaml.Node) (err error) {
			e.Fault, err = r.word(v, "a fault class", FaultClasses...)
			return
		}),
		yamldoc.Key("lockstep", func(v *yaml.Node) (err error) {
			e.Lockstep, err = r.word(v, "how lockstep ends", "deadlock", "livelock")
			return
		}),
		yamldoc.Key("buffers", func(v *yaml.Node) error { return r.expectBuffers(v, e) }),
		yamldoc.Key("semantics", func(v *yaml.Node) error { return r.semantics(v, e) }),
	)
}

func (r *reader) words(n *yaml.Node, what string, words ...string) ([]string, error) {
	items, err := r.list(n, "a list ("+strings.Join(words, ", ")+")")
	if err != nil {
		return nil, err
	}
	var out []string
	for _, item := range items {
		w, err := r.word(item, what, words...)
		if err != nil {
			return nil, err
		}
		out = append(out, w)
	}
	return out, nil
}

func (r *reader) linePairs(n *yaml.Node) ([][2]int, error) {
	items, err := r.list(n, "a list of line pairs, [[17, 24], ...]")
	if err != nil {
		return nil, err
	}
	var pairs [][2]int
	for _, item := range items {
		if item.Kind != yaml.SequenceNode || len(item.Content) != 2 {
			return nil, r.Expected(item, "a pair of lines, [17, 24]")
		}
		var p [2]int
		for i, e := range item.Content {
			v, err := r.uint(e, "a line", 1, 1<<31-1)
			if err != nil {
				return nil, err
			}
			p[i] = int(v)
		}
		pairs = append(pairs, p)
	}
	return pairs, nil
}

func (r *reader) expectBuffers(n *yaml.Node, e *Expect) error {
	return r.Pairs(n, "expect.buffers", func(key, v *yaml.Node) error {
		b := ExpectBuffer{Pos: r.Pos(key), Name: key.Value}
		given := false
		err := r.Fields(v, "the expected buffer",
			yamldoc.Key("equals", func(v *yaml.Node) (err error) {
				given = true
				b.Equals, err = r.init(v, "equals", false)
				return
			}),
			yamldoc.Key("tolerance", func(v *yaml.Node) error {
				t, err := r.number(v, "a tolerance (a number, at least 0)")
				if err == nil && !(t.Float64() >= 0) {
					err = r.Expected(v, "a tolerance (a number, at least 0)")
				}
				b.Tolerance = t.Float64()
				return err
			}),
		)
		if err == nil && !given {
			err = r.Pos(v).Errorf("buffer %s has no expected contents; expected equals: (a number, iota, a list or {file: path})", yamldoc.Shorten(key.Value))
		}
		e.Buffers = append(e.Buffers, b)
		return err
	})
}
