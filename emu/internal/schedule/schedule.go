// Package schedule holds schedules: scheduling policies by name and trait, the log of the turns of groups of threads in
// the launches of a machine, and its text form. It does not depend on how turns are chosen or executed.
package schedule

import (
	"encoding/binary"
	"errors"
)

// Schedule is all choices of a scheduler in the launches of a machine, in order: which threads ran, how far, and which
// lanes were split. Replayed on the same module with the same launches it gives exactly the same run. A zero Schedule
// can be recorded to.
//
// Its text form is one compressed token without spaces.
type Schedule struct {
	Program [8]byte // hash of the text of the program
	Policy  Policy  // policy of the recording, which determines the behaviour that is not recorded: how joins and branches work
	// Partial says that the schedule is a list of desired turns, from which turns have been removed.
	Partial  bool
	Launches []*Log
}

// Log has the choices of one launch.
type Log struct {
	Shape string // kernel and extents of the recorded launch
	turns int
	log   []byte // turns, encoded
}

// Turn has the choices from one group's turn to the next.
type Turn struct {
	Block    uint64 // linear index
	Warp     uint64 // within the block
	Lane     uint64 // lowest lane of the group
	Admitted uint64 // number of blocks started before
	Points   uint64 // quantum
	Split    uint32 // lanes split off first
	Merge    bool
	// Yes has the indices, ascending, of the yes/no choices in the turn that were answered yes, such as which side of a
	// branch runs first, or whether to pass a join.
	Yes []uint64
}

// Limits of the fields of a turn.
const (
	maxWarps = 32 // of a block
	lastLane = 31
)

// maxLog limits a recording in memory, in bytes.
const maxLog = 256 << 20

// Turns returns the number of turns in all launches.
func (s *Schedule) Turns() int {
	n := 0
	for _, c := range s.Launches {
		n += c.turns
	}
	return n
}

// Bits of the first byte of an encoded turn: the fields that follow.
const (
	turnMerge = 1 << iota
	turnAdmits
	turnOther // block and warp, if they differ from the previous turn
	turnLane
	turnPoints
	turnSplit
	turnYes
)

// Add encodes a turn; prev is the previous one, or the zero turn.
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

// Next decodes the next turn into Turn. It returns false at the end.
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

// Full reports whether the log has reached its size limit.
func (c *Log) Full() bool { return len(c.log) >= maxLog }

// Reader returns a reader of the turns from the first one on.
func (c *Log) Reader() Reader { return Reader{log: c.log} }

// Decode returns all turns of the log.
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
