// Memory of the host: values of variables, the effect of unknown functions, and the join of states.

package memory

import (
	"maps"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/hostir/llvm"
)

// ObjectKind is the kind of an object.
type ObjectKind uint8

// Kinds of objects.
const (
	Local   ObjectKind = iota // a variable of a function
	Heap                      // an allocation of host memory
	Static                    // a variable of the module
	Foreign                   // target of a pointer of unknown origin
	Device                    // an allocation of device memory
)

// Object is a piece of memory.
type Object struct {
	Kind     ObjectKind
	ID       int // in the order of creation
	Name     string
	Type     *llvm.Type
	Owner    any // for a local object: the call of the function of which it is a variable
	Constant bool
	Named    bool // a variable of the module that is only loaded and stored by its name
	Hidden   bool // a variable of the module that other files do not know
	Keep     bool // it holds unsigned integers
	Args     bool // it belongs to the command line
	Size     *expr.Int
	Site     facts.Pos
}

// State is the symbolic state at a point of the program.
type State struct {
	Mem     map[*Object][]Cell // sorted; immutable
	Init    map[*Object]facts.Contents
	Escaped map[*Object]bool // code that is not followed may have the address
	Pending map[*Object]Write
	Pure    map[Question]Value
	Path    *Node
}

// Write is what may write to an object of the host at any time: an asynchronous copy in a stream, or what a kernel, or
// a function that runs later, got the address for.
type Write struct {
	Ends   bool // it ends when the stream is synchronised
	Stream Value
}

// Question is a call of a function that returns the same for the same text.
type Question struct {
	Function string
	Object   *Object
	At       string
}

// Node is a condition of a path, linked to the previous ones.
type Node struct {
	Before *Node
	Depth  int
	facts.Condition
	Branch bool       // it is that of a branch, and not assumed
	Taken  *expr.Bool // for a branch: the condition of its first target; nil for other conditions
	Fork   int        // number of the execution of a branch
	Arm    int
}

// Clone returns a copy of a state.
func (s *State) Clone() *State {
	return &State{
		Mem: maps.Clone(s.Mem), Init: maps.Clone(s.Init), Escaped: maps.Clone(s.Escaped),
		Pending: maps.Clone(s.Pending), Pure: maps.Clone(s.Pure), Path: s.Path,
	}
}

// NewState returns a state in which nothing is known.
func NewState() *State {
	return &State{
		Mem: make(map[*Object][]Cell), Init: make(map[*Object]facts.Contents),
		Escaped: make(map[*Object]bool), Pending: make(map[*Object]Write), Pure: make(map[Question]Value),
	}
}

// Get returns the value at an offset of an object; ok is false if it is unknown.
func (s *State) Get(o *Object, at, size int64) (v Value, ok bool) {
	var parts []Cell
	for _, c := range s.Mem[o] {
		switch {
		case c.At == at && c.Size == size:
			return c.Value, true
		case c.At <= at && at+size <= c.At+c.Size:
			return c.Value.Piece(at-c.At, size), true
		case c.At >= at && c.At+c.Size <= at+size:
			parts = append(parts, Cell{c.At - at, c.Size, c.Value})
		case c.At < at+size && at < c.At+c.Size:
			return Value{}, true
		}
	}
	return Value{Parts: parts}, parts != nil
}

// Put stores a value.
func (s *State) Put(o *Object, at, size int64, v Value) {
	var list []Cell
	for _, c := range s.Mem[o] {
		switch {
		case c.At+c.Size <= at || at+size <= c.At:
			list = append(list, c)
		case c.At < at || at+size < c.At+c.Size: // keep the parts that are not overwritten
			for _, p := range c.Value.Parts {
				if from := c.At + p.At; from+p.Size <= at || at+size <= from {
					list = append(list, Cell{from, p.Size, p.Value})
				}
			}
		}
	}
	if v.Parts != nil {
		for _, p := range v.Parts {
			list = append(list, Cell{at + p.At, p.Size, p.Value})
		}
	} else if v.Something() {
		list = append(list, Cell{at, size, v})
	}
	slices.SortFunc(list, func(a, b Cell) int { return int(a.At - b.At) })
	s.Mem[o] = list
}

// CopyCells copies memory.
func (s *State) CopyCells(to *Object, toAt int64, from *Object, fromAt, size int64) {
	v, ok := s.Get(from, fromAt, size)
	if !ok {
		v = Value{}
	}
	s.Put(to, toAt, size, v)
}

// Reachable reports whether code that is not followed may write to an object by an address: it has that of an object
// that escaped, and those of other modules and of pointers of unknown origin.
func (s *State) Reachable(o *Object) bool {
	return !o.Constant && (o.Kind == Foreign || o.Kind == Static && !o.Named || s.Escaped[o])
}

