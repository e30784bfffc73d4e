// What the accesses in a row log leave in histories and locations, when another kind of access needs it.

package precise

import "math/bits"

// expand implements compact. It gives the whole line histories and locations in place of its log: those that the accesses would have
// left without a log. Their warnings and messages have been recorded.
func (g *rowLog) expand(d *Detector, s *shadow, l *line, addr, _ uint64) {
	l.compact = nil
	p := d.beginReplay()
	for i := 0; i < len(g.rows); {
		n := 1
		for i+n < len(g.rows) && g.rows[i+n].again {
			n++
		}
		g.replay(d, p, s, g.rows[i:i+n], addr&^(lineBytes-1))
		i += n
	}
	p.end(d)
	g.free(d)
}

// replay makes the access of a row of the line at an address again, or of rows that are reads of one word.
func (g *rowLog) replay(d *Detector, p *replay, s *shadow, rows []loggedRow, addr uint64) {
	x, ev, lanes := &rows[0], &p.event, uint32(0)
	p.describe(p.by(d, x.unit, x.clock, x.class).Class)
	p.at(d, x.at, x.event)
	ev.Valued = x.valued
	for i := range rows {
		for m := rows[i].words; m != 0; m &= m - 1 {
			word := bits.TrailingZeros32(m)
			lane := rows[i].lane(word)
			lanes |= 1 << lane
			if ev.Addr[lane] = addr + uint64(word)*uint64(g.size); !x.reads {
				ev.New[lane] = g.values[x.values][word]
			}
		}
	}
	a := p.again(d, s, lanes)
	switch {
	case x.inRow:
		d.rows(a, s, lanes)
	case len(rows) > 1:
		d.words(a, s, ev.Addr[bits.TrailingZeros32(lanes)], lanes)
	default:
		d.eachWord(a, s, lanes)
	}
}

// free implements compact.
func (g *rowLog) free(d *Detector) {
	clear(g.rows) // the clocks may be freed
	g.rows = g.rows[:0]
	d.freeLogs = append(d.freeLogs, g)
}
