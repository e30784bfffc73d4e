// Operations on a history: loads, stores, atomic operations, fences and barriers.

package weakmem

// hidden reports whether a store precedes the next operation of an agent in causality order, or a load of it does.
func (a *Agent) hidden(s *store) bool {
	if s.all || a.knowsOf(s.agent, s.time, s.block, s.phase) {
		return true
	}
	for i := range s.loads {
		l := &s.loads[i]
		if a.knowsOf(l.agent, l.time, l.block, l.phase) {
			return true
		}
	}
	return false
}

// knowsOf reports whether an operation precedes the next one of an agent.
func (a *Agent) knowsOf(agent int32, time uint32, block uint64, phase uint32) bool {
	return agent == a.id || a.block == block && phase < a.phase || a.knows.knowsAgent(agent, time) || a.knows.knowsBlock(block, phase)
}

// Access is an access of an agent.
type Access struct {
	*Agent
	At                         Range
	Strong, Acquires, Releases bool
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
func (x *Access) morally(s *store) bool {
	if s.all || s.agent == x.id {
		return true
	}
	return x.Strong && s.strong && includes(x.Scope, x.block, x.cluster, s.block, s.cluster) && includes(s.scope, s.block, s.cluster, x.block, x.cluster)
}

// Load performs a load. current is the contents of memory; pick chooses one of several stores, the newest last. age is the number of
// stores to the location after the one returned, tag is that of the store returned.
func (h *History) Load(x *Access, current uint64, pick func(n int) int) (value uint64, age, tag int) {
	c, lost := h.follow(x.At, current, false)
	if c == nil {
		h.loadLost(x, lost)
		if lost {
			return current, 0, Lost
		}
		return current, 0, Initial
	}
	least := len(c.stores) - 1
	for least > 0 && !x.hidden(&c.stores[least]) {
		least--
	}
	k := len(c.stores) - 1
	if n := len(c.stores) - least; n > 1 {
		k = least + pick(n)
	}
	h.observe(x, &c.stores[k])
	return c.stores[k].value, len(c.stores) - 1 - k, c.stores[k].tag
}

// observe records that an access has read a store, and acquires what it passes on.
func (h *History) observe(x *Access, s *store) {
	if s.passes == nil && (s.all || s.agent == x.id) || !x.Strong || !x.morally(s) {
		return
	}
	if s.agent != x.id && !s.all {
		if len(s.loads) == maxLoads {
			s.all, h.Bounded = true, true
		} else {
			s.loads = append(s.loads, loaded{x.id, x.time, x.block, x.phase})
		}
	}
	x.observed = x.observed.with(s.passes)
	if x.Acquires {
		x.acquire(x.observed, x.Scope)
	}
}

// Store performs a store: memory held before, and holds value now.
func (h *History) Store(x *Access, before, value uint64) {
	c, _ := h.follow(x.At, before, true)
	if c == nil {
		h.storeLost(x)
		return
	}
	var passes message
	if x.Strong {
		passes = c.earlier(x)
	}
	h.put(c, x, value, passes)
}

// earlier returns what a strong store passes on for what its agent has done before: its fences, and its releases at the location.
func (c *cell) earlier(x *Access) message {
	passes := x.released.with(c.passes)
	for i := range c.stores {
		if s := &c.stores[i]; s.agent == x.id && s.passes != nil {
			passes = passes.with(s.passes)
		}
	}
	return passes
}

// loadLost observes all that has been passed on by locations that are not followed.
func (h *History) loadLost(x *Access, lost bool) {
	if !lost || !x.Strong {
		return
	}
	x.observed = x.observed.with(h.passes)
	if x.Acquires {
		x.acquire(x.observed, x.Scope)
	}
}

// storeLost passes on what a store to a location that is not followed releases.
func (h *History) storeLost(x *Access) {
	if !x.Strong {
		return
	}
	h.passes = h.passes.with(x.released)
	if x.Releases {
		h.passes = h.passes.add(x.release(x.Scope))
	}
}

// Object orders an operation of an agent after all other calls of Object so far.
func (h *History) Object(a *Agent) {
	a.acquire(h.passes, GPU)
	h.passes = h.passes.add(a.release(GPU))
}

// put appends a store to a location.
func (h *History) put(c *cell, x *Access, value uint64, passes message) {
	if x.Releases {
		passes = passes.add(x.release(x.Scope))
	}
	s := store{tag: x.Tag, value: value, agent: x.id, time: x.time, block: x.block, cluster: x.cluster, phase: x.phase, strong: x.Strong, scope: x.Scope, passes: passes}
	if x.Releases {
		s.time-- // it is among what it releases
	}
	if len(c.stores) > MaxStores {
		h.Bounded = true
		c.passes = c.passes.with(c.stores[0].passes)
		copy(c.stores, c.stores[1:])
		c.stores[len(c.stores)-1] = s
		c.stores[0].all = true
		return
	}
	if len(c.stores) == len(c.first) {
		c.stores = append(make([]store, 0, MaxStores+1), c.stores...)
	}
	c.stores = append(c.stores, s)
}

// Atomic performs an atomic operation: op returns the value that it writes in place of one that it has read, and whether it writes.
// The operation reads the latest store, or an older one if it is not morally strong with those that follow. It returns the value
// read; age and tag are as those of Load.
func (h *History) Atomic(x *Access, current uint64, pick func(n int) int, op func(old uint64) (uint64, bool)) (old, value uint64, writes bool, age, tag int) {
	c, lost := h.follow(x.At, current, true)
	if c == nil {
		h.loadLost(x, lost)
		if value, writes = op(current); writes {
			h.storeLost(x)
		}
		return current, value, writes, 0, Lost
	}
	k := len(c.stores) - 1
	for k > 0 && !x.hidden(&c.stores[k]) && !x.morally(&c.stores[k]) {
		k--
	}
	if n := len(c.stores) - k; n > 1 {
		k += pick(n)
	}
	from := &c.stores[k]
	old, age = from.value, len(c.stores)-1-k
	h.observe(x, from)
	value, writes = op(old)
	if !writes {
		return old, value, false, age, from.tag
	}
	passes, tag := c.earlier(x), from.tag
	if x.morally(from) {
		passes = passes.with(from.passes)
	}
	h.put(c, x, value, passes)
	return old, value, true, age, tag
}

// Fence performs a fence of an agent.
func (h *History) Fence(a *Agent, scope Scope, acquires, releases, sc bool) {
	if acquires {
		a.acquire(a.observed, scope)
	}
	if sc {
		for _, p := range a.reaches(scope) {
			a.knows = a.knows.join(h.fences[p])
		}
	}
	if releases {
		a.released = a.released.replace(a.release(scope))
	}
	if !sc {
		return
	}
	now := a.now()
	for _, p := range a.reaches(scope) {
		h.fences[p] = h.fences[p].join(now)
	}
}

// replace returns the releases of a thread after a fence: it contains what narrower fences before it have released.
func (m message) replace(r release) message {
	var out message
	for _, s := range m {
		if s.scope > r.scope {
			out = append(out, s)
		}
	}
	return append(out, r)
}

// reaches returns the block, cluster and device that the scope of a fence.sc by the agent includes. The fence is ordered with the
// fences of their threads whose scopes include the agent.
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

// Meet completes a barrier: what those that have arrived have done precedes what those that leave do. all says that they are all
// threads of one block.
func Meet(arrived, left []*Agent, all bool) {
	var sum *clock
	for _, a := range arrived {
		sum = sum.join(a.knows)
		if !all {
			sum = sum.join(a.now())
		}
	}
	for _, a := range left {
		a.knows = a.knows.join(sum)
	}
	if all {
		for _, a := range left {
			a.phase++
		}
	}
}