// shared reports whether a function that is not followed may change an object.
func (s *State) shared(o *Object) bool { return !o.Constant && (o.Kind == Static || s.Reachable(o)) }

// Forget makes the contents of objects unknown. The addresses in them are then in unknown places.
func (s *State) Forget(which func(o *Object) bool) {
	for _, o := range Ordered(s.Mem) {
		if which(o) {
			s.EscapeAll(o)
		}
	}
	for o := range s.Mem {
		if which(o) {
			delete(s.Mem, o)
		}
	}
	maps.DeleteFunc(s.Pure, func(q Question, _ Value) bool { return which(q.Object) })
}

// ForgetReachable makes unknown what a store to an unknown address may change.
func (s *State) ForgetReachable() { s.Forget(s.Reachable) }

// ForgetShared makes unknown what an unknown function may change.
func (s *State) ForgetShared() {
	s.Forget(s.shared)
	clear(s.Init)
}

// End removes the variables of a function that has returned, but those that may be used later.
func (s *State) End(fr any) {
	maps.DeleteFunc(s.Mem, func(o *Object, _ []Cell) bool { return o.Owner == fr && !s.Escaped[o] })
}

// ForgetObject makes the contents of an object unknown.
func (s *State) ForgetObject(o *Object) { s.Forget(func(p *Object) bool { return p == o }) }

// Escape records that the address of an object is in an unknown place, and with it everything that it points to.
func (s *State) Escape(o *Object) {
	if o == nil || s.Escaped[o] || o.Kind == Device {
		return
	}
	s.Escaped[o] = true
	s.EscapeAll(o)
}

// EscapeAll records that the addresses in an object are in unknown places.
func (s *State) EscapeAll(o *Object) {
	for _, c := range s.Mem[o] {
		s.Lost(c.Value)
	}
}

// Lost records that a value is in an unknown place, or is no longer known: the objects that it points to have escaped.
func (s *State) Lost(v Value) {
	for _, o := range v.Targets() {
		s.Escape(o)
	}
}

// WrittenLater records that something may write to an object at any time, and what it points to likewise if it does not
// end.
func (s *State) WrittenLater(o *Object, w Write) {
	if old, ok := s.Pending[o]; o == nil || o.Kind == Device || o.Constant || ok && !old.Ends {
		return
	}
	s.Escape(o)
	if s.Pending[o] = w; !w.Ends {
		for _, c := range s.Mem[o] {
			for _, to := range c.Value.Targets() {
				s.WrittenLater(to, w)
			}
		}
	}
	s.ForgetObject(o)
}

// Fork returns the last common condition of two paths, and the branch at which they diverge: its condition, nil if
// there is none or they do not diverge at one branch, and whether a took its first target.
func Fork(a, b *Node) (common *Node, c *expr.Bool, first bool) {
	x, y := a, b
	var nx, ny *Node
	for x != y {
		if y == nil || x != nil && x.Depth >= y.Depth {
			x, nx = x.Before, x
		} else {
			y, ny = y.Before, y
		}
	}
	if nx != nil && ny != nil && nx.Taken != nil && nx.Fork == ny.Fork && nx.Arm != ny.Arm {
		return x, nx.Taken, nx.Arm == 0
	}
	return x, nil, false
}

// Depth returns the number of conditions of a path.
func Depth(n *Node) int {
	if n == nil {
		return 0
	}
	return n.Depth
}

// LostSince records that the addresses in an object of an earlier state, which are not there any more, are in unknown
// places.
func (s *State) LostSince(o *Object, before *State) {
	now := s.Mem[o]
	if old := before.Mem[o]; len(now) > 0 && len(old) == len(now) && &old[0] == &now[0] {
		return
	}
	for _, c := range before.Mem[o] {
		if v, ok := s.Get(o, c.At, c.Size); c.Value.Points() && (!ok || !v.Equal(c.Value)) {
			before.Walk(c.Value, s)
		}
	}
}

// Walk records in another state that what a value of this one points to has escaped.
func (s *State) Walk(v Value, to *State) {
	for _, o := range v.Targets() {
		if o.Kind == Device || to.Escaped[o] {
			continue
		}
		to.Escaped[o] = true
		for _, c := range s.Mem[o] {
			s.Walk(c.Value, to)
		}
		to.EscapeAll(o)
	}
}

// Ordered returns objects in the order of creation.
func Ordered(mem map[*Object][]Cell) []*Object {
	list := make([]*Object, 0, len(mem))
	for o := range mem {
		if len(mem[o]) > 0 {
			list = append(list, o)
		}
	}
	slices.SortFunc(list, func(a, b *Object) int { return a.ID - b.ID })
	return list
}
