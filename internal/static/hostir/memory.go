// Memory of the host: values of variables, the effect of unknown functions, and the join of states.

package hostir

import (
	"maps"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
)

type objectKind uint8

const (
	local   objectKind = iota // a variable of a function
	heap                      // an allocation of host memory
	static                    // a variable of the module
	foreign                   // target of a pointer of unknown origin
	device                    // an allocation of device memory
)

// object is a piece of memory.
type object struct {
	kind   objectKind
	id     int // in the order of creation
	name   string
	typ    *typ
	owner  *frame // for a local object
	konst  bool
	named  bool // a variable of the module that is only loaded and stored by its name
	hidden bool // a variable of the module that other files do not know
	keep   bool // it holds unsigned integers
	args   bool // it belongs to the command line
	size   *expr.Int
	site   facts.Pos
}

// state is the symbolic state at a point of the program.
type state struct {
	mem     map[*object][]cell // sorted; immutable
	init    map[*object]facts.Contents
	escaped map[*object]bool // code that is not followed may have the address
	pending map[*object]write
	pure    map[question]value
	path    *node
}

// write is what may write to an object of the host at any time: an asynchronous copy in a stream, or what a kernel, or
// a function that runs later, got the address for.
type write struct {
	ends   bool // it ends when the stream is synchronised
	stream value
}

// question is a call of a function that returns the same for the same text.
type question struct {
	function string
	o        *object
	at       string
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
	return &state{
		mem: maps.Clone(s.mem), init: maps.Clone(s.init), escaped: maps.Clone(s.escaped),
		pending: maps.Clone(s.pending), pure: maps.Clone(s.pure), path: s.path,
	}
}

func newState() *state {
	return &state{
		mem: make(map[*object][]cell), init: make(map[*object]facts.Contents),
		escaped: make(map[*object]bool), pending: make(map[*object]write), pure: make(map[question]value),
	}
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

// reachable reports whether code that is not followed may write to an object by an address: it has that of an object
// that escaped, and those of other modules and of pointers of unknown origin.
func (s *state) reachable(o *object) bool {
	return !o.konst && (o.kind == foreign || o.kind == static && !o.named || s.escaped[o])
}

// shared reports whether a function that is not followed may change an object.
func (s *state) shared(o *object) bool { return !o.konst && (o.kind == static || s.reachable(o)) }

// forget makes the contents of objects unknown. The addresses in them are then in unknown places.
func (s *state) forget(which func(o *object) bool) {
	for _, o := range ordered(s.mem) {
		if which(o) {
			s.escapeAll(o)
		}
	}
	for o := range s.mem {
		if which(o) {
			delete(s.mem, o)
		}
	}
	maps.DeleteFunc(s.pure, func(q question, _ value) bool { return which(q.o) })
}

// forgetReachable makes unknown what a store to an unknown address may change.
func (s *state) forgetReachable() { s.forget(s.reachable) }

// forgetShared makes unknown what an unknown function may change.
func (s *state) forgetShared() {
	s.forget(s.shared)
	clear(s.init)
}

// end removes the variables of a function that has returned, but those that may be used later.
func (s *state) end(fr *frame) {
	maps.DeleteFunc(s.mem, func(o *object, _ []cell) bool { return o.owner == fr && !s.escaped[o] })
}

// forgetObject makes the contents of an object unknown.
func (s *state) forgetObject(o *object) { s.forget(func(p *object) bool { return p == o }) }

// escape records that the address of an object is in an unknown place, and with it everything that it points to.
func (s *state) escape(o *object) {
	if o == nil || s.escaped[o] || o.kind == device {
		return
	}
	s.escaped[o] = true
	s.escapeAll(o)
}

// escapeAll records that the addresses in an object are in unknown places.
func (s *state) escapeAll(o *object) {
	for _, c := range s.mem[o] {
		s.lost(c.v)
	}
}

// lost records that a value is in an unknown place, or is no longer known: the objects that it points to have escaped.
func (s *state) lost(v value) {
	s.escape(v.to)
	for _, p := range v.parts {
		s.lost(p.v)
	}
}

// writtenLater records that something may write to an object at any time, and what it points to likewise if it does not
// end.
func (s *state) writtenLater(o *object, w write) {
	if old, ok := s.pending[o]; o == nil || o.kind == device || o.konst || ok && !old.ends {
		return
	}
	s.escape(o)
	if s.pending[o] = w; !w.ends {
		for _, c := range s.mem[o] {
			s.writtenLater(c.v.to, w)
			for _, p := range c.v.parts {
				s.writtenLater(p.v.to, w)
			}
		}
	}
	s.forgetObject(o)
}

// fork returns the last common condition of two paths, and the branch at which they diverge: its condition, nil if
// unknown, and whether a took its first target.
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
	out := newState()
	out.path = common
	maps.Copy(out.escaped, a.escaped)
	maps.Copy(out.escaped, b.escaped)
	maps.Copy(out.pending, a.pending)
	for o, w := range b.pending {
		if old, ok := out.pending[o]; ok && (!old.ends || !old.stream.equal(w.stream)) {
			w = write{}
		}
		out.pending[o] = w
	}
	for _, o := range ordered(a.mem) {
		x.mergeObject(out, c, o, a.mem[o], b.mem[o])
	}
	for _, from := range []*state{a, b} {
		for _, o := range ordered(from.mem) {
			out.lostSince(o, from)
		}
	}
	for o, n := range a.init {
		if m, ok := b.init[o]; ok && m.Equal(n) {
			out.init[o] = n
		}
	}
	for q, v := range a.pure {
		if w, ok := b.pure[q]; ok && v.equal(w) {
			out.pure[q] = v
		}
	}
	return out
}

// mergeObject joins the contents of an object.
func (x *executor) mergeObject(out *state, c *expr.Bool, o *object, list, other []cell) {
	if _, unknown := out.pending[o]; len(other) == 0 || unknown {
		return
	}
	if &list[0] == &other[0] && len(list) == len(other) {
		out.mem[o] = list
		return
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

// lostSince records that the addresses in an object of an earlier state, which are not there any more, are in unknown
// places.
func (s *state) lostSince(o *object, before *state) {
	now := s.mem[o]
	if old := before.mem[o]; len(now) > 0 && len(old) == len(now) && &old[0] == &now[0] {
		return
	}
	for _, c := range before.mem[o] {
		if v, ok := s.get(o, c.at, c.size); c.v.points() && (!ok || !v.equal(c.v)) {
			before.walk(c.v, s)
		}
	}
}

// walk records in another state that what a value of this one points to has escaped.
func (s *state) walk(v value, to *state) {
	if o := v.to; o != nil && o.kind != device && !to.escaped[o] {
		to.escaped[o] = true
		for _, c := range s.mem[o] {
			s.walk(c.v, to)
		}
		to.escapeAll(o)
	}
	for _, p := range v.parts {
		s.walk(p.v, to)
	}
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
