// Notes beside rows: which pass inserted a line, and for which.

package diff

import "fmt"

// noter says where rows come from, once for rows in a row that come from the same
// place.
type noter struct{ last Origin }

// note says which pass wrote B's side of a row, and for which line of A; "" when A
// has it, and when the row before it had the same note.
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
