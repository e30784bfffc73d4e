// Documentation of passes as text.

package passes

import (
	"flag"
	"fmt"
	"io"
	"strings"
)

// Describe writes the documentation of a pass and its options.
func (p *Pass) Describe(w io.Writer) {
	fmt.Fprintf(w, "%s: %s\n", p.Name, strings.TrimSpace(p.Doc))
	if len(p.Requires) > 0 {
		var names []string
		for _, r := range p.Requires {
			names = append(names, r.Name)
		}
		fmt.Fprintf(w, "\nRequires: %s\n", strings.Join(names, ", "))
	}
	for i, f := range p.Options() {
		if i == 0 {
			fmt.Fprintf(w, "\nOptions, as in %s<%s=%s>:\n", p.Name, f.Name, f.DefValue)
		}
		_, usage := flag.UnquoteUsage(f)
		fmt.Fprintf(w, "  %-14s %s (default %s)\n", f.Name, usage, f.DefValue)
	}
}
