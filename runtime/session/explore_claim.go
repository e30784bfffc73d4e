// The run that stands for all schedules: an exploration ends with it.

package session

import (
	"slices"

	"github.com/ptxsan/ptxsan/emu/explore"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/session/internal/detectors"
)

// claiming returns the detectors of a run whose verdict may hold for every schedule, nil if there can be no such run:
// those that listen, if they all know what their verdicts depend on.
func (e *Exploration) claiming() []*detectors.Detector {
	dets := e.subjects()[0]
	if !e.Options.claims() || slices.ContainsFunc(dets, func(d *detectors.Detector) bool { return !claims(d) }) {
		return nil
	}
	return dets
}

// stands makes the result of a run that of all schedules, if its verdict holds for all of them and so does what it
// leaves in memory, where that is compared.
func (e *Exploration) stands(dets []*detectors.Detector, s *Session) (bool, error) {
	rep := s.Report()
	e.rep.Claims, e.rep.Depends = rep.Claims, rep.Depends
	every := dets != nil && len(rep.Pairs())+len(rep.Faults)+len(rep.Narrow()) == 0 && s.Strayed() == nil
	if !every || e.count != nil && !s.settled() {
		return false, nil
	}
	one, err := &ran{rep: rep}, error(nil)
	if e.count != nil {
		if one.state, err = e.count.state(s); err != nil {
			return false, err
		}
	}
	cfg := &e.Options.Emulator
	x := e.rep.Exploration
	x.Schedules, x.Claimed = 1, true
	e.take(dets, &explore.Run{Policy: cfg.Policy, Seed: cfg.Seed, Depth: cfg.Depth, Length: cfg.Length}, one)
	e.executed -= rep.Stats.ThreadInstructions // of the one run, counted when it began
	return true, nil
}

// waitsOnly reports whether all that the launched kernels test phases of mbarriers for is to wait for them.
func (e *Exploration) waitsOnly() bool {
	for _, f := range e.known {
		if slices.ContainsFunc(f.Order, func(k *rewrite.Func) bool { return len(detectors.Peeks(k)) > 0 }) {
			return false
		}
	}
	return true
}

// assumed returns what the exhaustive search has taken for granted and may not hold, in programs of which no run stands
// for all.
func (e *Exploration) assumed(a explore.Assumptions) (why []string) {
	if a.Phases {
		why = append(why, "phases of mbarriers are completed by the arrivals that complete them in these runs")
	}
	if a.Copies && len(e.rep.Races) > 0 {
		why = append(why, "asynchronous copies that race are performed at one of the times that are possible")
	}
	return why
}

// settled reports whether the launches so far leave the same in memory in every schedule.
func (s *Session) settled() bool { return !s.varies }
