// Timelines as parts of reports: the moments around the first race, as many as fit a picture.

package session

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/emu/observe"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// Bounds of a chart.
const (
	mostMoments = 4096 // half of them before the first race
	mostArrows  = 64
)

// chart keeps the events of a timeline around the first race: it drops the oldest while there is none, and takes no
// more when it is full.
type chart struct {
	moments       []observe.TraceEvent // slices of code, and instants
	waits         map[string]observe.TraceEvent
	arrows        []arrow
	known         map[string]bool // arrows, by the places of their ends
	early, late   int             // moments that were dropped, and not taken
	further, same int             // arrows beyond the limit, and of places that had one
}

// arrow is a race: its earlier and its later access.
type arrow [2]observe.TraceEvent

// Draw makes the timeline keep what Chart returns. It must be called before the run.
func (t *Timeline) Draw() {
	t.chart = &chart{waits: map[string]observe.TraceEvent{}, known: map[string]bool{}}
	t.Also = t.chart.take
}

// take keeps an event.
func (c *chart) take(e *observe.TraceEvent) {
	switch e.Ph {
	case "X", "i":
		c.keep(*e)
	case "b":
		c.waits[e.ID] = *e
	case "e":
		begin := c.waits[e.ID]
		delete(c.waits, e.ID)
		begin.Dur = e.Ts - begin.Ts
		c.keep(begin)
	case "s":
		c.arrows = append(c.arrows, arrow{*e})
	case "f":
		last := &c.arrows[len(c.arrows)-1]
		last[1] = *e
		c.count(last)
	}
}

// keep adds a moment, or counts it as left out.
func (c *chart) keep(e observe.TraceEvent) {
	switch {
	case len(c.moments) < mostMoments:
	case len(c.arrows) > 0:
		c.late++
		return
	default:
		c.early += mostMoments / 2
		c.moments = slices.Delete(c.moments, 0, mostMoments/2)
	}
	c.moments = append(c.moments, e)
}

// count drops the last arrow again if there is one of the same lines, or if there are too many.
func (c *chart) count(a *arrow) {
	key := fmt.Sprint(a[0].Name, a[0].Args["place"], a[1].Args["place"])
	switch {
	case c.known[key]:
		c.same++
	case len(c.known) == mostArrows:
		c.further++
	default:
		c.known[key] = true
		return
	}
	c.arrows = c.arrows[:len(c.arrows)-1]
}

// Chart returns what the timeline has kept since Draw, for a report. It must be called after Close.
func (t *Timeline) Chart() *report.Timeline {
	c, out := t.chart, &report.Timeline{Steps: t.Steps()}
	lanes := map[string]int{}
	lane := func(e *observe.TraceEvent) int {
		key := fmt.Sprint(e.Pid, " ", e.Tid)
		n, ok := lanes[key]
		if !ok {
			n = len(out.Lanes)
			lanes[key], out.Lanes = n, append(out.Lanes,
				&report.Lane{Launch: e.Launch, Block: array3(e.Block), Warp: e.Tid})
		}
		return n
	}
	for i := range c.moments {
		e := &c.moments[i]
		add(out.Lanes[lane(e)], e)
		if out.From == 0 || e.Ts < out.From {
			out.From = e.Ts
		}
		out.To = max(out.To, e.Ts+e.Dur)
	}
	for i := range c.arrows {
		a := &c.arrows[i]
		if a[0].Ts < out.From || a[1].Ts >= out.To {
			c.further++
			continue
		}
		x := report.TimedRace{Name: a[0].Name}
		for j := range x.Ends {
			x.Ends[j] = report.TimedAccess{Lane: lane(&a[j]), At: a[j].Ts, Place: fmt.Sprint(a[j].Args["place"])}
		}
		out.Races = append(out.Races, x)
	}
	out.Left = c.left()
	return out
}

// add adds a moment to the lane of its warp.
func add(l *report.Lane, e *observe.TraceEvent) {
	switch s := (report.Span{From: e.Ts, To: e.Ts + e.Dur, What: e.Name}); {
	case e.Ph == "i":
		l.Marks = append(l.Marks, report.Mark{At: e.Ts, Class: e.Cat, What: e.Name})
	case e.Cat == "barrier":
		l.Waits = append(l.Waits, s)
	default:
		l.Code = append(l.Code, s)
	}
}

// left says what the chart does not have.
func (c *chart) left() (list []string) {
	for _, x := range []struct {
		n    int
		what string
	}{
		{c.early, "earlier moments"}, {c.late, "later moments"}, {c.same, "further races of the same lines"}, {c.further, "races of other lines"},
	} {
		if x.n > 0 {
			list = append(list, fmt.Sprintf("%d %s", x.n, x.what))
		}
	}
	return list
}
