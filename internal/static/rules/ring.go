// Rings of mbarriers: which operations of a kernel are on which mbarriers, and for which phase each is by the number of
// the iteration.

package rules

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/kernel"
	"github.com/ptxsan/ptxsan/internal/static/symbolic"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// ring is mbarriers in shared memory that threads use in turn; often it is only one. Position q is phase q/n of the
// mbarrier words[q%n], where n is their number. Barriers of a block for some of its threads are in rings, too: their
// numbers are the words, and threads arrive by warps.
type ring struct {
	*synchronisation
	inits    []*kernel.Item // none for barriers of a block
	warps    bool           // arrivals are those of warps, as is count
	count    *expr.Int      // of arrivals for a phase, the same for all threads
	words    []int64        // offsets in the object
	arrivals []*step
	expects  []*step
	signals  []*step // of bulk copies
	waits    []*step
	failed   bool // there may be other phases
}

// step is an operation on an mbarrier. A thread makes it in iteration k of a loop for position slope*k + first.
type step struct {
	*kernel.Item
	body         // in which it is executed once
	turn []int64 // offsets of the mbarriers, by the iteration modulo their number
	ring *ring

	slope, first int64
	least        int64 // the first iteration in which it is made
	rounds       int64 // the number of iterations, 0 if not known
	bytes        int64 // that it expects, or copies

	parities []int64    // of a wait, by the iteration modulo their number
	state    *step      // the arrival for whose phase a wait waits, if it is given a state
	passed   passage    // of a wait that has found the phase complete
	choices  [][2]int64 // slopes and first positions that are left for a wait

	necessary int8 // of an arrival: 1 if no phase completes without it, -1 if not so, 0 if not known
}

// maxTurn limits the iterations after which the mbarriers and parities of an operation repeat.
const maxTurn = 34

// findRings returns the rings of the kernel whose phases are known, with positions for all operations but waits.
func (y *synchronisation) findRings() (out []*ring) {
	if len(y.Kernel.Unknown) > 0 || y.Traits.Hidden != nil || y.Traits.Peers != nil || len(y.Kernel.Frames) > 1 {
		return nil
	}
	steps := make(map[string][]*step) // by object
	for _, it := range y.Items {
		if it.Access.Inst.Mbarrier() == isa.MbarrierInit {
			steps[it.Object.Base] = nil
		}
	}
	for _, it := range y.Items {
		if _, ok := steps[it.Object.Base]; ok && operates(it) && it.Access.Inst.Mbarrier() != isa.MbarrierInit {
			steps[it.Object.Base] = append(steps[it.Object.Base], y.step(it))
		}
	}
	done := make(map[string]bool)
	for _, it := range y.Items {
		if base := it.Object.Base; it.Access.Inst.Mbarrier() == isa.MbarrierInit && !done[base] {
			done[base] = true
			out = append(out, y.ringsOf(base, steps[base])...)
		}
	}
	out = append(out, y.namedRings()...)
	return slices.DeleteFunc(out, func(r *ring) bool { return !r.positioned() || !r.bounded() || !r.balanced() })
}

// operates reports whether an access is one by an operation on an mbarrier, or the signal of a copy.
func operates(it *kernel.Item) bool {
	return it.Access.Inst.Mbarrier() != isa.MbarrierNone || it.Access.Inst.SignalsAt(it.Access.Access)
}

// step returns an operation, without a turn if its mbarriers are not known.
func (y *synchronisation) step(it *kernel.Item) *step {
	s := &step{Item: it, body: body{synchronisation: y}}
	in := it.Access.Inst
	wait := in.Mbarrier().Waits()
	if wait {
		s.passed = y.passing(it)
	}
	loops := it.Access.Frame.LoopsAround(it.Access.Frame.Block(in))
	if wait && len(loops) > 0 && y.polls(loops[0], s.passed) {
		loops = loops[1:]
	}
	if len(loops) > 1 || it.Chosen {
		return s
	}
	if len(loops) == 1 {
		s.loop = loops[0]
	}
	if s.loop != nil {
		s.rounds, s.least = s.mostRounds(), s.leastRound()
	}
	s.turn = s.turnOf(it.Offset)
	return s
}

// passing returns the passage of edges that only threads take which have found a phase complete by a wait.
func (y *synchronisation) passing(it *kernel.Item) passage {
	return passage{
		inst: func(*rewrite.Inst) bool { return false },
		edge: func(from, to *rewrite.Block) bool {
			return len(from.Succs) > 1 && passed(y.Model, y.Kernel.Root.Taken(from, to), it)
		},
	}
}

// polls reports whether a loop does nothing but wait: a thread that has found the phase complete leaves it.
func (y *synchronisation) polls(l *symbolic.Loop, by passage) bool {
	for _, b := range l.Loop.Blocks {
		for _, s := range b.Succs {
			if !l.Frame.InLoop(s, l.Loop) && by.edge(b, s) {
				return true
			}
		}
	}
	return false
}

