// The symbolic execution of statements.

package host

import (
	"math/big"

	"github.com/ptxsan/ptxsan/passes/hgrd/expr"
	"github.com/ptxsan/ptxsan/passes/hgrd/facts"
)

// Limits of the execution.
const (
	maxSteps    = 400_000 // statements and expressions, over the whole program
	maxCalls    = 12      // deep
	maxLaunches = 5_000
	maxPath     = 400 // conditions
)

func bigInt(k int64) *big.Int { return big.NewInt(k) }

// executor executes the functions of a program.
type executor struct {
	*parser
	names    []string // of files
	vars     map[string]*facts.Var
	laying   map[*structure]bool
	globals  map[string]*variable
	pure     map[string]value // results of calls that give the same again
	escaped  map[*variable]bool
	buffers  map[string]bool // names
	launches []*facts.Launch
	seen     map[string]bool    // launches, as text
	copies   map[string]int     // of names of vars
	cut      bool               // not every launch was come to
	pointed  map[*function]bool // whose address is used: they are called with anything
	order    []string           // names of vars, in the order of their making
	rooted   map[*function]bool // that were executed with arguments of which nothing is known
	open     bool               // functions may be called from elsewhere
	done     map[*function]bool // that were executed
	serials  int
	steps    int
	exited   bool // the function that was called last does not return
	frame    *frame
	st       *state // nil when the program does not come here
}

// frame is an execution of a function.
type frame struct {
	f       *function
	scopes  []map[string]*variable
	outer   *frame
	at      token // of the statement
	entry   int   // conditions of the path at the call
	returns []value
	left    []*state // at its return statements
	breaks  []*[]*state
	targs   map[string]value
}

// flow says how a statement ends that does not run into the next one.
type flow uint8

const (
	flowOn   flow = iota
	flowOut       // out of a loop, a switch or the function: the conditions hold in those only
	flowExit      // of the program
)

func (x *executor) pos(t token) facts.Pos {
	if int(t.file) >= len(x.names) {
		return facts.Pos{}
	}
	return facts.Pos{File: x.names[t.file], Line: int(t.line), Col: int(t.col)}
}

func (x *executor) step() bool {
	x.steps++
	return x.steps < maxSteps
}

// block executes statements in a scope of their own.
func (x *executor) block(list []*stmt) flow {
	x.frame.scopes = append(x.frame.scopes, map[string]*variable{})
	start := x.serials
	f := x.list(list)
	x.leave(x.scope(), start)
	x.frame.scopes = x.frame.scopes[:len(x.frame.scopes)-1]
	return f
}

// leave forgets the variables of a scope that were made since start.
func (x *executor) leave(scope map[string]*variable, start int) {
	for _, v := range scope {
		if v.id > start && !x.escaped[v] {
			delete(x.st.values, v)
		}
	}
}

// copied counts what copying a state costs.
func (x *executor) copied(s *state) *state {
	x.steps += len(s.values) / 16
	return s.clone()
}

func (x *executor) list(list []*stmt) flow {
	for _, s := range list {
		if f := x.statement(s); f != flowOn {
			return f
		}
	}
	return flowOn
}

// statement executes one statement in x.st.
func (x *executor) statement(s *stmt) flow {
	if s == nil {
		return flowOn
	}
	if !x.step() {
		return flowExit
	}
	x.frame.at = s.at
	switch s.kind {
	case stBlock:
		return x.block(s.body)
	case stDecl:
		for _, d := range s.decls {
			x.declare(d)
		}
	case stExpr:
		return x.effect(s.x)
	case stIf:
		return x.branch(s)
	case stFor, stWhile, stDo, stRange:
		return x.loop(s)
	case stSwitch:
		return x.choice(s)
	case stReturn:
		if s.x != nil {
			x.frame.returns = append(x.frame.returns, x.eval(s.x, x.frame.f.name))
		}
		x.frame.left = append(x.frame.left, x.st.clone())
		return flowOut
	case stBreak:
		if n := len(x.frame.breaks); n > 0 && s.op == "break" {
			*x.frame.breaks[n-1] = append(*x.frame.breaks[n-1], x.st.clone())
		}
		return flowOut
	case stLabel:
		x.forgetAll()
	case stGoto:
		return flowOut
	case stTry:
		before := x.st.clone()
		f := x.block(s.body)
		after := x.st
		x.st = before
		x.havoc(x.assigned(s.body))
		x.havocCalls(s.body)
		x.block(s.other)
		if f == flowOn {
			x.st = x.merge(after, x.st, nil)
		}
	}
	return flowOn
}

