// What agents know of operations, and pass on to each other.

package weakmem

// clock says which operations precede the next ones: of an agent those until a time, of a block those before a phase. It is not
// changed once it is made; nil knows nothing.
type clock struct {
	agents vector
	blocks vector
	// of and time name the agent that made the clock and its operation, if it is not a join of several: clocks that know the
	// operation know all of this one, as they know it from this one.
	of   int32
	time uint32
}

// message is what release patterns pass on, by the reach of their first operation.
type message []release

type release struct {
	block, cluster uint64 // of its thread
	scope          Scope
	all            bool // passed on to all threads, whatever their scopes
	knows          *clock
}

// maxReleases limits a message; what exceeds it is passed on to all threads.
const maxReleases = 8

// acquire joins what messages pass on to an operation with a scope.
func (a *Agent) acquire(m message, scope Scope) {
	for i := range m {
		r := &m[i]
		if r.all || includes(scope, a.block, a.cluster, r.block, r.cluster) && includes(r.scope, r.block, r.cluster, a.block, a.cluster) {
			a.knows = a.knows.join(r.knows)
		}
	}
}

// with returns a message with the releases of another one.
func (m message) with(n message) message {
	if len(m) == 0 || len(m) == len(n) && &m[0] == &n[0] {
		return n
	}
	for _, r := range n {
		m = m.add(r)
	}
	return m
}

// reaches reports whether two releases are passed on to the same threads.
func (r *release) reaches(s *release) bool {
	return r.scope == s.scope && r.block == s.block && r.cluster == s.cluster && r.all == s.all
}

// add returns a message with a release; it does not change m.
func (m message) add(r release) message {
	for i := range m {
		if s := &m[i]; (s.all || s.reaches(&r)) && s.knows.covers(r.knows) {
			return m
		}
	}
	out := append(make(message, 0, len(m)+1), m...)
	for i := range out {
		if s := &out[i]; s.reaches(&r) {
			s.knows = s.knows.join(r.knows)
			return out
		}
	}
	if len(out) == maxReleases {
		out[0].knows, out[0].scope, out[0].all = out[0].knows.join(r.knows), GPU, true
		return out
	}
	return append(out, r)
}

// knowsAgent reports whether a clock knows an operation of an agent.
func (c *clock) knowsAgent(agent int32, time uint32) bool {
	return c != nil && c.agents.at(uint64(agent)) >= time
}

// knowsBlock reports whether a clock knows the operations of a phase of a block.
func (c *clock) knowsBlock(block uint64, phase uint32) bool {
	return c != nil && c.blocks.at(block) > phase
}

// join returns a clock that knows what both know.
func (c *clock) join(d *clock) *clock {
	switch {
	case c.covers(d):
		return c
	case d.covers(c):
		return d
	}
	return &clock{agents: c.agents.join(d.agents), blocks: c.blocks.join(d.blocks)}
}

// covers reports whether a clock knows all that another one knows.
func (c *clock) covers(d *clock) bool {
	switch {
	case c == d || d == nil:
		return true
	case c == nil:
		return false
	case d.of != 0 && c.agents.at(uint64(d.of)) >= d.time:
		return true
	}
	return c.agents.covers(d.agents) && c.blocks.covers(d.blocks)
}

// now returns a clock of all operations of an agent so far and what it knows; later operations are not in it.
func (a *Agent) now() *clock {
	c := clock{of: a.id, time: a.time}
	if a.knows != nil {
		c.agents, c.blocks = a.knows.agents, a.knows.blocks
	}
	c.agents = c.agents.raise(uint64(a.id), a.time)
	c.blocks = c.blocks.raise(a.block, a.phase)
	a.time++
	return &c
}

// release returns a release of an agent with a scope.
func (a *Agent) release(scope Scope) release {
	return release{block: a.block, cluster: a.cluster, scope: scope, knows: a.now()}
}
