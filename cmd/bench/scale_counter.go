// Asking a program that counts basic blocks about a pattern.

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// countedExponent returns the exponent of a pattern under a detector in executed basic blocks, rounded, and whether it
// exceeds the limit. The program s.counter measures it. Processor time also grows where the state of more threads no
// longer fits into a cache, and the work does not.
func (s *settings) countedExponent(ctx context.Context, p *pattern,
	det string,
) (exponent float64, exceeds bool, err error) {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return 0, false, err
	}
	defer os.RemoveAll(dir)
	cmd := exec.CommandContext(ctx, s.counter, "-scale", "-count", "-under", det, "-only",
		p.name+"/"+p.operation+"/"+p.space,
		"-threads", strconv.Itoa(s.threads), "-rounds", strconv.Itoa(s.rounds))
	cmd.Env = append(os.Environ(), "GOCOVERDIR="+dir) // the program writes its counters there when it exits
	out, failed := cmd.CombinedOutput()               // the program fails when the exponent exceeds the limit
	exponent, err = rowExponent(string(out))
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s", s.counter, errors.Join(err, failed), out)
	}
	return exponent, failed != nil, err
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
