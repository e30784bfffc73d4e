// Merging of the reports of several runs.

package report

import "slices"

// Merge adds the findings of another run of the same kind to the report: of another process of an application, or of
// another part of the work. It adds the numbers of occurrences and schedules. The caller calls Finish on r at the end.
func (r *Report) Merge(other *Report) {
	r.Runs = max(r.Runs, other.Runs)
	r.Seed, r.Schedule = other.Seed, other.Schedule
	for _, x := range other.Races {
		if have := r.Finding(x.ID); have != nil {
			have.take(x)
			have.Schedules += x.Schedules
			have.Programs = union(have.Programs, x.Programs)
		} else {
			r.Races = append(r.Races, x)
		}
	}
	for _, f := range other.Faults {
		if have := r.fault(f); have != nil {
			have.Schedules += f.Schedules
			have.Programs = union(have.Programs, f.Programs)
			if f.OfCall() {
				have.Size, have.Count = have.Size+f.Size, have.Count+f.Count
			}
		} else {
			r.Faults = append(r.Faults, f)
		}
	}
	r.note(other.Notes)
	r.Leave(other.NotChecked)
	r.mergeClaims(other)
	r.cover(other.Coverage)
	r.AddFidelity(other.Fidelity)
	r.LibraryCalls = AddCalls(r.LibraryCalls, other.LibraryCalls...)
	r.Excerpts = append(r.Excerpts, other.Excerpts...)
	if r.Baseline != nil && other.Baseline != nil {
		r.Baseline.merge(other.Baseline)
	}
	r.Stats.add(&other.Stats)
	r.Suppressed, r.Proofs = append(r.Suppressed, other.Suppressed...), append(r.Proofs, other.Proofs...)
	r.SuppressedFaults = append(r.SuppressedFaults, other.SuppressedFaults...)
	r.Sync = append(r.Sync, other.Sync...)
	r.Expect = union(r.Expect, other.Expect)
	if e := other.Exploration; e != nil {
		if r.Exploration == nil {
			r.Exploration = &Exploration{}
		}
		r.Exploration.add(e)
	}
}

// Without returns the report without what concerns some kernels, nil if nothing is left that was checked.
func (r *Report) Without(kernel func(name string) bool) *Report {
	other := *r
	of := func(x *Race) bool { return kernel(x.First.Kernel) || kernel(x.Second.Kernel) }
	other.Races = slices.DeleteFunc(slices.Clone(r.Races), of)
	other.Faults = slices.DeleteFunc(slices.Clone(r.Faults), func(f *FaultEvent) bool { return kernel(f.Kernel) })
	other.Coverage = slices.DeleteFunc(slices.Clone(r.Coverage), func(c *Coverage) bool { return kernel(c.Kernel) })
	if len(other.Coverage) == 0 {
		return nil
	}
	other.settle()
	return &other
}

// Racing reports whether a kernel has a race that is an error.
func (r *Report) Racing(kernel string) bool {
	return slices.ContainsFunc(r.Races, func(x *Race) bool {
		return x.Severity == Error && (x.First.Kernel == kernel || x.Second.Kernel == kernel)
	})
}

// Faulted reports whether a fault has stopped a kernel.
func (r *Report) Faulted(kernel string) bool {
	return slices.ContainsFunc(r.Faults, func(f *FaultEvent) bool { return f.Kernel == kernel && f.Stops() })
}

// union adds those elements of a second list that are not in the first.
func union[E comparable](list, more []E) []E {
	for _, e := range more {
		if !slices.Contains(list, e) {
			list = append(list, e)
		}
	}
	return list
}

// In says of all findings which program of the application showed them; "" for the application itself, which is not
// named.
func (r *Report) In(program string) {
	if program == "" {
		return
	}
	for _, x := range r.Races {
		x.Programs = []string{program}
	}
	for _, f := range r.Faults {
		f.Programs = []string{program}
	}
}

// programs writes the programs that showed a finding.
func (t *text) programs(list []string) {
	const most = 6
	for _, program := range list[:min(len(list), most)] {
		t.more("Program: %s", program)
	}
	if further := len(list) - most; further > 0 {
		t.more("Program: %s", plural(uint64(further), "more program"))
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
