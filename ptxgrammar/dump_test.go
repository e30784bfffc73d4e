package ptxgrammar_test

import (
	"fmt"
	"math"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar"
)

// dump writes a tree as text, one line per node, for golden files.
func dump(m *ptxgrammar.Module) string {
	d := &dumper{m: m}
	d.line(0, "version %d target %v address_size %d", m.Version, m.Target, m.AddressSize)
	for _, it := range m.Items {
		switch it.Kind {
		case ptxgrammar.ItemDecl:
			d.decl(0, m.Decls[it.Index])
		case ptxgrammar.ItemFunc:
			d.fn(m.Funcs[it.Index])
		case ptxgrammar.ItemDirective:
			d.directive(0, m.Directives[it.Index])
		case ptxgrammar.ItemFile:
			d.line(0, "file %d %q", m.Files[it.Index].Index, m.Files[it.Index].Name)
		case ptxgrammar.ItemLoc:
			d.loc(0, m.Locs[it.Index])
		}
	}
	return d.out.String()
}

type dumper struct {
	m   *ptxgrammar.Module
	out strings.Builder
}

func (d *dumper) line(depth int, format string, args ...any) {
	d.out.WriteString(strings.Repeat("  ", depth))
	d.out.WriteString(strings.TrimRight(fmt.Sprintf(format, args...), " "))
	d.out.WriteByte('\n')
}

func (d *dumper) fn(f ptxgrammar.Func) {
	kind := "func"
	if f.Entry {
		kind = "entry"
	}
	d.line(0, "%s%s %s", linkage(f.Linkage), kind, f.Name)
	for _, v := range f.Returns {
		d.line(1, "returns %s", d.variable(v))
	}
	for _, v := range f.Params {
		d.line(1, "param %s", d.variable(v))
	}
	for _, p := range f.Perf {
		d.line(1, "%s %v", p.Name, p.Args)
	}
	if f.Body < 0 {
		d.line(1, "no body")
		return
	}
	for depth, s := range d.m.Stmts(&f) {
		d.stmt(depth+1, s)
	}
}

func (d *dumper) stmt(depth int, s ptxgrammar.Stmt) {
	m := d.m
	switch s.Kind {
	case ptxgrammar.StmtInst:
		d.inst(depth, &m.Insts[s.Index])
	case ptxgrammar.StmtLabel:
		d.line(depth, "label %s", m.Labels[s.Index].Name)
	case ptxgrammar.StmtDecl:
		d.decl(depth, m.Decls[s.Index])
	case ptxgrammar.StmtBlock:
		d.line(depth, "block")
	case ptxgrammar.StmtLoc:
		d.loc(depth, m.Locs[s.Index])
	case ptxgrammar.StmtDirective:
		d.directive(depth, m.Directives[s.Index])
	case ptxgrammar.StmtEmpty:
		d.line(depth, "directive ; []")
	case ptxgrammar.StmtFile:
		d.line(depth, "file %d %q", m.Files[s.Index].Index, m.Files[s.Index].Name)
	}
}

func (d *dumper) inst(depth int, in *ptxgrammar.Inst) {
	guard := ""
	if in.HasGuard {
		guard = "@" + d.m.Guard(in) + " "
		if in.GuardNot {
			guard = "@!" + d.m.Guard(in) + " "
		}
	}
	var ops []string
	for _, o := range d.m.InstOperands(in) {
		ops = append(ops, d.operand(o))
	}
	d.line(depth, "%s%s %v  %s", guard, d.m.Opcode(in), d.m.Mods(nil, in), strings.Join(ops, "  "))
}

func (d *dumper) loc(depth int, l ptxgrammar.Loc) {
	at := ""
	if l.InlinedAt != nil {
		at = fmt.Sprintf(" %s+%d inlined at %v", l.Function, l.FunctionOffset, *l.InlinedAt)
	}
	d.line(depth, "loc %d %d %d%s", l.File, l.Line, l.Col, at)
}

func (d *dumper) directive(depth int, x ptxgrammar.Directive) {
	label := ""
	if x.Label != "" {
		label = x.Label + ": "
	}
	d.line(depth, "directive %s%s %q", label, x.Name, x.Names)
	if x.Prototype == nil {
		return
	}
	for _, v := range x.Prototype.Returns {
		d.line(depth+1, "returns %s", d.variable(v))
	}
	for _, v := range x.Prototype.Params {
		d.line(depth+1, "param %s", d.variable(v))
	}
	for _, p := range x.Prototype.Perf {
		d.line(depth+1, "%s %v", p.Name, p.Args)
	}
}

func (d *dumper) decl(depth int, x ptxgrammar.Decl) {
	for _, v := range x.Vars {
		d.line(depth, "var %s", d.variable(v))
	}
}

func (d *dumper) variable(v ptxgrammar.Var) string {
	s := fmt.Sprintf("%s%s %s", linkage(v.Linkage), v.Space, v.Type)
	if v.Bank > 0 {
		s += fmt.Sprintf(" bank %d", v.Bank)
	}
	if v.Vec > 1 {
		s += fmt.Sprintf(" v%d", v.Vec)
	}
	if v.Align > 0 {
		s += fmt.Sprintf(" align %d", v.Align)
	}
	if v.Ptr != nil {
		s += fmt.Sprintf(" ptr(%s %d)", v.Ptr.Space, v.Ptr.Align)
	}
	for _, a := range v.Attrs {
		s += " " + a
	}
	s += fmt.Sprintf(" %q", v.Name)
	if v.Count > 0 {
		s += fmt.Sprintf(" x%d", v.Count)
	}
	for _, n := range v.Dims {
		s += fmt.Sprintf("[%d]", n)
	}
	if v.Init >= 0 {
		s += " = " + d.operand(d.m.Operands[v.Init])
	}
	return s
}

// operand returns an operand as an S-expression.
func (d *dumper) operand(o ptxgrammar.Operand) string {
	m := d.m
	var kids []string
	for _, k := range m.Children(&o) {
		kids = append(kids, d.operand(k))
	}
	inner := strings.Join(kids, " ")
	switch o.Kind {
	case ptxgrammar.OperandName:
		return m.Name(&o) + m.Member(&o)
	case ptxgrammar.OperandInt:
		return fmt.Sprint(o.Value)
	case ptxgrammar.OperandFloat:
		if o.Single {
			return fmt.Sprintf("%gf", math.Float32frombits(uint32(o.Value)))
		}
		return fmt.Sprintf("%gd", math.Float64frombits(o.Value))
	case ptxgrammar.OperandString:
		return m.OperandText(&o)
	case ptxgrammar.OperandVector:
		return "{" + inner + "}"
	case ptxgrammar.OperandAddr:
		return "[" + inner + "]" + m.Member(&o)
	case ptxgrammar.OperandList:
		return "list(" + inner + ")"
	case ptxgrammar.OperandCast:
		return "(cast " + m.CastType(&o) + " " + inner + ")"
	case ptxgrammar.OperandCall:
		if m.Name(&o)[0] >= '0' && m.Name(&o)[0] <= '9' {
			return fmt.Sprintf("(mask %#x %s)", o.Value, inner)
		}
		return "(" + m.Name(&o) + " " + inner + ")"
	}
	return "(" + m.Operator(&o) + " " + inner + ")"
}

func linkage(l ptxgrammar.Linkage) string {
	s := ""
	for i, name := range []string{"extern", "visible", "weak", "common"} {
		if l&(1<<i) != 0 {
			s += name + " "
		}
	}
	return s
}
