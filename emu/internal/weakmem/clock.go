// What agents know of operations, and pass on to each other.

package weakmem

// clock says which operations precede the next ones: of an agent those until a time, of a block those before a phase.
type clock struct {
	agents map[int32]uint32
	blocks map[uint64]uint32
}

// message is what release patterns pass on, by the reach of their first operation.
type message []release

type release struct {
	block, cluster uint64 // of its thread
	scope          Scope
	knows          *clock
}

// maxReleases limits a message; what exceeds it is passed on to all threads.
const maxReleases = 8

// acquire joins what messages pass on to an operation with a scope.
func (a *Agent) acquire(m message, scope Scope) {
	for i := range m {
		r := &m[i]
		if includes(scope, a.block, a.cluster, r.block, r.cluster) && includes(r.scope, r.block, r.cluster, a.block, a.cluster) {
			a.knows.join(r.knows)
		}
	}
}

// with returns a message with the releases of another one.
func (m message) with(n message) message {
	for _, r := range n {
		m = m.add(r)
	}
	return m
}

// add returns a message with a release; it does not change m.
func (m message) add(r release) message {
	for i := range m {
		if s := &m[i]; s.scope == r.scope && s.block == r.block && s.cluster == r.cluster && (s.knows == r.knows || s.knows.covers(r.knows)) {
			return m
		}
	}
	out := append(make(message, 0, len(m)+1), m...)
	for i := range out {
		if s := &out[i]; s.block == r.block && s.cluster == r.cluster && s.scope == r.scope {
			both := s.knows.clone()
			both.join(r.knows)
			s.knows = both
			return out
		}
	}
	if len(out) == maxReleases {
		both := out[0].knows.clone()
		both.join(r.knows)
		out[0].knows, out[0].scope = both, GPU
		return out
	}
	return append(out, r)
}

// join adds what another clock knows.
func (c *clock) join(d *clock) {
	for k, v := range d.agents {
		if c.agents[k] < v {
			if c.agents == nil {
				c.agents = map[int32]uint32{}
			}
			c.agents[k] = v
		}
	}
	for k, v := range d.blocks {
		if c.blocks[k] < v {
			if c.blocks == nil {
				c.blocks = map[uint64]uint32{}
			}
			c.blocks[k] = v
		}
	}
}

// covers reports whether a clock knows all that another one knows.
func (c *clock) covers(d *clock) bool {
	for k, v := range d.agents {
		if c.agents[k] < v {
			return false
		}
	}
	for k, v := range d.blocks {
		if c.blocks[k] < v {
			return false
		}
	}
	return true
}

func (c *clock) clone() *clock {
	d := &clock{}
	d.join(c)
	return d
}

// now returns a clock of all operations of an agent so far and what it knows; later operations are not in it.
func (a *Agent) now() *clock {
	c := a.knows.clone()
	own := clock{agents: map[int32]uint32{a.id: a.time}}
	if a.phase > 0 {
		own.blocks = map[uint64]uint32{a.block: a.phase}
	}
	c.join(&own)
	a.time++
	return c
}

// release returns a release of an agent with a scope.
func (a *Agent) release(scope Scope) release { return release{a.block, a.cluster, scope, a.now()} }
