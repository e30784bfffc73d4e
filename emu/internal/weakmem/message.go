// What release patterns pass on to acquire patterns, by the scopes of both.

package weakmem

// message holds the releases that a read of a store may acquire, as clocks by scope. A message is never modified; nil
// holds none.
type message struct {
	gpu  *clock // of releases with scope GPU, to acquires with scope GPU
	near []near // of the blocks that have released last, the latest last
	rest *clock // of blocks that are no longer in near, to all
	by   int32  // the agent that has made all releases, 0 if there may be others
}

// near is what the threads of one block have released: with any scope, to their block, and with scope Cluster or GPU,
// to their cluster.
type near struct {
	block, cluster uint64
	toBlock        *clock
	toCluster      *clock
}

// maxNear is the maximum number of blocks in a message. What older ones have released is passed on to all threads.
const maxNear = 8

// seen is what an agent has observed and not yet acquired, by the scope with which it may be acquired.
type seen struct {
	last *message // the latest
	by   [GPU + 1]*clock
	rest *clock
}

// observe records that an agent has read a store that passes on m.
func (a *Agent) observe(m *message) {
	o := &a.observed
	if m == nil || m == o.last || m.by == a.id {
		return
	}
	o.last = m
	o.by[GPU] = o.by[GPU].join(m.gpu)
	o.rest = o.rest.join(m.rest)
	for i := range m.near {
		n := &m.near[i]
		if n.cluster == a.cluster {
			o.by[Cluster] = o.by[Cluster].join(n.toCluster)
		}
		if n.block == a.block {
			o.by[CTA] = o.by[CTA].join(n.toBlock)
		}
	}
}

// acquire orders the next operations of an agent behind the releases that it has observed, those that are passed on to
// a scope.
func (h *History) acquire(a *Agent, scope Scope) {
	for s := CTA; s <= scope; s++ {
		a.knows = a.knows.join(a.observed.by[s])
	}
	if rest := a.observed.rest; !a.knows.covers(rest) {
		a.knows, h.Bounded = a.knows.join(rest), true
	}
}

// release returns a message with a release of an agent with a scope.
func (a *Agent) release(scope Scope) *message {
	now := a.now()
	m := &message{by: a.id, near: []near{{block: a.block, cluster: a.cluster, toBlock: now}}}
	if scope >= Cluster {
		m.near[0].toCluster = now
	}
	if scope >= GPU {
		m.gpu = now
	}
	return m
}

// after returns the message of a fence that releases, in place of that of the fences of the thread before it: what the
// narrower of them have released is in it.
func (m *message) after(earlier *message) *message {
	if earlier == nil || m.gpu != nil {
		return m
	}
	m.gpu = earlier.gpu
	if m.near[0].toCluster == nil {
		m.near[0].toCluster = earlier.near[0].toCluster
	}
	return m
}

// with returns a message with the releases of both; those of n are later.
func (m *message) with(n *message) *message {
	switch {
	case m == n || n == nil || m.covers(n):
		return m
	case m == nil || n.covers(m):
		return n
	}
	out := &message{
		gpu: m.gpu.join(n.gpu), rest: m.rest.join(n.rest),
		near: make([]near, 0, min(len(m.near)+len(n.near), maxNear+1)),
	}
	for i := range m.near {
		if n.find(m.near[i].block) == nil {
			out.add(m.near[i])
		}
	}
	for i := range n.near {
		e := n.near[i]
		if d := m.find(e.block); d != nil {
			e.toBlock, e.toCluster = e.toBlock.join(d.toBlock), e.toCluster.join(d.toCluster)
		}
		out.add(e)
	}
	return out
}

// add appends the releases of a block that the message, which is being made, does not have.
func (m *message) add(e near) {
	if m.near = append(m.near, e); len(m.near) > maxNear {
		m.rest = m.rest.join(m.near[0].toBlock)
		m.near = append(m.near[:0], m.near[1:]...)
	}
}

// find returns the releases of a block, nil if there are none.
func (m *message) find(block uint64) *near {
	for i := range m.near {
		if m.near[i].block == block {
			return &m.near[i]
		}
	}
	return nil
}

// covers reports whether every thread that acquires m acquires all that it would acquire by n.
func (m *message) covers(n *message) bool {
	if n == nil {
		return true
	}
	if m == nil || !m.gpu.covers(n.gpu) || !m.rest.covers(n.rest) {
		return false
	}
	for i := range n.near {
		e := &n.near[i]
		if d := m.find(e.block); d == nil || !d.toBlock.covers(e.toBlock) || !d.toCluster.covers(e.toCluster) {
			if !m.rest.covers(e.toBlock) {
				return false
			}
		}
	}
	return true
}
