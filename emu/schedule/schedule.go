// Package schedule holds schedules: scheduling policies by name and trait, the log of the turns
// that groups of threads had in the launches of a machine, and its text form. It knows nothing of
// how turns are chosen or executed.
package schedule

import (
	"encoding/binary"
	"errors"
)

// Schedule is every choice that a scheduler made in the launches of a machine, in
// order: which threads ran, how far, and which lanes went apart. Replayed on the same
// module with the same launches it gives the same run, byte for byte. A zero Schedule
// can be recorded to.
//
// Its text form is one token without spaces, compressed.
type Schedule struct {
	Program [8]byte // of the text of the program
	Policy  Policy  // it was recorded under; it decides what is not a choice: how joins and branches work
	// Partial says that the schedule is a list of turns that are wanted: what is left of one when
	// turns are taken out of it.
	Partial  bool
	Launches []*Log
}

// Log is the choices of one launch.
type Log struct {
	Shape string // kernel and extents: the launch that was recorded
	turns int
	log   []byte // turns, encoded
}

// Turn is the choices from one group's turn to the next.
type Turn struct {
	Block    uint64 // linear index
	Warp     uint64 // within the block
	Lane     uint64 // the lowest of the group
	Admitted uint64 // blocks started before
	Points   uint64 // quantum
	Split    uint32 // taken off the group first
	Merge    bool
	// Yes is which of the questions in the turn (which side of a branch goes first,
	// whether to wait at a join) were answered with yes, in ascending order.
	Yes []uint64
}

// Bounds of what a turn may say.
const (
	maxWarps = 32 // of a block
	lastLane = 31
)

// maxLog bounds a recording in memory, bytes.
const maxLog = 256 << 20

// Turns is the number of turns that groups of threads had in all launches.
func (s *Schedule) Turns() int {
	n := 0
	for _, c := range s.Launches {
		n += c.turns
	}
	return n
}

// Bits of the first byte of an encoded turn: what follows.
const (
	turnMerge = 1 << iota
	turnAdmits
	turnOther // block and warp, when not those of the turn before
	turnLane
	turnPoints
	turnSplit
	turnYes
)

// Add encodes a turn; prev is the one before, or the zero turn.
func (c *Log) Add(t, prev *Turn) {
	flags := byte(0)
	var body []byte
	field := func(bit byte, present bool, vals ...uint64) {
		if !present {
			return
		}
		flags |= bit
		for _, v := range vals {
			body = binary.AppendUvarint(body, v)
		}
	}
	field(turnMerge, t.Merge)
	field(turnAdmits, t.Admitted != 0, t.Admitted)
	field(turnOther, t.Block != prev.Block || t.Warp != prev.Warp, t.Block, t.Warp)
	field(turnLane, t.Lane != prev.Lane, t.Lane)
	field(turnPoints, t.Points != prev.Points, t.Points)
	field(turnSplit, t.Split != 0, uint64(t.Split))
	field(turnYes, len(t.Yes) > 0, append([]uint64{uint64(len(t.Yes))}, t.Yes...)...)
	c.log = append(append(c.log, flags), body...)
	c.turns++
}

// Reader decodes turns.
type Reader struct {
	log  []byte
	Turn Turn
}

var errMalformed = errors.New("the schedule is damaged")

// Next decodes a turn into cur. It reports false at the end.
func (r *Reader) Next() (bool, error) {
	if len(r.log) == 0 {
		return false, nil
	}
	flags, bad := r.log[0], false
	r.log = r.log[1:]
	field := func(bit byte, dst *uint64, limit uint64) {
		if flags&bit == 0 {
			return
		}
		v, n := binary.Uvarint(r.log)
		if n <= 0 || v > limit {
			bad = true
			return
		}
		*dst, r.log = v, r.log[n:]
	}
	t := &r.Turn
	var split, yes uint64
	t.Merge, t.Admitted = flags&turnMerge != 0, 0
	field(turnAdmits, &t.Admitted, 1<<62)
	field(turnOther, &t.Block, 1<<62)
	field(turnOther, &t.Warp, maxWarps-1)
	field(turnLane, &t.Lane, lastLane)
	field(turnPoints, &t.Points, 1<<31-1)
	field(turnSplit, &split, 1<<32-1)
	field(turnYes, &yes, uint64(len(r.log)))
	t.Split = uint32(split)
	t.Yes = make([]uint64, min(yes, uint64(len(r.log))))
	for i := range t.Yes {
		field(turnYes, &t.Yes[i], 1<<62)
	}
	if bad {
		return false, errMalformed
	}
	return true, nil
}

// Full reports whether no more turns should be added.
func (c *Log) Full() bool { return len(c.log) >= maxLog }

// Reader reads the turns from the first one on.
func (c *Log) Reader() Reader { return Reader{log: c.log} }

// Decode is all turns of the course.
func (c *Log) Decode() ([]Turn, error) {
	var list []Turn
	r := c.Reader()
	for {
		ok, err := r.Next()
		if err != nil || !ok {
			return list, err
		}
		list = append(list, r.Turn)
	}
}

// NewLog encodes turns.
func NewLog(shape string, turns []Turn) *Log {
	c := &Log{Shape: shape}
	prev := &Turn{}
	for i := range turns {
		c.Add(&turns[i], prev)
		prev = &turns[i]
	}
	return c
}
