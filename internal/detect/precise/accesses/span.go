// Spans of time.

package accesses

import "github.com/ptxsan/ptxsan/internal/detect/precise/order"

// Span is the times from the first to the last; empty if the last is 0.
type Span struct{ First, Last order.Stamp }

// Has reports whether a time is in the span.
func (s Span) Has(at order.Stamp) bool { return s.First <= at && at <= s.Last }

// AnyTime is the span of all times.
var AnyTime = Span{0, ^order.Stamp(0)}

// With returns the least span that includes both.
func (s Span) With(o Span) Span {
	switch {
	case s.Last == 0:
		return o
	case o.Last == 0:
		return s
	}
	return Span{min(s.First, o.First), max(s.Last, o.Last)}
}
