// Launches that host code makes with constants.

package source

import (
	"bytes"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// mostOfKernel is the number of different launches of a kernel that are used, mostOfAll that of all.
const (
	mostOfKernel = 4
	mostOfAll    = 32
)

// converter makes launches of launch files of those in host code.
type converter struct {
	kernels []*rewrite.Func
	list    []session.HostLaunch
	seen    map[string]bool
	count   map[string]int                  // launches of a kernel
	buffers map[string][]*launch.Allocation // by names
	left    map[string]int                  // launches of a kernel that are too many
}

func newConverter(kernels []*rewrite.Func) *converter {
	return &converter{
		kernels: kernels, seen: make(map[string]bool), count: make(map[string]int), left: make(map[string]int),
		buffers: make(map[string][]*launch.Allocation),
	}
}

// notes says which launches are left out.
func (c *converter) notes() (list []string) {
	for _, k := range c.kernels {
		if n := c.left[k.Name]; n > 0 {
			const text = "launches of %s in the file are left out but the first %d: ptxsan exec runs all of them"
			list = append(list, fmt.Sprintf(text, report.Demangle(k.Name), c.count[k.Name]))
		}
	}
	return list
}

// add adds a launch whose extents and integers are constants, unless there is the same one.
func (c *converter) add(l *facts.Launch) {
	for _, k := range c.kernels {
		if !report.Denotes(l.Kernel, k.Name) {
			continue
		}
		h, ok := c.launch(k, l)
		key := fmt.Sprint(k.Name, h.Grid, h.Block, h.Shared, h.Cooperative, argsKey(h.Args))
		switch {
		case !ok || c.seen[key]:
		case c.count[k.Name] >= mostOfKernel || len(c.list) >= mostOfAll:
			c.left[k.Name]++
		default:
			c.list = append(c.list, h)
			c.count[k.Name]++
		}
		c.seen[key] = c.seen[key] || ok
	}
}

// argsKey returns a text that is the same for arguments with the same numbers and as many different buffers.
func argsKey(args []launch.Given) (key string) {
	first := make(map[*launch.Allocation]int)
	text := func(i int, g launch.Given) string {
		if _, ok := first[g.Buffer]; !ok {
			first[g.Buffer] = i
		}
		return fmt.Sprintf("%s %d+%d;", g.Number, first[g.Buffer], g.Offset)
	}
	for i, g := range args {
		key += text(i, g)
		for _, off := range slices.Sorted(maps.Keys(g.Fields)) {
			key += fmt.Sprint(off, text(i, g.Fields[off]))
		}
	}
	return key
}

// launch converts a launch; ok is false if it is not one with constants.
func (c *converter) launch(k *rewrite.Func, l *facts.Launch) (h session.HostLaunch, ok bool) {
	h = session.HostLaunch{Kernel: k, Site: place(l.Site), Cooperative: l.Cooperative}
	h.Grid, h.Block = constants(l.Grid), constants(l.Block)
	h.Shared, ok = constantOf(l.Shared)
	if !ok || h.Shared > launch.MaxSharedBytes || slices.Contains(h.Grid[:], 0) || slices.Contains(h.Block[:], 0) {
		return h, false
	}
	for i, p := range session.KernelParams(k) {
		var a facts.Arg
		if i < len(l.Args) {
			a = l.Args[i]
		}
		g := c.given(a, l)
		if !complete(p, g, a) {
			return h, false
		}
		h.Args = append(h.Args, g)
	}
	return h, true
}

// complete reports whether the integers of an argument are known.
func complete(p launch.Param, g launch.Given, a facts.Arg) bool {
	if pointer := p.Size == 8 && !p.Shared && a.Int == nil; !p.Array {
		return p.Pointer || pointer || p.Type.Float() || g.Number != ""
	}
	for _, f := range p.Fields {
		if known := g.Fields[f.Offset]; !f.Pointer && !f.Type.Float() && known.Number == "" && known.Buffer == nil {
			return false
		}
	}
	return true
}

// given converts what is known of an argument.
func (c *converter) given(a facts.Arg, l *facts.Launch) (g launch.Given) {
	if k, ok := constant(a.Int); ok {
		g.Number = k.String()
	}
	if a.Real != nil {
		g.Number = real(*a.Real)
	}
	if offset, ok := constantOf(a.Offset); a.Buffer != "" && ok {
		g.Buffer, g.Offset = c.buffer(l.Buffer(a.Buffer)), offset
	}
	for _, f := range a.Fields {
		if g.Fields == nil {
			g.Fields = make(map[int64]launch.Given)
		}
		g.Fields[f.Offset] = c.given(f.Arg, l)
	}
	return g
}

// real returns a floating-point number as launch files have it.
func real(f float64) string {
	text := strconv.FormatFloat(f, 'g', -1, 64)
	if _, err := launch.ParseNumber(text); err != nil {
		return ""
	}
	return text
}

// buffer converts an allocation. Launches share it, unless its contents are known to be others.
func (c *converter) buffer(b *facts.Buffer) *launch.Allocation {
	now := &launch.Allocation{Name: b.Name, Bytes: b.Bytes}
	now.Size, _ = constantOf(b.Size)
	if k, ok := constant(b.Init); ok {
		now.Init = k.String()
	} else if k, ok = constant(b.Sample); ok && k.Sign() == 0 {
		now.Init, now.Unwritten = "0", true
	}
	for _, have := range c.buffers[b.Name] {
		unknown := now.Init == "" && now.Bytes == nil
		if have.Size == now.Size && (unknown || have.Init == now.Init && bytes.Equal(have.Bytes, now.Bytes)) {
			return have
		}
	}
	c.buffers[b.Name] = append(c.buffers[b.Name], now)
	return now
}

// constants returns extents, 0 for each that is not a constant.
func constants(extents [3]*expr.Int) (list [3]uint32) {
	for i, x := range extents {
		if v, ok := constantOf(x); ok && v < 1<<31 {
			list[i] = uint32(v)
		}
	}
	return list
}

// constantOf returns an expression that is a number from 0 on.
func constantOf(x *expr.Int) (uint64, bool) {
	v, ok := constant(x)
	if !ok || !v.IsUint64() {
		return 0, false
	}
	return v.Uint64(), true
}

// constant returns an expression that is a number.
func constant(x *expr.Int) (*big.Int, bool) {
	if x == nil {
		return nil, false
	}
	return x.Const()
}
