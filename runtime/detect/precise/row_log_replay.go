// What the accesses in a row log leave in histories and locations, when another kind of access needs it.

package precise

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/detect/precise/evidence"
)

// expand implements compact. It gives the whole line histories and locations in place of its log: those that the accesses would have
// left without a log. Their warnings and messages have been recorded.
func (g *rowLog) expand(d *Detector, s *shadow, l *line, addr, _ uint64) {
	addr &^= lineBytes - 1
	l.compact = nil
	now, events := d.now, d.events
	p := d.replay
	if d.replay = nil; p == nil {
		p = new(replay)
	}
	for i := 0; i < len(g.rows); {
		x := &g.rows[i]
		p.warp = warp{unit: x.unit, at: d.placeOf(x.unit), clock: x.clock}
		p.access.begin(d, &p.warp, x.unit, x.class)
		p.access.ev, p.access.at = &p.event, x.at
		if d.now, d.events = now, x.event; !x.reads {
			d.now = x.at
		}
		n := 1
		for i+n < len(g.rows) && g.rows[i+n].again {
			n++
		}
		d.replayRow(&p.access, s, l, g.rows[i:i+n], addr, uint64(g.size))
		i += n
	}
	d.replay = p
	d.now, d.events = now, events
	if d.evidence.Warns() {
		d.replayHistories(s, l, g, addr)
	}
	g.free(d)
}

// replayRow makes histories and locations of a row of words of size bytes, or of rows that are reads of one word.
func (d *Detector) replayRow(a *access, s *shadow, l *line, rows []loggedRow, addr, size uint64) {
	lanes := uint32(0)
	for i := range rows {
		for m := rows[i].words; m != 0; m &= m - 1 {
			word := bits.TrailingZeros32(m)
			lane := rows[i].lane(word)
			lanes |= 1 << lane
			a.ev.Addr[lane] = addr + uint64(word)*size
		}
	}
	a.ev.Mask, a.ev.Next, a.ev.Same = lanes, lanes&(lanes<<1), 0
	for m := lanes; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		d.replayAccess(a, s, l, a.ev.Addr[lane], lane)
	}
	switch {
	case rows[0].inRow:
		d.rows(a, s, lanes)
	case len(rows) > 1:
		d.words(a, s, a.ev.Addr[bits.TrailingZeros32(lanes)], lanes)
	default:
		d.eachWord(a, s, lanes)
	}
}

// replayAccess records in its location an access by a lane that has nothing pending, as strongAccess does.
func (d *Detector) replayAccess(a *access, s *shadow, l *line, addr uint64, lane int) {
	if a.Writes() {
		d.write(a, s, l, addr, lane, false)
		return
	}
	loc := l.find(addr, uint64(a.Scalar))
	if loc == nil && d.evidence.Warns() {
		loc = l.location(d, s, addr, uint64(a.Scalar))
	}
	if loc != nil && loc.writer != (thread{}) && loc.writer != (thread{Unit: a.unit, Lane: uint8(lane)}) {
		loc.addSighting(d, a, 1<<lane)
	}
}

// replayHistories makes the lists of recent strong accesses to the words in a log.
func (d *Detector) replayHistories(s *shadow, l *line, g *rowLog, addr uint64) {
	e := &d.evidence
	for i := range g.rows {
		x := &g.rows[i]
		for m := x.words; m != 0; m &= m - 1 {
			word := bits.TrailingZeros32(m)
			loc := l.location(d, s, addr+uint64(word)*uint64(g.size), uint64(g.size))
			if loc.history == nil {
				loc.history = e.NewHistory()
			}
			if x.recent&m&-m == 0 {
				continue
			}
			one, v := evidence.StrongAccess{Unit: x.unit, Lane: uint8(x.lane(word)), At: x.at, Class: x.class, Valued: x.valued}, loc.history
			if x.reads {
				e.AddRead(v, &one)
			} else {
				one.Value = g.values[x.values][word]
				e.AddWrite(v, &one)
			}
		}
	}
}

// free implements compact.
func (g *rowLog) free(d *Detector) {
	clear(g.rows) // the clocks may be freed
	g.rows = g.rows[:0]
	d.freeLogs = append(d.freeLogs, g)
}
