// The order that the phases of rings make: which phases are complete when a thread comes to an operation or an access.

package rules

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/kernel"
	"github.com/ptxsan/ptxsan/internal/static/symbolic"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// phases is the rings of a kernel and what their phases order.
type phases struct {
	*synchronisation
	rings  []*ring
	points map[*kernel.Item][]awaited
	known  map[moment]map[completion]bool
	busy   map[moment]bool
	orders map[[2]*kernel.Item]*expr.Bool // results of unordered
	period int64                          // iterations after which all mbarriers repeat
	many   int64                          // iterations that are looked at one by one
}

// completion is that of the phase of a position.
type completion struct {
	ring *ring
	at   int64
}

// moment is an access in an iteration. loops says that only what loops do counts, which is so in later iterations too.
type moment struct {
	it    *kernel.Item
	round int64
	loops bool
}

// awaited is a wait that each thread has passed which makes an access, in all earlier iterations.
type awaited struct {
	wait *step
	last bool // in the same iteration as well
}

// allPhases returns the phases of the kernel's mbarriers.
func (y *synchronisation) allPhases() *phases {
	if y.phases != nil {
		return y.phases
	}
	y.floor = y.Left / 2 // the other half is for the pairs
	defer func() { y.floor = 0 }()
	p := &phases{synchronisation: y, rings: y.findRings(), orders: make(map[[2]*kernel.Item]*expr.Bool)}
	y.phases = p
	for {
		p.known, p.busy, p.period = make(map[moment]map[completion]bool), make(map[moment]bool), 1
		p.points = make(map[*kernel.Item][]awaited)
		for _, r := range p.rings {
			p.period = p.period / gcd(p.period, int64(len(r.words))) * int64(len(r.words))
		}
		if p.period > maxPeriod {
			p.rings = nil
			return p
		}
		p.many = 2*p.period + 2
		for _, r := range p.rings {
			for _, s := range slices.Concat(r.arrivals, r.signals, r.expects, r.waits) {
				p.many = max(p.many, 2*p.period+s.first+2, s.rounds)
			}
		}
		if p.agrees() {
			return p
		}
	}
}

// maxPeriod limits the iterations after which all mbarriers repeat.
const maxPeriod = 256

// hasPhases reports whether the kernel initialises mbarriers, or threads arrive at barriers without waiting.
func (y *synchronisation) hasPhases() bool {
	return y.hasArrivals() || slices.ContainsFunc(y.Items,
		func(it *kernel.Item) bool { return it.Access.Inst.Mbarrier() == isa.MbarrierInit })
}

// gcd returns the greatest common divisor of two positive numbers.
func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// agrees reports whether the positions of all operations hold. If not, it drops a position of a wait or a ring.
func (p *phases) agrees() bool {
	for _, r := range p.rings {
		for _, w := range r.waits {
			w.slope, w.first = w.choices[0][0], w.choices[0][1]
		}
	}
	for _, r := range p.rings {
		for n, w := range r.waits {
			if w.state != nil || p.keepsUp(w) {
				continue
			}
			if w.choices = w.choices[1:]; len(w.choices) == 0 {
				r.waits = slices.Delete(r.waits, n, n+1)
			}
			return false
		}
	}
	n := len(p.rings)
	p.rings = slices.DeleteFunc(p.rings, func(r *ring) bool {
		return slices.ContainsFunc(slices.Concat(r.arrivals, r.signals, r.expects),
			func(s *step) bool { return !p.keepsUp(s) })
	})
	return len(p.rings) == n
}

// keepsUp reports whether the phase before that of an operation is complete whenever a thread makes it.
func (p *phases) keepsUp(s *step) bool {
	n := int64(len(s.ring.words))
	holds := func(k int64, loops bool) bool {
		q := s.position(k) - n
		return q < 0 || p.complete(moment{s.Item, k, loops}, completion{s.ring, q})
	}
	if s.loop == nil || s.slope == 0 {
		return holds(0, false)
	}
	return p.inEach(func(k int64) bool { return !s.makes(k) || holds(k, false) },
		func(k int64) bool { return !s.makes(k) || holds(k, true) })
}

