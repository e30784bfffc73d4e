// The text form of what a certificate proves.

package certificate

import (
	"fmt"
	"io"
	"strings"

	"github.com/ptxsan/ptxsan/runtime/report"
)

// WriteText writes what a verified certificate proves, a kernel a line, with what each proof needs.
func (c *Certificate) WriteText(w io.Writer) error {
	var b strings.Builder
	for i := range c.Kernels {
		k := &c.Kernels[i]
		name := report.Demangle(k.Name)
		if k.Site != "" {
			name += " launched at " + k.Site
		}
		if claim := c.claimed(k); claim != nil {
			fmt.Fprintf(&b, "proved: %s: one run stands for every schedule\n", name)
			writeNeeds(&b, claim.Needed)
			continue
		}
		if k.Verdict != report.Clean {
			fmt.Fprintf(&b, "open: %s: %d of %d pairs are proved\n", name, len(k.Pairs), len(k.Pairs)+k.Open)
			continue
		}
		fmt.Fprintf(&b, "proved: %s: %d pairs do not race\n", name, len(k.Pairs))
		writeNeeds(&b, k.Needed)
	}
	clean, _ := c.Proved()
	fmt.Fprintf(&b, "%d of %d kernels and places are proved; %d proofs were checked\n", len(clean), len(c.Kernels),
		c.checked)
	_, err := io.WriteString(w, b.String())
	return err
}

// writeNeeds writes what a launch must satisfy.
func writeNeeds(b *strings.Builder, list []string) {
	for _, n := range list {
		fmt.Fprintf(b, "    needs %s\n", n)
	}
}
