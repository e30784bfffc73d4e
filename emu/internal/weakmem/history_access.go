// Operations on a history: loads, stores, atomic operations, fences and barriers.

package weakmem

// hidden reports whether a store precedes the next operation of an agent in causality order, or a load of it does.
func (a *Agent) hidden(from *origin, read *readers) bool {
	if read.everything() || a.knowsOf(from) {
		return true
	}
	if read == nil {
		return false
	}
	for i := range read.loads {
		l := &read.loads[i]
		if a.preceded(l.agent, l.time, l.block, l.phase) {
			return true
		}
	}
	return false
}

// everything reports whether the store precedes everything.
func (r *readers) everything() bool { return r != nil && r.all }

// knowsOf reports whether a store precedes the next operation of an agent.
func (a *Agent) knowsOf(s *origin) bool {
	return s.all || a.preceded(s.agent, s.time, s.block, s.phase)
}

// preceded reports whether an operation precedes the next one of an agent.
func (a *Agent) preceded(agent int32, time uint32, block uint64, phase uint32) bool {
	return agent == a.id || a.block == block && phase < a.phase || a.knows.knowsAgent(agent, time) ||
		a.knows.knowsBlock(block, phase)
}

// Access is an access of an agent.
type Access struct {
	*Agent
	At                         Range
	Strong, Acquires, Releases bool
	Alone                      bool // only threads of the block can access the location
	Scope                      Scope
	Tag                        int // names the store that the access makes
}

// includes reports whether a scope of a thread includes another thread.
func includes(scope Scope, block, cluster, otherBlock, otherCluster uint64) bool {
	switch scope {
	case CTA:
		return block == otherBlock
	case Cluster:
		return cluster == otherCluster
	}
	return scope != NoScope
}

// morally reports whether an access and a store of the same location are morally strong.
func (x *Access) morally(s *origin, read *readers) bool {
	if read.everything() || s.all || s.agent == x.id {
		return true
	}
	return x.Strong && s.strong && includes(x.Scope, x.block, x.cluster, s.block, s.cluster) &&
		includes(s.scope, s.block, s.cluster, x.block, x.cluster)
}

// Load performs a load. current is the contents of memory; pick chooses one of several stores, the newest last. age is
// the number of stores to the location after the one returned, tag is that of the store returned.
func (h *History) Load(x *Access, current uint64, pick func(n int) int) (value uint64, age, tag int) {
	c, lost := h.follow(x.At, current, false)
	if c == nil {
		h.loadLost(x, lost)
		if lost {
			return current, 0, Lost
		}
		return current, 0, Initial
	}
	if x.knowsOf(c.from) {
		h.observe(x, c.from, nil)
		return current, 0, c.from.tag
	}
	o := h.expand(c)
	if x.hidden(c.from, o.read) {
		return h.returned(x, c, o.n)
	}
	k := o.n - 1
	for ; k > 0; k-- {
		if s := o.at(k); x.hidden(s.from, s.read) {
			break
		}
	}
	return h.returned(x, c, k+pick(o.n+1-k))
}

// returned performs a load that returns store k of a location with more stores.
func (h *History) returned(x *Access, c *cell, k int) (value uint64, age, tag int) {
	o := c.more
	if k == o.n {
		h.record(x, c.from, &o.read)
		h.observe(x, c.from, o.read)
		return c.value, 0, c.from.tag
	}
	s := o.at(k)
	h.record(x, s.from, &s.read)
	h.observe(x, s.from, s.read)
	return s.value, c.age(k), s.from.tag
}

// record adds an access to the readers of a store. By read-read coherence, an agent that the access precedes in
// causality order may no longer return older stores. Where the store itself precedes that agent's operations, no record
// is needed.
func (h *History) record(x *Access, from *origin, read **readers) {
	if (*read).everything() || !x.Strong || x.knowsOf(from) || !x.morally(from, nil) {
		return
	}
	if *read == nil {
		*read = &readers{}
	}
	r := *read
	for i := range r.loads {
		if r.loads[i].agent == x.id { // those that know this access know that one
			return
		}
	}
	if len(r.loads) == maxLoads {
		*read, h.Bounded = first, true
		return
	}
	r.loads = append(r.loads, strongLoad{x.id, x.time, x.block, x.phase})
}

