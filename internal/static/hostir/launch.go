// Launches as facts.

package hostir

import (
	"bytes"
	"maps"
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
	vals := valuesOf(params)
	list := x.identities(vals)
	var whole *facts.Launch
	if len(list) > 1 {
		whole = x.with(*l, params, x.unidentified(vals))
	}
	for _, a := range list {
		of := x.with(*l, params, a)
		if of == nil {
			continue
		}
		if text := textOf(of); !x.seen[text] {
			x.seen[text] = true
			x.launches = append(x.launches, found{of, whole})
		}
	}
}

// found is a launch with one alternative of its arguments.
type found struct {
	*facts.Launch
	whole *facts.Launch // with all of them, of which pointers that differ are unknown; nil: there is one only
}

// valuesOf returns the values of arguments, and of the members of structs.
func valuesOf(params []argument) (vals []memory.Value) {
	for _, p := range params {
		vals = append(vals, p.v)
		for _, c := range p.cells {
			vals = append(vals, c.Value)
		}
	}
	return vals
}

// maxIdentities limits the entries of one launch.
const maxIdentities = 8

// identities returns the combinations of pointers that a kernel gets. If there are too many, pointers that may lead to
// several objects are unknown.
func (x cudaRuntime) identities(vals []memory.Value) []alternative {
	if list, ok := x.alternatives(vals, maxIdentities, single); ok {
		return list
	}
	return []alternative{x.unidentified(vals)}
}

func single(v memory.Value) bool { return v.Cases == nil }

// unidentified returns the arguments, in which each pointer that may lead to several objects is unknown.
func (x cudaRuntime) unidentified(vals []memory.Value) alternative {
	vals = slices.Clone(vals)
	for i, v := range vals {
		if !single(v) {
			vals[i] = memory.Value{}
		}
	}
	return alternative{vals: vals}
}

// with returns a launch with one alternative of its arguments; nil if that is not possible.
func (x cudaRuntime) with(l facts.Launch, params []argument, a alternative) *facts.Launch {
	var own []facts.Condition
	for _, c := range a.when {
		own = append(own, facts.Condition{That: c, Class: facts.Path, Site: l.Site})
	}
	next := 0
	for _, p := range params {
		p.v, next = a.vals[next], next+1
		p.cells = slices.Clone(p.cells)
		for i := range p.cells {
			p.cells[i].Value, next = a.vals[next], next+1
		}
		l.Args = append(l.Args, p.arg(&l, x.st))
	}
	path := x.path()
	if len(a.fixed) > 0 {
		s := deciding(a.fixed)
		for _, name := range slices.Sorted(maps.Keys(a.fixed)) {
			own = append(own, x.decisions[name].follows...)
		}
		for i := range 3 {
			l.Grid[i], l.Block[i] = substituted(l.Grid[i], s), substituted(l.Block[i], s)
		}
		l.Shared = substituted(l.Shared, s)
		path, own, l.Sample = decided(path, s), decided(own, s), decided(l.Sample, s)
	}
	impossible := func(c facts.Condition) bool { holds, ok := c.That.Const(); return ok && !holds }
	if slices.ContainsFunc(path, impossible) || slices.ContainsFunc(own, impossible) || excluded(path, a.when) {
		return nil
	}
	if slices.ContainsFunc(l.Sample, impossible) {
		l.Sample = nil
		for i := range l.Buffers {
			l.Buffers[i].Sample = nil
		}
	}
	if x.conditions(&l, path, own); !x.certain(&l, a) {
		for i, p := range params {
			p.losesPointers(&l.Args[i])
		}
	}
	return &l
}

// certain reports whether the program can execute a launch with an alternative of its arguments, whatever of it was not
// followed.
func (x cudaRuntime) certain(l *facts.Launch, a alternative) bool {
	for name, way := range a.fixed {
		if !x.occurs(x.decisions[name], way, l) {
			return false
		}
	}
	return !slices.ContainsFunc(a.when, x.loses)
}

// losesPointers records that the pointers of an argument which may be several were not followed.
func (a *argument) losesPointers(to *facts.Arg) {
	to.Lost = to.Buffer != "" && a.v.Cases != nil
	for i := range to.Fields {
		to.Fields[i].Lost = to.Fields[i].Buffer != "" && slices.ContainsFunc(a.cells, func(c memory.Cell) bool {
			return c.At == to.Fields[i].Offset && c.Value.Cases != nil
		})
	}
}

// excluded reports whether a condition of a path does not hold under one of others.
func excluded(path []facts.Condition, when []*expr.Bool) bool {
	for _, c := range when {
		r := replacer{c, expr.Not(c)}
		if slices.ContainsFunc(path, func(p facts.Condition) bool {
			holds, ok := r.bool(p.That).Const()
			return ok && !holds
		}) {
			return true
		}
	}
	return false
}

// substituted returns an integer with decisions that are known; nil for nil.
func substituted(n *expr.Int, s expr.Substitution) *expr.Int {
	if n == nil {
		return nil
	}
	return n.Subst(s)
}

// decided returns conditions with decisions that are known, without those that always hold then.
func decided(list []facts.Condition, s expr.Substitution) (out []facts.Condition) {
	for _, c := range list {
		if c.That = c.That.Subst(s); !c.That.Equal(expr.Truth(true)) {
			out = append(out, c)
		}
	}
	return out
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
			for _, v := range c.Value.Each() {
				delete(x.st.Init, v.To)
				if v.To == nil && !v.Known() || v.To != nil && v.To.Kind == memory.Foreign {
					clear(x.st.Init)
				}
				x.st.WrittenLater(v.To, memory.Write{})
			}
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

// path returns the conditions of the path.
func (x cudaRuntime) path() (path []facts.Condition) {
	for n := x.st.Path; n != nil; n = n.Before {
		if _, constant := n.That.Const(); !constant {
			path = append(path, n.Condition)
		}
	}
	slices.Reverse(path)
	return path
}

// conditions adds conditions of its own to a launch, and those of the path that are relevant to it.
func (x cudaRuntime) conditions(l *facts.Launch, path, own []facts.Condition) {
	vars := make([]facts.Var, len(x.leaves))
	for i, name := range x.leaves {
		vars[i] = *x.vars[name]
	}
	l.Collect(path, own, vars)
}
