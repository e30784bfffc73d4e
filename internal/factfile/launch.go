// A launch of a facts file.

package factfile

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/yamldoc"
)

// launchVars reads the variables of a launch, which formulas before them may use.
func (r *reader) launchVars(n *yaml.Node) error {
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == "variables" {
			return r.variables(n.Content[i+1])
		}
	}
	return nil
}

// readLaunch reads a launch.
func (r *reader) readLaunch(n *yaml.Node) (*facts.Launch, error) {
	r.l = new(facts.Launch)
	l := r.l
	if err := r.launchVars(n); err != nil {
		return nil, err
	}
	err := r.Fields(n, "a launch",
		yamldoc.Key("kernel", func(v *yaml.Node) (err error) {
			l.KernelPos = facts.Pos{File: r.File, Line: v.Line, Col: v.Column}
			l.Kernel, err = r.text(v, "the name of a kernel")
			return err
		}),
		yamldoc.Key("site", func(v *yaml.Node) (err error) { l.Site, err = r.pos(v); return err }),
		yamldoc.Key("function", func(v *yaml.Node) (err error) { l.Function, err = r.text(v, "a name"); return err }),
		yamldoc.Key("variables", func(*yaml.Node) error { return nil }),
		yamldoc.Key("grid", func(v *yaml.Node) error { return r.extents(v, &l.Grid) }),
		yamldoc.Key("block", func(v *yaml.Node) error { return r.extents(v, &l.Block) }),
		yamldoc.Key("cluster", func(v *yaml.Node) error { return r.extents(v, &l.Cluster) }),
		yamldoc.Key("shared", func(v *yaml.Node) (err error) { l.Shared, err = r.integer(v); return err }),
		yamldoc.Key("followed", func(v *yaml.Node) error { return r.unless(v, &l.Unfollowed) }),
		yamldoc.Key("first", func(v *yaml.Node) (err error) { l.First, err = r.truth(v); return err }),
		yamldoc.Key("changed", func(v *yaml.Node) error {
			return r.words(v, "variables of the module", "a name",
				&l.Changed)
		}),
		yamldoc.Key("started", func(v *yaml.Node) error {
			return r.words(v, "arguments of the program", "an argument of the program", &l.Started)
		}),
		yamldoc.Key("args", func(v *yaml.Node) error {
			return r.Each(v, "a list of arguments", func(n *yaml.Node) error {
				a, wrong := r.arg(n, true)
				l.Args = append(l.Args, a)
				return wrong
			})
		}),
		yamldoc.Key("buffers", func(v *yaml.Node) error { return r.Pairs(v, "buffers", r.buffer) }),
		yamldoc.Key("requires", func(v *yaml.Node) error {
			return r.Each(v, "a list of conditions", func(n *yaml.Node) error { return r.require(n, &l.Requires) })
		}),
		yamldoc.Key("sample", func(v *yaml.Node) error {
			return r.Each(v, "a list of conditions", func(n *yaml.Node) error { return r.require(n, &l.Sample) })
		}),
	)
	if err == nil && l.Kernel == "" {
		err = r.Pos(n).Errorf("no kernel in the launch; expected \"kernel: NAME\"")
	}
	if err == nil {
		err = r.checkBuffers(n)
	}
	return l, err
}

// words reads a list of scalars.
func (r *reader) words(v *yaml.Node, many, one string, list *[]string) error {
	*list = []string{}
	return r.Each(v, "a list of "+many, func(n *yaml.Node) error {
		if n.Kind != yaml.ScalarNode {
			return r.Expected(n, one)
		}
		*list = append(*list, n.Value)
		return nil
	})
}

