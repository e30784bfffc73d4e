// Merging of the reports of several runs.

package report

import "slices"

// Merge adds the findings of another run of the same kind to the report: of another process of an application, or of another part
// of the work. It adds the numbers of occurrences and schedules. The caller calls Finish on r at the end.
func (r *Report) Merge(other *Report) {
	r.Runs = max(r.Runs, other.Runs)
	r.Seed, r.Schedule = other.Seed, other.Schedule
	for _, x := range other.Races {
		if have := r.race(x.ID); have != nil {
			have.take(x)
			have.Schedules += x.Schedules
		} else {
			r.Races = append(r.Races, x)
		}
	}
	for _, f := range other.Faults {
		if have := r.fault(f); have != nil {
			have.Schedules += f.Schedules
			if f.OfCall() {
				have.Size, have.Count = have.Size+f.Size, have.Count+f.Count
			}
		} else {
			r.Faults = append(r.Faults, f)
		}
	}
	r.note(other.Notes)
	r.Leave(other.NotChecked)
	r.cover(other.Coverage)
	r.Excerpts = append(r.Excerpts, other.Excerpts...)
	if r.Baseline != nil && other.Baseline != nil {
		r.Baseline.merge(other.Baseline)
	}
	r.Stats.add(&other.Stats)
	r.Suppressed, r.Proofs = append(r.Suppressed, other.Suppressed...), append(r.Proofs, other.Proofs...)
	r.SuppressedFaults = append(r.SuppressedFaults, other.SuppressedFaults...)
	for _, e := range other.Expect {
		if !slices.Contains(r.Expect, e) {
			r.Expect = append(r.Expect, e)
		}
	}
	if e := other.Exploration; e != nil {
		if r.Exploration == nil {
			r.Exploration = &Exploration{}
		}
		r.Exploration.add(e)
	}
}

// MergeAll merges several finished reports, and finishes the result.
func MergeAll(list []*Report) *Report {
	r := list[0]
	for _, other := range list[1:] {
		r.Merge(other)
	}
	if len(list) > 1 {
		r.Finish()
	}
	return r
}

// add adds the counts of another run.
func (s *Stats) add(o *Stats) {
	s.Launches += o.Launches
	s.Sites += o.Sites
	s.WarpInstructions += o.WarpInstructions
	s.ThreadInstructions += o.ThreadInstructions
	s.InstrumentedWarpInstructions += o.InstrumentedWarpInstructions
	s.Dropped += o.Dropped
}
