// Tests of tasks and results that come from anywhere.

package campaign

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/ptxsan/ptxsan/runtime/report"
)

// hostileSubject is a kernel with a race, in blobs that are named by their kind.
var hostileSubject = &Subject{PTX: "k.ptx", Module: "ptx", Launch: "k.yaml", LaunchFile: "yaml"}

// hostileBlobs returns the files of hostileSubject: the launch file for a name that begins with y, and the module for
// all others.
func hostileBlobs(t testing.TB) Blobs {
	ptx, err := os.ReadFile("../../examples/suite/micro/fence/plain-flag-racy.ptx")
	if err != nil {
		t.Fatal(err)
	}
	yaml, err := os.ReadFile("../../examples/suite/micro/fence/plain-flag-racy.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return func(_ context.Context, hash string) ([]byte, error) {
		switch {
		case strings.HasPrefix(hash, "y"):
			return yaml, nil
		case hash == "":
			return nil, errors.New("no such blob")
		}
		return ptx, nil
	}
}

// TestStuckTask: a task that does not check its context does not hold its worker, and neither do further tasks of its
// kernel.
func TestStuckTask(t *testing.T) {
	blobs, never := hostileBlobs(t), make(chan struct{})
	defer close(never)
	x := &Executor{grace: time.Millisecond, Blobs: func(ctx context.Context, hash string) ([]byte, error) {
		if hash == "stuck" {
			<-never
		}
		return blobs(ctx, hash)
	}}
	stuck := *hostileSubject
	stuck.Module = "stuck"
	for _, want := range []string{"has not ended some time after 1ms, the limit of a task", "an earlier task of this kernel has not ended"} {
		_, err := x.Run(t.Context(), &Task{Subject: &stuck, Detector: "precise", Strategy: "random", Count: 1, Time: time.Millisecond})
		if err == nil || !strings.Contains(err.Error(), want) && !strings.Contains(err.Error(), "1ms, the limit of a task") {
			t.Errorf("%v, want %s", err, want)
		}
	}
	r, err := x.Run(t.Context(), &Task{Subject: hostileSubject, Detector: "precise", Strategy: "random", Count: 1, Time: time.Minute})
	if err != nil || r.Schedules != 1 {
		t.Errorf("the next task: %+v, %v", r, err)
	}
}

// hostileTasks are tasks whose fields are not what a coordinator writes.
func hostileTasks() (list []*Task) {
	data := *hostileSubject
	data.Data = []DataFile{{"../x", "ptx"}, {"launch.yaml", "ptx"}, {"a/b", "ptx"}}
	for _, x := range []Task{
		{Strategy: "random", Count: 3},
		{Strategy: "random", Count: -1, Seed: 1 << 63},
		{Strategy: "directed", Count: 1 << 62},
		{Strategy: "exhaustive", Count: 1},
		{Strategy: "none", Count: 1},
		{Strategy: proving, Memory: 1 << 63, Steps: 1},
		{Strategy: proving, Detector: "precise<elide=no"},
		{Strategy: replaying, Run: "pct:1:9223372036854775807:9223372036854775807"},
		{Strategy: replaying, Run: "pct:1:65536:0"},
		{Strategy: replaying, Run: "its:18446744073709551615"},
		{Strategy: replaying, Run: "s1:AAAA"},
		{Strategy: replaying, Run: "random:1", Detector: "iguard,scord"},
		{Strategy: "random", Count: 1, Subject: &data},
		{Strategy: "random", Count: 1, Subject: &Subject{}},
	} {
		if x.Subject == nil {
			x.Subject = hostileSubject
		}
		if x.Detector == "" {
			x.Detector = "precise"
		}
		list = append(list, &x)
	}
	return list
}

// FuzzTask runs tasks as a worker gets them from a queue: whatever is in them, there is a result or an error, and soon.
func FuzzTask(f *testing.F) {
	for _, x := range hostileTasks() {
		data, err := x.Encode()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte("{}"))
	f.Add([]byte(`{"subject":null}`))
	blobs := hostileBlobs(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		x, err := DecodeTask(data)
		if err != nil {
			return
		}
		x.Time = 20 * time.Millisecond
		e := &Executor{Blobs: blobs}
		defer e.Close()
		r, err := e.Run(t.Context(), x)
		switch {
		case err != nil && (strings.Contains(err.Error(), "internal error") || strings.Contains(err.Error(), "some time after")):
			t.Error(err)
		case err == nil:
			if _, err = r.Encode(); err != nil {
				t.Error(err)
			}
		}
		_ = x.String()
		_ = x.Study()
	})
}

// answering is an engine that gives one result to each task.
type answering struct{ result []byte }

// Do implements Engine.
func (a answering) Do(_ context.Context, tasks []*Task, took func(*Task, *Result) error) error {
	for _, x := range tasks {
		r, err := DecodeResult(a.result)
		if err != nil {
			return err
		}
		if err = took(x, r); err != nil {
			return err
		}
	}
	return nil
}

// FuzzResult takes results as a coordinator gets them from a queue: the campaign ends with a report or an error.
func FuzzResult(f *testing.F) {
	x := &Executor{Blobs: hostileBlobs(f)}
	r, err := x.Run(f.Context(), hostileTasks()[0])
	if err != nil {
		f.Fatal(err)
	}
	for _, r := range []*Result{
		r,
		{Failed: "x"},
		{Ended: "x", Schedules: -1 << 62},
		{Free: true},
		{Schedules: 1 << 62, Conflicts: []uint64{0, 1}},
		{Report: json.RawMessage(`{}`)},
		{Report: json.RawMessage(`{"races":[null]}`)},
		{Report: json.RawMessage(`{"races":[{"also":[null]}],"faults":[null]}`)},
	} {
		data, err := r.Encode()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c := &Campaign{Subjects: []*Subject{hostileSubject}, Plan: &Plan{
			Detectors: []string{"precise"}, Strategies: []string{"random"}, Schedules: 4, Prove: true,
			Task: TaskLimits{Schedules: 2}, Budget: Budget{Quiet: 2},
		}}
		c.Command = func(*Subject, string, string) string { return "ptxsan" }
		c.Found = func(*report.Race) {}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		out, err := c.Run(ctx, answering{data})
		if err != nil {
			return
		}
		if err = out.Report.WriteJSON(new(strings.Builder)); err != nil {
			t.Error(err)
		}
	})
}
