// Asking a program that counts basic blocks about a pattern.

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// countedExponent returns the exponent of a pattern under a detector in executed basic blocks, which the program s.counter
// measures. Processor time also grows where the state of more threads no longer fits into a cache, and the work does not.
func (s *settings) countedExponent(ctx context.Context, p *pattern, det string) (float64, error) {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	cmd := exec.CommandContext(ctx, s.counter, "-scale", "-count", "-under", det, "-only", p.name+"/"+p.operation+"/"+p.space,
		"-threads", strconv.Itoa(s.threads), "-rounds", strconv.Itoa(s.rounds))
	cmd.Env = append(os.Environ(), "GOCOVERDIR="+dir) // the program writes its counters there when it exits
	out, err := cmd.CombinedOutput()
	exponent, unread := rowExponent(string(out)) // the program fails when the exponent exceeds the limit
	if unread != nil {
		return 0, fmt.Errorf("%s: %w: %w\n%s", s.counter, unread, err, out)
	}
	return exponent, nil
}

// rowExponent returns the exponent of the first detector in the first row of a table.
func rowExponent(table string) (exponent float64, err error) {
	row, _, _ := strings.Cut(table, "\n")
	cells := strings.Split(row, " | ")
	if len(cells) < 4 {
		return 0, fmt.Errorf("expected a row of a table, found %q", row)
	}
	_, err = fmt.Sscanf(cells[3], "%f,", &exponent)
	return exponent, err
}

// detectorNames returns the detectors to be measured by -scale.
func (s *settings) detectorNames() []string { return strings.Split(s.under, ",") }
