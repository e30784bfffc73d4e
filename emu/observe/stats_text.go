// Statistics as text.

package observe

import (
	"bufio"
	"fmt"
	"io"
)

// WriteText writes the totals, a name and a number per line, and then a table of the lines.
func (s *Statistics) WriteText(w io.Writer) error {
	out := bufio.NewWriter(w)
	t := &s.Total
	for _, row := range []struct {
		name  string
		value any
	}{
		{"warp-instructions", t.Warps},
		{"thread-instructions", t.Threads},
		{"guarded-off", t.Skipped},
		{"simt-efficiency", percent(t.SIMT())},
		{"divergent-instructions", t.Divergent},
		{"branches", t.Branches},
		{"divergent-branches", t.Split},
		{"shared-requests", t.Shared.Requests},
		{"shared-wavefronts", t.Shared.Wavefronts},
		{"bank-conflicts", t.Shared.Conflicts},
		{"global-requests", t.Global.Requests},
		{"global-sectors", t.Global.Sectors},
		{"global-bytes", t.Global.Bytes},
		{"global-efficiency", percent(t.Global.Efficiency())},
	} {
		fmt.Fprintf(out, "%s %v\n", row.name, row.value)
	}
	if len(s.Lines) == 0 {
		return out.Flush()
	}
	fmt.Fprintf(out, "\n%10s %7s %10s %10s %8s %10s %7s  %s\n", "warp-insts", "simt", "divergent", "br-split",
		"conflict", "sectors", "used", "line")
	for i := range s.Lines {
		l := &s.Lines[i]
		fmt.Fprintf(out, "%10d %7s %10d %10s %8s %10s %7s  %s:%d\n", l.Warps, percent(l.SIMT()), l.Divergent,
			ifAny(l.Branches, l.Split), ifAny(l.Shared.Requests, l.Shared.Conflicts),
			ifAny(l.Global.Requests, l.Global.Sectors), ifAny(l.Global.Requests, percent(l.Global.Efficiency())),
			l.File, l.Line)
	}
	return out.Flush()
}

func percent(share float64) string { return fmt.Sprintf("%.1f%%", 100*share) }

// ifAny returns the value as text, "-" if of is 0.
func ifAny(of uint64, value any) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprint(value)
}