// gains reports whether a strong access may acquire something by reading a store: from it, or what reads of the
// location before it have observed (8.8).
func (x *Access) gains(s *origin) bool {
	return s.passes != nil && s.passes.by != x.id || x.Acquires && !s.all && x.observed.last != nil
}

// observe acquires what a store passes on to an access that has read it.
func (h *History) observe(x *Access, s *origin, read *readers) {
	if x.Strong && x.gains(s) && x.morally(s, read) {
		h.observed(x, s.passes)
	}
}

// observed acquires a message that an access has read.
func (h *History) observed(x *Access, passes *message) {
	if x.observe(passes); x.Acquires {
		h.acquire(x.Agent, x.Scope)
	}
}

// Store performs a store: memory held before, and holds value now.
func (h *History) Store(x *Access, before, value uint64) {
	c, _ := h.follow(x.At, before, true)
	if c == nil {
		h.storeLost(x)
		return
	}
	var passes *message
	if x.Strong {
		passes = c.earlier(x, nil)
	}
	h.put(c, x, value, x.origin(passes))
}

// origin returns the origin of a store by an access; passes is what a read of the store may acquire besides the
// access's own release.
func (x *Access) origin(passes *message) *origin {
	time := x.time
	if x.Releases { // the store is among what it releases
		passes = passes.with(x.release(x.Scope))
	}
	if l := x.latest; l != nil && l.time == time && l.phase == x.phase && l.strong == x.Strong && l.scope == x.Scope &&
		l.tag == x.Tag && l.passes == passes {
		return l
	}
	x.latest = &origin{
		tag: x.Tag, agent: x.id, time: time, block: x.block, cluster: x.cluster, phase: x.phase,
		strong: x.Strong, scope: x.Scope, passes: passes,
	}
	return x.latest
}

// earlier adds to a message what else a read of a strong store may acquire: the earlier releases of the store's agent,
// by fences and by its stores to the same location (release patterns, PTX ISA 8.7).
func (c *cell) earlier(x *Access, passes *message) *message {
	if o := c.more; o != nil {
		if passes = passes.with(o.passes); o.releases {
			for k := range o.n {
				if s := o.at(k).from; s.agent == x.id {
					passes = passes.with(s.passes)
				}
			}
		}
	}
	if c.more == nil && c.was != nil && c.was.agent == x.id {
		passes = passes.with(c.was.passes)
	}
	if c.from.agent == x.id {
		passes = passes.with(c.from.passes)
	}
	return passes.with(x.released)
}

// loadLost observes all that has been passed on by locations that are not followed.
func (h *History) loadLost(x *Access, lost bool) {
	if lost && x.Strong {
		h.observed(x, h.passes)
	}
}

// storeLost passes on what a store to a location that is not followed releases.
func (h *History) storeLost(x *Access) {
	if !x.Strong {
		return
	}
	h.passes = h.passes.with(x.released)
	if x.Releases {
		h.passes = h.passes.with(x.release(x.Scope))
	}
}

// Object orders an operation of an agent after all other calls of Object so far.
func (h *History) Object(a *Agent) {
	observed := a.observed
	a.observed = seen{}
	a.observe(h.passes)
	h.acquire(a, GPU)
	a.observed = observed
	h.passes = h.passes.with(a.release(GPU))
}

