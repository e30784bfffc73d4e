// The human-readable form of a schedule.

package schedule

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// WriteText prints the schedule in words, launch by launch: the group of each turn, and the maximum number of
// scheduling points (visible operations and back edges) in the turn. Consecutive turns of one thread are one line.
// MarshalText writes the form for machines.
func (s *Schedule) WriteText(w io.Writer) error {
	out := bufio.NewWriter(w)
	kind := ""
	if s.Partial {
		kind = ", minimised: turns that cannot be had are skipped"
	}
	fmt.Fprintf(out, "program %x, policy %s, %d launches, %d turns%s\n", s.Program, policyWords[s.Policy],
		len(s.Launches), s.Turns(), kind)
	for i, c := range s.Launches {
		fmt.Fprintf(out, "launch %d: %s, %d turns\n", i+1, c.Shape, c.turns)
		turns, err := c.Decode()
		if err != nil {
			return fmt.Errorf("launch %d: %w", i+1, err)
		}
		for n := 0; n < len(turns); {
			run := 1
			for n+run < len(turns) && turns[n+run].continues(&turns[n]) {
				run++
			}
			fmt.Fprintln(out, "  "+turnsText(n+1, turns[n:n+run]))
			n += run
		}
	}
	return out.Flush()
}

// policyWords are the names of the policies.
var policyWords = [...]string{
	ITS: "its", Lockstep: "lockstep", Random: "random", PCT: "pct", RoundRobin: "round-robin",
	PerThread: "apart", Executions: "executions",
}

// continues reports whether t is another turn of the thread of u, without any other new choice.
func (t *Turn) continues(u *Turn) bool {
	return t.Block == u.Block && t.Warp == u.Warp && t.Lane == u.Lane && t.Merge == u.Merge &&
		t.Admitted == 0 && t.Split == 0 && len(t.Yes) == 0 && u.Split == 0 && len(u.Yes) == 0
}

// turnsText describes consecutive turns of one thread, the first of which has number n.
func turnsText(n int, turns []Turn) string {
	t := &turns[0]
	var s strings.Builder
	if fmt.Fprintf(&s, "turn %d", n); len(turns) > 1 {
		s.Reset()
		fmt.Fprintf(&s, "turns %d to %d", n, n+len(turns)-1)
	}
	s.WriteString(": ")
	if t.Admitted > 0 {
		fmt.Fprintf(&s, "%d blocks start, then ", t.Admitted)
	}
	fmt.Fprintf(&s, "block %d warp %d lane %d", t.Block, t.Warp, t.Lane)
	if t.Merge {
		s.WriteString(", with the groups at the same place,")
	}
	s.WriteString(" runs")
	if len(turns) > 1 {
		fmt.Fprintf(&s, " %d turns", len(turns))
	}
	fmt.Fprintf(&s, " for up to %s scheduling points", pointsText(turns))
	if t.Split != 0 {
		fmt.Fprintf(&s, "; lanes 0x%08x are split off first", t.Split)
	}
	if len(t.Yes) > 0 {
		fmt.Fprintf(&s, "; the policy answers yes to question %s of the turn", numbers(t.Yes))
	}
	return s.String()
}

// pointsText describes the maximum lengths of some turns.
func pointsText(turns []Turn) string {
	points := make([]uint64, len(turns))
	for i := range turns {
		points[i] = turns[i].Points
	}
	if len(slices.Compact(slices.Clone(points))) == 1 {
		return fmt.Sprint(points[0])
	}
	return numbers(points)
}

// numbers lists numbers, the last one after "and".
func numbers(list []uint64) string {
	var words []string
	for _, n := range list {
		words = append(words, fmt.Sprint(n))
	}
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
