package emu

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Schedule is every choice that a scheduler made in the launches of a machine, in
// order: which threads ran, how far, and which lanes went apart. Replayed on the same
// module with the same launches it gives the same run, byte for byte. A zero Schedule
// can be recorded to.
//
// Its text form is one token without spaces, compressed.
type Schedule struct {
	module   [8]byte // of the text of the program
	policy   Policy  // decides what is not a choice: how joins and branches work
	loose    bool    // minimised: see replayer
	launches []*course
}

// course is the choices of one launch.
type course struct {
	shape string // kernel and extents: the launch that was recorded
	turns int
	log   []byte // turns, encoded
}

// turn is the choices from one group's turn to the next.
type turn struct {
	block    uint64 // linear index
	warp     uint64 // within the block
	lane     uint64 // the lowest of the group
	admitted uint64 // blocks started before
	points   uint64 // quantum
	split    lanes  // taken off the group first
	merge    bool
	// yes is which of the questions in the turn (which side of a branch goes first,
	// whether to wait at a join) were answered with yes, in ascending order.
	yes []uint64
}

// maxLog bounds a recording in memory, bytes.
const maxLog = 256 << 20

// Turns is the number of turns that groups of threads had in all launches.
func (s *Schedule) Turns() int {
	n := 0
	for _, c := range s.launches {
		n += c.turns
	}
	return n
}

// Policy is the policy that the schedule was recorded under.
func (s *Schedule) Policy() Policy { return s.policy }

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

// add encodes a turn; prev is the one before, or the zero turn.
func (c *course) add(t, prev *turn) {
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
	field(turnMerge, t.merge)
	field(turnAdmits, t.admitted != 0, t.admitted)
	field(turnOther, t.block != prev.block || t.warp != prev.warp, t.block, t.warp)
	field(turnLane, t.lane != prev.lane, t.lane)
	field(turnPoints, t.points != prev.points, t.points)
	field(turnSplit, t.split != 0, uint64(t.split))
	field(turnYes, len(t.yes) > 0, append([]uint64{uint64(len(t.yes))}, t.yes...)...)
	c.log = append(append(c.log, flags), body...)
	c.turns++
}

// decoder of turns.
type turnReader struct {
	log []byte
	cur turn
}

var errMalformed = errors.New("the schedule is damaged")

// next decodes a turn into cur. It reports false at the end.
func (r *turnReader) next() (bool, error) {
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
	t := &r.cur
	var split, yes uint64
	t.merge, t.admitted = flags&turnMerge != 0, 0
	field(turnAdmits, &t.admitted, 1<<62)
	field(turnOther, &t.block, 1<<62)
	field(turnOther, &t.warp, maxBlockThreads/warpSize-1)
	field(turnLane, &t.lane, warpSize-1)
	field(turnPoints, &t.points, 1<<31-1)
	field(turnSplit, &split, uint64(allLanes))
	field(turnYes, &yes, uint64(len(r.log)))
	t.split = lanes(split)
	t.yes = make([]uint64, min(yes, uint64(len(r.log))))
	for i := range t.yes {
		field(turnYes, &t.yes[i], 1<<62)
	}
	if bad {
		return false, errMalformed
	}
	return true, nil
}

// decoded is all turns of the course.
func (c *course) decoded() ([]turn, error) {
	var list []turn
	r := turnReader{log: c.log}
	for {
		ok, err := r.next()
		if err != nil || !ok {
			return list, err
		}
		list = append(list, r.cur)
	}
}

// courseOf encodes turns.
func courseOf(shape string, turns []turn) *course {
	c := &course{shape: shape}
	prev := &turn{}
	for i := range turns {
		c.add(&turns[i], prev)
		prev = &turns[i]
	}
	return c
}

// hashModule identifies a program by its text.
func hashModule(m *Machine) (h [8]byte) {
	sum := sha256.Sum256(m.src.AST.File.Src)
	copy(h[:], sum[:])
	return h
}

// describeLaunch describes a launch: what a replayed one must have in common.
func describeLaunch(l *launch) string {
	return fmt.Sprintf("%s grid %v block %v shared %d", l.kernel.src.Name, l.grid, l.block, l.sharedSize)
}

// textPrefix begins the text form and names its version.
const textPrefix = "ptxsan-schedule-1:"

// IsSchedule reports whether text looks like the text form of a schedule.
func IsSchedule(text string) bool { return strings.HasPrefix(text, textPrefix) }

// MarshalText implements encoding.TextMarshaler.
func (s *Schedule) MarshalText() ([]byte, error) {
	var raw bytes.Buffer
	raw.Write(s.module[:])
	loose := byte(0)
	if s.loose {
		loose = 1
	}
	raw.Write([]byte{byte(s.policy), loose})
	for _, c := range s.launches {
		for _, part := range [][]byte{[]byte(c.shape), binary.AppendUvarint(nil, uint64(c.turns)), c.log} {
			raw.Write(binary.AppendUvarint(nil, uint64(len(part))))
			raw.Write(part)
		}
	}
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err = w.Write(raw.Bytes()); err == nil {
		err = w.Close()
	}
	return base64.RawURLEncoding.AppendEncode([]byte(textPrefix), packed.Bytes()), err
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *Schedule) UnmarshalText(text []byte) error {
	body, ok := strings.CutPrefix(strings.TrimSpace(string(text)), textPrefix)
	if !ok {
		return fmt.Errorf("not a schedule: it does not begin with %s", textPrefix)
	}
	packed, err := base64.RawURLEncoding.DecodeString(body)
	if err != nil {
		return errMalformed
	}
	rest := bytes.NewReader(packed)
	raw, err := io.ReadAll(io.LimitReader(flate.NewReader(rest), maxLog+1))
	if err != nil || rest.Len() > 0 || len(raw) < 10 || len(raw) > maxLog || raw[8] > byte(lastPolicy) || raw[9] > 1 {
		return errMalformed
	}
	out := Schedule{policy: Policy(raw[8]), loose: raw[9] == 1}
	copy(out.module[:], raw)
	for raw = raw[10:]; len(raw) > 0; {
		var parts [3][]byte
		for i := range parts {
			size, n := binary.Uvarint(raw)
			if n <= 0 || size > uint64(len(raw)-n) {
				return errMalformed
			}
			parts[i], raw = raw[n:n+int(size)], raw[n+int(size):]
		}
		turns, n := binary.Uvarint(parts[1])
		if n <= 0 || turns > maxLog {
			return errMalformed
		}
		out.launches = append(out.launches, &course{shape: string(parts[0]), turns: int(turns), log: parts[2]})
	}
	*s = out
	return nil
}
