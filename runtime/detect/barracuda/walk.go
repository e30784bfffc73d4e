// Walks: loops in which each lane accesses addresses at a fixed distance from round to round. The detector checks all rounds at
// once, one lane after the other.

package barracuda

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// A walk is accesses of a batch that come in rounds: each round executes the same instructions, each of
// them a fixed number of bytes further on. If no two lanes access the same word, what the accesses of one lane find does
// not depend on those of the others: each lane goes through all rounds before the next one does.

// Limits of walks.
const (
	walkColumns = 8 // accesses in a round
	walkRounds  = 4 // fewer are no walk
	walkBytes   = 1 << wordBits
)

// walk is the walk in progress.
type walk struct {
	columns []column // the accesses of a round
	rounds  int
}

// column is an access in all rounds.
type column struct {
	op    Op     // in the first round
	delta uint64 // bytes from one round to the next
	step  uint64 // from one lane to the next
	kind  Kind   // that it is checked as

	addr   uint64 // of the lane that walks, next
	window window
}

// accesses is how many accesses the walk is.
func (w *walk) accesses() int { return w.rounds * len(w.columns) }

// find makes w the walk that a list of accesses begins with. It reports false when there is none.
func (w *walk) find(f *FromEvents, list []abi.Access) bool {
	width := walkWidth(list)
	if width == 0 || !w.begin(f, list[:width], list[width:]) {
		return false
	}
	n := width
	for c := 0; n < len(list) && w.columns[c].follows(&list[n-width], &list[n]); n++ {
		if c++; c == width {
			c = 0
		}
	}
	w.rounds = n / width
	for w.rounds >= walkRounds && !w.apart() {
		w.rounds /= 2
	}
	return w.rounds >= walkRounds
}

// walkWidth is how many accesses a round has if a list begins with a walk, 0 if it does not look like that.
func walkWidth(list []abi.Access) int {
	most := min(len(list)/walkRounds, walkColumns)
	if most == 0 || !walks(&list[0]) {
		return 0
	}
	for p := 1; p <= most; p++ {
		if class := list[0].AccessClass; list[p].AccessClass == class {
			if list[2*p].AccessClass != class || list[3*p].AccessClass != class {
				return 0
			}
			return p
		}
		if !walks(&list[p]) {
			return 0
		}
	}
	return 0
}

// walks reports whether an access may be one of a walk.
func walks(x *abi.Access) bool {
	return x.Addr == nil && x.Bytes == walkBytes && (x.Base|x.Step)%walkBytes == 0 && x.Access != abi.AccessRMW && checked(x.Space, x.Bytes) &&
		(x.Mask&(x.Mask-1) == 0 || distance(x.Step) >= walkRounds*walkBytes)
}

// distance is the absolute value of a difference of addresses.
func distance(difference uint64) uint64 {
	if d := int64(difference); d < 0 {
		return uint64(-d)
	}
	return difference
}

// begin makes the columns of a round and the one after it.
func (w *walk) begin(f *FromEvents, round, next []abi.Access) bool {
	w.columns = w.columns[:0]
	for i := range round {
		x, y := &round[i], &next[i]
		if x.Mask != round[0].Mask || x.Space != round[0].Space {
			return false
		}
		lane := first(x.Mask)
		f.access(x)
		w.columns = append(w.columns, column{op: f.op, delta: y.At(lane) - x.At(lane), step: x.Step})
	}
	return true
}

// follows reports whether an access is that of the column in the round after that of x.
func (c *column) follows(x, next *abi.Access) bool {
	lane := first(x.Mask)
	return next.AccessClass == x.AccessClass && next.Mask == x.Mask && next.Addr == nil && next.At(lane)-x.At(lane) == c.delta &&
		(next.Step == x.Step || x.Mask&(x.Mask-1) == 0)
}

// apart reports whether no two lanes access the same word.
func (w *walk) apart() bool {
	mask := w.columns[0].op.Mask
	if mask&(mask-1) == 0 {
		return true
	}
	lane, step := first(mask), w.columns[0].step
	lanes := int64(31 - bits.LeadingZeros32(mask) - lane) // between the first and the last one
	for i := range w.columns {
		if w.columns[i].step != step {
			return false
		}
		from, bytes := w.columns[i].span(lane, w.rounds)
		for k := range w.columns {
			other, otherBytes := w.columns[k].span(lane, w.rounds)
			for n := -lanes; n <= lanes; n++ { // a lane so many further on
				at := int64(other-from) + n*int64(step)
				if n != 0 && at < int64(bytes) && at+int64(otherBytes) > 0 {
					return false
				}
			}
		}
	}
	return true
}

// span is where a lane walks in so many rounds: the first address and how many bytes.
func (c *column) span(lane, rounds int) (from, bytes uint64) {
	from, way := c.op.Addr[lane], uint64(rounds-1)*c.delta
	if int64(way) < 0 {
		from += way
	}
	return from, distance(way) + walkBytes
}
