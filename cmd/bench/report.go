// Reports: tables in Markdown.

package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"runtime"
	"strings"
	"time"
)

// Marks around the section of a document that this program writes.
const (
	sectionBegin = "<!-- written by make bench: begin -->\n"
	sectionEnd   = "<!-- written by make bench: end -->\n"
)

// replaceSection replaces the text between marks of a file.
func replaceSection(name, begin, end, text string) error {
	doc, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	before, rest, ok := bytes.Cut(doc, []byte(begin))
	_, after, ended := bytes.Cut(rest, []byte(end))
	if !ok || !ended {
		return fmt.Errorf("%s has no section between %q and %q", name, begin, end)
	}
	return os.WriteFile(name, fmt.Appendf(nil, "%s%s\n%s\n%s%s", before, begin, text, end, after), 0o644)
}

// markdown returns the tables.
func (res *results) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "On %s; best processor time of several runs.\n\n", res.machine)
	res.speed(&b)
	res.random(&b)
	res.cores(&b)
	res.largeRuns(&b)
	if res.peak != "" {
		fmt.Fprintf(&b, "%d threads with more than 300 registers each, in blocks of 256: the process took %s at most.\n\n", manyThreads, res.peak)
	}
	fmt.Fprintf(&b, "A kernel of %d instructions: parsed and loaded in %s, decoded and run by one warp in %s.\n",
		decodeInstructions, millis(res.decode.parse), millis(res.decode.launch))
	return b.String()
}

// speed writes the table of the largest sizes, and their means.
func (res *results) speed(b *strings.Builder) {
	b.WriteString("| workload | size | thread instructions | time | per second | native | slower | size with iguard | time | slower | every access |")
	if res.listener != "" {
		fmt.Fprintf(b, " with %s | slower |", res.listener)
	}
	b.WriteString("\n|---|---|---|---|---|---|---|---|---|---|---|")
	if res.listener != "" {
		b.WriteString("---|---|")
	}
	b.WriteByte('\n')
	var native, checked, every, listened mean
	for _, rows := range res.workloads {
		r, c := &rows[len(rows)-1], largestChecked(rows)
		fmt.Fprintf(b, "| %s | %d | %.3g M | %s | %.2f G | %s | %s |", r.name, r.size,
			float64(r.stats.ThreadInstructions)/1e6, millis(r.plain), r.rate()/1e9, millis(r.native),
			times(r.plain, r.native))
		fmt.Fprintf(b, " %d | %s | %s | %s |", c.size, millis(c.checked), times(c.checked, c.plain),
			times(c.every, c.plain))
		if res.listener != "" {
			fmt.Fprintf(b, " %s | %s |", millis(c.listened), times(c.listened, c.plain))
		}
		b.WriteByte('\n')
		listened.add(c.listened, c.plain)
		native.add(r.plain, r.native)
		checked.add(c.checked, c.plain)
		every.add(c.every, c.plain)
	}
	b.WriteByte('\n')
	if native.n > 0 {
		fmt.Fprintf(b, "Geometric means: %.1f times slower than native scalar code (`%s`)", native.value(), nativeFlags)
	} else {
		b.WriteString("There was no compiler, so there is no comparison with native code")
	}
	if checked.n > 0 {
		fmt.Fprintf(b, "; with iguard %.1f times slower than without, %.1f times with a check of every access",
			checked.value(), every.value())
	}
	if listened.n > 0 {
		fmt.Fprintf(b, "; with %s listening, at the sizes of iguard, %.1f times slower", res.listener, listened.value())
	}
	b.WriteString(".\n\n")
}

// largestChecked returns the last row that was measured with a detector.
func largestChecked(rows []row) *row {
	for i := len(rows) - 1; i >= 0; i-- {
		if rows[i].checked > 0 || rows[i].listened > 0 || rows[i].random > 0 {
			return &rows[i]
		}
	}
	return &row{}
}

// random writes a line on the random schedule, at the sizes of iguard.
func (res *results) random(b *strings.Builder) {
	var parts []string
	for _, rows := range res.workloads {
		if r := largestChecked(rows); r.random > 0 {
			parts = append(parts, fmt.Sprintf("%s %.3f G", r.name,
				float64(r.seeded.ThreadInstructions)/r.random.Seconds()/1e9))
		}
	}
	if len(parts) > 0 {
		fmt.Fprintf(b, "Thread instructions per second under the random schedule, which may preempt before every visible operation: %s.\n\n", strings.Join(parts, ", "))
	}
}

// cores writes one line for each detector: the speedup of each kernel on several processors over one processor. Only
// kernels with blocks that provably access different memory run on several processors, so that others have a speedup of
// about 1.
func (res *results) cores(b *strings.Builder) {
	for _, with := range []string{"", detectorOfSpeedup} {
		var parts []string
		var gain mean
		for _, s := range res.speedups {
			if s.with == with {
				parts = append(parts, fmt.Sprintf("%s %.1fx", s.name, s.gain))
				gain.addRatio(s.gain)
			}
		}
		if len(parts) == 0 {
			continue
		}
		what := "largest sizes"
		if with != "" {
			what = "the sizes before, with " + with + " listening"
		}
		fmt.Fprintf(b, "Wall time on one processor relative to that on %d, %s: %s; geometric mean %.1fx.\n\n",
			runtime.NumCPU(), what, strings.Join(parts, ", "), gain.value())
	}
}

// String returns the row as a line.
func (r *row) String() string {
	text := fmt.Sprintf("%s %d: %s, %.2f G thread instructions/s", r.name, r.size, millis(r.plain), r.rate()/1e9)
	if r.native > 0 {
		text += fmt.Sprintf(", %s native (%s)", millis(r.native), times(r.plain, r.native))
	}
	if r.checked > 0 {
		text += fmt.Sprintf(", %s with iguard (%s; every access: %s)", millis(r.checked), times(r.checked, r.plain),
			times(r.every, r.plain))
	}
	if r.listened > 0 {
		text += fmt.Sprintf(", %s with the listener (%s)", millis(r.listened), times(r.listened, r.plain))
	}
	return text
}

// rate returns thread instructions per second.
func (r *row) rate() float64 { return float64(r.stats.ThreadInstructions) / r.plain.Seconds() }

func ratio(a, b time.Duration) float64 { return float64(a) / float64(b) }

// times and millis return a dash for a missing measurement.
func times(a, b time.Duration) string {
	if a == 0 || b == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1fx", ratio(a, b))
}

func millis(d time.Duration) string {
	if d == 0 {
		return "–"
	}
	return fmt.Sprintf("%.3g ms", float64(d.Nanoseconds())/1e6)
}

// mean is a geometric mean of ratios.
type mean struct {
	logs float64
	n    int
}

// add adds a/b, if both were measured.
func (m *mean) add(a, b time.Duration) {
	if a > 0 && b > 0 {
		m.addRatio(ratio(a, b))
	}
}

func (m *mean) addRatio(r float64) {
	m.logs += math.Log(r)
	m.n++
}

func (m *mean) value() float64 { return math.Exp(m.logs / float64(m.n)) }
