// Comparison with an earlier report, the baseline: findings in both do not count.

package report

// Baseline is the comparison with an earlier report. The report's own Races are then those that the earlier one does
// not have.
type Baseline struct {
	Same       []*Race       `json:"same"`
	Gone       []*Race       `json:"gone"`
	GoneFaults []*FaultEvent `json:"gone_faults,omitempty"`
}

// Against moves the findings that an earlier report has as well to Baseline, where they do not count, and lists there
// what is gone. All faults count, new or not. Call it after Finish and Suppress.
func (r *Report) Against(before *Report) {
	d := Compare(before, r)
	r.Races = append([]*Race{}, d.New...)
	r.Baseline = &Baseline{
		Same: append([]*Race{}, d.Same...), Gone: append([]*Race{}, d.Gone...),
		GoneFaults: d.GoneFaults,
	}
	r.settle()
}

// Has reports whether a report, which may be nil, has a finding.
func (r *Report) Has(x *Race) bool { return r != nil && r.Finding(x.ID) != nil }

// merge adds the comparison of another part of a run with the same baseline. A finding that is gone in one part may
// exist in another.
func (b *Baseline) merge(other *Baseline) {
	has := func(list []*Race, x *Race) bool {
		for _, y := range list {
			if y.ID == x.ID {
				return true
			}
		}
		return false
	}
	for _, x := range other.Same {
		if !has(b.Same, x) {
			b.Same = append(b.Same, x)
		}
	}
	gone := b.Gone[:0]
	for _, x := range b.Gone {
		if has(other.Gone, x) && !has(b.Same, x) {
			gone = append(gone, x)
		}
	}
	b.Gone = gone
}

// baseline writes how many findings are as before.
func (t *text) baseline(b *Baseline) {
	t.line("BASELINE: %s as before, %d gone", plural(uint64(len(b.Same)), "finding"), len(b.Gone)+len(b.GoneFaults))
}
