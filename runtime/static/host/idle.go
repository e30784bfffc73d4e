// Code that is unreachable when a program is started with certain arguments.

package host

import (
	"strings"

	"github.com/ptxsan/ptxsan/runtime/static/facts"
)

// skip records what unreachable statements launch and name. Statements after a label may be reachable.
func (x *executor) skip(list []*stmt) {
	if x.args == nil || contains(list, stLabel) || contains(list, stCase) {
		return
	}
	walk(list, func(n *node) {
		switch {
		case n.kind == exLaunch:
			x.skipped[x.pos(n.at)] = true
		case n.kind == exCall && strings.HasPrefix(n.x.op, "cudaLaunch"):
			x.skipped[x.pos(n.x.at)] = true
		}
		if n.kind == exName {
			x.idle[x.pos(n.at)] = true
		}
	})
}

// reached records that the program executes a call.
func (x *executor) reached(n *node) {
	if x.args != nil {
		x.called[x.pos(n.at)] = true
	}
}

// unused reports whether a function is never called: only unreachable code names it.
func (x *executor) unused(f *function, seen map[*function]bool) bool {
	if x.args == nil || x.cut || x.open || x.done[f] || x.pointed[f] || strings.HasPrefix(f.name, "operator") || x.ofStruct(f) {
		return false
	}
	if seen[f] {
		return true
	}
	seen[f] = true
	for _, u := range x.units {
		for i := range u.ts {
			if t := &u.ts[i]; t.kind == tokName && t.text == f.name && !x.idleAt(u, i, seen) {
				return false
			}
		}
	}
	return true
}

// ofStruct reports whether a function may be a constructor or a destructor, which no call names.
func (x *executor) ofStruct(f *function) bool {
	for _, u := range x.units {
		if u.structs[f.name] != nil {
			return true
		}
	}
	return false
}

// maxHead is the number of tokens before a function's name that are searched for attributes.
const maxHead = 16

// idleAt reports whether the name of a function at a token is in unreachable code.
func (x *executor) idleAt(u *unit, i int, seen map[*function]bool) bool {
	at := x.pos(u.ts[i])
	if x.idle[at] && !x.called[at] {
		return true
	}
	for _, g := range u.functions {
		if g.from <= i && i < g.to {
			return x.unused(g, seen)
		}
	}
	for _, t := range u.ts[max(0, i-maxHead):i] { // __attribute__((constructor)): called before main
		if t.is("constructor") || t.is("destructor") {
			return false
		}
	}
	// A declaration: the result type precedes the name, the parameters follow it.
	return i > 0 && i+1 < len(u.ts) && u.ts[i+1].is("(") && (u.ts[i-1].kind == tokName || u.ts[i-1].is("*") || u.ts[i-1].is("&") || u.ts[i-1].is(">"))
}

// leftOut reports whether the launch at a token of the file is unreachable.
func (x *executor) leftOut(i int, at facts.Pos) bool {
	if x.skipped[at] {
		return true
	}
	for _, f := range x.functions {
		if f.from <= i && i < f.to {
			return x.unused(f, map[*function]bool{})
		}
	}
	return false
}
