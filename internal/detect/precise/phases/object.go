// Mbarriers: their phases, and the effects on them.

package phases

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/internal/vclock"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// address is one in the shared memory of a cluster.
type address struct{ cluster, addr uint64 }

// object is a valid mbarrier.
type object struct {
	home   uint32 // the block that initialised it
	token  thread
	count  int64 // arrivals that the phase in progress expects
	number int   // of the phase in progress, from 0
	// before is the latest complete phase, older the one before it; with number they may not exist.
	before, older phase
	now           progress
	waits         steps // of threads that have waited for the latest complete phase, or for the one before the first
	site          uint32
}

// progress is the phase in progress.
type progress struct {
	phase
	arrived, dropped    int64
	expected, completed int64  // bytes
	loose               steps  // effects that an arrival has to follow
	arrivals            *clock // of arrivals since there are loose effects
	all                 *clock // of effects, as long as they do not follow all waits for the phase before
	seen                int    // number of these waits, the first ones, that effects follow
}

// maxBytes is the greatest tx-count of an mbarrier (PTX ISA, "Contents of the mbarrier object").
const maxBytes = 1<<20 - 1

// effect is an effect of some lanes of a warp, with a common clock, on an mbarrier.
type effect struct {
	warp  *causality.Warp
	lanes uint32
	clock *clock // when it began
	at    stamp  // earlier steps of the thread precede it
	site  uint32

	arrivals, dropped   int64
	expected, completed int64
	later               bool // it takes place some time after its beginning
	silent              bool // who waits for the phase does not acquire what the lanes have done
	loose               bool // the phase must not be complete before it has taken place
}

// Texts of reasons.
const (
	displacesArrival = "{seed} may take effect before {sink} of the phase before has, and take its place: it is not " +
		"ordered after the end of that phase"
	comesLate = "the phase may be complete before {seed} has taken effect: no arrival of the phase is ordered after it"
	earlyWait = "{seed} may return at once, since the phase before the one that it waits for may still be in progress: " +
		"it is not ordered after the end of that phase"
	lateWait = "the phase after the one that {seed} waits for may be complete before {seed} has seen its own: no " +
		"arrival there is ordered after {seed}"
	earlyBytes  = "bytes may arrive for {seed} before they are expected, and the phase may be complete without them"
	otherPhase  = "{seed} may arrive in this phase or in the next one"
	lateArrival = "{seed} may arrive after {sink} has ended the mbarrier"
)

// init handles mbarrier.init.
func (s *State) init(ev *abi.Event) {
	w := s.ops.UnsplitWarp(ev)
	for m := ev.Mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m)
		if ev.Form&abi.FormReports != 0 {
			s.leaves("an mbarrier of layout::v1")
		}
		k := address{w.At.ClusterKey(), ev.Addr[i]}
		if s.objects[k] == nil {
			s.homes[w.Block()] = append(s.homes[w.Block()], k)
		}
		s.objects[k] = &object{
			home: w.Block(), token: s.token(w), count: int64(ev.Pending[i]), site: ev.Site,
		}
	}
}

// invalidate handles mbarrier.inval. Package operations checks that it follows the operations that complete bytes.
func (s *State) invalidate(ev *abi.Event) {
	w := s.ops.UnsplitWarp(ev)
	for m := ev.Mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m)
		k := address{w.At.ClusterKey(), ev.Addr[i]}
		o := s.objects[k]
		if o == nil {
			continue
		}
		s.ends(o)
		if o.now.partial {
			s.fails(o.now.site, ev.Site, lateArrival)
		}
		if o.number > 0 {
			if sink, ok := o.before.knows(o.token, w.Of(i), w.Unit, 1<<i, s.ops.Now); !ok && o.before.partial {
				s.fails(sink, ev.Site, lateArrival)
			}
		}
		delete(s.objects, k)
	}
}

