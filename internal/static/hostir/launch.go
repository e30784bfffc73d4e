// Launches as facts.

package hostir

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"sync"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/hostir/llvm"
	"github.com/ptxsan/ptxsan/internal/static/hostir/memory"
)

// stub is the prefix that the compiler puts before a kernel's name for the host function that launches it.
const stub = "__device_stub__"

var stubName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`([0-9]*)` + stub) })

// kernelOf returns the PTX name of the kernel that a stub launches.
func kernelOf(name string) (kernel string, ok bool) {
	name = unprefixed(name)
	m := stubName().FindStringSubmatchIndex(name)
	if m == nil {
		return "", false
	}
	digits := name[m[2]:m[3]]
	if n, err := strconv.Atoi(digits); err == nil {
		digits = strconv.Itoa(n - len(stub))
	}
	return name[:m[2]] + digits + name[m[1]:], true
}

// launch executes cudaLaunchKernel(stub, grid, block, addresses of arguments, shared, stream).
func (x cudaRuntime) launch(args []memory.Value, cooperative bool) {
	kernel, ok := kernelOf(args[0].Function)
	params, complete := x.arguments(args[5], args[0].Function)
	if !complete {
		clear(x.st.Init)
	}
	defer x.touched(params)
	if !ok || len(x.launches) >= maxLaunches {
		x.cut = x.cut || !ok
		return
	}
	l := &facts.Launch{Kernel: kernel, Site: x.launchSite(), Cooperative: cooperative, Streamed: len(args) > 7 &&
		!args[7].Zero()}
	l.KernelPos, l.Function = l.Site, x.hostFunction()
	if x.inMain {
		l.Started = x.args
	}
	l.Grid, l.Block = extents(args[1], args[2]), extents(args[3], args[4])
	if len(args) > 6 && args[6].Known() {
		l.Shared = args[6].AsSigned()
	}
	for _, p := range params {
		l.Args = append(l.Args, p.arg(l, x.st))
	}
	x.conditions(l)
	if text := textOf(l); !x.seen[text] {
		x.seen[text] = true
		x.launches = append(x.launches, l)
	}
}

// textOf returns a launch as text.
func textOf(l *facts.Launch) string {
	var b bytes.Buffer
	if err := (&facts.File{Launches: []*facts.Launch{l}}).Write(&b); err != nil {
		return ""
	}
	return b.String()
}

// caller returns the frame that launches, and the call in it: the call of the stub if there is one.
func (x cudaRuntime) caller() (*frame, *llvm.Instr) {
	fr, at := x.frame, x.at
	if _, ok := kernelOf(fr.f.Name); ok && fr.outer != nil {
		return fr.outer, fr.site
	}
	return fr, at
}

func (x cudaRuntime) launchSite() facts.Pos {
	_, at := x.caller()
	return x.site(at)
}

// hostFunction returns the name of the function that launches.
func (x cudaRuntime) hostFunction() string {
	fr, _ := x.caller()
	if name := x.Names[fr.f.Sub]; name != "" {
		return name
	}
	name, _ := baseName(fr.f.Name)
	return name
}

// argument is an argument of a kernel in its memory layout.
type argument struct {
	v     memory.Value
	typ   *llvm.Type
	cells []memory.Cell // of a struct
}

// arguments returns the arguments behind an array of addresses. They are complete in what the compiler makes of <<<>>>.
func (x cudaRuntime) arguments(list memory.Value, stub string) (out []argument, complete bool) {
	o, at, ok := placeOf(list)
	if !ok {
		return nil, false
	}
	n := 1000
	if f := x.Functions[stub]; f != nil && len(f.Params) == 0 {
		n = 0
	}
	for i := range n {
		p, ok := x.st.Get(o, at+8*int64(i), 8)
		if !ok || p.To == nil {
			break
		}
		a := argument{typ: p.To.Type}
		if from, fromAt, ok := placeOf(p); ok && a.typ != nil {
			a.v, _ = x.st.Get(from, fromAt, a.typ.Size())
			if a.typ.Kind == llvm.StructType || a.typ.Kind == llvm.ArrayType {
				a.cells = a.v.Parts
				if a.cells == nil && fromAt == 0 {
					a.cells = x.st.Mem[from]
				}
			}
		}
		out = append(out, a)
	}
	return out, x.frame.f.Name == stub
}

// arg returns an argument as a fact.
func (a *argument) arg(l *facts.Launch, st *memory.State) facts.Arg {
	if a.typ == nil || a.typ.Kind != llvm.StructType && a.typ.Kind != llvm.ArrayType {
		return argOf(a.v, l, st)
	}
	var out facts.Arg
	for _, c := range a.cells {
		f := facts.Field{Offset: c.At, Bits: int(8 * c.Size), Arg: argOf(c.Value, l, st)}
		if f.Int != nil || f.Real != nil || f.Buffer != "" {
			out.Fields = append(out.Fields, f)
		}
	}
	return out
}

// argOf returns a value as a fact. If it points to an allocation, that becomes one of the launch.
func argOf(v memory.Value, l *facts.Launch, st *memory.State) facts.Arg {
	if o := v.To; o != nil && o.Kind == memory.Device {
		if l.Buffer(o.Name) == nil {
			holds := st.Init[o]
			l.Buffers = append(l.Buffers, facts.Buffer{
				Name: o.Name, Site: o.Site, Size: o.Size, Init: holds.All,
				Sample: holds.Sample, Bytes: holds.Bytes,
			})
			l.Sample = append(l.Sample, holds.When...)
		}
		return facts.Arg{Buffer: o.Name, Offset: v.Offset}
	}
	if v.Real != nil {
		return facts.Arg{Real: v.Real}
	}
	if !v.Known() {
		return facts.Arg{}
	}
	n := v.Int()
	if !n.Uniform() {
		return facts.Arg{}
	}
	typ := ""
	if name := "s" + itoa(v.Bits); v.Signed || v.Cond != nil {
		if _, _, ok := facts.TypeRange(name); ok {
			typ = name
		}
	}
	return facts.Arg{Int: n, Type: typ}
}

// touched makes the contents of allocations passed to a kernel unknown, of all if it gets an unknown address. What it
// gets of the host's memory may change from now on.
func (x cudaRuntime) touched(args []argument) {
	for _, a := range args {
		cells := append([]memory.Cell{{Value: a.v}}, a.cells...)
		for _, c := range cells {
			delete(x.st.Init, c.Value.To)
			if c.Value.To == nil && !c.Value.Known() || c.Value.To != nil && c.Value.To.Kind == memory.Foreign {
				clear(x.st.Init)
			}
			x.st.WrittenLater(c.Value.To, memory.Write{})
		}
	}
}

// extents returns the extents of grid or block, whose x and y are passed as one number. They are positive, or the
// launch fails, so a signed number need not be converted.
func extents(xy, z memory.Value) (out [3]*expr.Int) {
	for i, v := range []memory.Value{xy.Piece(0, 4), xy.Piece(4, 4), z} {
		if n := v.Num; n != nil && !n.IsUnknown() && n.Uniform() {
			out[i] = n
		}
	}
	return out
}

// conditions adds the conditions of the path that are relevant to the launch.
func (x cudaRuntime) conditions(l *facts.Launch) {
	var path []facts.Condition
	for n := x.st.Path; n != nil; n = n.Before {
		if _, constant := n.That.Const(); !constant {
			path = append(path, n.Condition)
		}
	}
	slices.Reverse(path)
	vars := make([]facts.Var, len(x.leaves))
	for i, name := range x.leaves {
		vars[i] = *x.vars[name]
	}
	l.Collect(path, vars)
}
