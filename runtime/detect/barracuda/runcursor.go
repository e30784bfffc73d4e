// Cursors: places in a list of runs.

package barracuda

// cursor is a place in a list of runs whose log is empty.
type cursor struct {
	part    runs
	k       int    // index in part
	further []runs // parts after this one
	long    *longRuns
}

// start returns the first place of a list.
func (s *runList) start() cursor {
	if s.long != nil && len(s.long.parts) > 0 {
		return cursor{part: s.long.parts[0], further: s.long.parts[1:], long: s.long}
	}
	return cursor{part: s.list}
}

// more reports whether the place has a run.
func (c *cursor) more() bool { return c.k < len(c.part) }

// run returns the run at the place.
func (c *cursor) run() *epochRun { return &c.part[c.k] }

// next goes to the next place.
func (c *cursor) next() {
	if c.k++; c.k == len(c.part) && len(c.further) > 0 {
		c.part, c.k, c.further = c.further[0], 0, c.further[1:]
	}
}

// nextAfter goes to the next run that ends after a warp.
func (c *cursor) nextAfter(warp uint32) {
	c.next()
	if !c.more() || c.run().end() > warp {
		return
	}
	if len(c.further) > 0 && c.further[0][0].warp <= warp {
		i := c.long.seek(warp)
		c.part, c.further = c.long.parts[i], c.long.parts[i+1:]
	}
	if c.k = c.part.seek(warp); !c.more() && len(c.further) > 0 {
		c.part, c.k, c.further = c.further[0], 0, c.further[1:]
	}
}