// affect handles arrivals and bytes.
func (s *State) affect(ev *abi.Event) {
	w := s.ops.UnsplitWarp(ev)
	w.Touched |= ev.Mask // what lanes without accesses release stands for others
	for rest := ev.Mask; rest != 0; {
		lanes := alike(ev, w, rest)
		rest &^= lanes
		i := bits.TrailingZeros32(lanes)
		if o := s.objects[address{w.At.ClusterKey(), ev.Addr[i]}]; o != nil {
			e := effect{warp: w, lanes: lanes, clock: w.Of(i), at: s.ops.Now, site: ev.Site}
			e.describe(ev)
			e.silent = e.silent || o.home != w.Block() && isNarrow(ev)
			s.reach(o, ev.Phases>>i&1)
			s.takes(o, &e)
		}
	}
}

// isNarrow reports whether an operation on an mbarrier is only observed by threads of the block.
func isNarrow(ev *abi.Event) bool { return ev.Scope == abi.ScopeNone || ev.Scope == abi.ScopeCTA }

// alike returns the first lane of a mask and the lanes after it with the same clock that act on the same mbarrier in
// the same phase.
func alike(ev *abi.Event, w *causality.Warp, mask uint32) (lanes uint32) {
	first := bits.TrailingZeros32(mask)
	for m := same(w, mask); m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m)
		switch {
		case ev.Addr[i] != ev.Addr[first] || w.Apart>>i&1 != 0 && i != first:
		case (ev.Phases>>i^ev.Phases>>first)&1 != 0:
			return lanes
		default:
			lanes |= 1 << i
		}
	}
	return lanes
}

// describe fills in what an operation of the lanes adds to an mbarrier.
func (e *effect) describe(ev *abi.Event) {
	sum := int64(0)
	for m := e.lanes; m != 0; m &= m - 1 {
		sum += int64(ev.Pending[bits.TrailingZeros32(m)])
	}
	lanes := int64(bits.OnesCount32(e.lanes))
	e.silent = ev.Kind != abi.EventMbarrierArrive || ev.Sem == abi.SemRelaxed
	switch ev.Kind {
	case abi.EventMbarrierExpect:
		e.expected, e.loose = sum, true
	case abi.EventMbarrierComplete:
		e.completed = sum
	case abi.EventMbarrierCopyArrive:
		e.later = true
		if ev.Form&abi.FormUncounted != 0 {
			e.arrivals = lanes
		} else {
			e.loose = true // it is expected in addition
		}
	default:
		e.arrivals = sum
		if ev.Form&abi.FormExpects != 0 {
			e.arrivals, e.expected = lanes, sum
		}
		if ev.Form&abi.FormDrops != 0 {
			e.dropped = e.arrivals
		}
		e.loose = ev.Form&abi.FormIncomplete != 0
	}
}

// takes handles an effect in the phase in progress.
func (s *State) takes(o *object, e *effect) {
	p := &o.now
	if o.number > 0 {
		if sink, ok := o.before.knows(o.token, e.clock, e.warp.Unit, e.lanes, e.at); !ok {
			s.fails(e.site, sink, displacesArrival)
		}
	}
	p.arrived += e.arrivals
	p.dropped += e.dropped
	p.expected += e.expected
	p.completed += e.completed
	switch {
	case e.arrivals == 0 && e.completed == 0 && !e.loose:
		s.leaves("an operation that completes no bytes on an mbarrier")
	case o.count == 0:
		s.leaves("an mbarrier that expects no more arrivals")
	case p.arrived > o.count:
		s.fails(e.site, 0, otherPhase)
	case p.expected > maxBytes || p.completed > maxBytes:
		s.leaves("an mbarrier that expects more than 1,048,575 bytes in a phase")
	}
	p.follows(s, e, &o.waits)
	if p.site = e.site; e.later {
		p.partial = true
	} else {
		p.add(step{e.warp.Unit, e.lanes, e.at, e.site})
	}
	if e.silent {
		p.silent = s.ops.Merges.Merge(p.silent, s.marked(e.warp, e.lanes, e.at))
		if !e.later && e.clock != nil {
			p.silent = s.ops.Merges.Merge(p.silent, s.carried(e.warp, e.clock))
		}
	}
	if e.loose {
		s.notes(&p.loose, e.warp, e.lanes, e.site)
	}
}

