// Notes beside rows: which pass inserted a line, and for which.

package diff

import "fmt"

// noter returns the origin of rows, once for consecutive rows of the same origin.
type noter struct{ last Origin }

// note returns which pass wrote B's side of a row, and for which line of A; "" if A has the line, or if the previous
// row had the same note.
func (n *noter) note(d *Diff, r Row) string {
	var o Origin
	if d.origin != nil && r.B.Line > 0 {
		o = d.origin(int(r.B.Line))
	}
	if o == n.last {
		return ""
	}
	n.last = o
	switch {
	case o.Pass == "":
		return ""
	case o.For > 0:
		return fmt.Sprintf("  // %s, for line %d", o.Pass, o.For)
	default:
		return "  // " + o.Pass
	}
}
