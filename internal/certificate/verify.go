// The check of a certificate.

package certificate

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/internal/analysis"
	"github.com/ptxsan/ptxsan/internal/static"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Refusal is the error for a certificate that does not hold.
type Refusal struct{ Why string }

func (r *Refusal) Error() string { return "the certificate does not hold: " + r.Why }

func refuse(format string, args ...any) error { return &Refusal{fmt.Sprintf(format, args...)} }

// Verify checks that a certificate holds for a program. If given is not nil, its facts must be those of the
// certificate. The file is the launch file of its run, loaded under the name that the certificate has for it; nil for
// none. The error is a [Refusal] if the certificate does not hold, or that of the context.
func (c *Certificate) Verify(ctx context.Context, p *session.Program, given []*facts.File, file *launch.File) error {
	if is := identify(p); is.SHA256 != c.PTX.SHA256 {
		return refuse("it is for %s with SHA-256 %s; this PTX has %s", c.PTX.Name, c.PTX.SHA256, is.SHA256)
	}
	if err := c.Run.identified(file); err != nil {
		return err
	}
	if given != nil {
		var b bytes.Buffer
		if err := facts.Join(given).Write(&b); err != nil {
			return err
		}
		if b.String() != c.Facts {
			return refuse("it is for other facts about the launches")
		}
	}
	for _, a := range c.Assume {
		if a != disjoint && a != noWrap {
			return refuse("unknown assumption %q", a)
		}
	}
	chosen := make(map[string]bool)
	for i := range c.Kernels {
		chosen[c.Kernels[i].Name] = true
	}
	record := static.FromRecord(c.Proofs, c.Launches)
	kernels, vacuous, err := c.analyze(ctx, p,
		analysis.Options{Chosen: func(kernel string) bool { return chosen[kernel] }}, record)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return refuse("%v", err)
	case record.Wrong() != nil:
		return refuse("%v", record.Wrong())
	case len(kernels) != len(c.Kernels):
		return refuse("it is about %d kernels and places that launch them; there are %d", len(c.Kernels), len(kernels))
	}
	for i := range kernels {
		if err := c.Kernels[i].compare(&kernels[i], vacuous[i]); err != nil {
			return err
		}
	}
	c.checked = record.Checked()
	return c.verifyRun(ctx, p, file)
}

// compare checks that a kernel's claims are what holds. A kernel is vacuous if no launch is known that satisfies the
// facts: then nothing may be claimed.
func (k *Kernel) compare(holds *Kernel, vacuous bool) error {
	name := report.Demangle(k.Name)
	if k.Name != holds.Name || k.Site != holds.Site {
		return refuse("it is about %s launched at %q, where %s is launched at %q", name, k.Site,
			report.Demangle(holds.Name), holds.Site)
	}
	if k.Verdict != report.Clean && k.Verdict != Open {
		return refuse("%s: unknown verdict %q", name, k.Verdict)
	}
	if vacuous && (k.Verdict == report.Clean || len(k.Pairs) > 0) {
		return refuse("%s: it shows no launch for which its facts hold", name)
	}
	left := make(map[string]int) // pairs that hold and are not claimed, by their text
	for i := range holds.Pairs {
		left[holds.Pairs[i].text()]++
	}
	for i := range k.Pairs {
		p := &k.Pairs[i]
		switch n, ok := left[p.text()]; {
		case !ok:
			return refuse("%s: it does not show this: %s and %s do not race", name, p.First, p.Second)
		case n == 0:
			return refuse("%s: the pair of %s and %s is there too often", name, p.First, p.Second)
		}
		left[p.text()]--
	}
	for i := range holds.Pairs {
		if p := &holds.Pairs[i]; left[p.text()] > 0 {
			return refuse("%s: the pair of %s and %s is missing", name, p.First, p.Second)
		}
	}
	switch {
	case holds.Verdict != k.Verdict && k.Verdict == report.Clean:
		return refuse("%s: it does not show that no pair races: %d are open", name, holds.Open)
	case holds.Verdict != k.Verdict || holds.Open != k.Open:
		return refuse("%s: it is %s with %d open pairs; it says %s with %d", name, holds.Verdict, holds.Open, k.Verdict,
			k.Open)
	case !slices.Equal(k.Needed, holds.Needed):
		return refuse("%s: the proofs need %q; it says %q", name, holds.Needed, k.Needed)
	}
	return nil
}

// text returns the claim as text: two claims are the same if their texts are.
func (p *Pair) text() string {
	text, err := json.Marshal(p)
	if err != nil {
		panic(err) // a Pair holds strings only
	}
	return string(text)
}

// Proved returns the kernels that are proved, by all of their pairs or by a run, and the number of those that are open.
func (c *Certificate) Proved() (clean []*Kernel, open int) {
	for i := range c.Kernels {
		if k := &c.Kernels[i]; k.Verdict == report.Clean || c.claimed(k) != nil {
			clean = append(clean, &c.Kernels[i])
		} else {
			open++
		}
	}
	return clean, open
}
