//go:build linux

// Programs that use NCCL on several devices.

package wire_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/cuda"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// runDevices runs a program with three devices.
func runDevices(t *testing.T, dir string, args ...string) (out string, processes []*cuda.Process) {
	t.Helper()
	o := precise(t)
	o.Devices, o.APIErrors = 3, true
	out, code, processes := runWith(t, o, dir, args...)
	if code != 0 || !strings.HasSuffix(out, "done\n") {
		t.Fatalf("%v: exit code %d\n%s", args, code, out)
	}
	return out, processes
}

// collective compiles the program.
func collective(t *testing.T, dir string) string {
	return compile(t, "testdata/collective.c", dir, "cudart", "-lnccl", "-pthread")
}

// TestCollectives: what each function computes, in groups, by threads, in graphs and in parts of a communicator; and
// calls that are refused.
func TestCollectives(t *testing.T) {
	dir := libraries(t)
	out, processes := runDevices(t, dir, collective(t, dir))
	rep := processes[0].Report()
	for line := range strings.Lines(strings.TrimSuffix(out, "done\n")) {
		if !strings.HasSuffix(line, ": right\n") {
			t.Error(line)
		}
	}
	for _, x := range rep.Races {
		t.Errorf("race of %s with %s at %s", x.First.Operation, x.Second.Operation, x.Symbol)
	}
	if !slices.ContainsFunc(rep.Fidelity.Libraries, func(l report.StandIn) bool { return l.Library == "NCCL" }) {
		t.Errorf("libraries %+v", rep.Fidelity.Libraries)
	}
	refusals := 0
	for _, f := range rep.Faults {
		if f.Class != report.APIClass {
			t.Errorf("fault %+v", f)
		}
		if strings.Contains(f.Message, "ranks 0 and 1 both use device 1") ||
			strings.Contains(f.Message, "rank 0, whose device is 0, in a stream of device 1") {
			refusals++
		}
	}
	if refusals != 2 {
		t.Errorf("faults %+v", rep.Faults)
	}
}

// TestCollectiveOrder runs pairs of programs of which one lacks an order.
func TestCollectiveOrder(t *testing.T) {
	dir := libraries(t)
	app := collective(t, dir)
	for name, want := range map[string]string{
		"sent":     "a fill in stream 4 of device 1, ncclAllReduce in stream 2 of device 1",
		"received": "ncclAllGather in stream 1 of device 0, a fill in stream 4 of device 0",
		"follows":  "a fill in stream 2 of device 1, a fill in stream 1 of device 0",
		"grouped":  "ncclAllReduce in stream 1 of device 0, a fill in stream 4 of device 0",
	} {
		t.Run(name, func(t *testing.T) {
			_, processes := runDevices(t, dir, app, name, "racy")
			rep := processes[0].Report()
			for _, x := range rep.Races {
				if got := x.First.Operation + ", " + x.Second.Operation; got != want {
					t.Errorf("race %q, want %q", got, want)
				}
			}
			if len(rep.Races) == 0 {
				t.Error("no race")
			}
			_, processes = runDevices(t, dir, app, name, "right")
			if l := processes[0].Report().Races; len(l) > 0 {
				t.Errorf("race %+v without a missing order", l[0])
			}
		})
	}
}

// TestCollectiveDeadlocks: operations that cannot end are faults that say who waits for whom.
func TestCollectiveDeadlocks(t *testing.T) {
	dir := libraries(t)
	app := collective(t, dir)
	for name, want := range map[string][]string{
		"lacking": {
			"deadlock: ncclAllReduce of rank 0 in stream 1 of device 0 waits for rank 2, which has not called it",
			"deadlock: ncclAllReduce of rank 1 in stream 2 of device 1 waits for rank 2, which has not called it",
			"a fill in stream 1 of device 0 waits for the end of ncclAllReduce, the host waits for stream 1 of device 0",
		},
		"crossed": {
			"deadlock: ncclSend of rank 0 in stream 1 of device 0 waits for rank 1, whose call waits in stream 2 of device 1",
			"; deadlock of streams: ncclSend of rank 1 in stream 2 of device 1 waits for rank 0, whose call waits in stream 1 of device 0",
		},
		"mismatched": {
			"collective-mismatch: rank 0 calls ncclAllReduce (count 1, int32, sum), and rank 1 calls ncclAllReduce (count 2, int32, sum)",
		},
		"unlike":   {"collective-mismatch: rank 0 calls ncclSend (count 1, int32), and rank 1 calls ncclRecv (count 1, float)"},
		"deserted": {"deadlock: ncclAllReduce of rank 0 in stream 1 of device 0 waits for rank 1, which has left the communicator"},
		"outside":  {"out-of-bounds: an operand of ncclAllReduce: "},
	} {
		t.Run(name, func(t *testing.T) {
			out, processes := runDevices(t, dir, app, name)
			var got []string
			for _, f := range processes[0].Report().Faults {
				if f.Class != report.APIClass {
					got = append(got, f.Class+": "+f.Message)
				}
			}
			if len(got) != 1 && name != "lacking" || len(got) > 2 { // the others follow from it
				t.Errorf("%d faults in\n%s", len(got), strings.Join(got, "\n"))
			}
			all := strings.Join(got, "\n")
			for _, text := range want {
				if !strings.Contains(all, text) {
					t.Errorf("no fault %q in\n%s", text, all)
				}
			}
			if strings.Contains(out, "wrong") {
				t.Errorf("%s", out)
			}
		})
	}
}

// TestCollectiveProcesses: two processes are ranks of one communicator. If one waits for what the other does not do, a
// fault says so.
func TestCollectiveProcesses(t *testing.T) {
	dir := libraries(t)
	app := compile(t, "testdata/collective_process.c", dir, "cudart", "-lnccl")
	for name, want := range map[string]string{
		"":        "",
		"gone":    "deadlock: ncclAllReduce of rank 0 in stream 1 of device 0 waits for rank 1, whose process has ended",
		"crossed": "deadlock: ncclSend of rank ",
	} {
		t.Run(name, func(t *testing.T) {
			out, processes := runDevices(t, dir, app, name)
			if strings.Contains(out, "wrong") {
				t.Errorf("%s", out)
			}
			got := ""
			for _, p := range processes {
				for _, f := range p.Report().Faults {
					if f.Class != report.APIClass {
						got += f.Class + ": " + f.Message + "\n"
					}
				}
			}
			if want == "" && got != "" || !strings.Contains(got, want) || strings.Count(got, "\n") > 2 { // at most one of each rank
				t.Errorf("faults %s", got)
			}
		})
	}
}

// TestCollectiveEarly: the host reads what a process receives before the other one has called.
func TestCollectiveEarly(t *testing.T) {
	dir := libraries(t)
	_, processes := runDevices(t, dir, compile(t, "testdata/collective_process.c", dir, "cudart", "-lnccl"), "early")
	if !slices.ContainsFunc(processes[0].Report().Races, func(x *report.Race) bool {
		return strings.HasPrefix(x.First.Operation, "a copy to pageable memory in the default stream") &&
			x.Second.Operation == "ncclAllReduce in stream 1 of device 0"
	}) {
		for _, x := range processes[0].Report().Races {
			t.Errorf("%s %s, %s %s", x.First.Access, x.First.Operation, x.Second.Access, x.Second.Operation)
		}
	}
}
