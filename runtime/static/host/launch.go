// Launches as facts.

package host

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/ptxsan/ptxsan/runtime/static/expr"
	"github.com/ptxsan/ptxsan/runtime/static/facts"
)

func itoa(n int) string { return strconv.Itoa(n) }

// launch executes kernel<<<grid, block, shared, stream>>>(args).
func (x *executor) launch(n *node) {
	config := make([]value, 4)
	for i, c := range n.config {
		if v := x.eval(c, "grid"); i < len(config) {
			config[i] = v
		}
	}
	args := make([]value, len(n.args))
	for i, a := range n.args {
		args[i] = x.eval(a, "")
	}
	x.record(x.kernelName(n.x), config, args, n.at)
}

// kernelName returns the kernel's name in the source, with the values of template arguments.
func (x *executor) kernelName(n *node) string {
	if n.kind == exCast || n.kind == exUnary && n.op == "&" {
		return x.kernelName(n.x)
	}
	if n.kind != exName {
		return ""
	}
	if len(n.targs) == 0 {
		return n.op
	}
	var list []string
	for _, a := range n.targs {
		text := x.textOf(a)
		if v, ok := x.frame.targs[a.op]; ok && a.kind == exName && v.empty() {
			return n.op // of a template with unknown types: any instance
		}
		if v := x.eval(a, "T"); v.num != nil {
			if k, ok := v.num.Int64(); ok {
				text = strconv.FormatInt(k, 10)
			}
		} else if v.cond != nil {
			if c, ok := v.cond.Const(); ok {
				text = strconv.FormatBool(c)
			}
		}
		list = append(list, text)
	}
	return n.op + "<" + strings.Join(list, ", ") + ">"
}

// launchCall executes cudaLaunchKernel(kernel, grid, block, addresses of arguments, shared,
// stream).
func (x *executor) launchCall(n *node, args []value) {
	if len(args) < 4 {
		return
	}
	config := []value{args[1], args[2], {}}
	if len(args) > 4 {
		config[2] = args[4]
	}
	var params []value
	for _, a := range args[3].list {
		p := value{}
		if a.to != nil {
			p = x.fieldOf(a.to, a.field)
		}
		params = append(params, p)
	}
	x.record(x.kernelName(n.args[0]), config, params, n.at)
}

// record adds a launch, unless it is known already.
func (x *executor) record(kernel string, config, args []value, at token) {
	defer x.touched(args)
	if kernel == "" || len(x.launches) >= maxLaunches {
		return
	}
	l := &facts.Launch{Kernel: kernel, Site: x.pos(at)}
	if x.inMain {
		l.Started = x.args
	}
	if x.frame != nil {
		l.Function = x.frame.f.name
	}
	l.Grid, l.Block = x.extents(config[0]), x.extents(config[1])
	l.Shared = expr.Const(0)
	if s, _ := config[2].int(); s != nil {
		l.Shared = known(s)
	} else if len(config) > 2 && config[2].of != nil {
		l.Shared = nil
	}
	for _, a := range args {
		l.Args = append(l.Args, x.argument(a))
	}
	x.addBuffers(l, args)
	x.addConditions(l)
	l.KernelPos = l.Site
	var b bytes.Buffer
	if err := (&facts.File{Launches: []*facts.Launch{l}}).Write(&b); err == nil && !x.seen[b.String()] {
		x.seen[b.String()] = true
		x.launches = append(x.launches, l)
	}
}

// touched makes the contents of allocations passed to a kernel unknown.
func (x *executor) touched(args []value) {
	for _, a := range args {
		if a.buf != nil {
			delete(x.st.init, a.buf)
		}
		for _, f := range a.fields {
			if f.buf != nil {
				delete(x.st.init, f.buf)
			}
		}
	}
}

func known(n *expr.Int) *expr.Int {
	if n == nil || n.IsUnknown() {
		return nil
	}
	return n
}

// extents returns the extents of grid or block. They are positive, or the launch fails, so a signed number need not be converted.
func (x *executor) extents(v value) (out [3]*expr.Int) {
	if v.list != nil {
		v = x.construct(dim3Type, v.list, "")
	}
	if v.of == dim3Type {
		for i, name := range []string{"x", "y", "z"} {
			if f, ok := v.fields[name]; ok {
				n, _ := f.int()
				out[i] = known(n)
			}
		}
		return out
	}
	if n, typ := v.int(); n != nil {
		if bits, _ := width(typ); bits == 64 {
			n = expr.Wrap(n, 32, false)
		}
		out[0] = known(n)
		out[1], out[2] = expr.Const(1), expr.Const(1)
	}
	return out
}

// argument returns a value as an argument of a kernel.
func (x *executor) argument(v value) facts.Arg {
	switch {
	case v.buf != nil:
		return facts.Arg{Buffer: v.buf.name, Offset: known(v.off)}
	case v.of != nil && v.of != dim3Type:
		a := facts.Arg{}
		size, offsets := x.layout(v.of)
		for i := range v.of.fields {
			f, ok := v.fields[v.of.fields[i].name]
			if !ok || size == 0 {
				continue
			}
			field := facts.Field{Offset: offsets[i], Bits: int(8 * x.kindOf(v.of.fields[i].typ).size), Arg: x.argument(f)}
			if field.Int != nil || field.Buffer != "" {
				a.Fields = append(a.Fields, field)
			}
		}
		return a
	}
	n, typ := v.int()
	if n = known(n); n == nil {
		return facts.Arg{}
	}
	if _, signed := width(typ); !signed {
		typ = ""
	}
	return facts.Arg{Int: n, Type: typ}
}

// addBuffers adds the allocations to which arguments point.
func (x *executor) addBuffers(l *facts.Launch, args []value) {
	add := func(v value) {
		if v.buf != nil && l.Buffer(v.buf.name) == nil {
			holds := x.st.init[v.buf]
			l.Buffers = append(l.Buffers, facts.Buffer{Name: v.buf.name, Site: v.buf.site, Size: known(v.buf.size), Init: holds.All, Sample: holds.Sample})
			l.Sample = append(l.Sample, holds.When...)
		}
	}
	for _, a := range args {
		add(a)
		if a.of != nil {
			for i := range a.of.fields {
				add(a.fields[a.of.fields[i].name])
			}
		}
	}
}

// addConditions adds the conditions of the path that are relevant to the launch.
func (x *executor) addConditions(l *facts.Launch) {
	path := make([]facts.Condition, len(x.st.path))
	for i, c := range x.st.path {
		path[i] = c.Condition
	}
	vars := make([]facts.Var, len(x.order))
	for i, name := range x.order {
		vars[i] = *x.vars[name]
	}
	l.Collect(path, vars)
}