// Atomic performs an atomic operation: op returns the value that it writes in place of one that it has read, and
// whether it writes. The operation reads the latest store, or an older one if it is not morally strong with those that
// follow. It returns the value read; age and tag are as those of Load.
func (h *History) Atomic(x *Access, current uint64, pick func(n int) int,
	op func(old uint64) (uint64, bool),
) (old, value uint64, writes bool, age, tag int) {
	c, lost := h.follow(x.At, current, true)
	if c == nil {
		h.loadLost(x, lost)
		if value, writes = op(current); writes {
			h.storeLost(x)
		}
		return current, value, writes, 0, Lost
	}
	old, from, k := c.value, c.from, latest
	var read *readers
	if c.more != nil {
		read = c.more.read
	}
	if !x.morally(from, read) && !x.knowsOf(from) {
		if k = h.before(x, c, pick); k != latest {
			s := c.more.at(k)
			old, from, read = s.value, s.from, s.read
		}
	}
	h.observe(x, from, read)
	if value, writes = op(old); !writes {
		h.unchanged(x, c, from, k)
		return old, value, false, c.age(k), from.tag
	}
	var passes *message
	if x.morally(from, read) {
		passes = from.passes
	}
	age = c.age(k)
	h.put(c, x, value, x.origin(c.earlier(x, passes)))
	return old, value, true, age, from.tag
}

// unchanged records the read of store k by an atomic operation that writes nothing, such as a failed compare-and-swap.
// One that writes needs no record: its own store hides the older ones.
func (h *History) unchanged(x *Access, c *cell, from *origin, k int) {
	if x.knowsOf(from) {
		return
	}
	if o := h.expand(c); k == latest {
		h.record(x, from, &o.read)
	} else {
		h.record(x, from, &o.at(k).read)
	}
}

// latest stands for the number of the latest store to a location.
const latest = -1

// age returns the number of stores after store k.
func (c *cell) age(k int) int {
	if k == latest {
		return 0
	}
	return c.more.n - k
}

// before chooses the store that an atomic operation reads, which is not morally strong with the latest one.
func (h *History) before(x *Access, c *cell, pick func(n int) int) int {
	o := h.expand(c)
	if x.hidden(c.from, o.read) {
		return latest
	}
	k := o.n - 1
	for ; k > 0; k-- {
		if s := o.at(k); x.morally(s.from, s.read) || x.hidden(s.from, s.read) {
			break
		}
	}
	if k += pick(o.n + 1 - k); k == o.n {
		return latest
	}
	return k
}

// Fence performs a fence of an agent.
func (h *History) Fence(a *Agent, scope Scope, acquires, releases, sc bool) {
	if acquires {
		h.acquire(a, scope)
	}
	if sc {
		for _, p := range a.reaches(scope) {
			a.knows = a.knows.join(h.fences[p])
		}
	}
	if releases {
		a.released = a.release(scope).after(a.released)
	}
	if !sc {
		return
	}
	now := a.now()
	for _, p := range a.reaches(scope) {
		h.fences[p] = h.fences[p].join(now)
	}
}

// reaches returns the block, cluster and device that the scope of a fence.sc of the agent includes. Two fence.sc are
// ordered if each one's scope includes the thread of the other (PTX ISA, "Fence-SC order").
func (a *Agent) reaches(scope Scope) []place {
	list := []place{{CTA, a.block}, {Cluster, a.cluster}, {GPU, 0}}
	switch scope {
	case CTA:
		return list[:1]
	case Cluster:
		return list[:2]
	}
	return list
}

// Met holds the operations that precede a barrier in program order, of all agents that have arrived.
type Met struct{ known *clock }

// Leave orders what an agent does next behind a barrier of others than all threads of its block, which is complete.
func (m Met) Leave(a *Agent) { a.knows = a.knows.join(m.known) }

// Meet completes a barrier: the earlier operations of the agents that have arrived precede the next operations of those
// that leave. all says that both are all threads of one block. An agent may be named more than once. Agents that leave
// later use Met.
func (h *History) Meet(arrived, left []*Agent, all bool) Met {
	var sum *clock
	h.meets++
	for _, a := range arrived {
		if a.met == h.meets {
			continue
		}
		a.met = h.meets
		sum = sum.join(a.knows)
		if !all {
			sum = sum.join(a.now())
		}
	}
	h.meets++
	for _, a := range left {
		if a.met == h.meets {
			continue
		}
		a.met = h.meets
		a.knows = a.knows.join(sum)
		if all {
			a.phase++
		}
	}
	return Met{sum}
}
