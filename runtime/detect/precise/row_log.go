// Row logs: the strong accesses to a line of shared memory since the latest barrier, by lanes side by side.

package precise

import (
	"math/bits"
	"unsafe"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect/precise/evidence"
)

// The lanes of a warp exchange values in volatile shared memory, without barriers, in the last steps of many reductions and scans.
// Cells cannot hold such accesses, since nothing orders them. They are no races, but deserve warnings, which are almost always like
// earlier ones of the same two instructions (package evidence). A line therefore keeps a log of rows: a row is what one instruction
// has accessed there, by lanes side by side. A further row is compared with whole earlier ones, since all of its lanes have the same
// distance from the lanes of another row. Its warnings and messages take effect at once. Anything else that the accesses leave, which
// are histories, locations and sightings of words, is made from the log when another kind of access needs it (replay.go).
//
// As long as a line has a log, it has neither histories nor cells, and its locations hold nothing but warnings. A line with words that
// threads synchronise through has no log.

// loggedRow is a strong load or store by lanes side by side of words of a line. In this file and in other files row_log*, a word is a
// scalar of 4 or 8 bytes, in all rows of a log the same, and a word's number counts the words of its line.
type loggedRow struct {
	unit  unit
	class uint32
	at    stamp
	event uint32 // Detector.events at that time
	clock *clock // of the lanes
	words uint32 // bit i for word i of the line
	// recent are the words of which the access is in the list of an evidence.History, if warnings are possible.
	recent uint32
	from   int8 // the lane of word 0, which may be as low as 1 - radix
	reads  bool
	inRow  bool // the instruction accesses so many words side by side that they are handled a line at a time
	again  bool // the instruction reads the word of the previous row again, by the next lane
	valued bool // values are known
	values int  // of a write: index in rowLog.values
}

// lane returns the lane of a word.
func (r *loggedRow) lane(word int) int { return word + int(r.from) }

// isByLanesOf reports whether the lanes of two rows are the same, word by word.
func (r *loggedRow) isByLanesOf(x *loggedRow) bool { return r.unit == x.unit && r.from == x.from }

// rowLog holds the rows of a line, oldest first.
type rowLog struct {
	rows      []loggedRow
	values    [][lineWords]uint64          // written, by word
	written   uint32                       // words that have been written
	size      uint8                        // bytes of a word
	latest    [lineWords]uint8             // of the words in written: index of the row that wrote last
	histories [lineWords]*evidence.History // of the words that have had warnings
}

// tryLog checks and records an access by the first lane of a run and by lanes after it in the log of their line. It returns the lanes
// that are in the log.
func (d *Detector) tryLog(a *access, s *shadow, x *run) (lanes uint32) {
	l := d.line(s, x.addr)
	if x.addr%uint64(a.Size) != 0 || l.log() == nil && !d.beginLog(s, l, uint64(a.Size)) {
		return 0
	}
	return l.compact.enter(d, a, s, l, x)
}

// enter implements compact.
func (g *rowLog) enter(d *Detector, a *access, s *shadow, l *line, x *run) (lanes uint32) {
	size, lane := uint64(a.Size), bits.TrailingZeros32(x.lanes)
	if uint64(l.scalar) != size || len(g.rows)+x.more >= d.tuning.logged {
		g.expand(d, s, l, x.addr, size)
		return 0
	}
	shift := int(x.addr%lineBytes/size) - lane // from lanes to words
	lanes = x.lanes & laneRange(int64(-shift), int64(lineBytes/size)-int64(shift))
	row := loggedRow{
		unit: a.unit, class: a.index, at: a.at, event: d.events, clock: a.warp.of(lane), words: shifted(lanes, shift), from: int8(-shift),
		reads: !a.Writes(), inRow: x.inRow, again: x.again, valued: x.values != nil,
	}
	d.enterLog(a, l, g, x.addr&^(lineBytes-1), &row, x.values)
	return lanes
}

// log returns the log of a line, nil if it has none.
func (l *line) log() *rowLog {
	g, _ := l.compact.(*rowLog)
	return g
}

// logger enters the lanes of an access in logs, one run of lanes after the other.
type logger struct {
	may   bool   // logs may hold the access
	row   uint32 // lanes that access words side by side
	inRow bool   // these are so many that they are handled a line at a time
	same  uint32 // further lanes that read the word of the first one
}

// enter checks and records an access by the first lane in mask, and by lanes after it, in the log of their line. It returns the lanes
// that are in the log.
func (k *logger) enter(d *Detector, a *access, s *shadow, mask uint32) (lanes uint32) {
	first := mask & -mask
	if k.row&first == 0 {
		k.next(a, mask)
	}
	x := run{lanes: mask & k.row, addr: a.ev.Addr[bits.TrailingZeros32(mask)], inRow: k.inRow, again: k.same&first != 0}
	if !x.again {
		x.more = bits.OnesCount32(k.same & mask)
	}
	if a.ev.Valued && !a.ev.Wide {
		x.values = &a.ev.New
	}
	return d.tryLog(a, s, &x)
}

// next finds the run of lanes that begins with the first lane in mask, as Detector.lanes does.
func (k *logger) next(a *access, mask uint32) {
	first := mask & -mask
	if k.row = sideBySide(a.ev, mask, uint64(a.Size)); bits.OnesCount32(k.row) >= fewLanes {
		k.inRow, k.same = true, 0
		return
	}
	if k.row, k.inRow = first, false; k.same&first == 0 && !a.Writes() {
		k.same = sameAddress(a.ev, mask) &^ first
	}
}