// inEach reports whether something holds in all iterations: in the first ones, and in as many later ones as it takes
// for mbarriers to repeat, by what loops do alone.
func (p *phases) inEach(first, later func(k int64) bool) bool {
	from := p.many
	for k := range from {
		if !first(k) {
			return false
		}
	}
	for k := range p.period {
		if !later(from + k) {
			return false
		}
	}
	return true
}

// complete reports whether the phase of a position is complete at a moment: it is, or a later one of the same mbarrier.
func (p *phases) complete(m moment, c completion) bool {
	n := int64(len(c.ring.words))
	for d := range p.at(m) {
		if d.ring == c.ring && d.at >= c.at && (d.at-c.at)%n == 0 {
			return true
		}
	}
	return false
}

// farRounds limits the iterations of other threads, as a multiple of those that are looked at.
const farRounds = 3

// at returns phases that are complete at a moment.
func (p *phases) at(m moment) map[completion]bool {
	if out, ok := p.known[m]; ok {
		return out
	}
	out := make(map[completion]bool)
	if p.busy[m] || m.round > farRounds*p.many {
		return out // what follows from itself, or from ever later iterations, follows from nothing
	}
	p.busy[m] = true
	for _, a := range p.pointOf(m.it) {
		for _, q := range a.positions(m) {
			p.conclude(m, completion{a.wait.ring, q}, out)
		}
	}
	delete(p.busy, m)
	p.known[m] = out
	return out
}

// positions returns those for which a thread has waited at a moment.
func (a *awaited) positions(m moment) (out []int64) {
	w := a.wait
	if w.loop == nil || w.slope == 0 {
		if q := w.first; q >= 0 && !m.loops && (a.last || m.round > 0) {
			out = append(out, q)
		}
		return out
	}
	to := m.round
	if !a.last {
		to--
	}
	for k := range to + 1 {
		if q := w.position(k); q >= 0 {
			out = append(out, q)
		}
	}
	return out
}

// conclude adds the phase of a position, and those that are complete when it is.
func (p *phases) conclude(m moment, c completion, out map[completion]bool) {
	if out[c] {
		return
	}
	out[c] = true
	for _, s := range c.ring.madeFor(c.at, m.loops) {
		if k := s.iteration(c.at); k >= 0 {
			for d := range p.at(moment{s.Item, k, m.loops}) {
				out[d] = true
			}
		}
	}
}

// makes reports whether threads may make an operation in an iteration.
func (s *step) makes(k int64) bool { return k >= s.least && (s.rounds == 0 || k < s.rounds) }

// iteration returns that in which an operation is for a position; -1 for none.
func (s *step) iteration(q int64) int64 {
	switch {
	case s.slope == 0 && q == s.first:
		return 0
	case s.slope == 0 || (q-s.first)%s.slope != 0 || q < s.first || !s.makes((q-s.first)/s.slope):
		return -1
	}
	return (q - s.first) / s.slope
}

// madeFor returns operations that some thread has made for a position if its phase is complete: the arrivals without
// which there are too few, and the signals of copies.
func (r *ring) madeFor(q int64, loops bool) (out []*step) {
	list := slices.DeleteFunc(slices.Clone(r.arrivals),
		func(a *step) bool { return loops && a.transient() || !a.may(q, loops) })
	for _, a := range list {
		if len(list) == 1 || r.necessary(a) {
			out = append(out, a)
		}
	}
	for _, s := range r.signals {
		if !loops || !s.transient() {
			out = append(out, s)
		}
	}
	return out
}

// transient reports whether an operation is for some positions alone.
func (s *step) transient() bool { return s.slope == 0 || s.rounds > 0 }

// may reports whether an arrival may be for a position, or for one as many iterations later as it takes.
func (s *step) may(q int64, later bool) bool {
	return s.iteration(q) >= 0 || later && !s.transient() && (q-s.first)%s.slope == 0
}

// necessary reports whether a phase does not complete without one of the threads that make an arrival.
func (r *ring) necessary(a *step) bool {
	if a.necessary == 0 {
		a.necessary = -1
		others := slices.DeleteFunc(r.withPosition(a), func(b *step) bool { return b == a })
		if r.fit(others, expr.Sub(r.count, expr.Const(1))) {
			a.necessary = 1
		}
	}
	return a.necessary > 0
}