func (r *reader) variables(n *yaml.Node) error {
	return r.Pairs(n, "variables", func(key, v *yaml.Node) error {
		if _, err := expr.ParseInt(key.Value, func(string) (*expr.Int, *expr.Bool, error) {
			return expr.Const(0), nil,
				nil
		}); err != nil || !isName(key.Value) {
			return r.Expected(key, "a name of letters, digits, dots and underscores")
		}
		if len(r.l.Vars) == MaxVariables {
			return r.Pos(key).Errorf("more than %d variables", MaxVariables)
		}
		x := facts.Var{Name: key.Value}
		if v.Kind != yaml.MappingNode {
			if err := r.typed(v, &x); err != nil {
				return err
			}
			r.l.Vars = append(r.l.Vars, x)
			return nil
		}
		lo, hi := x.Lo, x.Hi
		err := r.Fields(v, "a variable",
			yamldoc.Key("type", func(v *yaml.Node) error { return r.typed(v, &x) }),
			yamldoc.Key("min", func(v *yaml.Node) error { return r.bound(v, &lo) }),
			yamldoc.Key("max", func(v *yaml.Node) error { return r.bound(v, &hi) }),
			yamldoc.Key("followed", func(v *yaml.Node) error { return r.unless(v, &x.Lost) }))
		if err != nil {
			return err
		}
		if lo != nil {
			x.Lo = lo
		}
		if hi != nil {
			x.Hi = hi
		}
		if x.Lo != nil && x.Hi != nil && x.Lo.Cmp(x.Hi) > 0 {
			return r.Pos(v).Errorf("the variable %s has no value: its least is %s, its greatest %s", x.Name, x.Lo, x.Hi)
		}
		r.l.Vars = append(r.l.Vars, x)
		return nil
	})
}

// unless reads a truth value, and stores its opposite.
func (r *reader) unless(n *yaml.Node, to *bool) error {
	holds, err := r.truth(n)
	*to = !holds
	return err
}

func isName(s string) bool {
	for i, c := range []byte(s) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', c == '$':
		case i > 0 && (c >= '0' && c <= '9' || c == '.'):
		default:
			return false
		}
	}
	return s != ""
}

func (r *reader) typed(n *yaml.Node, x *facts.Var) error {
	lo, hi, ok := facts.TypeRange(n.Value)
	if n.Kind != yaml.ScalarNode || !ok {
		return r.Expected(n, "a type: s8, s16, s32, s64, u8, u16, u32 or u64")
	}
	x.Type, x.Lo, x.Hi = n.Value, lo, hi
	return nil
}

// extents reads x, [x], [x, y] or [x, y, z]; those that are missing are 1.
func (r *reader) extents(n *yaml.Node, to *[3]*expr.Int) error {
	list := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		list = n.Content
	}
	if len(list) < 1 || len(list) > 3 {
		return r.Expected(n, "one to three extents")
	}
	for i := range to {
		to[i] = expr.Const(1)
		if i < len(list) {
			x, err := r.integer(list[i])
			if err != nil {
				return err
			}
			to[i] = x
		}
	}
	return nil
}

// arg reads an argument, or a field of a struct.
func (r *reader) arg(n *yaml.Node, outer bool) (a facts.Arg, err error) {
	if n.Kind != yaml.MappingNode {
		a.Int, err = r.integer(n)
		return a, err
	}
	if len(n.Content) == 2 {
		if lo, _, ok := facts.TypeRange(n.Content[0].Value); ok {
			a.Int, err = r.integer(n.Content[1])
			if lo.Sign() < 0 {
				a.Type = n.Content[0].Value
			}
			return a, err
		}
	}
	offset := expr.Const(0)
	fields := []yamldoc.Field{
		yamldoc.Key("buffer", func(v *yaml.Node) (err error) {
			a.Buffer, err = r.text(v, "the name of a buffer")
			return err
		}),
		yamldoc.Key("offset", func(v *yaml.Node) (err error) { offset, err = r.integer(v); return err }),
		yamldoc.Key("followed", func(v *yaml.Node) error { return r.unless(v, &a.Lost) }),
	}
	if outer {
		fields = append(fields, yamldoc.Key("fields", func(v *yaml.Node) error {
			a.Fields = []facts.Field{}
			return r.Pairs(v, "fields", func(key, v *yaml.Node) error {
				f, wrong := r.field(key, v)
				a.Fields = append(a.Fields, f)
				return wrong
			})
		}))
	}
	if err = r.Fields(n, "an argument", fields...); err != nil {
		return a, err
	}
	switch {
	case a.Buffer == "" && a.Fields == nil:
		err = r.Expected(n, "an expression, {buffer: NAME} or {fields: …}")
	case a.Buffer != "":
		a.Offset = offset
	}
	return a, err
}

