// Loops: the memory that they change.

package hostir

import (
	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/hostir/llvm"
	"github.com/ptxsan/ptxsan/internal/static/hostir/memory"
)

// binding is a piece of memory, or a phi, that a loop changes.
type binding struct {
	o        *memory.Object // nil for a phi
	at, size int64
	phi      int
	first    memory.Value
	leaf     memory.Value
	counter
	base    *memory.Object // of a pointer that moves through an object; first and leaf are offsets in it
	bound   bool           // an iteration has used it
	ordered bool           // the orders of the loop have its values
	indexed bool           // whether it has few values was asked
}

// valueAt returns its value at the end of an iteration.
func (b *binding) valueAt(e edge) (v memory.Value) {
	if b.o != nil {
		v, _ = e.st.Get(b.o, b.at, b.size)
	} else if b.phi < len(e.vals) {
		v = e.vals[b.phi]
	}
	if b.base != nil {
		return b.offset(v)
	}
	return v
}

// aboutLoop is what the executions of a loop have shown.
type aboutLoop struct {
	bound   []*binding        // what it changes
	unsure  bool              // a condition to leave it is not known entirely
	long    bool              // its iterations are too many to be executed one by one
	outer   map[string]bool   // the variables that there were before it
	goesOn  []facts.Condition // the conditions under which it goes on
	learned int               // how often these have changed
	behind  []facts.Condition // what its end shows of the iterations before
	certain bool              // its counters have certain values behind it, by what is assumed of them
}

// about returns what the executions of a loop have shown.
func (x *executor) about(l *llvm.Loop) *aboutLoop {
	if x.loops[l] == nil {
		x.loops[l] = new(aboutLoop)
	}
	return x.loops[l]
}

// maxRounds limits the executions of a loop to find what it changes.
const maxRounds = 12

// loop executes a loop until all that it changes is known, and returns the paths that leave it.
func (x *executor) loop(l *llvm.Loop, entry edge) []way {
	if outs, ok := x.counted(l, entry); ok {
		return outs
	}
	about := x.about(l)
	about.outer, about.goesOn, about.learned = make(map[string]bool), nil, 0
	for _, name := range x.leaves {
		about.outer[name] = true
	}
	x.at = l.Header.Instrs[0]
	var list []*binding
	g := x.newOrders()
	for i, in := range phis(l.Header) {
		b := &binding{phi: i, first: entry.vals[i]}
		if isPointer(b.first) {
			g.add(b)
		}
		if in.Type != nil && in.Type.Kind == llvm.IntType {
			b.leaf = x.leaf(in.Name, in.Type.Bits, true)
		}
		list = append(list, b)
	}
	before := make(map[*memory.Object]facts.Contents)
	entry.st = entry.st.Clone()
	clear(entry.st.Pure)
	for round := 0; ; round++ {
		m, left := x.mark(), len(x.frame.left)
		st := entry.st.Clone()
		x.st = st
		if round >= maxRounds {
			x.giveUp(list)
			g.remove(func(*binding) bool { return true })
			clear(before)
		}
		x.bind(l, list)
		x.bindOrders(l, g, list)
		x.firstRound(before, list, g.turn)
		start, made := x.st.Clone(), x.ids
		r := &region{blocks: l.Blocks, in: map[*llvm.Block][]edge{}, loop: l}
		ends := x.ends
		x.ends = nil
		x.body(r, l)
		again := x.changed(l, &list, g, before, entry.st, start, r.backs, made)
		again = leaves(list, r.backs) || again
		again = x.counters(l, list, start, r.backs) || again
		x.ends = append(ends, x.ends...)
		if more := x.indices(g, list, r.backs) || x.follow(g, r.backs, made); more && !again && g.spent < 2*maxOrders {
			g.spent++
			round-- // it is no round of those that find what changes
			again = true
		} else if more {
			again = true
		}
		if again && x.steps < maxSteps {
			x.undo(m, list)
			x.frame.left = x.frame.left[:left]
			continue
		}
		x.ended(l, list)
		if g.turn != nil { // it has a certain value then
			d := x.decisions[g.turn.Variable().Name]
			d.certain, d.counters = false, nil
		}
		x.concludes(l, r.outs)
		for _, w := range r.outs {
			for o := range before {
				delete(w.e.st.Init, o)
			}
		}
		return r.outs
	}
}

// firstRound records the contents of allocations in the first iteration, which other iterations may find changed: those
// before the loop.
func (x *executor) firstRound(before map[*memory.Object]facts.Contents, list []*binding, turn *expr.Int) {
	if len(before) == 0 {
		return
	}
	var when []facts.Condition
	for _, b := range list {
		if b.ordered || !b.first.Known() && !isPointer(b.first) {
			continue
		}
		if isPointer(b.first) || !b.leaf.Known() || b.first.Cond != nil || b.leaf.Cond != nil {
			return // the start of the first iteration cannot be expressed as a condition
		}
		when = append(when, facts.Condition{
			That: expr.Eq(b.leaf.AsSigned(), b.first.AsSigned()), Class: facts.Bounds,
			Site: x.here(),
		})
	}
	if turn != nil {
		when = append(when, facts.Condition{That: expr.Eq(turn, expr.Const(0)), Class: facts.Bounds, Site: x.here()})
	}
	for o, c := range before {
		x.st.Init[o] = c.First(when)
	}
}

