// Cursors: places in a list of runs.

package barracuda

// cursor is a position in a list of runs. The log of the list must be empty: its accesses are in no run yet.
type cursor struct {
	rest    runs   // the runs of the part from the place on
	further []runs // parts after this one
	long    *longRuns
}

// start returns the first place of a list.
func (s *runList) start() cursor {
	if s.long != nil && len(s.long.parts) > 0 {
		return cursor{rest: s.long.parts[0], further: s.long.parts[1:], long: s.long}
	}
	return cursor{rest: s.list}
}

// more reports whether the place has a run.
func (c *cursor) more() bool { return len(c.rest) > 0 }

// run returns the run at the place.
func (c *cursor) run() *epochRun { return &c.rest[0] }

// next goes to the next place.
func (c *cursor) next() {
	if c.rest = c.rest[1:]; len(c.rest) == 0 && len(c.further) > 0 {
		c.rest, c.further = c.further[0], c.further[1:]
	}
}

// seek goes to the first run that ends after a warp, unless the place is at or after it.
func (c *cursor) seek(warp uint32) {
	if !c.more() || c.run().end() > warp {
		return
	}
	if len(c.further) > 0 && c.further[0][0].warp <= warp {
		i := c.long.seek(warp)
		c.rest, c.further = c.long.parts[i], c.long.parts[i+1:]
	}
	if c.rest = c.rest[c.rest.seek(warp):]; !c.more() && len(c.further) > 0 {
		c.rest, c.further = c.further[0], c.further[1:]
	}
}
