// Minimisation of schedules: a shorter one under which a race or fault still shows.

package session

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session/internal/detectors"
)

// minimiseRuns is the maximal number of runs to minimise a schedule.
const minimiseRuns = 400

// Minimise removes turns from the session's recorded schedule as long as the scenario still shows the same: races and
// faults or, without faults and detectors, contents of buffers.
func (s *Session) Minimise(ctx context.Context, sc Scenario) error {
	want, held := s.Report(), s.contents()
	o := s.opts
	o.Timeline, o.SaveTrace, o.MemTrace, o.Progress = nil, nil, nil, nil
	o.Emulator.Record, o.Emulator.Listener, o.Emulator.Stdout = nil, nil, nil
	if i := slices.IndexFunc(o.Detectors, func(d *detectors.Detector) bool { return !d.Listens() }); i >= 0 {
		o.Detectors, o.InstrumentedOnly, o.steps = o.Detectors[i:i+1], true, s.instrumentedLimit()
	}
	recorded := s.opts.Emulator.Record
	least, err := emu.Minimize(ctx, recorded, minimiseRuns, func(schedule *emu.Schedule) (bool, error) {
		again := o
		again.Emulator.Replay = schedule
		t, err := Open(again)
		if err != nil {
			return false, err
		}
		if err := sc.Play(ctx, t); err != nil {
			return false, err
		}
		got := t.Report()
		same := sameRaces(got, want) && sameFaults(got.Faults, want.Faults)
		if len(o.Detectors) == 0 && len(want.Faults) == 0 {
			same = same && bytes.Equal(t.contents(), held)
		}
		return same, nil
	})
	if err == nil {
		*recorded = *least
	}
	return err
}

// sameRaces reports whether a report has all races of another.
func sameRaces(got, want *report.Report) bool {
	for _, x := range want.Races {
		if !got.Shows(x) {
			return false
		}
	}
	return true
}

// sameFaults reports whether faults have the same classes at the same lines.
func sameFaults(a, b []*report.FaultEvent) bool {
	return slices.EqualFunc(a, b, func(f, g *report.FaultEvent) bool { return f.Class == g.Class && f.PTX == g.PTX })
}

// contents returns the concatenated contents of all buffers.
func (s *Session) contents() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.first()
	type buffer struct{ addr, size uint64 }
	var list []buffer
	for addr, o := range r.buffers {
		list = append(list, buffer{addr, o.size})
	}
	slices.SortFunc(list, func(a, b buffer) int { return cmp.Compare(a.addr, b.addr) })
	var all []byte
	for _, b := range list {
		p := make([]byte, b.size)
		if err := r.dev.Read(b.addr, p); err != nil {
			panic("BUG: session: " + err.Error())
		}
		all = append(all, p...)
	}
	return all
}
