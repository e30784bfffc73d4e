// The symbolic execution of statements.

package host

import (
	"math/big"

	"github.com/ptxsan/ptxsan/runtime/static/expr"
	"github.com/ptxsan/ptxsan/runtime/static/facts"
)

// Limits of the execution.
const (
	maxSteps    = 400_000 // statements and expressions, in the whole program
	maxCalls    = 12      // depth of calls
	maxLaunches = 5_000
	maxPath     = 400 // conditions on a path
)

func bigInt(k int64) *big.Int { return big.NewInt(k) }

// executor executes the functions of a program.
type executor struct {
	*unit    // file of the current function
	units    []*unit
	names    []string // of all files
	vars     map[string]*facts.Var
	laying   map[*structure]bool
	pure     map[string]value // results of calls that return the same again
	escaped  map[*variable]bool
	buffers  map[string]bool // names in use
	launches []*facts.Launch
	seen     map[string]bool    // launches found, as text
	copies   map[string]int     // number of copies of each variable name
	cut      bool               // not every launch was reached
	pointed  map[*function]bool // functions whose address is used: they are called with any arguments
	order    []string           // names of vars, in the order of creation
	rooted   map[*function]bool // functions executed with unknown arguments
	open     bool               // functions may be called from elsewhere
	args     []string           // arguments of the program; nil: unknown
	inMain   bool               // the current function is main, or called from it
	losses   int                // how often strings of the command line became unknown
	strayed  bool               // in a merge, two paths have different strings of the command line
	skipped  map[facts.Pos]bool // launches that an execution did not reach
	idle     map[facts.Pos]bool // names that an execution did not reach
	called   map[facts.Pos]bool // names of functions that were called
	done     map[*function]bool // functions that were executed
	outside  bool               // unknown values are input of the program: see fromOutside
	serials  int
	steps    int
	exited   bool // the function called last does not return
	frame    *frame
	st       *state // nil at unreachable code
}

// frame is an execution of a function.
type frame struct {
	f       *function
	scopes  []map[string]*variable
	outer   *frame
	at      token // of the current statement
	entry   int   // number of conditions of the path at the call
	returns []value
	left    []*state // states at its return statements
	breaks  []*[]*state
	rounds  []*[]*state // states at continue statements, for the enclosing loops
	targs   map[string]value
}

// flow is how a statement ends if it does not continue with the next one.
type flow uint8

const (
	flowOn   flow = iota
	flowOut       // leaves a loop, a switch or the function, up to which its conditions hold
	flowExit      // ends the program
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

// block executes statements in a new scope.
func (x *executor) block(list []*stmt) flow {
	x.frame.scopes = append(x.frame.scopes, map[string]*variable{})
	start := x.serials
	f := x.list(list)
	x.leave(x.scope(), start)
	x.frame.scopes = x.frame.scopes[:len(x.frame.scopes)-1]
	return f
}

// leave removes the variables of a scope that were made since start.
func (x *executor) leave(scope map[string]*variable, start int) {
	for _, v := range scope {
		if v.id > start && !x.escaped[v] {
			delete(x.st.values, v)
		}
	}
}

// copied copies a state, and counts the cost.
func (x *executor) copied(s *state) *state {
	x.steps += len(s.values) / 16
	return s.clone()
}

func (x *executor) list(list []*stmt) flow {
	for i, s := range list {
		if f := x.statement(s); f != flowOn {
			x.skip(list[i+1:])
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
		} else if n := len(x.frame.rounds); n > 0 && s.op == "continue" {
			*x.frame.rounds[n-1] = append(*x.frame.rounds[n-1], x.st.clone())
		}
		return flowOut
	case stLabel:
		x.forgetAll()
	case stGoto:
		return flowOut
	case stTry:
		before, losses := x.st.clone(), x.losses
		f := x.block(s.body)
		after := x.st
		x.st = before
		if x.losses > losses {
			x.loseStrings()
		}
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
		if to, field := x.place(d.init); to != nil && field == "" { // a reference
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

// fieldList returns the value of T name = {…}.
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

// constructed returns the value of T name(args).
func (x *executor) constructed(d *decl) value {
	list := make([]value, 0, len(d.args))
	for _, a := range d.args {
		list = append(list, x.eval(a, d.name))
	}
	if d.typ.ptr == 0 && x.kindOf(d.typ).size == 0 && d.typ.name != "string" && d.typ.name != "vector" {
		x.handsOut(list...)
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

// uninitialised returns an unknown value of a type. An integer becomes a variable of the facts when it is read.
func (x *executor) uninitialised(t ctype) value {
	if t.name == "dim3" && t.ptr == 0 {
		return x.construct(dim3Type, nil, "")
	}
	if s := x.structOf(t); s != nil {
		return value{of: s, fields: map[string]value{}}
	}
	return value{}
}

// read returns the value of a variable.
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

// conjuncts returns the parts of a conjunction.
func conjuncts(c *expr.Bool) []*expr.Bool {
	if c.Kind() == expr.KindAll {
		return c.Parts()
	}
	return []*expr.Bool{c}
}

// definite reports whether no part of a condition is unknown.
func definite(c *expr.Bool) bool { return c.Uniform() }
