// What agents know of operations.

package weakmem

// clock says which operations precede the next ones: of an agent those until a time, of a block those before a phase.
// It is not changed once it is made; nil knows nothing.
type clock struct {
	agents vector
	blocks vector
	// of and time name the agent that made the clock and its operation, if it is not a join of several: clocks that
	// know the operation know all of this one, as they know it from this one.
	of   int32
	time uint32
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

// covers reports whether c contains every operation of d.
func (c *clock) covers(d *clock) bool {
	switch {
	case c == d || d == nil:
		return true
	case c == nil:
		return false
	case d.of != 0 && c.agents.at(uint64(d.of)) >= d.time:
		return true
	case d.of != 0: // only clocks that know the operation know the time
		return false
	}
	return c.agents.covers(d.agents) && c.blocks.covers(d.blocks)
}

// now returns a clock with all operations of an agent so far and those that precede them in causality order.
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