// effect executes an expression; a call may end the program.
func (x *executor) effect(n *node) flow {
	if n != nil && n.kind == exCall && n.x.kind == exName {
		switch n.x.op {
		case "exit", "abort", "_exit", "_Exit", "quick_exit", "terminate", "__assert_fail":
			return flowExit
		}
	}
	x.eval(n, "")
	if x.exited {
		x.exited = false
		return flowExit
	}
	return flowOn
}

// declare makes a variable.
func (x *executor) declare(d *decl) {
	v := x.newVariable(d.name, d.typ, false)
	var val value
	switch {
	case d.typ.ref && d.init != nil:
		if to, field := x.place(d.init); to != nil && field == "" { // another name
			x.scope()[d.name] = to
			return
		}
		val = x.eval(d.init, d.name)
	case d.array:
		if d.init != nil {
			val = x.eval(d.init, d.name)
		}
	case d.init != nil && d.init.kind == exList && x.structOf(d.typ) != nil:
		val = x.fieldList(x.structOf(d.typ), d.init, d.name)
	case d.init != nil:
		val = x.convert(x.eval(d.init, d.name), d.typ, d.name)
	case d.args != nil:
		val = x.constructed(d)
	default:
		val = x.uninitialised(d.typ)
	}
	x.scope()[d.name] = v
	x.st.values[v] = val
}

// fieldList is the value of T name = {…}.
func (x *executor) fieldList(s *structure, n *node, name string) value {
	var list []value
	for i, a := range n.args {
		hint := name
		if i < len(s.fields) {
			hint += "." + s.fields[i].name
		}
		list = append(list, x.eval(a, hint))
	}
	return x.construct(s, list, name)
}

// constructed is the value of T name(args).
func (x *executor) constructed(d *decl) value {
	list := make([]value, 0, len(d.args))
	for _, a := range d.args {
		list = append(list, x.eval(a, d.name))
	}
	switch s := x.structOf(d.typ); {
	case d.typ.name == "dim3" && d.typ.ptr == 0:
		if len(list) == 1 && list[0].of == dim3Type {
			return list[0]
		}
		return x.construct(dim3Type, list, d.name)
	case s != nil && d.brace:
		return x.construct(s, list, d.name)
	case len(list) == 1:
		return x.convert(list[0], d.typ, d.name)
	}
	return x.uninitialised(d.typ)
}

// uninitialised is a value of a type of which nothing is known. An integer becomes a variable of
// the facts when it is read.
func (x *executor) uninitialised(t ctype) value {
	if t.name == "dim3" && t.ptr == 0 {
		return x.construct(dim3Type, nil, "")
	}
	if s := x.structOf(t); s != nil {
		return value{of: s, fields: map[string]value{}}
	}
	return value{}
}

// read is the value of a variable.
func (x *executor) read(v *variable) value {
	val := x.st.values[v]
	if k := x.kindOf(v.typ); val.empty() && v.typ.ptr == 0 && k.typ != "" {
		val = x.leaf(v.name, k.typ)
		x.st.values[v] = val
	}
	return val
}

func (x *executor) scope() map[string]*variable { return x.frame.scopes[len(x.frame.scopes)-1] }

// assume adds a condition to the path.
func (x *executor) assume(c *expr.Bool, text string, class facts.Class, at token, local bool) {
	if v, ok := c.Const(); ok && v || len(x.st.path) >= maxPath {
		return
	}
	for _, part := range conjuncts(c) {
		if !definite(part) {
			continue
		}
		t := text
		if part != c {
			t = ""
		}
		x.st.path = append(x.st.path, condition{facts.Condition{That: part, Text: t, Class: class, Site: x.pos(at)}, local})
	}
}

// conjuncts are the parts of a conjunction.
func conjuncts(c *expr.Bool) []*expr.Bool {
	if c.Kind() == expr.KindAll {
		return c.Parts()
	}
	return []*expr.Bool{c}
}

// definite reports whether a condition has no part that is not known.
func definite(c *expr.Bool) bool { return c.Uniform() }

// branch executes if.
func (x *executor) branch(s *stmt) flow {
	x.frame.scopes = append(x.frame.scopes, map[string]*variable{})
	defer func() { x.frame.scopes = x.frame.scopes[:len(x.frame.scopes)-1] }()
	x.statement(s.init)
	c := x.eval(s.x, "").bool()
	if v, ok := c.Const(); ok {
		if v {
			return x.block(s.body)
		}
		return x.block(s.other)
	}
	before := x.st
	run := func(c *expr.Bool, text string, body []*stmt) (*state, flow) {
		x.st = x.copied(before)
		x.assume(c, text, facts.Path, s.at, true)
		f := x.block(body)
		return x.st, f
	}
	text := x.textOf(s.x)
	then, f := run(c, text, s.body)
	other, g := run(expr.Not(c), "!("+text+")", s.other)
	n := len(before.path)
	switch {
	case f == flowOn && g == flowOn:
		x.st = x.merge(then, other, c)
		x.st.path = before.path[:n:n]
		return flowOn
	case f != flowOn && g != flowOn:
		x.st = before
		return max(f, g)
	case f == flowOn:
		x.st = then
		f = g
	default:
		x.st = other
	}
	for i := n; i < len(x.st.path); i++ { // the other way ends
		x.st.path[i].local = x.st.path[i].local && f == flowOut
	}
	return flowOn
}