// turnOf returns the values of a number by iterations, up to where they repeat, or for all iterations if these are few;
// nil if they are not known.
func (s *step) turnOf(x *expr.Int) []int64 {
	if s.loop == nil || len(x.Vars()) == 0 {
		if d, ok := x.Int64(); ok {
			return []int64{d}
		}
		return nil
	}
	at := func(k *expr.Int) *expr.Int {
		name := s.loop.Round.Variable().Name
		return x.Subst(expr.Substitution{Int: func(v expr.Variable) *expr.Int {
			if v.Name == name {
				return k
			}
			return nil
		}})
	}
	from, to := s.least, s.least+2*maxTurn
	if s.rounds > 0 {
		from, to = 0, s.rounds
	}
	var values []int64
	for k := from; k < to; k++ {
		d, ok := at(expr.Const(k)).Int64()
		if !ok {
			return nil
		}
		values = append(values, d)
	}
	if s.rounds > 0 {
		return values
	}
	for n := 1; n <= maxTurn; n++ {
		if repeats(values, n) {
			turn := make([]int64, n)
			for k, d := range values[:n] {
				turn[(s.least+int64(k))%int64(n)] = d
			}
			return s.always(x, at, turn)
		}
	}
	return nil
}

// always returns values if a number is one of them in each iteration, in turn, or nil.
func (s *step) always(x *expr.Int, at func(k *expr.Int) *expr.Int, values []int64) []int64 {
	n := int64(len(values))
	last := int64(maxRounds)
	if s.prove(s.making(s.Item), expr.Ge(s.round(1), expr.Const(fewRounds))) {
		last = fewRounds
	}
	for k, d := range values {
		turns := expr.Var("turns", 0, last/n)
		if v, ok := at(expr.Add(expr.Mul(expr.Const(n), turns), expr.Const(int64(k)))).Int64(); ok && v == d {
			continue
		}
		when := expr.Eq(expr.Rem(s.round(1), expr.Const(n)), expr.Const(int64(k)))
		if !s.prove(s.making(s.Item), when, expr.Ne(x.Instance(1), expr.Const(d))) {
			return nil
		}
	}
	return values
}

// Limits of the iterations of loops: those of all loops, and those of loops whose counter fits a register.
const (
	maxRounds = 1 << 48
	fewRounds = 1 << 31
)

// repeats reports whether values repeat after a number of them.
func repeats(values []int64, n int) bool {
	for k := n; k < len(values); k++ {
		if values[k] != values[k-n] {
			return false
		}
	}
	return true
}

// word returns the offset of the mbarrier of an iteration.
func (s *step) word(k int64) int64 { return s.turn[k%int64(len(s.turn))] }

// ringsOf returns the rings in an object in shared memory: mbarriers that one instruction uses are in one ring. There
// are none if something may change an mbarrier there in another way.
func (y *synchronisation) ringsOf(base string, steps []*step) []*ring {
	of := make(map[int64]*ring)
	var all []*ring
	for _, it := range y.Items {
		if it.Object.Base != base || it.Access.Inst.Mbarrier() != isa.MbarrierInit {
			continue
		}
		at, ok := it.Offset.Int64()
		if !ok || of[at] != nil || !y.initialises(it) {
			return nil
		}
		of[at] = &ring{synchronisation: y, inits: []*kernel.Item{it}, count: y.countOf(it), words: []int64{at}}
		all = append(all, of[at])
	}
	for _, s := range steps {
		if s.turn == nil && !s.Access.Inst.Mbarrier().Waits() {
			return nil
		}
		if all = s.join(of, all); all == nil {
			return nil
		}
	}
	for _, r := range all {
		for _, it := range y.Items {
			r.failed = r.failed || r.touches(it)
		}
	}
	for _, s := range steps {
		if s.turn != nil {
			of[s.turn[0]].take(s)
		}
	}
	return slices.DeleteFunc(all, func(r *ring) bool { return r.failed || len(r.arrivals) == 0 })
}

// join makes one ring of those of the mbarriers of an operation; nil if it is on one that has none.
func (s *step) join(of map[int64]*ring, all []*ring) []*ring {
	for _, at := range s.turn {
		switch r, first := of[at], of[s.turn[0]]; {
		case r == nil: // it is valid nowhere
			return nil
		case r != first:
			first.inits, first.failed = append(first.inits, r.inits...), first.failed || !r.count.Equal(first.count)
			first.words = append(first.words, r.words...)
			for at, x := range of {
				if x == r {
					of[at] = first
				}
			}
			all = slices.DeleteFunc(all, func(x *ring) bool { return x == r })
		}
	}
	return all
}

// initialises reports whether one thread of a block executes an initialisation, once, of an mbarrier in shared memory.
func (y *synchronisation) initialises(it *kernel.Item) bool {
	return it.Object.Var != nil && it.Object.Space == isa.SpaceShared && it.Access.Inst.Guard == nil && !it.Chosen &&
		!y.Again(it.Access.Inst) && y.single(it)
}

