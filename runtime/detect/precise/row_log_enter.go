// Entering a row in a log: which earlier accesses it supersedes, and the warnings and messages that follow.

package precise

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/detect/precise/evidence"
)

// rowsCompared is scratch for the comparison of a row with the earlier ones.
type rowsCompared struct {
	superseded []uint32     // for each earlier row, the words that enterLog removes from loggedRow.recent
	writes     []rowWarning // about earlier writes, in order
	reads      []rowWarning // about earlier reads, in order
	examines   bool         // some warning may differ from earlier ones, or need an explanation
	appends    bool         // some warning is the first one of its kind about a word
}

// rowWarning is the warnings about an earlier row.
type rowWarning struct {
	first *loggedRow
	words uint32
	known *evidence.KnownWarning
}

// enterLog checks and records row x of access a in the log g of a line, which begins at addr.
func (d *Detector) enterLog(a *access, l *line, g *rowLog, addr uint64, x *loggedRow, values *[radix]uint64) {
	k := &d.rowsCompared
	before := g.bytes()
	if k.examines = false; d.evidence.Warns() {
		x.recent = x.words
	}
	if x.recent != 0 {
		d.compareRow(g, x, values)
		for i, words := range k.superseded {
			g.rows[i].recent &^= words
		}
		if k.examines {
			d.examineRow(a, l, g, addr, x)
		} else {
			d.countRowWarnings(a, l, g, addr, x)
		}
		g.makeRoom(x)
	}
	if x.reads && !k.examines {
		d.noteRow(a, g, addr, x, x.words)
	}
	if !x.reads {
		g.wrote(x, values)
	}
	g.rows = append(g.rows, *x)
	d.uses(g.bytes() - before)
}

// wrote records what the next row, x, writes.
func (g *rowLog) wrote(x *loggedRow, values *[radix]uint64) {
	x.values = len(g.values)
	g.values = append(g.values, [lineWords]uint64{})
	written := &g.values[x.values]
	for m := x.words; m != 0; m &= m - 1 {
		word := bits.TrailingZeros32(m)
		if g.latest[word] = uint8(len(g.rows)); values != nil {
			written[word] = values[x.lane(word)]
		}
	}
	g.written |= x.words
}

// compareRow compares a row with the earlier ones, as recordStrong does for each of its accesses.
func (d *Detector) compareRow(g *rowLog, x *loggedRow, values *[radix]uint64) {
	k := &d.rowsCompared
	k.superseded, k.writes, k.reads, k.appends = k.superseded[:0], k.writes[:0], k.reads[:0], false
	for i := range g.rows {
		r := &g.rows[i]
		superseded, common := uint32(0), r.recent&x.recent
		if common != 0 && r.reads && x.reads {
			superseded = r.preceding(x, common)
		} else if common != 0 {
			unordered := common &^ r.preceding(x, common)
			if !x.reads {
				superseded = common &^ unordered
			}
			if unordered != 0 && !r.reads {
				unordered &^= g.alike(r, x, unordered, values)
				unordered &^= d.observedInLog(g, i, x, unordered)
			}
			if unordered != 0 {
				d.addRowWarning(g, r, x, unordered)
			}
		}
		k.superseded = append(k.superseded, superseded)
	}
}

// preceding returns those of some words whose access in row r is ordered before the one in x.
func (r *loggedRow) preceding(x *loggedRow, words uint32) (before uint32) {
	if r.isByLanesOf(x) {
		return words
	}
	if x.clock == nil || x.clock.Most(r.unit) < r.at {
		return 0
	}
	for m := words; m != 0; m &= m - 1 {
		if x.clock.IncludesEager(r.unit, r.lane(bits.TrailingZeros32(m)), r.at) {
			before |= m & -m
		}
	}
	return before
}

// alike returns those of some words to which rows r and x, with the given values, write the same one.
func (g *rowLog) alike(r, x *loggedRow, words uint32, values *[radix]uint64) (alike uint32) {
	if x.reads || !r.valued || !x.valued {
		return 0
	}
	for m := words; m != 0; m &= m - 1 {
		if word := bits.TrailingZeros32(m); g.values[r.values][word] == values[x.lane(word)] {
			alike |= m & -m
		}
	}
	return alike
}

// observedInLog returns those of some words, written by row i, whose write a read that is ordered before x has observed: a read
// before the next write, by another thread, since what the writer itself reads is ordered after what it writes, as x is not. The program
// has relaxed accesses, so that there are sightings.
func (d *Detector) observedInLog(g *rowLog, i int, x *loggedRow, words uint32) (observed uint32) {
	for i++; i < len(g.rows) && words != 0; i++ {
		switch r := &g.rows[i]; {
		case !r.reads:
			words &^= r.words
		case r.words&words != 0:
			observed |= r.preceding(x, r.words&words)
		}
	}
	return observed
}

// addRowWarning adds warnings about words of rows r and x to those that follow from x.
func (d *Detector) addRowWarning(g *rowLog, r, x *loggedRow, words uint32) {
	k, e := &d.rowsCompared, &d.evidence
	known := e.KnownWarning(r.class, x.class, e.KindOf(r.unit, x.unit))
	n := bits.OnesCount32(words)
	for _, list := range [...][]rowWarning{k.writes, k.reads} {
		for i := range list {
			if list[i].known.AsksAs(known) {
				n += bits.OnesCount32(list[i].words)
			}
		}
	}
	k.examines = k.examines || !e.HoldsFor(known, n) || known.Alike != nil && d.needsExample(g, known.Alike, words)
	one := rowWarning{r, words, known}
	if r.reads {
		k.reads = append(k.reads, one)
	} else {
		k.writes = append(k.writes, one)
	}
}

