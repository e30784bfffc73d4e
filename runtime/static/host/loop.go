// Loops: variables that change in them are unknown, except for what is known of a counter.

package host

import (
	"slices"

	"github.com/ptxsan/ptxsan/runtime/static/expr"
	"github.com/ptxsan/ptxsan/runtime/static/facts"
)

// once executes do … while (0), which macros use.
func (x *executor) once(s *stmt) flow {
	var out, again []*state
	entry := x.st
	x.frame.breaks, x.frame.rounds = append(x.frame.breaks, &out), append(x.frame.rounds, &again)
	f := x.block(s.body)
	x.frame.breaks, x.frame.rounds = x.frame.breaks[:len(x.frame.breaks)-1], x.frame.rounds[:len(x.frame.rounds)-1]
	out = append(out, again...)
	switch {
	case len(out) == 0:
		return f
	case f == flowOn:
		out = append(out, x.st)
	}
	x.st = x.join(out, entry)
	return flowOn
}

// loop executes a loop: its body once, for an arbitrary iteration.
func (x *executor) loop(s *stmt) flow {
	if s.kind == stDo && s.x != nil && s.x.kind == exNumber && s.x.op == "0" {
		return x.once(s)
	}
	x.frame.scopes = append(x.frame.scopes, map[string]*variable{})
	defer func() { x.frame.scopes = x.frame.scopes[:len(x.frame.scopes)-1] }()
	x.statement(s.init)
	if s.kind == stRange {
		for _, d := range s.decls {
			x.declare(&decl{typ: ctype{name: d.typ.name, ptr: d.typ.ptr}, name: d.name, at: d.at})
		}
	}
	if f, ok := x.counted(s); ok {
		return f
	}
	x.handsOutIn(s)
	n := len(x.st.path)
	changed := x.assigned(s.body)
	x.addNames(changed, s.post)
	x.addNames(changed, s.x)
	i := x.induction(s)
	x.writesIn(s.body)
	before := x.st.clone()
	x.havoc(changed)
	x.havocCalls(s.body)
	x.readsInto(s)
	entry := x.st
	x.st = entry.clone()
	i.bind(x, everyRound(s))
	x.firstRound(before, s.at)
	if s.x != nil && s.kind != stDo {
		c := x.eval(s.x, "").bool()
		x.assume(c, x.textOf(s.x), facts.Bounds, s.at, true)
		if i.v != nil {
			x.boundedBy(x.vars[x.st.values[i.v].num.Variable().Name], c)
		}
	}
	var out, again []*state
	x.frame.breaks, x.frame.rounds = append(x.frame.breaks, &out), append(x.frame.rounds, &again)
	x.block(s.body)
	x.frame.breaks, x.frame.rounds = x.frame.breaks[:len(x.frame.breaks)-1], x.frame.rounds[:len(x.frame.rounds)-1]
	x.st = entry
	i.bind(x, false)
	if s.x != nil && len(out) == 0 && !contains(s.body, stGoto) {
		x.assume(expr.Not(x.eval(s.x, "").bool()), "!("+x.textOf(s.x)+")", facts.Bounds, s.at, false)
	}
	for k := n; k < len(x.st.path); k++ { // conditions after a loop hold to the end
		x.st.path[k].local = false
	}
	return flowOn
}

// induction is the counter of a loop.
type induction struct {
	v     *variable
	first value
	op    string // += -= *= /=
	step  *expr.Int
	at    token
}