// field reads a field of a struct: its offset, and {TYPE: EXPRESSION} or {buffer: NAME}.
func (r *reader) field(key, v *yaml.Node) (f facts.Field, err error) {
	f.Offset, err = strconv.ParseInt(key.Value, 10, 32)
	if err != nil || f.Offset < 0 {
		return f, r.Expected(key, "an offset in bytes")
	}
	if v.Kind == yaml.MappingNode && len(v.Content) == 2 {
		if _, _, ok := facts.TypeRange(v.Content[0].Value); ok {
			f.Bits, _ = strconv.Atoi(strings.TrimLeft(v.Content[0].Value, "su"))
			f.Arg, err = r.arg(v, false)
			return f, err
		}
	}
	if v.Kind != yaml.MappingNode {
		return f, r.Expected(v, "a field such as {s32: rows} or {buffer: data}")
	}
	f.Bits = 64
	f.Arg, err = r.arg(v, false)
	return f, err
}

func (r *reader) buffer(key, v *yaml.Node) error {
	b := facts.Buffer{Name: key.Value}
	err := r.Fields(v, "a buffer",
		yamldoc.Key("size", func(v *yaml.Node) (err error) { b.Size, err = r.integer(v); return err }),
		yamldoc.Key("init", func(v *yaml.Node) (err error) { b.Init, err = r.integer(v); return err }),
		yamldoc.Key("order", func(v *yaml.Node) error {
			b.Order = facts.Order(v.Value)
			if v.Kind != yaml.ScalarNode || b.Order != facts.Distinct && b.Order != facts.Ascending {
				return r.Expected(v, "distinct or ascending")
			}
			return nil
		}),
		yamldoc.Key("sample", func(v *yaml.Node) (err error) { b.Sample, err = r.integer(v); return err }),
		yamldoc.Key("site", func(v *yaml.Node) (err error) { b.Site, err = r.pos(v); return err }))
	r.l.Buffers = append(r.l.Buffers, b)
	return err
}

func (r *reader) require(n *yaml.Node, list *[]facts.Condition) error {
	c := facts.Condition{Class: facts.Asserts}
	err := r.Fields(n, "a condition",
		yamldoc.Key("that", func(v *yaml.Node) (err error) { c.That, c.Text, err = r.condition(v); return err }),
		yamldoc.Key("class", func(v *yaml.Node) error {
			class, ok := facts.ClassOf(v.Value)
			if !ok {
				return r.Expected(v, "a class ("+facts.ClassNames()+")")
			}
			c.Class = class
			return nil
		}),
		yamldoc.Key("site", func(v *yaml.Node) (err error) { c.Site, err = r.pos(v); return err }))
	if err == nil && c.That == nil {
		err = r.Pos(n).Errorf("no condition; expected \"that: CONDITION\"")
	}
	*list = append(*list, c)
	return err
}

// checkBuffers checks that arguments name buffers that there are.
func (r *reader) checkBuffers(n *yaml.Node) error {
	check := func(a *facts.Arg) error {
		if a.Buffer != "" && r.l.Buffer(a.Buffer) == nil {
			return r.Pos(n).Errorf("the launch of %s has no buffer %q; expected one that \"buffers:\" lists",
				r.l.Kernel, yamldoc.Shorten(a.Buffer))
		}
		return nil
	}
	for i := range r.l.Args {
		a := &r.l.Args[i]
		if err := check(a); err != nil {
			return err
		}
		for j := range a.Fields {
			if err := check(&a.Fields[j].Arg); err != nil {
				return err
			}
		}
	}
	return nil
}