// follows records what an effect follows, as far as there are steps that effects have to follow.
func (p *progress) follows(s *State, e *effect, waits *steps) {
	loose := e.arrivals > 0 && len(p.loose.list) > 0
	late := p.seen < len(waits.list)
	if !loose && !late {
		return
	}
	at := e.at
	if e.loose {
		at-- // it does not follow itself
	}
	c := e.clock.With(vclock.Threads(e.warp.Unit, e.lanes, at))
	if loose {
		p.arrivals = s.ops.Merges.Merge(p.arrivals, c)
	}
	if late {
		p.all = s.ops.Merges.Merge(p.all, c)
		p.seen = s.lacking(waits, p.seen, p.all)
	}
}

// notes adds a step of lanes to a list, and returns its index.
func (s *State) notes(to *steps, w *causality.Warp, lanes, site uint32) int {
	w.Touched |= lanes
	s.apart[w.Unit] |= lanes
	return to.add(step{w.Unit, lanes, s.ops.Now, site})
}

// reach makes a phase of a parity the phase in progress.
func (s *State) reach(o *object, parity uint32) {
	if uint32(o.number)&1 == parity {
		return
	}
	p := &o.now
	if p.arrived != o.count || p.expected != p.completed {
		s.leaves("an mbarrier with a phase whose arrivals and bytes are not known")
	}
	s.followed(&p.loose, 0, p.arrivals, comesLate)
	s.followed(&o.waits, p.seen, p.all, lateWait)
	s.ops.Tick()
	p.learned = s.ops.Now
	o.older, o.before = o.before, p.phase
	o.count -= p.dropped
	o.number, o.now, o.waits = o.number+1, progress{}, steps{}
}

// followed checks that effects of a phase, which follow what a clock includes, follow some steps from one on.
func (s *State) followed(list *steps, from int, c *clock, what string) {
	if i := s.lacking(list, from, c); i < len(list.list) {
		s.fails(list.list[i].site, 0, what)
	}
	if list.full {
		s.leaves("an mbarrier with too many waits for a phase")
	}
}

// ends checks the latest phase when an mbarrier ends. It is complete, or no part of its effects may complete it.
func (s *State) ends(o *object) {
	p := &o.now
	switch {
	case o.count == 0 || p.arrived < o.count:
	case p.expected == p.completed:
		s.reach(o, uint32(o.number)&1^1)
	case p.expected < p.completed:
		s.fails(p.site, 0, earlyBytes)
	default:
		s.followed(&p.loose, 0, p.arrivals, comesLate)
	}
}

// waited handles lanes that have waited for a phase.
func (s *State) waited(ev *abi.Event) {
	w := s.ops.UnsplitWarp(ev)
	if ev.Form&abi.FormConditional != 0 {
		s.leaves("a wait for a conditional phase")
	}
	for rest := ev.Mask; rest != 0; {
		lanes := alike(ev, w, rest)
		rest &^= lanes
		i := bits.TrailingZeros32(lanes)
		o := s.objects[address{w.At.ClusterKey(), ev.Addr[i]}]
		if o == nil {
			continue
		}
		s.reach(o, ev.Phases>>i&1^1)
		if o.number > 1 {
			if sink, ok := o.older.knows(o.token, w.Of(i), w.Unit, lanes, s.ops.Now); !ok {
				s.fails(ev.Site, sink, earlyWait)
			}
		}
		o.now.seen = min(o.now.seen, s.notes(&o.waits, w, lanes, ev.Site))
		switch {
		case o.number == 0:
		case ev.Sem == abi.SemRelaxed:
			w.Learn(&s.ops.Merges, lanes, ev.Live, o.before.known(o.token))
		case !o.before.passed:
			s.ops.AddToPhase(w, ev.Addr[i], ev.Phases>>i&1, o.before.known(o.token))
			o.before.passed = true
		}
	}
}
