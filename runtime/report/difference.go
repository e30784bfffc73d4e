// Differences between two reports.

package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
)

// Difference holds the findings of two reports, compared by identity.
type Difference struct {
	New, Gone, Same []*Race
	NewFaults       []*FaultEvent // whose class and place no fault of the first report has
	GoneFaults      []*FaultEvent
}

// Compare compares the findings of a report with those of an earlier one.
func Compare(before, after *Report) *Difference {
	d := &Difference{}
	for _, x := range after.Races {
		if before.Finding(x.ID) != nil {
			d.Same = append(d.Same, x)
		} else {
			d.New = append(d.New, x)
		}
	}
	for _, x := range before.Races {
		if after.Finding(x.ID) == nil {
			d.Gone = append(d.Gone, x)
		}
	}
	d.NewFaults, d.GoneFaults = faultsBeyond(after, before), faultsBeyond(before, after)
	return d
}

// faultsBeyond returns the faults of a that b does not have.
func faultsBeyond(a, b *Report) (list []*FaultEvent) {
	for _, f := range a.Faults {
		same := func(g *FaultEvent) bool {
			return f.Class == g.Class && f.At() == g.At() && f.Kernel == g.Kernel && f.sameCall(g)
		}
		if !slices.ContainsFunc(b.Faults, same) {
			list = append(list, f)
		}
	}
	return list
}

// Worse reports whether there is a new finding of at least a severity, or a new fault.
func (d *Difference) Worse(level string) bool {
	return len(d.NewFaults) > 0 || slices.ContainsFunc(d.New,
		func(x *Race) bool { return SeverityRank(x.Severity) >= SeverityRank(level) })
}

// WriteText writes a line for each finding that is new or gone, and the counts.
func (d *Difference) WriteText(w io.Writer) error {
	b := bufio.NewWriter(w)
	for _, x := range d.New {
		fmt.Fprintf(b, "new   %s %s\n", x.ID, x.Headline())
	}
	for _, f := range d.NewFaults {
		fmt.Fprintf(b, "new   fault %s at %s\n", f.Headline(), f.At())
	}
	for _, x := range d.Gone {
		fmt.Fprintf(b, "gone  %s %s\n", x.ID, x.Headline())
	}
	for _, f := range d.GoneFaults {
		fmt.Fprintf(b, "gone  fault %s at %s\n", f.Headline(), f.At())
	}
	fmt.Fprintf(b, "%d new, %d gone, %d as before\n", len(d.New)+len(d.NewFaults), len(d.Gone)+len(d.GoneFaults),
		len(d.Same))
	return b.Flush()
}
