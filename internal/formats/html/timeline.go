// The timeline of a run: a row for each warp, in which time goes from left to right.

package html

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/runtime/report"
)

// timeline is the drawing of a report.Timeline, in units of a step from From to To.
type timeline struct {
	Summary  string
	From, To uint64
	Grids    []*timedGrid
	Races    []timedRace
	Left     []string
	merged   int // spans that are drawn with the one before
}

// Width returns the number of steps.
func (v *timeline) Width() uint64 { return v.To - v.From }

// Last returns the last step.
func (v *timeline) Last() uint64 { return max(v.To, 1) - 1 }

// timedGrid is a launch: rows of which each is laneHeight high.
type timedGrid struct {
	Launch string
	Lanes  []*lane
	Arrows []timedRace // of which at least one access is here
}

// Height returns the height of the rows.
func (g *timedGrid) Height() int { return laneHeight * len(g.Lanes) }

// lane is a row.
type lane struct {
	Y           int
	Name        string
	Code, Waits []bar
	Marks       []report.Mark
	grid        *timedGrid
}

// bar is a span of time; Colour is one of the colours of lines.
type bar struct {
	From, Width uint64
	Colour      int
	What        string
}

// To returns the step after the last.
func (b bar) To() uint64 { return b.From + b.Width }

// timedRace is an arrow from the earlier access of a race to the later one.
type timedRace struct {
	Name, ID string
	Ends     [2]timedEnd
}

// timedEnd is an access, and its row, nil if that is not drawn or of another launch.
type timedEnd struct {
	report.TimedAccess
	Row *lane
	Who string
}

// X returns where the access is, in the middle of its step.
func (e timedEnd) X() float64 { return float64(e.At) + 0.5 }

// Both reports whether both accesses are drawn.
func (x timedRace) Both() bool { return x.Ends[0].Row != nil && x.Ends[1].Row != nil }

// Middle returns the y of half the height of the row.
func (l *lane) Middle() int { return l.Y + laneHeight/2 }

// Foot returns the y of its lower edge.
func (l *lane) Foot() int { return l.Y + laneHeight }

// Bounds of a drawing.
const (
	mostLanes   = 32
	mostBars    = 400 // of a lane: shorter spans are drawn together
	laneHeight  = 22
	lineColours = 6
)

// newTimeline draws a timeline, nil if there is none. The lanes of races come first when there are too many; those that
// are shown keep their order.
func newTimeline(t *report.Timeline, races []*report.Race) *timeline {
	if t == nil {
		return nil
	}
	v := &timeline{From: t.From, To: t.To, Left: slices.Clone(t.Left), Summary: count(int(t.Steps), "step")}
	if len(t.Lanes) > 0 && (t.From > 1 || t.To <= t.Steps) {
		v.Summary = fmt.Sprintf("steps %d to %d of %d", t.From, t.To-1, t.Steps)
	}
	rows := map[int]*lane{}
	for _, i := range chosen(t) {
		rows[i] = v.add(t.Lanes[i])
	}
	if n := len(t.Lanes) - len(rows); n > 0 {
		v.Left = append(v.Left, count(n, "further warp"))
	}
	if v.merged > 0 {
		v.Left = append(v.Left, fmt.Sprintf("%s of code, each drawn with the one before it",
			count(v.merged, "short span")))
	}
	for _, x := range t.Races {
		y := timedRace{Name: x.Name, ID: findingOf(x, races)}
		for i, end := range x.Ends {
			of := t.Lanes[end.Lane]
			y.Ends[i] = timedEnd{end, rows[end.Lane], laneName(of)}
			if len(v.Grids) > 1 {
				y.Ends[i].Who += " of " + of.Launch
			}
		}
		v.Races = append(v.Races, y)
		for _, g := range v.Grids {
			g.point(y)
		}
	}
	return v
}

// laneName returns the name of a warp.
func laneName(l *report.Lane) string {
	return fmt.Sprintf("block (%d,%d,%d) warp %d", l.Block[0], l.Block[1], l.Block[2], l.Warp)
}

// point adds the accesses of a race that are in the launch.
func (g *timedGrid) point(x timedRace) {
	shown := false
	for i := range x.Ends {
		if row := x.Ends[i].Row; row != nil && row.grid == g {
			shown = true
		} else {
			x.Ends[i].Row = nil
		}
	}
	if shown {
		g.Arrows = append(g.Arrows, x)
	}
}

// chosen returns the numbers of the lanes to draw.
func chosen(t *report.Timeline) (list []int) {
	add := func(i int) {
		if len(list) < mostLanes && !slices.Contains(list, i) {
			list = append(list, i)
		}
	}
	for _, x := range t.Races {
		add(x.Ends[0].Lane)
		add(x.Ends[1].Lane)
	}
	for i := range t.Lanes {
		add(i)
	}
	slices.Sort(list)
	return list
}

// add adds a row to those of its launch.
func (v *timeline) add(from *report.Lane) *lane {
	i := slices.IndexFunc(v.Grids, func(g *timedGrid) bool { return g.Launch == from.Launch })
	if i < 0 {
		i, v.Grids = len(v.Grids), append(v.Grids, &timedGrid{Launch: from.Launch})
	}
	g := v.Grids[i]
	l := &lane{Y: g.Height(), Name: laneName(from), Marks: from.Marks, grid: g}
	g.Lanes = append(g.Lanes, l)
	for _, s := range from.Code {
		if n := len(l.Code); n > 0 && s.From < l.Code[n-1].From+v.Width()/mostBars {
			l.Code[n-1].Width = s.To - l.Code[n-1].From
			v.merged++
			continue
		}
		l.Code = append(l.Code, bar{s.From, s.To - s.From, colourOf(s.What), s.What})
	}
	for _, s := range from.Waits {
		l.Waits = append(l.Waits, bar{From: s.From, Width: s.To - s.From, What: s.What})
	}
	return l
}

// colourOf returns the colour of a line: neighbouring lines differ.
func colourOf(place string) int {
	n := 0
	for _, r := range place {
		if r == ':' {
			n = 0
		} else {
			n = (10*n + int(r)) % lineColours
		}
	}
	return n
}

// findingOf returns the identity of the finding that has a race of these lines.
func findingOf(x report.TimedRace, races []*report.Race) string {
	for _, r := range races {
		a, b := r.First.At(), r.Second.At()
		if p, q := x.Ends[0].Place, x.Ends[1].Place; a == p && b == q || a == q && b == p {
			return r.ID
		}
	}
	return ""
}
