// Tests of tasks that reach their limit of time.

package campaign

import (
	"context"
	"strings"
	"testing"
	"time"
)

// expiring is an engine whose tasks have more schedules than their time allows.
type expiring struct{ x *Executor }

// Do implements Engine.
func (e *expiring) Do(ctx context.Context, tasks []*Task, took func(*Task, *Result) error) error {
	for _, t := range tasks {
		t.Count, t.Time = 1_000_000, 500*time.Millisecond
		r, err := e.x.Run(ctx, t)
		if err != nil {
			return err
		}
		if err = took(t, r); err != nil {
			return err
		}
	}
	return nil
}

// TestCutShort: a task that reaches its limit of time counts for the schedules that it has finished, and the report
// says so once for each kernel.
func TestCutShort(t *testing.T) {
	p := plan(t, `kernels:
  - {ptx: SUITE/micro/fence/plain-flag-racy.ptx}
detectors: [precise]
strategies: [random]
schedules: 20
prove: false
task: {schedules: 10}
budget: {quiet: 0}
`)
	c, blobs, err := Open(t.Context(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	x := &Executor{Blobs: blobs}
	defer x.Close()
	out, err := c.Run(t.Context(), &expiring{x})
	if err != nil {
		t.Fatal(err)
	}
	if out.Progress.CutShort != 2 || out.Progress.Schedules == 0 || len(out.Report.Races) == 0 {
		t.Errorf("%+v, %d races: expected 2 tasks cut short that have found races", out.Progress, len(out.Report.Races))
	}
	notes := strings.Join(out.Report.Notes, "\n")
	if strings.Count(notes, "of 2000000 schedules: 500ms, the limit of a task") != 1 || !strings.Contains(notes, "under precise: 2 tasks ended after ") {
		t.Errorf("notes %q", notes)
	}
}

// TestProofCutShort tests that kernels that are not proved within the time limit get schedules, like other kernels.
func TestProofCutShort(t *testing.T) {
	p := plan(t, fewKernels)
	c, blobs, err := Open(t.Context(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	x := &Executor{Blobs: blobs}
	defer x.Close()
	proof := newRounds(c).next()[1]
	if r, failed := x.Run(t.Context(), proof); failed != nil || !r.Free || r.Ended != "" {
		t.Fatalf("%+v, %v: expected a proof of %s", r, failed, proof)
	}
	proof.Time = 1
	r, err := x.Run(t.Context(), proof)
	if err != nil || r.Free || r.Ended != "1ns, the limit of a task" {
		t.Errorf("%+v, %v: expected that nothing is proved in 1ns", r, err)
	}
	var cut cutShort
	cut.add(proof, r)
	if notes := cut.notes(); len(notes) != 1 || !strings.HasSuffix(notes[0], "came to no end: 1ns, the limit of a task") {
		t.Errorf("notes %q", notes)
	}
}
