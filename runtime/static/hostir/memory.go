// Memory of the host: values of variables, the effect of unknown functions, and the join of states.

package hostir

import (
	"slices"

	"github.com/ptxsan/ptxsan/runtime/static/expr"
	"github.com/ptxsan/ptxsan/runtime/static/facts"
)

type objectKind uint8

const (
	local   objectKind = iota // a variable of a function
	static                    // a variable of the module
	foreign                   // target of a pointer of unknown origin
	device                    // an allocation of device memory
)

// object is a piece of memory.
type object struct {
	kind  objectKind
	id    int // in the order of creation
	name  string
	typ   *typ
	owner *frame // for a local object
	konst bool
	keep  bool // it holds unsigned integers
	args  bool // it belongs to the command line
	size  *expr.Int
	site  facts.Pos
}

// state is the symbolic state at a point of the program.
type state struct {
	mem     map[*object][]cell // sorted; immutable
	init    map[*object]facts.Contents
	escaped map[*object]bool // unknown functions may have the address
	path    *node
}

// node is a condition of a path, linked to the previous ones.
type node struct {
	before *node
	depth  int
	facts.Condition
	taken *expr.Bool // for a branch: the condition of its first target; nil for other conditions
	fork  int        // number of the execution of a branch
	arm   int
}

func (s *state) clone() *state {
	c := &state{mem: make(map[*object][]cell, len(s.mem)), init: make(map[*object]facts.Contents, len(s.init)), escaped: make(map[*object]bool, len(s.escaped)), path: s.path}
	for o, list := range s.mem {
		c.mem[o] = list
	}
	for o, n := range s.init {
		c.init[o] = n
	}
	for o := range s.escaped {
		c.escaped[o] = true
	}
	return c
}

// get returns the value at an offset of an object; ok is false if it is unknown.
func (s *state) get(o *object, at, size int64) (v value, ok bool) {
	var parts []cell
	for _, c := range s.mem[o] {
		switch {
		case c.at == at && c.size == size:
			return c.v, true
		case c.at <= at && at+size <= c.at+c.size:
			return c.v.piece(at-c.at, size), true
		case c.at >= at && c.at+c.size <= at+size:
			parts = append(parts, cell{c.at - at, c.size, c.v})
		case c.at < at+size && at < c.at+c.size:
			return value{}, true
		}
	}
	return value{parts: parts}, parts != nil
}

// put stores a value.
func (s *state) put(o *object, at, size int64, v value) {
	var list []cell
	for _, c := range s.mem[o] {
		switch {
		case c.at+c.size <= at || at+size <= c.at:
			list = append(list, c)
		case c.at < at || at+size < c.at+c.size: // keep the parts that are not overwritten
			for _, p := range c.v.parts {
				if from := c.at + p.at; from+p.size <= at || at+size <= from {
					list = append(list, cell{from, p.size, p.v})
				}
			}
		}
	}
	if v.parts != nil {
		for _, p := range v.parts {
			list = append(list, cell{at + p.at, p.size, p.v})
		}
	} else if v.something() {
		list = append(list, cell{at, size, v})
	}
	slices.SortFunc(list, func(a, b cell) int { return int(a.at - b.at) })
	s.mem[o] = list
}

// copyCells copies memory.
func (s *state) copyCells(to *object, toAt int64, from *object, fromAt, size int64) {
	v, ok := s.get(from, fromAt, size)
	if !ok {
		v = value{}
	}
	s.put(to, toAt, size, v)
}

// forget makes the contents of objects unknown.
func (s *state) forget(which func(o *object) bool) {
	for o := range s.mem {
		if which(o) {
			delete(s.mem, o)
		}
	}
}

// forgetShared makes unknown what an unknown function may change.
func (s *state) forgetShared() {
	s.forget(func(o *object) bool { return !o.konst && (o.kind != local || s.escaped[o]) })
	clear(s.init)
}

// escape records that the address of an object is known elsewhere, and with it everything that it points to.
func (s *state) escape(o *object) {
	if o == nil || s.escaped[o] || o.kind == device {
		return
	}
	s.escaped[o] = true
	for _, c := range s.mem[o] {
		s.escape(c.v.to)
		for _, p := range c.v.parts {
			s.escape(p.v.to)
		}
	}
}

// fork returns the last common condition of two paths, and the branch at which they diverge: its condition, nil if unknown, and
// whether a took its first target.
func fork(a, b *node) (common *node, c *expr.Bool, first bool) {
	x, y := a, b
	var nx, ny *node
	for x != y {
		if y == nil || x != nil && x.depth >= y.depth {
			x, nx = x.before, x
		} else {
			y, ny = y.before, y
		}
	}
	if nx != nil && ny != nil && nx.taken != nil && nx.fork == ny.fork && nx.arm != ny.arm && nx.taken.Uniform() {
		return x, nx.taken, nx.arm == 0
	}
	return x, nil, false
}

// depth returns the number of conditions of a path.
func depth(n *node) int {
	if n == nil {
		return 0
	}
	return n.depth
}

// merge joins two states: values that differ depend on the branch at which the paths diverge, or are unknown.
func (x *executor) merge(a, b *state) *state {
	x.steps += (len(a.mem) + len(b.mem)) / 8
	common, c, first := fork(a.path, b.path)
	if c != nil && !first {
		a, b = b, a
	}
	out := &state{mem: make(map[*object][]cell), init: make(map[*object]facts.Contents), escaped: make(map[*object]bool), path: common}
	for _, o := range ordered(a.mem) {
		list, other := a.mem[o], b.mem[o]
		if len(other) == 0 {
			continue
		}
		if &list[0] == &other[0] && len(list) == len(other) {
			out.mem[o] = list
			continue
		}
		var cells []cell
		for _, p := range list {
			for _, q := range other {
				if p.at == q.at && p.size == q.size {
					if v := x.either(c, p.v, q.v, o, p.at, p.size); v.something() {
						cells = append(cells, cell{p.at, p.size, v})
					}
				}
			}
		}
		if cells != nil {
			out.mem[o] = cells
		}
	}
	for o, n := range a.init {
		if m, ok := b.init[o]; ok && m.Equal(n) {
			out.init[o] = n
		}
	}
	for o := range a.escaped {
		out.escaped[o] = true
	}
	for o := range b.escaped {
		out.escaped[o] = true
	}
	return out
}

// either returns the join of two values: the first one if a condition holds.
func (x *executor) either(c *expr.Bool, v, w value, o *object, at, size int64) value {
	switch {
	case v.equal(w):
		return v
	case v.cond != nil && w.cond != nil && c != nil:
		return value{cond: expr.Any(expr.All(c, v.cond), expr.All(expr.Not(c), w.cond)), bits: v.bits}
	case v.known() && w.known() && c != nil:
		if v.signed == w.signed {
			return value{num: expr.Ite(c, v.int(), w.int()), signed: v.signed, bits: v.bits}
		}
		return value{num: expr.Ite(c, v.asSigned(), w.asSigned()), signed: true, bits: v.bits}
	case v.known() && w.known() && o != nil:
		return x.leaf(x.hint(o, at), 8*size, !o.keep)
	}
	return value{}
}

// ordered returns objects in the order of creation.
func ordered(mem map[*object][]cell) []*object {
	list := make([]*object, 0, len(mem))
	for o := range mem {
		if len(mem[o]) > 0 {
			list = append(list, o)
		}
	}
	slices.SortFunc(list, func(a, b *object) int { return a.id - b.id })
	return list
}
