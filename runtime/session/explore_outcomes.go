// Outcomes: the states that the runs of an exploration end in.

package session

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// outcomeCount counts the states that runs end in: contents of buffers, or faults.
type outcomeCount struct {
	buffers []*launch.Buffer // that make up the state
	seen    map[string]*report.Outcome
}

func newOutcomeCount(buffers []*launch.Buffer) *outcomeCount {
	return &outcomeCount{buffers: buffers, seen: make(map[string]*report.Outcome)}
}

// state is the contents of the buffers of a session, in order.
func (o *outcomeCount) state(s *Session) (string, error) {
	var all []byte
	for _, b := range o.buffers {
		p := make([]byte, b.Size())
		if err := s.Object(b.Name).Read(0, p); err != nil {
			return "", err
		}
		all = append(all, p...)
	}
	return string(all), nil
}

// key tells outcomes apart.
func (o *outcomeCount) key(one *ran) string {
	if len(one.rep.Faults) > 0 {
		return "fault " + one.rep.Faults[0].Class
	}
	return "state " + one.state
}

func (o *outcomeCount) isNew(one *ran) bool { return o.seen[o.key(one)] == nil }

// add counts the outcome of a run, which the command repeats.
func (o *outcomeCount) add(one *ran, again string) {
	k := o.key(one)
	x := o.seen[k]
	if x == nil {
		x = &report.Outcome{Replay: again}
		if len(one.rep.Faults) > 0 {
			x.Fault = one.rep.Faults[0].Class
		} else {
			x.Buffers = o.words(one.state)
		}
		o.seen[k] = x
	}
	x.Schedules++
}

// words spells a state.
func (o *outcomeCount) words(state string) (list []report.Words) {
	p := []byte(state)
	for _, b := range o.buffers {
		w := report.Words{Name: b.Name}
		for range b.Count {
			w.Values = append(w.Values, b.Type.Format(p))
			p = p[b.Type.Size():]
		}
		list = append(list, w)
	}
	return list
}

// list is the outcomes, ordered by how they are spelled.
func (o *outcomeCount) list() (list []report.Outcome) {
	for _, x := range o.seen {
		list = append(list, *x)
	}
	slices.SortFunc(list, func(a, b report.Outcome) int {
		return cmp.Or(cmp.Compare(a.Fault, b.Fault), compareWords(a.Buffers, b.Buffers))
	})
	return list
}

// compareWords orders spellings, short values before long ones.
func compareWords(a, b []report.Words) int {
	return slices.CompareFunc(a, b, func(v, w report.Words) int {
		return slices.CompareFunc(v.Values, w.Values, func(x, y string) int {
			return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(x, y))
		})
	})
}

// MaxOutcome is how many bytes the buffers may have by which outcomes are told apart.
const MaxOutcome = 1 << 20
