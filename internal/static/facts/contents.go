// Contents of allocations, as readers of host code track them.

package facts

import (
	"bytes"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
)

// Contents is what every element of an allocation holds.
type Contents struct {
	All *expr.Int // in every execution; nil: unknown
	// Sample is what the elements hold in executions in which the conditions hold: an unwritten allocation may hold
	// zeros, and the first iteration of a loop finds the contents from before the loop. written to may hold zeros, and
	// the first round of a loop finds what was there before the loop.
	Sample *expr.Int
	When   []Condition
	// Bytes are the contents that a copy of known host memory has given the whole allocation; no proof uses them.
	Bytes []byte
}

// Equal reports whether two contents are the same.
func (c Contents) Equal(d Contents) bool {
	same := func(a, b *expr.Int) bool { return a == b || a != nil && b != nil && a.Equal(b) }
	return bytes.Equal(c.Bytes, d.Bytes) && same(c.All, d.All) && same(c.Sample, d.Sample) &&
		slices.EqualFunc(c.When, d.When, func(a, b Condition) bool { return a.That.Equal(b.That) })
}

// First returns the contents in the first iteration of a loop, under further conditions.
func (c Contents) First(when []Condition) Contents {
	d := Contents{Sample: c.Sample, When: append(c.When[:len(c.When):len(c.When)], when...)}
	if c.All != nil {
		d.Sample = c.All
	}
	return d
}