// induction returns the variable that only the step of a for loop changes.
func (x *executor) induction(s *stmt) *induction {
	none := &induction{}
	if s.kind != stFor || s.post == nil {
		return none
	}
	n := s.post
	i := &induction{at: s.at}
	switch {
	case (n.kind == exUnary || n.kind == exPostfix) && n.x.kind == exName && (n.op == "++" || n.op == "--"):
		i.op, i.step = n.op[:1]+"=", expr.Const(1)
	case n.kind == exAssign && n.x.kind == exName && n.y != nil:
		y := n.y
		i.op = n.op
		if n.op == "=" { // i = i + step
			if y.kind != exBinary || y.x.kind != exName || y.x.op != n.x.op {
				return none
			}
			i.op, y = y.op+"=", y.y
		}
		v, _ := x.eval(y, "").int()
		if v == nil || v.IsUnknown() {
			return none
		}
		i.step = v
	default:
		return none
	}
	inBody := x.assigned(s.body)
	x.addNames(inBody, s.x)
	i.v = x.lookup(n.x.op)
	if i.v == nil || inBody[n.x.op] || i.v.global && len(x.callsIn(s.body)) > 0 {
		return none
	}
	if y := n.y; y != nil { // the step must not change either
		names := make(map[string]bool)
		mentioned(y, names)
		for name := range names {
			if inBody[name] {
				return none
			}
		}
	}
	if i.first = x.st.values[i.v]; !i.first.known() {
		return none
	}
	return i
}

// bind gives the variable its value in an arbitrary iteration. every says that it has all values that its bounds and step allow.
func (i *induction) bind(x *executor, every bool) {
	if i.v == nil {
		return
	}
	k, constant := i.step.Int64()
	adds := constant && k != 0 && (i.op == "+=" || i.op == "-=")
	v := x.leafOf(every && adds, i.v.name, i.first.typ)
	x.st.values[i.v] = v
	bound := func(c *expr.Bool) { x.assume(c, "", facts.Bounds, i.at, true) }
	positive := constant && k > 0
	switch i.op {
	case "+=", "-=":
		switch up := i.op == "+="; {
		case !constant || k == 0:
			return
		case up == positive:
			bound(expr.Ge(v.num, i.first.num))
		default:
			bound(expr.Le(v.num, i.first.num))
		}
		if k != 1 && k != -1 {
			bound(expr.Eq(expr.Rem(expr.Sub(v.num, i.first.num), expr.Const(k)), expr.Const(0)))
		}
	case "*=", "<<=":
		if lo, _ := i.first.num.Range(); positive && lo != nil && lo.Sign() >= 0 {
			bound(expr.Ge(v.num, i.first.num))
		}
	case "/=", ">>=":
		if lo, _ := i.first.num.Range(); positive && lo != nil && lo.Sign() >= 0 {
			bound(expr.Le(v.num, i.first.num))
			bound(expr.Ge(v.num, expr.Const(0)))
		}
	}
}

// assigned returns the names of variables that statements change: by assignment, by address, or by a function of the program. A
// name with value false is passed to functions, which may change the elements of an array.
func (x *executor) assigned(list []*stmt) map[string]bool {
	names := make(map[string]bool)
	walk(list, func(n *node) { x.addName(names, x.unit, n) })
	for f := range x.callsIn(list) {
		for _, g := range x.functionsOf(x.unit, f) {
			x.addCallee(names, g, map[*function]bool{})
		}
	}
	return names
}

// addCallee adds what a function of the program changes outside of itself.
func (x *executor) addCallee(names map[string]bool, f *function, seen map[*function]bool) {
	if seen[f] || len(seen) > 200 {
		return
	}
	seen[f] = true
	inside := make(map[string]bool)
	walk(f.body, func(n *node) { x.addName(inside, f.unit, n) })
	for i := range f.params { // a copy, unless it is a reference
		if p := &f.params[i]; !p.typ.ref {
			delete(inside, p.name)
		}
	}
	for name, whole := range inside {
		names[name] = names[name] || whole
	}
	for name := range f.calls {
		for _, g := range x.functionsOf(f.unit, name) {
			x.addCallee(names, g, seen)
		}
	}
}

// callsIn returns the names of the functions that statements call.
func (x *executor) callsIn(list []*stmt) map[string]bool {
	calls := make(map[string]bool)
	walk(list, func(n *node) {
		if n.kind == exCall && n.x.kind == exName {
			calls[n.x.op] = true
		}
	})
	return calls
}

func (x *executor) addNames(names map[string]bool, n *node) {
	walkNode(n, func(n *node) { x.addName(names, x.unit, n) })
}

