package schedule

import (
	"bytes"
	"reflect"
	"testing"
)

// TestTurnText: every choice of a turn shows in words.
func TestTurnText(t *testing.T) {
	changes := map[string]func(*Turn){
		"Block": func(u *Turn) { u.Block = 5 }, "Warp": func(u *Turn) { u.Warp = 5 }, "Lane": func(u *Turn) { u.Lane = 5 },
		"Admitted": func(u *Turn) { u.Admitted = 5 }, "Points": func(u *Turn) { u.Points = 5 }, "Split": func(u *Turn) { u.Split = 5 },
		"Merge": func(u *Turn) { u.Merge = true }, "Yes": func(u *Turn) { u.Yes = []uint64{5, 6} },
	}
	typ, base := reflect.TypeFor[Turn](), Turn{Points: 1}
	for i := range typ.NumField() {
		name, u := typ.Field(i).Name, base
		if changes[name] == nil {
			t.Errorf("%s: no change of it is tried", name)
			continue
		}
		changes[name](&u)
		if text := turnsText(1, []Turn{u}); text == turnsText(1, []Turn{base}) {
			t.Errorf("%s does not show in %q", name, text)
		}
	}
}

// TestScheduleText: a schedule in words.
func TestScheduleText(t *testing.T) {
	s := &Schedule{Program: [8]byte{1, 2}, Policy: PCT, Partial: true, Launches: []*Log{
		NewLog("k grid (1,1,1) block (64,1,1) shared 0", []Turn{
			{Admitted: 1, Points: 3, Merge: true},
			{Points: 4, Merge: true},
			{Points: 4, Merge: true},
			{Warp: 1, Points: 4, Split: 0xf0, Yes: []uint64{0, 2}},
			{Points: 1},
			{Points: 1},
		}),
	}}
	want := `program 0102000000000000, policy pct, 1 launches, 6 turns, minimised: turns that cannot be had are skipped
launch 1: k grid (1,1,1) block (64,1,1) shared 0, 6 turns
  turns 1 to 3: 1 blocks start, then block 0 warp 0 lane 0, with the groups at the same place, runs 3 turns for up to 3, 4 and 4 scheduling points
  turn 4: block 0 warp 1 lane 0 runs for up to 4 scheduling points; lanes 0x000000f0 are split off first; the policy answers yes to question 0 and 2 of the turn
  turns 5 to 6: block 0 warp 0 lane 0 runs 2 turns for up to 1 scheduling points
`
	var b bytes.Buffer
	if err := s.WriteText(&b); err != nil || b.String() != want {
		t.Errorf("%v\n%s", err, b.String())
	}
	s.Launches[0].log = []byte{turnOther}
	if err := s.WriteText(&b); err == nil {
		t.Error("a damaged schedule is printed")
	}
}
