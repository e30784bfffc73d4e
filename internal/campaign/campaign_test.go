// Tests of whole campaigns in one process.

package campaign

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/report"
)

// plan reads a plan of a temporary folder that begins with kernels of the race suite.
func plan(t *testing.T, text string) *Plan {
	t.Helper()
	suite, err := filepath.Abs("../../examples/suite")
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "plan.yaml")
	if err = os.WriteFile(name, []byte(strings.ReplaceAll(text, "SUITE", suite)), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// run runs a plan in this process and returns the report as JSON.
func run(t *testing.T, p *Plan) (*Outcome, string) {
	t.Helper()
	c, blobs, err := Open(t.Context(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	x := &Executor{Blobs: blobs}
	defer x.Close()
	out, err := c.Run(t.Context(), &Local{x})
	if err != nil {
		t.Fatal(err)
	}
	return out, jsonOf(t, out)
}

// shuffled is an engine that runs a round in another order, several tasks at a time and some
// twice.
type shuffled struct {
	x    *Executor
	seed uint64
}

func (e *shuffled) Do(ctx context.Context, tasks []*Task, took func(*Task, *Result) error) error {
	random := rand.New(rand.NewPCG(e.seed, 0))
	results := make([][]byte, len(tasks))
	order := append(random.Perm(len(tasks)), random.Perm(len(tasks))[:len(tasks)/4]...)
	errs := make([]error, len(order))
	var wg sync.WaitGroup
	var lock sync.Mutex
	for w := range 3 {
		wg.Go(func() {
			for k := w; k < len(order); k += 3 {
				data, err := e.x.Try(ctx, tasks[order[k]])
				lock.Lock()
				results[order[k]], errs[k] = data, err
				lock.Unlock()
			}
		})
	}
	wg.Wait()
	for i, data := range results {
		res, err := DecodeResult(data)
		if err = errors.Join(err, errors.Join(errs...)); err != nil {
			return err
		}
		if err = took(tasks[i], res); err != nil {
			return err
		}
	}
	return nil
}

const fewKernels = `kernels:
  - {ptx: SUITE/micro/lock/thread-locks-racy.ptx}
  - {ptx: SUITE/micro/lock/thread-locks-fixed.ptx}
  - {ptx: SUITE/micro/barrier/double-buffer-*d.ptx}
  - {ptx: SUITE/micro/fence/plain-flag-racy.ptx}
detectors: [precise, barracuda]
schedules: 60
budget: {quiet: 24}
task: {schedules: 7}
`

// TestOrder tests that the report of a campaign does not depend on the time, the concurrency and the repetition of
// tasks.
func TestOrder(t *testing.T) {
	p := plan(t, fewKernels)
	out, want := run(t, p)
	if n := len(out.Report.Races); n < 3 {
		t.Errorf("%d findings, expected at least 3", n)
	}
	for seed := range uint64(2) {
		c, blobs, err := Open(t.Context(), p, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.Run(t.Context(), &shuffled{&Executor{Blobs: blobs}, seed})
		if err != nil {
			t.Fatal(err)
		}
		if text := jsonOf(t, got); text != want {
			t.Errorf("seed %d: the report differs:\n%s\nwant\n%s", seed, text, want)
		}
	}
}

// TestSpending: kernels that are proved free of races get no schedules, those that show nothing
// new no more, and what they leave goes to the others.
func TestSpending(t *testing.T) {
	p := plan(t, strings.Replace(fewKernels, "[precise, barracuda]", "[precise]", 1))
	out, _ := run(t, p)
	if out.Progress.Free < 1 || !strings.Contains(strings.Join(out.Report.Notes, " "), "thread-locks-fixed.ptx") {
		t.Errorf("%d kernels proved free of races, notes %q", out.Progress.Free, out.Report.Notes)
	}
	if out.Progress.Conflicts == 0 || out.Progress.Left == 0 {
		t.Errorf("%+v: expected conflicts, and schedules that nobody needed", out.Progress)
	}
	p.Prove, p.Budget.Quiet = false, 0
	all, _ := run(t, p)
	if all.Progress.Left != 0 || all.Progress.Free != 0 || all.Progress.Schedules <= out.Progress.Schedules {
		t.Errorf("without a quiet end: %+v, with one %+v", all.Progress, out.Progress)
	}
	p.Budget.Schedules = 31
	if some, _ := run(t, p); some.Progress.Schedules > 31 {
		t.Errorf("%d schedules in a budget of 31", some.Progress.Schedules)
	}
}

// TestGrowing: kernels are said to show something new when they have got schedules, not before.
func TestGrowing(t *testing.T) {
	c, _, err := Open(t.Context(), plan(t, fewKernels), nil)
	if err != nil {
		t.Fatal(err)
	}
	r := newRounds(c)
	if r.next(); r.stage != 1 || r.growing() != 0 {
		t.Errorf("stage %d: %d kernels grow before any schedule", r.stage, r.growing())
	}
	if r.next(); r.growing() != len(r.studies) {
		t.Errorf("%d of %d kernels grow with the first schedules", r.growing(), len(r.studies))
	}
}

// TestNames tests that launches saved by ptxsan exec are named by their folder.
func TestNames(t *testing.T) {
	for _, c := range []struct{ ptx, launch, want string }{
		{"runs/process1-launch1/kernel.ptx", "runs/process1-launch1/launch.yaml", "runs/process1-launch1"},
		{"kernel.ptx", "launch.yaml", "kernel.ptx with launch.yaml"},
		{"a/kernel.ptx", "b/launch.yaml", "a/kernel.ptx with b/launch.yaml"},
		{"a/k.ptx", "a/k.yaml", "a/k.ptx"},
	} {
		if got := (&Subject{PTX: c.ptx, Launch: c.launch}).Name(); got != c.want {
			t.Errorf("%s with %s: %q, want %q", c.ptx, c.launch, got, c.want)
		}
	}
}

// TestReplays tests that a campaign first repeats the findings of an earlier one.
func TestReplays(t *testing.T) {
	p := plan(t, fewKernels)
	out, _ := run(t, p)
	text, err := EncodeReplays(out.Replays)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "replays.yaml")
	if err = os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	again := plan(t, fewKernels+"replays: "+file+"\n")
	again.Prove = false
	c, blobs, err := Open(t.Context(), again, nil)
	if err != nil {
		t.Fatal(err)
	}
	first := &firstRound{x: &Executor{Blobs: blobs}}
	got, err := c.Run(t.Context(), first)
	if !errors.Is(err, errFirst) {
		t.Fatal(err)
	}
	for _, x := range out.Report.Races {
		if !slices.ContainsFunc(got.Report.Races, func(y *report.Race) bool { return y.ID == x.ID }) {
			t.Errorf("the replays do not show %s", x.ID)
		}
	}
}

var errFirst = errors.New("the first round is over")

// firstRound is an engine that ends after one round.
type firstRound struct{ x *Executor }

func (e *firstRound) Do(ctx context.Context, tasks []*Task, took func(*Task, *Result) error) error {
	return errors.Join((&Local{e.x}).Do(ctx, tasks, took), errFirst)
}

// TestTries: a task that cannot be run is set aside, and the others are run.
func TestTries(t *testing.T) {
	p := plan(t, fewKernels)
	p.Task.Time = 1
	p.Prove = false
	out, _ := run(t, p)
	if len(out.SetAside) == 0 || !strings.Contains(out.SetAside[0], "3 tries failed, the last one: 1ns, the limit of a task") {
		t.Errorf("set aside: %q", out.SetAside)
	}
	if out.Progress.SetAside != out.Progress.Taken {
		t.Errorf("%+v", out.Progress)
	}
}

// TestTime: the budget of time ends a campaign, and the report says so.
func TestTime(t *testing.T) {
	p := plan(t, fewKernels)
	p.Budget.Time = 1
	out, _ := run(t, p)
	if out.Ended == "" || !strings.Contains(strings.Join(out.Report.Notes, " "), out.Ended) {
		t.Errorf("ended %q, notes %q", out.Ended, out.Report.Notes)
	}
}

// TestSaved: a campaign can be sent elsewhere.
func TestSaved(t *testing.T) {
	p := plan(t, fewKernels)
	c, blobs, err := Open(t.Context(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := c.Encode()
	if err != nil {
		t.Fatal(err)
	}
	other, err := Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	got, err := other.Run(t.Context(), &Local{&Executor{Blobs: blobs}})
	if err != nil {
		t.Fatal(err)
	}
	if _, want := run(t, p); jsonOf(t, got) != want {
		t.Error("the report differs")
	}
}

func jsonOf(t *testing.T, out *Outcome) string {
	t.Helper()
	var b bytes.Buffer
	if err := out.Report.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
