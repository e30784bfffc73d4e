// Launches, and blocks of launches, that no detector watches.

package session

import (
	"github.com/ptxsan/ptxsan/emu/observe"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session/internal/badinput"
	"github.com/ptxsan/ptxsan/runtime/session/internal/devices"
)

// machineFor returns the machine for a launch: one without the detectors if these do not watch it.
func (l *loadedProgram) machineFor(b *boundLaunch) (devices.Machine, error) {
	s := l.run.s
	if b.watched() || l.run.inside != nil || len(l.dets) == 0 || len(s.opts.Passes.Passes()) > 0 ||
		s.opts.Timeline != nil || s.trace != nil {
		return l.machine, l.update()
	}
	if l.unwatched != nil {
		return l.unwatched, nil
	}
	cfg := l.run.config
	if o := s.overlaps; o != nil {
		cfg.Listener = observe.Tee(o.watch, cfg.Listener)
	}
	var err error
	if l.unwatched, err = l.machine.Reload(l.program.Module, cfg); err != nil {
		return nil, badinput.Wrap(err)
	}
	return l.unwatched, nil
}

// leftOutBySample returns what Options.Sample has left out.
func (s *Session) leftOutBySample() (list []report.NotChecked) {
	for _, k := range s.sampler.Kernels() {
		list = append(list, report.NotChecked{
			Kernel: k.Name, Launches: int(k.Launches), Why: s.sampler.Reason(),
			Sampled: report.Sampled{Launches: k.Watched, Blocks: k.Seen, OfBlocks: k.Blocks},
		})
	}
	return list
}
