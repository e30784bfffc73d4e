package app

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/detect"
)

// orders are the cases of testdata/orders: the pairs of operations that race in the racy program, with the cause. In
// the pairs, D stands for the default stream of the program, which is that of a thread if the program is compiled so.
var orders = []struct {
	name, cause string
	pairs       []string
	threadOnly  bool // the race needs default streams of threads
}{
	{name: "freeOrdered", cause: "host", pairs: []string{"a launch in stream 1, a release of memory by the host"}},
	{name: "freeInOtherStream", pairs: []string{"a launch in stream 1, a release of memory in stream 2"}},
	{name: "freePlain", cause: "host", pairs: []string{"a launch in D, a release of memory by the host"}},
	{name: "freeOfPool", cause: "host", pairs: []string{"a launch in stream 1, a release of memory by the host"}},
	{name: "constant", pairs: []string{"a launch in stream 1, a copy in stream 2"}},
	{name: "constantAtOnce", pairs: []string{"a copy from pageable memory in D, a launch in stream 3"}},
	{name: "cached", pairs: []string{"a launch in stream 1, a launch in stream 2"}},
	{name: "pageable", pairs: []string{"a copy from pageable memory in D, a launch in stream 3"}},
	{name: "pageableRows", pairs: []string{"a copy from pageable memory in D, a launch in stream 3"}},
	{name: "withinDevice", pairs: []string{"a copy in D, a launch in stream 3"}},
	{name: "fromPinned", pairs: []string{"a copy in stream 4, a launch in stream 3"}},
	{name: "toHost", pairs: []string{"a copy to pageable memory in stream 4, a launch in stream 3"}},
	{name: "betweenPeers", pairs: []string{"a copy in D, a launch in stream 4", "a launch in stream 3, a copy in D"}},
	{name: "fill", pairs: []string{"a fill in D, a launch in stream 3"}},
	{name: "fillOfPinned", cause: "host", pairs: []string{"a fill in stream 1, host code"}},
	{name: "fillOfManaged", cause: "host", pairs: []string{"a fill in stream 1, host code"}},
	{name: "copyToManaged", cause: "host", pairs: []string{"a copy in stream 1, host code"}},
	{name: "blocking", pairs: []string{"a launch in stream 3, a launch in the default stream"}},
	{name: "hostWaitsForDefault", cause: "host", pairs: []string{"a launch in stream 3, host code"}},
	{name: "ofThread", pairs: []string{"a launch in the default stream of a thread, a launch in stream 1"}},
	{name: "ofThreadAndLegacy", pairs: []string{"a launch in the default stream of a thread, a launch in stream 3"}},
	{name: "byDefault", pairs: []string{"a launch in D, a launch in stream 1"}, threadOnly: true},
	{name: "byThreads", pairs: []string{"a launch in D, a launch in D"}, threadOnly: true},
	{name: "copyByDefault", pairs: []string{"a copy from pageable memory in D, a launch in stream 1"}, threadOnly: true},
	{name: "functionReads", pairs: []string{"a copy in stream 1, a host function in stream 2"}},
	{name: "callbackReads", pairs: []string{"a copy in stream 1, a host function in stream 2"}},
	{name: "functionWrites", pairs: []string{"a copy in stream 2, a host function in stream 1"}},
	{name: "functionNotifies", cause: "host", pairs: []string{"a launch in stream 1, host code"}},
	{name: "captured", pairs: []string{"a launch in a branch of a graph in stream 1, a launch in a branch of a graph in stream 1"}},
	{name: "builtOfNodes", pairs: []string{"a copy in a branch of a graph in stream 1, a launch in a branch of a graph in stream 1"}},
	{name: "hostNode", pairs: []string{"a launch in a branch of a graph in stream 1, a host function in a branch of a graph in stream 1"}},
	{name: "childGraph", pairs: []string{"a launch in a branch of a graph in stream 1, a launch in a branch of a graph in stream 1"}},
	{name: "graphMemory", pairs: []string{"an allocation in a branch of a graph in stream 1, a launch in a branch of a graph in stream 1"}},
	{name: "hostToHost", pairs: []string{"a launch in stream 1, a copy to pageable memory in stream 2"}},
	{name: "twoGraphs", pairs: []string{"a launch in stream 1, a launch in stream 2"}},
	{name: "recordedAgain", pairs: []string{"a launch in stream 1, a launch in stream 2"}},
	{name: "waitBeforeRecord", pairs: []string{"a launch in stream 1, a launch in stream 2"}},
}

