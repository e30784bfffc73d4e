// Strong accesses so far, by location and instruction, and the pairs among them that nothing orders.

package enforced

import (
	"math"

	"github.com/ptxsan/ptxsan/internal/detect/precise/order"
	"github.com/ptxsan/ptxsan/internal/vclock"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// Access is a strong access to a scalar, by a thread or by an asynchronous operation of a thread.
type Access struct {
	order.Thread
	Issuer order.Thread // the thread: its accesses so far are ordered before this one
	At     order.Stamp
	Clock  *order.Clock // what else is ordered before it
	Site   uint32
	Reads  bool
	Writes bool   // it may write: a compare-and-swap does in some schedule
	Wrote  bool   // it has written
	Valued bool   // Old and New are known
	Old    uint64 // what was in memory before
	New    uint64 // what a write has left there
	Number int    // of a write among those of the location, from 1
	Copied bool   // it is by an asynchronous operation

	observed *vclock.Clock // accesses to the location that precede what the reads have observed which ended waits
	upTo     *vclock.Clock // of a write: it, those before it in its epoch, and what is ordered before them
}

// follows reports whether an access is ordered after one that a thread has made at a time, and that came first.
func (a *Access) follows(t order.Thread, at order.Stamp) bool {
	return a.knows(t, at) || a.observed.Includes(t.Unit, int(t.Lane), at)
}

// knows reports whether an access is ordered after one that a thread has made at a time, and all that precedes that.
func (a *Access) knows(t order.Thread, at order.Stamp) bool {
	return t == a.Thread && !a.Copied || t == a.Issuer || a.Clock.Includes(t.Unit, int(t.Lane), at)
}

// before returns the clock of all that is ordered before an access, and of what its threads have done up to a time.
func (a *Access) before(at order.Stamp) *vclock.Clock {
	c := vclock.Threads(a.Issuer.Unit, 1<<a.Issuer.Lane, at)
	c = vclock.Join(a.observed, c)
	if a.Clock == nil {
		return c
	}
	return vclock.Join(a.Clock.Tree(), c)
}

// Place is where a scalar is: in global memory, or in the shared memory of a cluster.
type Place struct {
	Shared  bool
	Cluster uint64
	Addr    uint64
}

// MaxScalar is the size of the largest scalar. Locations are found by granules of that size.
const MaxScalar = 16

// Launch holds the strong accesses of a launch.
type Launch struct {
	operations map[uint32]Operation
	polls      *Polls // nil if the program has no waits
	memory     map[Place][]*location
	seen       map[pair]bool   // pairs without order that have been recorded
	dependent  map[uint32]bool // sites of accesses whose values, or what they leave in memory, depend on the order
	changes    []detect.Dependence
	decides    map[pair]bool // sites of changes
	epochs     []*epoch
	writes     int // in epochs
	// Decisive has the sites whose values may steer. If one depends on the order, no claim can be made.
	Decisive map[uint32]bool
	refused  bool
	// First has, after Finish, the sites of reads that have ended waits and may come before all strong writes to what
	// they read.
	First map[uint32]bool
}

// pair is two accesses to overlapping locations of which the first was made first.
type pair struct {
	first, second uint32 // sites
	how           access
	exact         bool // they overlap completely
}

// access is what two accesses of a pair do.
type access struct{ firstReads, firstWrites, secondReads, secondWrites bool }

// New returns the accesses of a launch that begins. An instruction that is not in operations may do anything. Polls has
// what threads will find when they poll, nil for a program without waits.
func New(operations map[uint32]Operation, polls *Polls) *Launch {
	if polls != nil {
		polls.reset()
	}
	return &Launch{
		operations: operations, polls: polls, memory: make(map[Place][]*location), seen: make(map[pair]bool),
		dependent: make(map[uint32]bool), decides: make(map[pair]bool), First: make(map[uint32]bool),
	}
}

// location is a scalar that is accessed strongly.
type location struct {
	addr    uint64
	size    uint32
	entries []entry
	latest  *epoch // nil before the first access
	ended   []observation
	foreign bool // something other than the writes of epochs may have changed it
}

// observation is a read that has ended a wait, and what precedes it at its location. Coherence orders what the thread
// does there from then on after that, and so do other threads that are ordered after the read.
type observation struct {
	order.Thread
	at       order.Stamp
	observed *vclock.Clock
}

// observe finds out what precedes an access to a location by coherence.
func (loc *location) observe(a *Access) {
	for i := range loc.ended {
		if x := &loc.ended[i]; a.follows(x.Thread, x.at) {
			a.observed = vclock.Join(a.observed, x.observed)
		}
	}
}

// entry is the accesses of a site to a location that read or write.
type entry struct {
	site          uint32
	reads, writes bool
	by            order.Thread  // that has made them, as long as it is one thread
	at            order.Stamp   // of the latest one
	all           *vclock.Clock // times of all, once several threads have made them
}

// Refused reports whether it is known already that the verdict does not hold for every schedule, or that it will not be
// found out.
func (l *Launch) Refused() bool { return l.refused || len(l.changes) > 0 || l.writes > maxWrites }

// Stop says that no further accesses will be recorded.
func (l *Launch) Stop() {
	if l.polls != nil {
		l.polls.stop()
	}
}

// Add records an access, and compares it with those before it that conflict with it.
func (l *Launch) Add(p Place, size uint32, a *Access) {
	loc, others := l.at(p, size)
	loc.observe(a)
	for _, x := range others {
		l.compare(x, a, false)
	}
	l.compare(loc, a, true)
	loc.enter(a)
	switch {
	case !a.Writes:
	case a.Copied || !l.Awaited(a.Site):
		loc.foreign = true
	case a.Wrote:
		l.write(loc, a)
	}
}

// StepOf returns what lanes of a warp have found before a strong access, nil if it is not known.
func (l *Launch) StepOf(block uint64, warp, site, mask uint32) *Step {
	if l.polls == nil {
		return nil
	}
	return l.polls.take(block, warp, site, mask)
}

// Keeps reports whether an instruction writes what it has read.
func (l *Launch) Keeps(site uint32) bool { return l.operations[site].Keeps }

// Awaited reports whether a wait may read what an instruction writes, unless there have been too many such writes.
func (l *Launch) Awaited(site uint32) bool {
	return l.polls != nil && l.writes <= maxWrites && l.operations[site].Awaited
}

// at returns the location of a scalar, which it makes if it is missing, and those that overlap it otherwise.
func (l *Launch) at(p Place, size uint32) (loc *location, others []*location) {
	addr := p.Addr
	p.Addr &^= MaxScalar - 1
	for _, x := range l.memory[p] {
		switch {
		case x.addr == addr && x.size == size:
			loc = x
		case x.addr-addr < uint64(size) || addr-x.addr < uint64(x.size):
			others = append(others, x)
		}
	}
	if loc == nil {
		loc = &location{addr: addr, size: size}
		l.memory[p] = append(l.memory[p], loc)
	}
	return loc, others
}

// enter records an access in the entry of its site.
func (loc *location) enter(a *Access) {
	for i := range loc.entries {
		e := &loc.entries[i]
		if e.site != a.Site || e.reads != a.Reads || e.writes != a.Writes {
			continue
		}
		if e.by != a.Thread || e.all != nil {
			if e.all == nil {
				e.all = vclock.Threads(e.by.Unit, 1<<e.by.Lane, e.at)
			}
			e.all = vclock.Join(e.all, vclock.Threads(a.Unit, 1<<a.Lane, a.At))
		}
		e.at = a.At
		return
	}
	loc.entries = append(loc.entries, entry{site: a.Site, reads: a.Reads, writes: a.Writes, by: a.Thread, at: a.At})
}

// compare compares an access with those to a location before it, which overlaps it completely if exact is set.
func (l *Launch) compare(loc *location, a *Access, exact bool) {
	var before *vclock.Clock
	for i := range loc.entries {
		e := &loc.entries[i]
		p := pair{e.site, a.Site, access{e.reads, e.writes, a.Reads, a.Writes}, exact}
		if !e.writes && !a.Writes || l.seen[p] || l.harmless(&p) {
			continue
		}
		if e.all == nil && a.follows(e.by, e.at) {
			continue
		}
		if before == nil && e.all != nil {
			before = a.before(math.MaxUint32)
		}
		if e.all == nil || !before.Covers(e.all) {
			l.seen[p] = true
			l.unordered(&p)
		}
	}
}

// harmless reports whether the order of two accesses decides nothing.
func (l *Launch) harmless(p *pair) bool {
	x, y := l.operations[p.first], l.operations[p.second]
	return p.exact && p.how.firstWrites && p.how.secondWrites && x.commutes(&y) && (x.Unused || !p.how.firstReads) &&
		(y.Unused || !p.how.secondReads)
}

// unordered records what the order of two accesses decides, which nothing enforces.
func (l *Launch) unordered(p *pair) {
	x, y := l.operations[p.first], l.operations[p.second]
	if p.how.firstReads && p.how.secondWrites && !x.Unused {
		l.depends(p.first)
	}
	if p.how.secondReads && p.how.firstWrites && !y.Unused {
		l.depends(p.second)
	}
	if !p.how.firstWrites || !p.how.secondWrites || p.exact && x.commutes(&y) {
		return
	}
	l.depends(p.first)
	l.depends(p.second)
	order := pair{first: p.first, second: p.second}
	if p.exact && x.rounds(&y) || l.decides[order] || l.decides[pair{first: p.second, second: p.first}] {
		return
	}
	l.decides[order] = true
	l.changes = append(l.changes, detect.Dependence{
		On: detect.OnOrder, Seed: p.first, Sink: p.second,
		What: "the order of {seed} and {sink} decides what is in memory",
	})
}

// depends records that the values of a site depend on the order.
func (l *Launch) depends(site uint32) {
	l.dependent[site] = true
	l.refused = l.refused || l.Decisive[site]
}