// merge joins the states of two ways: what differs depends on the condition, or is not known
// when that is nil.
func (x *executor) merge(a, b *state, c *expr.Bool) *state {
	x.steps += (len(a.values) + len(b.values)) / 16
	out := &state{values: make(map[*variable]value, len(a.values)), init: make(map[*buffer]*expr.Int), path: a.path}
	if len(b.path) < len(a.path) {
		out.path = b.path
	}
	out.path = out.path[:len(out.path):len(out.path)]
	for _, v := range x.ordered(a.values) {
		va := a.values[v]
		vb, ok := b.values[v]
		if !ok {
			continue
		}
		if va.equal(vb) {
			out.values[v] = va
			continue
		}
		out.values[v] = x.either(va, vb, c, v.name, v.typ)
	}
	for _, v := range x.ordered(b.values) {
		if _, ok := a.values[v]; !ok && v.global {
			out.values[v] = b.values[v]
		}
	}
	for buf, i := range a.init {
		if j := b.init[buf]; j != nil && i.Equal(j) {
			out.init[buf] = i
		}
	}
	return out
}

// either is one of two values.
func (x *executor) either(a, b value, c *expr.Bool, name string, t ctype) value {
	if a.known() && b.known() && a.typ == b.typ {
		if c != nil && definite(c) {
			return value{num: expr.Ite(c, a.num, b.num), typ: a.typ}
		}
		return x.leaf(name, a.typ)
	}
	if a.of != nil && a.of == b.of {
		v := value{of: a.of, fields: map[string]value{}}
		for i := range a.of.fields {
			f := &a.of.fields[i]
			fa, ok := a.fields[f.name]
			fb, ok2 := b.fields[f.name]
			switch {
			case !ok || !ok2:
			case fa.equal(fb):
				v.fields[f.name] = fa
			default:
				v.fields[f.name] = x.either(fa, fb, c, name+"."+f.name, f.typ)
			}
		}
		return v
	}
	return x.uninitialised(t)
}

// choice executes switch.
func (x *executor) choice(s *stmt) flow {
	v := x.eval(s.x, "")
	entry := x.st
	body := s.body
	if len(body) == 1 && body[0].kind == stBlock {
		body = body[0].body
	}
	var out []*state
	x.frame.breaks = append(x.frame.breaks, &out)
	defer func() { x.frame.breaks = x.frame.breaks[:len(x.frame.breaks)-1] }()
	x.frame.scopes = append(x.frame.scopes, map[string]*variable{})
	defer func() { x.frame.scopes = x.frame.scopes[:len(x.frame.scopes)-1] }()
	live, others, hasDefault := false, expr.Truth(true), false
	text := x.textOf(s.x)
	for _, b := range body {
		if b.kind == stCase {
			x.st, live = x.enterCase(entry, live, v, b, text, &others, &hasDefault), true
			continue
		}
		if live && x.statement(b) != flowOn {
			live = false
		}
	}
	if live {
		out = append(out, x.st)
	}
	if !hasDefault || len(out) == 0 {
		x.st = entry.clone()
		out = append(out, x.st)
	}
	x.st = x.join(out, entry)
	return flowOn
}

// enterCase is the state at a case of a switch.
func (x *executor) enterCase(entry *state, live bool, v value, s *stmt, text string, others **expr.Bool, hasDefault *bool) *state {
	previous := x.st
	x.st = entry.clone()
	if s.x == nil {
		*hasDefault = true
		if !live {
			x.assume(*others, "", facts.Path, s.at, true)
		}
	} else {
		k := x.eval(s.x, "")
		c := x.compare("==", v, k)
		*others = expr.All(*others, expr.Not(c))
		if !live {
			x.assume(c, text+" == "+x.textOf(s.x), facts.Path, s.at, true)
		}
	}
	if live {
		merged := x.merge(previous, x.st, nil)
		merged.path = entry.path[:len(entry.path):len(entry.path)]
		return merged
	}
	return x.st
}

// join merges states; conditions are those of the entry.
func (x *executor) join(list []*state, entry *state) *state {
	out := list[0]
	for _, s := range list[1:] {
		out = x.merge(out, s, nil)
	}
	out.path = entry.path[:len(entry.path):len(entry.path)]
	return out
}