// tryBatchLog is tryLog for an access of a batch by lanes side by side. It reports whether logs hold the access of the first lane, or
// may hold it: then it makes an event only for the lanes from the first one on that they do not hold.
func (d *Detector) tryBatchLog(b *abi.Batch, w *warp, x *abi.Access) bool {
	switch {
	case x.Space != abi.SpaceShared, x.Sem <= abi.SemWeak, x.Access == abi.AccessRMW, x.Addr != nil, x.Step != uint64(x.Bytes), bits.OnesCount32(x.Mask) < fewLanes:
		return false
	case w.shared == nil, int(x.Site) >= len(d.bySite), d.used > d.opts.Memory:
		return false
	}
	known, s := &d.bySite[x.Site][x.Access], w.shared
	if known.known != x.AccessClass || s.phase.mode != settled {
		return false
	}
	one := run{lanes: x.Mask, addr: x.At(bits.TrailingZeros32(x.Mask)), values: x.New, inRow: true}
	a := d.batchAccess(w, known.index)
	if one.addr%uint64(a.Size) != 0 || !d.mayLog(a, s, x.Mask) || !d.prefersLog(a, d.line(s, one.addr)) {
		return false
	}
	if a.Writes() {
		a.at = d.now
	}
	d.events++
	for one.lanes != 0 {
		lanes := d.tryLog(a, s, &one)
		if lanes == 0 {
			break
		}
		if one.lanes &^= lanes; one.lanes != 0 {
			one.addr = x.At(bits.TrailingZeros32(one.lanes))
		}
	}
	d.events--
	s.phase.written = s.phase.written || a.Writes()
	if one.lanes != 0 {
		logged := x.Mask &^ one.lanes
		d.batched(b, x, done{lanes: logged, logged: logged})
	} else {
		d.countStrong(w, x.Mask, a)
	}
	return true
}

// prefersLog reports whether a line has a log, or should begin one rather than cells for an access that logs may hold.
func (d *Detector) prefersLog(a *access, l *line) bool {
	return l.log() != nil || l.isFresh() && (l.warned || !d.sharedCellsPay(a.index))
}

// mayLog reports whether row logs can hold a load or store. It must be strong, of whole words, of a scope that includes all threads, and
// neither an acquire nor a release. A load must not be one that decides a branch, by which threads synchronise. The lanes must have one
// vector clock, and must have executed no fence and observed no release that they could still acquire.
func (d *Detector) mayLog(a *access, s *shadow, lanes uint32) bool {
	switch {
	case !a.Shared, a.Code != a.Size, a.Size != wordBytes && a.Size != 2*wordBytes, a.Sem.Acquires(), a.Sem.Releases():
		return false
	case a.unit != a.warp.unit, d.evidence.Warns() && a.Kind == abi.AccessLoad && d.evidence.IsDecision(a.Site):
		return false
	case !d.barriersSeparate, s.async: // no barrier would empty the logs
		return false
	case d.evidence.HoldsLocks() && !d.evidence.Warns() && a.Writes(): // may drop a lock; otherwise lines with locks have no logs
		return false
	case d.model.fencesOrder, d.journals == 0, !d.tuning.takes(logsOfRows):
		return false
	}
	return a.warp.pending == nil && (a.warp.apart == 0 || a.warp.haveOneContext(lanes))
}

// beginLog gives a line an empty log, and reports whether it could: nothing has been accessed there.
func (d *Detector) beginLog(s *shadow, l *line, size uint64) bool {
	if !l.isFresh() || l.synced != nil && uint64(l.synced.sizes)&^size != 0 {
		return false
	}
	g := d.newRowLog(size)
	before := g.bytes()
	held := g.addHistories(l)
	d.uses(g.bytes() - before)
	if !held {
		g.free(d)
		return false
	}
	l.compact, l.scalar, s.synced = g, uint8(size), true // as in cellsFor
	return true
}

// addHistories enters the warnings about the words of a line in an empty log, and reports whether threads synchronise through none of them.
func (g *rowLog) addHistories(l *line) bool {
	if l.synced == nil || l.synced.sizes == 0 {
		return true
	}
	for i := range lineBytes / int(g.size) {
		if loc := l.synced.at[i*int(g.size)/wordBytes]; loc != nil {
			if loc.synchronises {
				return false
			}
			g.histories[i] = loc.history
		}
	}
	return true
}

// newRowLog returns an empty log of words of size bytes.
func (d *Detector) newRowLog(size uint64) (g *rowLog) {
	if n := len(d.freeLogs); n > 0 {
		g, d.freeLogs = d.freeLogs[n-1], d.freeLogs[:n-1]
		*g = rowLog{rows: g.rows, values: g.values[:0]}
	} else {
		g = &rowLog{rows: make([]loggedRow, 0, 24), values: make([][lineWords]uint64, 0, 8)}
		d.uses(g.bytes())
	}
	g.size = uint8(size)
	return g
}

// bytes returns the memory of a log.
func (g *rowLog) bytes() uintptr {
	return unsafe.Sizeof(*g) + uintptr(cap(g.rows))*unsafe.Sizeof(loggedRow{}) + uintptr(cap(g.values))*unsafe.Sizeof([lineWords]uint64{})
}

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
