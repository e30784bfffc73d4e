// Launch files as launch facts.

package factfile

import (
	"encoding/binary"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/runtime/launch"
)

// FromLaunches are the launches of a launch file as facts: all is known of them but what their
// buffers hold after the first launch.
func FromLaunches(file *launch.File) *facts.File {
	out := new(facts.File)
	for i := range file.Launches {
		src := &file.Launches[i]
		l := &facts.Launch{
			Kernel: src.Kernel, Site: pos(src.Pos), KernelPos: pos(src.KernelPos),
			Shared: expr.Const(int64(src.Shared)), First: i == 0 && len(file.Globals) == 0,
		}
		for k := range file.Globals {
			l.Changed = append(l.Changed, file.Globals[k].Name)
		}
		for k := range 3 {
			l.Grid[k], l.Block[k] = expr.Const(int64(src.Grid[k])), expr.Const(int64(src.Block[k]))
		}
		if src.Cluster != [3]uint32{1, 1, 1} { // else what the kernel requires
			for k := range 3 {
				l.Cluster[k] = expr.Const(int64(src.Cluster[k]))
			}
		}
		m := maker{file: file, l: l, first: i == 0}
		for k := range src.Args {
			l.Args = append(l.Args, m.arg(&src.Args[k]))
		}
		out.Launches = append(out.Launches, l)
	}
	return out
}

func pos(p launch.Pos) facts.Pos { return facts.Pos{File: p.File, Line: p.Line, Col: p.Col} }

// maker makes the arguments of a launch.
type maker struct {
	file  *launch.File
	l     *facts.Launch
	first bool // the launch is the first one: buffers are as the file fills them
}

func (m *maker) arg(a *launch.Arg) (out facts.Arg) {
	switch a.Kind {
	case launch.ArgBuffer:
		return m.buffer(a.Buffer, a.Offset)
	case launch.ArgStruct:
		out.Fields = []facts.Field{}
		for _, f := range a.Layout() {
			if x := m.arg(f.Arg); x.Int != nil || x.Buffer != "" {
				out.Fields = append(out.Fields, facts.Field{Offset: f.Offset, Bits: 8 * f.Size, Arg: x})
			}
		}
	default:
		if v, ok := a.Value.BigInt(); ok && !a.Type.Float() {
			out.Int = expr.Big(v)
		}
	}
	return out
}

// initial returns the value of every 4 bytes of a buffer of equal elements; nil if that is not known.
func initial(b *launch.Buffer) *expr.Int {
	bytes, err := b.Init.Value.Append(nil, b.Type)
	if err != nil || len(bytes) == 0 || 4%len(bytes) != 0 && len(bytes) != 8 {
		return nil
	}
	for len(bytes) < 8 {
		bytes = append(bytes, bytes...)
	}
	if binary.LittleEndian.Uint32(bytes) != binary.LittleEndian.Uint32(bytes[4:]) {
		return nil
	}
	return expr.Const(int64(int32(binary.LittleEndian.Uint32(bytes))))
}

// buffer is a pointer into a buffer of the file. Textures and tensor maps are no pointers.
func (m *maker) buffer(name string, offset uint64) facts.Arg {
	b := m.file.Buffer(name)
	if b == nil {
		return facts.Arg{}
	}
	if m.l.Buffer(name) == nil {
		x := facts.Buffer{Name: name, Site: pos(b.Pos), Size: expr.Const(int64(b.Size()))}
		if m.first && b.Init.Kind == launch.InitNumber && b.Initialised {
			x.Init = initial(b)
		}
		m.l.Buffers = append(m.l.Buffers, x)
	}
	return facts.Arg{Buffer: name, Offset: expr.Const(int64(offset))}
}
