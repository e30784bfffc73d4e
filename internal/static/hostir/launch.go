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
func (x *executor) launch(args []value, cooperative bool) {
	kernel, ok := kernelOf(args[0].fn)
	params, complete := x.arguments(args[5], args[0].fn)
	if !complete {
		clear(x.st.init)
	}
	defer x.touched(params)
	if !ok || len(x.launches) >= maxLaunches {
		x.cut = x.cut || !ok
		return
	}
	l := &facts.Launch{Kernel: kernel, Site: x.launchSite(), Cooperative: cooperative, Streamed: len(args) > 7 &&
		!args[7].zero()}
	l.KernelPos, l.Function = l.Site, x.hostFunction()
	if x.inMain {
		l.Started = x.args
	}
	l.Grid, l.Block = extents(args[1], args[2]), extents(args[3], args[4])
	if len(args) > 6 && args[6].known() {
		l.Shared = args[6].asSigned()
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
func (x *executor) caller() (*frame, *instr) {
	fr, at := x.frame, x.at
	if _, ok := kernelOf(fr.f.name); ok && fr.outer != nil {
		return fr.outer, fr.site
	}
	return fr, at
}

func (x *executor) launchSite() facts.Pos {
	_, at := x.caller()
	return x.site(at)
}

// hostFunction returns the name of the function that launches.
func (x *executor) hostFunction() string {
	fr, _ := x.caller()
	if name := x.names[fr.f.sub]; name != "" {
		return name
	}
	name, _ := baseName(fr.f.name)
	return name
}

// argument is an argument of a kernel in its memory layout.
type argument struct {
	v     value
	typ   *typ
	cells []cell // of a struct
}

// arguments returns the arguments behind an array of addresses. They are complete in what the compiler makes of <<<>>>.
func (x *executor) arguments(list value, stub string) (out []argument, complete bool) {
	o, at, ok := placeOf(list)
	if !ok {
		return nil, false
	}
	n := 1000
	if f := x.functions[stub]; f != nil && len(f.params) == 0 {
		n = 0
	}
	for i := range n {
		p, ok := x.st.get(o, at+8*int64(i), 8)
		if !ok || p.to == nil {
			break
		}
		a := argument{typ: p.to.typ}
		if from, fromAt, ok := placeOf(p); ok && a.typ != nil {
			a.v, _ = x.st.get(from, fromAt, a.typ.size())
			if a.typ.kind == tyStruct || a.typ.kind == tyArray {
				a.cells = a.v.parts
				if a.cells == nil && fromAt == 0 {
					a.cells = x.st.mem[from]
				}
			}
		}
		out = append(out, a)
	}
	return out, x.frame.f.name == stub
}

// arg returns an argument as a fact.
func (a *argument) arg(l *facts.Launch, st *state) facts.Arg {
	if a.typ == nil || a.typ.kind != tyStruct && a.typ.kind != tyArray {
		return argOf(a.v, l, st)
	}
	var out facts.Arg
	for _, c := range a.cells {
		f := facts.Field{Offset: c.at, Bits: int(8 * c.size), Arg: argOf(c.v, l, st)}
		if f.Int != nil || f.Real != nil || f.Buffer != "" {
			out.Fields = append(out.Fields, f)
		}
	}
	return out
}

// argOf returns a value as a fact. If it points to an allocation, that becomes one of the launch.
func argOf(v value, l *facts.Launch, st *state) facts.Arg {
	if o := v.to; o != nil && o.kind == device {
		if l.Buffer(o.name) == nil {
			holds := st.init[o]
			l.Buffers = append(l.Buffers, facts.Buffer{
				Name: o.name, Site: o.site, Size: o.size, Init: holds.All,
				Sample: holds.Sample, Bytes: holds.Bytes,
			})
			l.Sample = append(l.Sample, holds.When...)
		}
		return facts.Arg{Buffer: o.name, Offset: v.off}
	}
	if v.real != nil {
		return facts.Arg{Real: v.real}
	}
	if !v.known() {
		return facts.Arg{}
	}
	n := v.int()
	if !n.Uniform() {
		return facts.Arg{}
	}
	typ := ""
	if name := "s" + itoa(v.bits); v.signed || v.cond != nil {
		if _, _, ok := facts.TypeRange(name); ok {
			typ = name
		}
	}
	return facts.Arg{Int: n, Type: typ}
}

// touched makes the contents of allocations passed to a kernel unknown, of all if it gets an unknown address. What it
// gets of the host's memory may change from now on.
func (x *executor) touched(args []argument) {
	for _, a := range args {
		cells := append([]cell{{v: a.v}}, a.cells...)
		for _, c := range cells {
			delete(x.st.init, c.v.to)
			if c.v.to == nil && !c.v.known() || c.v.to != nil && c.v.to.kind == foreign {
				clear(x.st.init)
			}
			x.st.writtenLater(c.v.to, write{})
		}
	}
}

// extents returns the extents of grid or block, whose x and y are passed as one number. They are positive, or the
// launch fails, so a signed number need not be converted.
func extents(xy, z value) (out [3]*expr.Int) {
	for i, v := range []value{xy.piece(0, 4), xy.piece(4, 4), z} {
		if n := v.num; n != nil && !n.IsUnknown() && n.Uniform() {
			out[i] = n
		}
	}
	return out
}

// conditions adds the conditions of the path that are relevant to the launch.
func (x *executor) conditions(l *facts.Launch) {
	var path []facts.Condition
	for n := x.st.path; n != nil; n = n.before {
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