// TestOrders runs pairs of programs, of which one lacks an order between the host, streams and copies, with the legacy
// default stream and with default streams of threads.
func TestOrders(t *testing.T) {
	long(t)
	need(t, "clang-19")
	ptxsan, libraries := dropIns(t)
	dir, thread := t.TempDir(), []string{"-g", "-DCUDA_API_PER_THREAD_DEFAULT_STREAM", "-Xclang", "-fgpu-default-stream=per-thread"}
	for name, flags := range map[string][]string{"legacy": thread[:1], "thread": thread} {
		clangBuilds(t, ptxsan, libraries, "testdata/orders/orders.cu", filepath.Join(dir, name), flags...)
		for _, c := range orders {
			t.Run(name+" "+c.name, func(t *testing.T) {
				want := c.pairs
				if c.threadOnly && name == "legacy" {
					want = nil
				}
				cause := map[string]string{"": "missing-stream-order", "host": "missing-host-wait"}[c.cause]
				checkPairs(t, ptxsan, dir, []string{name, c.name, "racy"}, cause, want)
				checkPairs(t, ptxsan, dir, []string{name, c.name, "right"}, cause, nil)
			})
		}
	}
}

// TestDependents runs pairs of programs whose kernels may overlap the one before, of which one reads before it waits.
func TestDependents(t *testing.T) {
	long(t)
	need(t, "clang-19")
	ptxsan, libraries := dropIns(t)
	dir := t.TempDir()
	clangBuildsFor(t, "sm_90", "+ptx80", ptxsan, libraries, "testdata/orders/dependents.cu", filepath.Join(dir, "app"), "-g")
	for _, name := range []string{"stream", "captured", "edge"} {
		for _, detector := range []string{"precise", "iguard"} {
			for variant, lines := range map[string][][2]int{"racy": {{37, 41}}, "right": nil} {
				_, code, rep := runApplication(t, ptxsan, dir, []string{"app", name, variant}, "--arch", "sm_90", "--detector", detector)
				if code != len(lines) || len(rep.Faults) > 0 {
					t.Errorf("%s %s, %s: exit code %d, %d faults", name, variant, detector, code, len(rep.Faults))
				}
				checkLines(t, rep, lines)
				for _, x := range rep.Races {
					if x.Cause != detect.MissingGridWait || !x.First.Known || !x.Second.Known || x.Second.Block != [3]uint32{} {
						t.Errorf("%s, %s: %s, threads %+v and %+v", name, detector, x.Cause, x.First, x.Second)
					}
				}
			}
		}
	}
}

// checkPairs runs an application and compares the pairs of operations that race, all for one cause.
func checkPairs(t *testing.T, ptxsan, dir string, args []string, cause string, want []string) {
	t.Helper()
	out, code, rep := runApplication(t, ptxsan, dir, args, "--allow-unchecked") // some launch no kernel
	if code != min(1, len(want)) || len(rep.Faults) > 0 {
		t.Errorf("%v: exit code %d, %d faults\n%s", args, code, len(rep.Faults), out)
	}
	var got []string
	for _, x := range rep.Races {
		if string(x.Cause) != cause {
			t.Errorf("%v: cause %s, want %s", args, x.Cause, cause)
		}
		got = append(got, x.First.Operation+", "+x.Second.Operation)
	}
	slices.Sort(got)
	name := map[string]string{"legacy": "the default stream", "thread": "the default stream of a thread"}[args[0]]
	named := func(pair, want string) bool { return pair == strings.ReplaceAll(want, "in D", "in "+name) }
	if got = slices.Compact(got); !slices.EqualFunc(got, want, named) {
		t.Errorf("%v: races %q, want %q", args, got, want)
	}
}