// giveUp makes everything unknown that a loop may change, since what it changes could not be determined.
func (x *executor) giveUp(list []*binding) {
	x.wild()
	for _, b := range list {
		b.counter = counter{plain: true}
	}
}

// body executes the blocks of a loop once.
func (x *executor) body(r *region, l *llvm.Loop) {
	x.block(r, l.Header)
	rest := *r
	rest.blocks = l.Blocks[1:]
	x.region(&rest)
	r.backs, r.outs = rest.backs, rest.outs
}

// bind gives the memory and phis that a loop changes their value in an arbitrary iteration.
func (x *executor) bind(l *llvm.Loop, list []*binding) {
	x.about(l).bound = list
	for _, b := range list {
		b.bound = true
		if x.st.Lost(b.stored(b.first)); b.ordered {
			continue
		}
		if b.o != nil {
			x.st.Put(b.o, b.at, b.size, b.stored(b.leaf))
		} else {
			x.frame.regs[phis(l.Header)[b.phi].Name] = b.stored(b.leaf)
		}
	}
	x.counting(l, list)
}

// changed adds bindings for what an iteration has changed although it was assumed constant; again is true if there are
// new ones. Objects made by the iteration, which follow the first made ones, are not part of the state in which another
// iteration starts.
func (x *executor) changed(
	l *llvm.Loop, list *[]*binding, g *orders, before map[*memory.Object]facts.Contents, entry, start *memory.State,
	backs []edge, made int,
) (again bool) {
	for _, e := range backs {
		x.steps += len(start.Mem) / 4
		for _, o := range memory.Ordered(start.Mem) {
			for _, c := range start.Mem[o] {
				v, ok := e.st.Get(o, c.At, c.Size)
				if ok && v.Equal(c.Value) || bound(*list, o, c) != nil {
					continue
				}
				b := &binding{o: o, at: c.At, size: c.Size, first: c.Value}
				if c.Value.Known() && c.Value.Cond == nil {
					x.at = setter(l, o)
					b.leaf = x.leaf(x.hint(o, c.At), 8*c.Size, !o.Keep || c.Size >= 8 && c.Value.Signed && !natural(c.Value.Num))
				}
				if isPointer(b.first) {
					g.add(b)
				}
				*list = append(*list, b)
				again = true
			}
		}
		for o, n := range start.Init {
			_, known := before[o]
			if m, ok := e.st.Init[o]; !known && (!ok || !m.Equal(n)) {
				before[o] = n
				delete(entry.Init, o)
				again = true
			}
		}
		again = x.reachedLater(entry, start, e, *list, made) || again
	}
	return again
}

// setter returns the last instruction of a loop that stores to a variable by its name, or else its first one.
func setter(l *llvm.Loop, o *memory.Object) *llvm.Instr {
	at := l.Header.Instrs[0]
	for _, b := range l.Blocks {
		for _, in := range b.Instrs {
			if in.Op == "store" && len(in.Args) > 1 && in.Args[1].Name == o.Name {
				at = in
			}
		}
	}
	return at
}

// natural reports whether a number is not negative.
func natural(n *expr.Int) bool {
	lo, _ := n.Range()
	return lo != nil && lo.Sign() >= 0
}

// reachedLater records in the state before a loop which objects an iteration makes known elsewhere: by their addresses
// in what the loop changes, too, and to what writes later. It reports whether there are new ones.
func (x *executor) reachedLater(entry, start *memory.State, e edge, list []*binding, made int) (again bool) {
	after := e.st.Clone()
	for _, b := range list {
		if b.o != nil {
			v, _ := after.Get(b.o, b.at, b.size)
			after.Lost(v)
		} else if b.phi < len(e.vals) {
			after.Lost(e.vals[b.phi])
		}
	}
	for o := range after.Escaped {
		if !start.Escaped[o] && (o.Kind == memory.Static || o.ID <= made) {
			entry.Escaped[o] = true
			again = true
		}
	}
	for o, w := range after.Pending {
		if old, ok := start.Pending[o]; (!ok || old.Ends && (!w.Ends || !old.Stream.Equal(w.Stream))) &&
			(o.Kind == memory.Static || o.ID <= made) {
			entry.WrittenLater(o, memory.Write{})
			again = true
		}
	}
	return again
}

// bound returns the binding of a piece of memory.
func bound(list []*binding, o *memory.Object, c memory.Cell) *binding {
	for _, b := range list {
		if b.o == o && b.at < c.At+c.Size && c.At < b.at+b.size {
			return b
		}
	}
	return nil
}
