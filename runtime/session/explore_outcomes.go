// Outcomes: the final states of the runs of an exploration.

package session

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// outcomeCount counts the final states of runs: contents of buffers, or faults.
type outcomeCount struct {
	buffers []*launch.Buffer // that make up the state
	digests []string         // names of buffers and variables whose digests are parts of it
	seen    map[string]*report.Outcome
}

// counts reports whether the final states of runs are counted.
func (e *Exploration) counts() bool { return e.Outcomes != nil || e.Digests != nil }

func newOutcomeCount(buffers []*launch.Buffer) *outcomeCount {
	return &outcomeCount{buffers: buffers, seen: make(map[string]*report.Outcome)}
}

// names returns the names of the buffers.
func (o *outcomeCount) names() (list []string) {
	for _, b := range o.buffers {
		list = append(list, b.Name)
	}
	return list
}

// state returns the contents of the buffers of a session, in order.
func (o *outcomeCount) state(s *Session) (string, error) {
	var all []byte
	for _, b := range o.buffers {
		p := make([]byte, b.Size())
		if err := s.Object(b.Name).Read(0, p); err != nil {
			return "", err
		}
		all = append(all, p...)
	}
	for _, name := range o.digests {
		sum, err := s.digest(name)
		if err != nil {
			return "", err
		}
		all = append(all, sum...)
	}
	return string(all), nil
}

// digest returns a digest of the contents of a buffer, or of a variable of the program that was loaded last.
func (s *Session) digest(name string) ([]byte, error) {
	x := s.Object(name)
	if x == nil {
		var err error
		if x, err = s.Global(s.programs[len(s.programs)-1], name); err != nil {
			return nil, err
		}
	}
	sum, p := sha256.New(), make([]byte, min(x.Size(), MaxOutcome))
	for at := uint64(0); at < x.Size(); at += uint64(len(p)) {
		p = p[:min(uint64(len(p)), x.Size()-at)]
		if err := x.Read(at, p); err != nil {
			return nil, err
		}
		sum.Write(p)
	}
	return sum.Sum(nil), nil
}

// key returns what identifies an outcome.
func (o *outcomeCount) key(one *ran) string {
	if len(one.rep.Faults) > 0 {
		return "fault " + one.rep.Faults[0].Class
	}
	return "state " + one.state
}

func (o *outcomeCount) isNew(one *ran) bool { return o.seen[o.key(one)] == nil }

// add counts the outcome of a run, which the command again repeats.
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
	if len(one.rep.Races) == 0 {
		x.RaceFree++
	}
}

// words returns a state as text.
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
	for _, name := range o.digests {
		list = append(list, report.Words{Name: name, Values: []string{hex.EncodeToString(p[:sha256.Size])}})
		p = p[sha256.Size:]
	}
	return list
}

// list returns the outcomes, sorted by their text.
func (o *outcomeCount) list() (list []report.Outcome) {
	for _, x := range o.seen {
		list = append(list, *x)
	}
	slices.SortFunc(list, func(a, b report.Outcome) int {
		return cmp.Or(cmp.Compare(a.Fault, b.Fault), compareWords(a.Buffers, b.Buffers))
	})
	return list
}

// compareWords compares texts of outcomes, shorter values before longer ones.
func compareWords(a, b []report.Words) int {
	return slices.CompareFunc(a, b, func(v, w report.Words) int {
		return slices.CompareFunc(v.Values, w.Values, func(x, y string) int {
			return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(x, y))
		})
	})
}

// MaxOutcome is the maximal total size in bytes of the buffers that distinguish outcomes.
const MaxOutcome = 1 << 20
