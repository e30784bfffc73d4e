//go:build unix

package app

import (
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/racesuite"
)

// What LDetector costs on the two programs that its paper measures, in
// docs/detectors/ldetector.md: executed instructions, time and memory, as ratios of one run.

var writeOverhead = flag.Bool("overhead", false, "measure ldetector on EM and co-clustering and write docs/detectors/ldetector.md")

var overheadDoc = written{"../../../docs/detectors/ldetector.md", "overhead"}

// overheadDetectors lists the measured detectors.
var overheadDetectors = []string{"ldetector<paper>", "ldetector<paper,spec>", "ldetector"}

// TestOverhead measures on request; it always checks that the document has a line for each program and block size, and
// that its figures of memory are those of a run.
func TestOverhead(t *testing.T) {
	long(t)
	var b strings.Builder
	if *writeOverhead {
		collectAsCommand()
	}
	for _, app := range []string{"em", "co-clustering"} {
		dir := filepath.Join(racesuite.Dir("suite/mining"), app)
		var rows strings.Builder
		for _, c := range racesuite.Launches(t, filepath.Join(dir, racesuite.MiddleSize+".yaml"), filepath.Join(dir, racesuite.CorrectBuild)) {
			head := overheadHead(t, c)
			if !*writeOverhead && !strings.Contains(overheadDoc.section(t), head) {
				t.Errorf("%s lacks the line %q; run make overhead", overheadDoc.file, head)
			}
			if *writeOverhead {
				rows.WriteString(head + overhead(t, c) + "\n")
			}
		}
		fmt.Fprintf(&b, "### %s\n\n%s%s\n", app, overheadTitle(), rows.String())
	}
	if *writeOverhead {
		overheadDoc.replace(t, strings.TrimSuffix(b.String(), "\n"))
	}
}

// overheadTitle returns the title of a table.
func overheadTitle() string {
	head, rule := "| threads | N | copies in | bytes for each block | 3·M·N + N/8 | with spec | instructions | time |", "|---|---|---|---|---|---|---|---|"
	for _, d := range overheadDetectors {
		d = strings.ReplaceAll(d, "<", "\\<")
		head, rule = head+fmt.Sprintf(" %[1]s: instructions | time |", d), rule+"---|---|"
	}
	return head + "\n" + rule + "\n"
}

// overheadHead returns the first part of a line: block size, shared memory, and the memory of the copies of the paper's
// detector, and of its environments with speculation.
func overheadHead(t *testing.T, c *racesuite.Case) string {
	t.Helper()
	where, warps, total, _ := copies(t, c, overheadDetectors[0])
	_, _, _, spec := copies(t, c, overheadDetectors[1])
	n := c.File.Launches[0].Shared
	return fmt.Sprintf("| %s | %d | %s | %d | %d | %d |", c.Variant, n, where, total, 3*warps*n+n/8, spec)
}

// copies returns where a detector puts its copies, for how many warps, and the bytes of a block: of the copies,
// the union and the bitmap, and of environments.
func copies(t *testing.T, c *racesuite.Case, detector string) (where string, warps, total, environments uint64) {
	t.Helper()
	k := c.Run(t, detector)
	s := k.Open(t)
	launches, err := k.Plan.Prepare(s)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Launch(context.Background(), launches[0]); err != nil {
		t.Fatal(err)
	}
	var size, each, bytes uint64
	for _, line := range s.Statistics() {
		if _, text, ok := strings.Cut(line, ": copies in "); ok {
			if _, err := fmt.Sscanf(text, "%s memory, for each block %d of %d bytes, %d bytes", &where, &warps, &size, &total); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			if _, text, ok = strings.Cut(text, ", in each of "); ok {
				if _, err := fmt.Sscanf(text, "%d environments of %d bytes", &each, &bytes); err != nil {
					t.Fatalf("%s: %v", line, err)
				}
			}
		}
	}
	return where, warps, total, each * bytes
}

// overhead returns the rest of the line.
func overhead(t *testing.T, c *racesuite.Case) string {
	t.Helper()
	var cells strings.Builder
	alone := compareInTurns(t, c.Run, overheadDetectors, func(alone, with *costed) {
		fmt.Fprintf(&cells, " %.2fx | %.2fx |", float64(with.stats.ThreadInstructions)/float64(alone.stats.ThreadInstructions), timesSlower(alone, with))
	})
	return fmt.Sprintf(" %d | %.1f ms |%s", alone.stats.ThreadInstructions, 1000*alone.least.Seconds(), &cells)
}