// pointOf returns the waits that each thread has passed which makes an access.
func (p *phases) pointOf(it *kernel.Item) []awaited {
	if out, ok := p.points[it]; ok {
		return out
	}
	var out []awaited
	for _, r := range p.rings {
		for _, w := range r.waits {
			if a := (awaited{wait: w}); p.passes(&a, it) {
				out = append(out, a)
			}
		}
	}
	p.points[it] = out
	return out
}

// passes finds out in which iterations a thread has passed a wait that makes an access; false for none.
func (p *phases) passes(a *awaited, it *kernel.Item) bool {
	w := a.wait
	by := w.passed
	by.edge = func(from, to *rewrite.Block) bool {
		return slices.ContainsFunc(w.ring.waits, func(v *step) bool { return v.covers(w) && v.passed.edge(from, to) })
	}
	if it.Access.Frame != p.Kernel.Root || w.loop != nil && !around(w.loop, it) {
		return false
	}
	if w.loop == nil {
		a.last = w.before(by, it, 0)
		return a.last
	}
	least := int64(0)
	for w.slope > 0 && w.position(least) < 0 {
		least++
	}
	a.last = w.before(by, it, least)
	return w.earlier(by, it, least)
}

// covers reports whether a thread that has passed a wait has also waited for what another one waits for.
func (v *step) covers(w *step) bool {
	n := int64(len(w.ring.words))
	return v.loop == w.loop && v.slope == w.slope && v.first >= w.first && (v.first-w.first)%n == 0
}

// around reports whether a loop is around an access.
func around(l *symbolic.Loop, it *kernel.Item) bool {
	return slices.Contains(it.Access.Frame.LoopsAround(it.Access.Frame.Block(it.Access.Inst)), l)
}

// covered is an operation on a ring that an access precedes, so many iterations later than the access.
type covered struct {
	*step
	later int64
}

// covers returns the arrivals behind an access of whatever thread, and the signals of a copy. A thread that has arrived
// in the iteration of the access arrives for each later phase that completes ([ring.bounded]), which is behind the
// access.
func (p *phases) covers(it *kernel.Item) (out []covered) {
	for _, r := range p.rings {
		if kernel.Async(it) {
			for _, s := range r.signals {
				if s.Access.Inst == it.Access.Inst {
					out = append(out, covered{s, 0})
				}
			}
			continue
		}
		for _, a := range r.arrivals {
			if a.loop != nil && !around(a.loop, it) || it.Access.Frame != p.Kernel.Root || it.Access.Inst == a.Access.Inst {
				continue
			}
			if by := executing(a.Access.Inst); a.after(by, it) || p.gathered(it, a) {
				out = append(out, covered{a, 0})
			} else if a.loop != nil && a.before(by, it, 0) {
				out = append(out, covered{a, 1})
			}
		}
	}
	return out
}

// gathered reports whether a barrier of all threads, of the block or of the warp, is between an access and an arrival
// of the same iteration, and a thread that has been at it arrives.
func (p *phases) gathered(it *kernel.Item, a *step) bool {
	if a.leads(a.Access.Inst, it.Access.Inst) || !p.Leads(it.Access.Inst, a.Access.Inst) {
		return false
	}
	same := expr.True
	if a.loop != nil {
		same = expr.Eq(a.round(1), a.round(2))
	}
	never := func(kind kernel.Kind) bool {
		return p.prove([]*expr.Bool{p.Ordered(it, a.Item, kind)}, same)
	}
	if never(kernel.IntraBlock) && (len(a.ring.withPosition(a)) == 1 || a.ring.necessary(a)) {
		return true
	}
	return never(kernel.IntraWarp) && p.represented(it, a)
}

// represented reports whether the first lane of a warp arrives in each iteration in which a thread of the warp makes an
// access.
func (p *phases) represented(it *kernel.Item, a *step) bool {
	flat, lanes := symbolic.Flat(), expr.Const(isa.WarpSize)
	first := expr.Eq(flat.Instance(2), expr.Mul(lanes, expr.Div(flat.Instance(1), lanes)))
	given := append(a.making(it), first)
	blk, at := p.Kernel.Root.Block(it.Access.Inst), it.Access.Inst.Index+1
	e := a.follow(blk, at, nil, executing(a.Access.Inst), a.edges(given, 2, a.round(1)))
	return !e.again && !e.leaves
}
