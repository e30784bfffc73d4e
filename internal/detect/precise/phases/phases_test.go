package phases_test

import (
	"strings"
	"testing"
)

// TestPhases: why the phases of some programs may differ in other schedules, whichever is observed, and that those of
// correct ones do not.
func TestPhases(t *testing.T) {
	for name, c := range map[string]struct {
		program
		want string // in a reason; empty if there is none
	}{
		"rounds": {program{counts: []int{2}, threads: [][]op{
			{{arrive, 0, 1}, {wait, 0, 0}, {arrive, 0, 1}, {wait, 0, 1}}, {{arrive, 0, 1}, {wait, 0, 0}, {arrive, 0, 1}, {wait, 0, 1}},
		}}, ""},
		"second arrival without a wait": {program{counts: []int{2}, threads: [][]op{
			{{arrive, 0, 1}, {arrive, 0, 1}}, {{arrive, 0, 1}, {wait, 0, 0}, {arrive, 0, 1}},
		}}, "take its place"},
		"second arrival behind a barrier": {program{counts: []int{2}, threads: [][]op{
			{{arrive, 0, 1}, {sync, 0, 0}, {arrive, 0, 1}}, {{arrive, 0, 1}, {sync, 0, 0}, {arrive, 0, 1}},
		}}, ""},
		"ring": {program{counts: []int{1, 1}, threads: [][]op{
			{{wait, 1, 1}, {arriveExpect, 0, 64}, {startCopy, 0, 64}, {wait, 1, 0}, {arriveExpect, 0, 64}, {startCopy, 0, 64}},
			{{wait, 0, 0}, {arrive, 1, 1}, {wait, 0, 1}, {arrive, 1, 1}},
		}}, ""},
		"ring with commits": {program{counts: []int{1, 1}, threads: [][]op{
			{{wait, 1, 1}, {arriveExpect, 0, 64}, {startCopy, 0, 64}, {wait, 1, 0}, {arriveExpect, 0, 64}, {startCopy, 0, 64}},
			{{wait, 0, 0}, {commit, 1, 1}, {wait, 0, 1}, {commit, 1, 1}},
		}}, ""},
		"ring without back-pressure": {program{counts: []int{1, 1}, threads: [][]op{
			{{arriveExpect, 0, 64}, {startCopy, 0, 64}, {arriveExpect, 0, 64}, {startCopy, 0, 64}},
			{{wait, 0, 0}, {arrive, 1, 1}, {wait, 0, 1}, {arrive, 1, 1}},
		}}, "take its place"},
		"producer that waits for the stage before the one it waited for": {program{counts: []int{1, 1}, threads: [][]op{
			{{arrive, 0, 1}, {wait, 1, 1}, {arrive, 0, 1}, {wait, 1, 0}, {arrive, 0, 1}},
			{{wait, 0, 0}, {arrive, 1, 1}, {wait, 0, 1}, {arrive, 1, 1}, {wait, 0, 0}},
		}}, "has seen its own"},
		"wait that skips a phase": {program{counts: []int{1, 1}, threads: [][]op{
			{{arrive, 0, 1}, {wait, 1, 0}, {arrive, 0, 1}}, {{wait, 0, 0}, {arrive, 1, 1}}, {{wait, 0, 1}},
		}}, "may return at once"},
		"bytes expected too late": {program{counts: []int{2}, threads: [][]op{
			{{arrive, 0, 1}}, {{arrive, 0, 1}}, {{expect, 0, 64}, {startCopy, 0, 64}, {wait, 0, 0}},
		}}, "before {seed} has taken effect"},
		"bytes expected in time": {program{counts: []int{1}, threads: [][]op{
			{{expect, 0, 64}, {startCopy, 0, 64}, {sync, 0, 0}}, {{sync, 0, 0}, {arrive, 0, 1}, {wait, 0, 0}},
		}}, ""},
		"bytes of the next phase": {program{counts: []int{1}, threads: [][]op{
			{{arriveExpect, 0, 8}, {startCopy, 0, 8}, {wait, 0, 0}, {arriveExpect, 0, 8}}, {{startCopy, 0, 8}},
		}}, "take its place"},
		"no bytes": {program{counts: []int{1}, threads: [][]op{{{complete, 0, 0}, {arrive, 0, 1}}, {{wait, 0, 0}}}}, "no bytes"},
		"drop": {program{counts: []int{2}, threads: [][]op{
			{{drop, 0, 1}}, {{arrive, 0, 1}, {wait, 0, 0}, {arrive, 0, 1}, {wait, 0, 1}},
		}}, ""},
		"drop by a thread that arrives again": {program{counts: []int{2}, threads: [][]op{
			{{drop, 0, 1}, {sync, 0, 0}}, {{arrive, 0, 1}, {sync, 0, 0}}, {{sync, 0, 0}, {arrive, 0, 1}},
		}}, ""},
		"arrival that must not be the last": {program{counts: []int{2}, threads: [][]op{
			{{incomplete, 0, 1}}, {{arrive, 0, 1}},
		}}, "before {seed} has taken effect"},
		"arrival before the last": {program{counts: []int{2}, threads: [][]op{
			{{incomplete, 0, 1}, {sync, 0, 0}}, {{sync, 0, 0}, {arrive, 0, 1}},
		}}, ""},
		"arrival of copies": {program{counts: []int{2}, threads: [][]op{
			{{copyNoinc, 0, 1}, {wait, 0, 0}}, {{copyArrive, 0, 1}, {arrive, 0, 1}, {wait, 0, 0}},
		}}, ""},
		"arrival of copies that nobody expects in time": {program{counts: []int{1}, threads: [][]op{
			{{copyArrive, 0, 1}}, {{arrive, 0, 1}, {wait, 0, 0}},
		}}, "before {seed} has taken effect"},
		"named barriers": {program{warps: true, counts: []int{1}, threads: [][]op{
			{{arriveNamed, 1, 64}, {syncNamed, 2, 64}, {arriveNamed, 1, 64}, {syncNamed, 2, 64}},
			{{syncNamed, 1, 64}, {arriveNamed, 2, 64}, {syncNamed, 1, 64}, {arriveNamed, 2, 64}},
		}}, ""},
		"second arrival at a named barrier": {program{warps: true, counts: []int{1}, threads: [][]op{
			{{arriveNamed, 1, 96}, {arriveNamed, 1, 96}}, {{syncNamed, 1, 96}, {syncNamed, 1, 96}},
			{{syncNamed, 1, 96}, {syncNamed, 1, 96}},
		}}, "does not wait for that phase"},
		"other threads at a named barrier": {program{warps: true, counts: []int{1}, threads: [][]op{
			{{syncNamed, 1, 64}}, {{syncNamed, 1, 64}}, {{syncNamed, 1, 64}}, {{syncNamed, 1, 64}},
		}}, "does not wait for that phase"},
	} {
		all := ""
		for seed := range uint64(100) {
			m := run(&c.program, seed)
			if m.bad != "" {
				continue
			}
			why := strings.Join(reasons(t, m), "\n")
			if (why == "") != (c.want == "") {
				t.Errorf("%s: %q, expected %q", name, why, c.want)
				break
			}
			all += why
		}
		if !strings.Contains(all, c.want) {
			t.Errorf("%s: %q, expected %q", name, all, c.want)
		}
	}
}
