// How the runs of an exploration are repeated.

package session

import (
	"fmt"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/explore"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session/internal/detectors"
	"github.com/ptxsan/ptxsan/runtime/session/internal/search"
)

// Replayer describes how a run is repeated, as text. The text becomes report.Race.Replay.
type Replayer interface {
	// Run returns how to repeat a run with detectors, Schedule how to repeat one by its schedule.
	Run(dets []*detectors.Detector, r *explore.Run) string
	Schedule(dets []*detectors.Detector, s *emu.Schedule) string
	// Results returns how to repeat a run, given as one of the above, and see the contents of buffers at its end.
	Results(again string, buffers []string) string
	// Prune is called from time to time with the report that must remain repeatable.
	Prune(*report.Report)
}

// plainReplay repeats runs by their schedules alone.
type plainReplay struct{}

func (plainReplay) Run(_ []*detectors.Detector, r *explore.Run) string {
	if s := r.Schedule(); s != nil {
		return plainReplay{}.Schedule(nil, s)
	}
	return fmt.Sprintf("schedule %s, seed %d", search.PolicyName(r.Policy), r.Seed)
}

func (plainReplay) Schedule(_ []*detectors.Detector, s *emu.Schedule) string {
	text, err := s.MarshalText()
	if err != nil {
		return ""
	}
	return string(text)
}

func (plainReplay) Results(again string, _ []string) string { return again }

func (plainReplay) Prune(*report.Report) {}