// addName adds the name of what an expression of a file changes.
func (x *executor) addName(names map[string]bool, u *unit, n *node) {
	passed := func(y *node, whole bool) {
		for y != nil && (y.kind == exMember || y.kind == exIndex || y.kind == exCast) {
			whole = whole && y.kind != exCast
			y = y.x
		}
		if y != nil && y.kind == exName {
			names[y.op] = names[y.op] || whole
		}
	}
	root := func(y *node) { passed(y, true) }
	switch {
	case n.kind == exAssign, n.kind == exPostfix && (n.op == "++" || n.op == "--"), n.kind == exUnary && (n.op == "++" || n.op == "--" || n.op == "&"):
		root(n.x)
	case n.kind == exBinary && n.op == ">>":
		root(n.y)
	case n.kind == exCall && n.x.kind == exName:
		list := x.functionsOf(u, n.x.op)
		for i, a := range n.args {
			passed(a, (len(list) > 0 || !Harmless(n.x.op)) && refers(list, i))
		}
	case n.kind == exCall && n.x.kind == exMember:
		root(n.x.x)
		for _, a := range n.args {
			root(a)
		}
	}
}

// refers reports whether one of these functions may change the variable that an argument names. An empty list means an unknown
// function.
func refers(list []*function, arg int) bool {
	for _, f := range list {
		if arg >= len(f.params) || f.params[arg].typ.ref {
			return true
		}
	}
	return len(list) == 0
}

func mentioned(n *node, names map[string]bool) {
	walkNode(n, func(n *node) {
		if n.kind == exName {
			names[n.op] = true
		}
	})
}

// havoc makes the variables with these names unknown.
func (x *executor) havoc(names map[string]bool) {
	for _, v := range x.ordered(x.st.values) {
		if whole, changed := names[v.name]; changed && (whole || x.st.values[v].list != nil) && x.visible(v) {
			x.st.values[v] = x.uninitialised(v.typ)
		}
	}
}

// visible reports whether a variable is the meaning of its name here, or global.
func (x *executor) visible(v *variable) bool {
	return v.global || x.lookup(v.name) == v || x.escaped[v]
}

// havocCalls makes unknown what launches and functions in a loop change in device memory, and what unknown functions change.
func (x *executor) havocCalls(list []*stmt) {
	forget, unknown := false, false
	walk(list, func(n *node) {
		switch {
		case n.kind == exLaunch:
			forget = true
		case n.kind == exCall && (n.x.kind != exName || !harmless[n.x.op]):
			forget = true
			unknown = unknown || n.x.kind != exName || len(x.functionsOf(x.unit, n.x.op)) == 0 && !allocates[n.x.op] && !Asserting(n.x.op)
		}
	})
	if forget {
		clear(x.st.init)
	}
	if unknown {
		x.forgetShared()
	}
}

// ordered returns variables in a fixed order.
func (x *executor) ordered(values map[*variable]value) []*variable {
	x.steps += len(values) / 32
	list := make([]*variable, 0, len(values))
	for v := range values {
		list = append(list, v)
	}
	slices.SortFunc(list, func(a, b *variable) int { return a.id - b.id })
	return list
}

func contains(list []*stmt, kind stmtKind) bool {
	for _, s := range list {
		if s != nil && (s.kind == kind || contains(s.body, kind) || contains(s.other, kind)) {
			return true
		}
	}
	return false
}

// walk calls f for every expression in statements.
func walk(list []*stmt, f func(*node)) {
	for _, s := range list {
		if s == nil {
			continue
		}
		walkNode(s.x, f)
		walkNode(s.post, f)
		walk([]*stmt{s.init}, f)
		walk(s.body, f)
		walk(s.other, f)
		for _, d := range s.decls {
			walkNode(d.init, f)
			for _, a := range d.args {
				walkNode(a, f)
			}
		}
	}
}

func walkNode(n *node, f func(*node)) {
	if n == nil {
		return
	}
	f(n)
	walkNode(n.x, f)
	walkNode(n.y, f)
	walkNode(n.z, f)
	for _, a := range n.args {
		walkNode(a, f)
	}
	for _, a := range n.config {
		walkNode(a, f)
	}
}