// countOf returns the number of arrivals for which an mbarrier is initialised.
func (y *synchronisation) countOf(it *kernel.Item) *expr.Int {
	x := expr.Wrap(it.Access.Frame.Operand(it.Access.Inst, 1), 32, false)
	y.uses(y.DefinitionsIn(x)...)
	return x.Subst(y.Filling)
}

// single reports whether at most one thread of a block makes an access.
func (y *synchronisation) single(it *kernel.Item) bool {
	return y.prove(append(it.Formulas(1), it.Formulas(2)...), kernel.Different(kernel.AnyThread))
}

// touches reports whether an access other than by operations on mbarriers may be to a mbarrier of the ring, or an
// operation to one that is not known.
func (r *ring) touches(it *kernel.Item) bool {
	for _, init := range r.inits {
		rel, _, _ := r.relate(init, it)
		switch {
		case it.Object.Space != isa.SpaceGlobal && kernel.Async(it) && it.Access.Size == 0: // its end is unknown
			return true
		case rel == kernel.Apart || rel == kernel.Related && it.Object.Base == init.Object.Base && operates(it):
		case rel != kernel.Related || it.Object.Base != init.Object.Base || it.Access.Size == 0:
			return true
		default:
			d := expr.Sub(it.Offset, init.Offset)
			if !r.prove(it.Formulas(1), expr.Gt(d, expr.Const(-int64(it.Access.Size))).Instance(1),
				expr.Lt(d, expr.Const(int64(init.Access.Size))).Instance(1)) {
				return true
			}
		}
	}
	return false
}

// take adds an operation to the ring. One that is not understood, other than a wait, fails the ring.
func (r *ring) take(s *step) {
	s.ring = r
	in := s.Access.Inst
	made := !slices.ContainsFunc(r.inits, func(init *kernel.Item) bool { return !r.made(init, s.Item) })
	switch m := in.Mbarrier(); {
	case m.Waits():
		if made && in.Guard == nil && in.Sem.Acquires() && r.waitsFor(s) {
			r.waits = append(r.waits, s)
		}
	case !made || in.Guard != nil:
		r.failed = true
	case m == isa.MbarrierArrive && !in.Has("noComplete") && in.Sem.Releases() && r.arrives(s):
		r.arrivals = append(r.arrivals, s)
	case m == isa.MbarrierExpect && r.single(s.Item):
		n, ok := operand(s.Item, 1)
		r.expects, s.bytes, r.failed = append(r.expects, s), n, r.failed || !ok
	case s.Access.Bulk && s.Access.AtomOp == "complete_tx" && r.single(s.Item):
		n, ok := operand(s.Item, in.CopySize())
		r.signals, s.bytes, r.failed = append(r.signals, s), n, r.failed || !ok
	default:
		r.failed = true
	}
}

// made reports whether an mbarrier is initialised before an access: this is after a barrier of the block, or in the
// thread that initialises it.
func (r *ring) made(init, it *kernel.Item) bool {
	a := r.synchronisation
	if a.Leads(it.Access.Inst, init.Access.Inst) {
		return false
	}
	return a.Ordered(init, it, kernel.IntraBlock) == expr.False ||
		a.prove(append(init.Formulas(1), it.Formulas(2)...), kernel.Different(kernel.AnyThread))
}

// operand returns the value of an operand of an access's instruction if it is constant.
func operand(it *kernel.Item, n int) (int64, bool) {
	if n < 0 || n >= len(it.Access.Inst.Operands) {
		return 0, false
	}
	return expr.Wrap(it.Access.Frame.Operand(it.Access.Inst, n), 32, false).Int64()
}

// arrives reports whether an arrival is understood: it counts once, and expects a constant number of bytes of one
// thread.
func (r *ring) arrives(s *step) bool {
	in := s.Access.Inst
	last := len(in.Operands) - 1
	if in.Has("expect_tx") {
		n, ok := operand(s.Item, last)
		s.bytes = n
		return ok && r.single(s.Item)
	}
	addr := s.Access.Access.Addr
	if last == addr {
		return true
	}
	n, ok := operand(s.Item, last)
	return ok && n == 1 && last == addr+1
}

// waitsFor reports whether it is known for which phases a wait may be: by the parity, or the state of an arrival.
func (r *ring) waitsFor(s *step) bool {
	in, n := s.Access.Inst, s.Access.Access.Addr+1
	if n >= len(in.Operands) {
		return false
	}
	x := s.Access.Frame.Operand(in, n)
	if in.Has("parity") {
		x = r.Kernel.Turned(expr.Wrap(x, 32, false))
		r.uses(r.DefinitionsIn(x)...)
		s.parities = s.turnOf(x.Subst(r.Filling))
		return s.parities != nil && !slices.ContainsFunc(s.parities, func(p int64) bool { return p != 0 && p != 1 })
	}
	v := x.Variable()
	if v == nil {
		return false
	}
	o := r.Kernel.Origin(v.Name)
	for _, it := range r.Items {
		in := it.Access.Inst
		if o != nil && in == o.Inst && it.Access.Frame == o.Frame && in.Mbarrier() == isa.MbarrierArrive {
			s.state = &step{Item: it}
			return true
		}
	}
	return false
}
