// Walks: loops in which each lane accesses addresses at a fixed distance from round to round. The detector checks all rounds of
// an instruction at once, lane by lane.

package barracuda

import (
	"math/bits"
	"slices"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// A walk is a sequence of accesses of a batch that come in rounds: each round executes the same instructions, each a fixed number
// of bytes further on. The result of an access depends only on earlier accesses to the same word. If no two lanes access the same
// word, lanes can therefore be checked in any order, and instructions in the order that sort finds.

// Limits of walks.
const (
	walkColumns = 8 // accesses in a round
	walkRounds  = 4 // fewer rounds are no walk
	walkBytes   = 1 << wordBits
)

// walk is the current walk.
type walk struct {
	columns  []column // the accesses of a round
	order    []int    // order in which columns are checked
	accesses int      // number in all rounds; the last round may be incomplete
	// uneven says that lanes are not evenly apart. Then gap is the least distance between two lanes, and reach that from the first
	// to the last, in bytes.
	uneven     bool
	gap, reach uint64
}

// column is one access of the loop, in all rounds.
type column struct {
	op    Op     // operation in the first round
	delta uint64 // bytes from one round to the next
	step  uint64 // from one lane to the next
	kind  Kind   // kind as which it is checked
}

// rounds returns the number of rounds, including the last one.
func (w *walk) rounds() int { return w.roundsOf(0) }

// roundsOf returns the number of rounds that have a column.
func (w *walk) roundsOf(column int) int {
	return (w.accesses - column + len(w.columns) - 1) / len(w.columns)
}

// begin sets w to the accesses of a loop from a number on, or to the first of them. It reports whether they are a walk.
func (w *walk) begin(f *FromEvents, b *abi.Batch, l *abi.Loop, from int) bool {
	p := l.Period
	if w.accesses = l.Len() - from; p > walkColumns || w.accesses < walkRounds*p {
		return false
	}
	var begin, x, y abi.Access
	l.Nth(b, from, &begin)
	w.columns = w.columns[:0]
	if w.uneven = begin.Addr != nil; !walks(&begin) || w.uneven && !w.placeLanes(&begin) {
		return false
	}
	for c := range p {
		l.Nth(b, from+c, &x)
		l.Nth(b, from+c+p, &y)
		if !walks(&x) || x.Mask != begin.Mask || x.Space != begin.Space || !w.fits(&begin, &x, &y) {
			return false
		}
		lane := first(x.Mask)
		f.access(&x)
		w.columns = append(w.columns, column{op: f.op, delta: y.At(lane) - x.At(lane), step: x.Step})
	}
	for w.accesses >= walkRounds*p && !w.apart() {
		w.accesses /= 2
	}
	return w.accesses >= walkRounds*p && w.sort()
}

// walks reports whether an access may be part of a walk.
func walks(x *abi.Access) bool {
	return x.Bytes == walkBytes && x.Access != abi.AccessRMW && checked(x.Space, x.Bytes) && x.Mask != 0 &&
		(x.Addr != nil || (x.Base|x.Step)%walkBytes == 0 && (x.Mask&(x.Mask-1) == 0 || distance(x.Step) >= walkRounds*walkBytes))
}

// distance returns the absolute value of a difference of addresses.
func distance(difference uint64) uint64 {
	if d := int64(difference); d < 0 {
		return uint64(-d)
	}
	return difference
}

// apart reports whether no two lanes access the same word.
func (w *walk) apart() bool {
	mask := w.columns[0].op.Mask
	if mask&(mask-1) == 0 {
		return true
	}
	if w.uneven {
		return w.apartUnevenly()
	}
	lane, step := first(mask), w.columns[0].step
	lanes := int64(31 - bits.LeadingZeros32(mask) - lane) // from the first to the last one
	for i := range w.columns {
		if w.columns[i].step != step {
			return false
		}
		a := w.columns[i].span(lane, w.rounds())
		for k := range w.columns[:i+1] {
			b := w.columns[k].span(lane, w.rounds())
			if a.meets(b, int64(distance(step)), lanes) {
				return false
			}
		}
	}
	return true
}

// sort finds an order of the columns in which a lane can go through one after the other: its accesses to each word stay in the
// order of the program. Of columns that advance by the same distance, the one ahead accesses a word in an earlier round. sort
// reports false for columns that access the same words and advance by different distances, or not at all.
func (w *walk) sort() bool {
	w.order = w.order[:0]
	for i := range w.columns {
		c := &w.columns[i]
		for k := range w.columns[:i] {
			if !c.sortable(&w.columns[k], w.rounds()) {
				return false
			}
		}
		at := i
		for at > 0 && c.ahead(&w.columns[w.order[at-1]]) {
			at--
		}
		w.order = slices.Insert(w.order, at, i)
	}
	return true
}

// sortable reports whether sort may choose the order of two columns.
func (c *column) sortable(other *column, rounds int) bool {
	if c.delta == other.delta && c.delta != 0 {
		return true
	}
	lane := first(c.op.Mask)
	return !c.span(lane, rounds).overlaps(other.span(lane, rounds))
}

// ahead reports whether sort puts c before another column: it compares their distances, and then their positions in the direction
// of the walk.
func (c *column) ahead(other *column) bool {
	if c.delta != other.delta {
		return c.delta < other.delta
	}
	lane := first(c.op.Mask)
	lead := int64(c.op.Addr[lane] - other.op.Addr[lane])
	return lead > 0 && int64(c.delta) > 0 || lead < 0 && int64(c.delta) < 0
}

// span is a range of memory.
type span struct{ from, bytes uint64 }

// span returns the range from the first to the last byte that a lane accesses.
func (c *column) span(lane, rounds int) span {
	from, way := c.op.Addr[lane], uint64(rounds-1)*c.delta
	if int64(way) < 0 {
		from += way
	}
	return span{from, distance(way) + walkBytes}
}

// overlaps reports whether two spans have a byte in common.
func (s span) overlaps(other span) bool {
	return s.from < other.from+other.bytes && other.from < s.from+s.bytes
}

// meets reports whether the span of one lane overlaps that of another, at most lanes lanes away in either direction; each lane is
// step bytes from the one before.
func (s span) meets(other span, step, lanes int64) bool {
	apart := int64(s.from - other.from)
	low, high := apart-int64(other.bytes)+1, apart+int64(s.bytes)-1
	return multiple(low, high, step, lanes) || multiple(-high, -low, step, lanes)
}

// multiple reports whether a number from low to high is 1 to most times step.
func multiple(low, high, step, most int64) bool {
	n := (max(low, step) + step - 1) / step
	return n <= most && n*step <= high
}