// needsExample reports whether a warning about a word may be the one that is reported, which needs an explanation.
func (d *Detector) needsExample(g *rowLog, alike *evidence.WarningsAlike, words uint32) bool {
	for m := words; m != 0; m &= m - 1 {
		v := g.histories[bits.TrailingZeros32(m)]
		if v == nil {
			v = &noWarnings
		}
		if v.HasRoomFor(alike) {
			if alike.WantsExample(d.evidence.NextOrder(v)) {
				return true
			}
			d.rowsCompared.appends = true
		}
	}
	return false
}

// noWarnings is the history of a word that has had no warning.
var noWarnings evidence.History

// countRowWarnings counts the warnings that follow from a row, all of which are like earlier ones.
func (d *Detector) countRowWarnings(a *access, l *line, g *rowLog, addr uint64, x *loggedRow) {
	k := &d.rowsCompared
	lists := [...][]rowWarning{k.writes, k.reads}
	for _, list := range lists {
		for i := range list {
			w := &list[i]
			w.known.Count(bits.OnesCount32(w.words))
			for m := w.words; m != 0 && w.known.Alike != nil && !k.appends; m &= m - 1 {
				g.histories[bits.TrailingZeros32(m)].CountAlike(w.known.Alike, 1)
			}
		}
	}
	if k.appends {
		d.eachRowWarning(a, l, g, addr, x, func(v *evidence.History, known *evidence.KnownWarning, at uint64, first, second *evidence.StrongAccess) {
			if known.Alike != nil && !v.CountAlike(known.Alike, 1) {
				d.evidence.AppendWarning(a.reportsOf(a.warp.shared), v, known.Alike, at, first, second)
			}
		}, func(uint32) {})
	}
}

// examineRow adds the warnings that follow from a row, one by one, and records for reports what it reads.
func (d *Detector) examineRow(a *access, l *line, g *rowLog, addr uint64, x *loggedRow) {
	d.eachRowWarning(a, l, g, addr, x, func(v *evidence.History, _ *evidence.KnownWarning, at uint64, first, second *evidence.StrongAccess) {
		d.evidence.AddWarning(a.reportsOf(a.warp.shared), v, at, first, second)
	}, func(word uint32) {
		if x.reads {
			d.noteRow(a, g, addr, x, word)
		}
	})
}

// addsWarning adds a warning about two accesses to a word at an address.
type addsWarning func(v *evidence.History, known *evidence.KnownWarning, at uint64, first, second *evidence.StrongAccess)

// eachRowWarning calls add for each warning that follows from a row, in the order of lanes, and done for each word after its warnings.
func (d *Detector) eachRowWarning(a *access, l *line, g *rowLog, addr uint64, x *loggedRow, add addsWarning, done func(word uint32)) {
	k := &d.rowsCompared
	for m := x.words; m != 0; m &= m - 1 {
		word := bits.TrailingZeros32(m)
		at, v := addr+uint64(word)*uint64(g.size), g.histories[word]
		second := evidence.StrongAccess{Unit: x.unit, Lane: uint8(x.lane(word)), At: x.at, Class: x.class}
		for _, list := range [...][]rowWarning{k.writes, k.reads} {
			for i := range list {
				w := &list[i]
				if w.words&m&-m == 0 {
					continue
				}
				if v == nil {
					v = d.evidence.NewHistory()
				}
				add(v, w.known, at, &evidence.StrongAccess{Unit: w.first.unit, Lane: uint8(w.first.lane(word)), At: w.first.at, Class: w.first.class}, &second)
			}
		}
		switch {
		case v == g.histories[word]:
		case !v.HasWarnings():
			d.evidence.FreeHistory(v)
		default:
			g.histories[word], l.warned = v, true
			l.location(d, a.warp.shared, at, uint64(g.size)).history = v
		}
		done(m & -m)
	}
}

// makeRoom drops the oldest access in a list of an evidence.History where row x is one too many.
func (g *rowLog) makeRoom(x *loggedRow) {
	n := 0
	for i := range g.rows {
		if r := &g.rows[i]; r.reads == x.reads && r.recent&x.recent != 0 {
			n++
		}
	}
	for m := x.recent; m != 0 && n >= evidence.MaxStrongAccesses; m &= m - 1 {
		oldest, held := (*loggedRow)(nil), 0
		for i := range g.rows {
			if r := &g.rows[i]; r.reads == x.reads && r.recent&m&-m != 0 {
				if held++; oldest == nil {
					oldest = r
				}
			}
		}
		if held >= evidence.MaxStrongAccesses {
			oldest.recent &^= m & -m
		}
	}
}

// noteRow records for reports which writes of other threads a row reads in some words.
func (d *Detector) noteRow(a *access, g *rowLog, addr uint64, x *loggedRow, words uint32) {
	for m := words & g.written; m != 0; m &= m - 1 {
		word := bits.TrailingZeros32(m)
		w := &g.rows[g.latest[word]]
		if w.isByLanesOf(x) {
			continue
		}
		lane := x.lane(word)
		more := d.evidence.AddMessage(&evidence.Edge{
			From: thread{Unit: w.unit, Lane: uint8(w.lane(word))}, To: thread{Unit: x.unit, Lane: uint8(lane)}, Sent: w.at, At: x.at, Write: w.class, Read: x.class,
			Addr: addr + uint64(word)*uint64(g.size), Size: g.size, Event: x.event,
		})
		more.WriterClock, more.Fenced = w.clock, nil
		noReleases.fillAcquirable(d, a.warp, more)
	}
}

// noReleases is the releases of a location where nothing has been released.
var noReleases releases
