//go:build linux

// The order between the host and streams in programs of the driver API.

package wire_test

import (
	"slices"
	"testing"
)

// TestDriverOrders runs pairs of programs of which one lacks an order.
func TestDriverOrders(t *testing.T) {
	dir := libraries(t)
	app := compile(t, "testdata/orders.c", dir, "cuda", "-pthread")
	for name, want := range map[string][]string{
		"release":         {"a fill in stream 1, a release of memory by the host"},
		"releaseInStream": {"a fill in stream 1, a release of memory in stream 2"},
		"pageable":        {"a copy from pageable memory in the default stream, a launch in stream 3"},
		"device":          {"a copy in the default stream, a launch in stream 3", "a launch in stream 3, a copy in the default stream"},
		"fill":            {"a fill in the default stream, a launch in stream 3"},
		"thread":          {"a copy from pageable memory in the default stream of a thread, a launch in stream 1"},
		"found":           {"a fill in the default stream of a thread, a launch in stream 1"},
		"function":        {"a copy in stream 1, a host function in stream 2"},
		"value":           {"a launch in stream 1, a launch in stream 2"},
		"batch":           {"a launch in stream 1, a launch in stream 3"},
		"valueOfCopy":     {"a launch in stream 1, a launch in stream 3"},
		"capturedValue":   {"a launch in stream 1, a launch in stream 2"},
		"graph":           {"a launch in a branch of a graph in stream 1, a copy in a branch of a graph in stream 1"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := pairsOf(t, dir, app, "testdata/driver.ptx", name, "racy"); !slices.Equal(got, want) {
				t.Errorf("races %q, want %q", got, want)
			}
			if got := pairsOf(t, dir, app, "testdata/driver.ptx", name, "right"); len(got) > 0 {
				t.Errorf("races %q without a missing order", got)
			}
		})
	}
}

// pairsOf runs a program, and returns the pairs of operations that race, each once, sorted.
func pairsOf(t *testing.T, dir string, args ...string) (pairs []string) {
	t.Helper()
	out, code, notes, processes := run(t, dir, args...)
	if out != "done\n" || code != 0 || len(notes) > 0 {
		t.Errorf("%v: exit code %d, notes %q\n%s", args, code, notes, out)
	}
	for _, x := range processes[0].Report().Races {
		pairs = append(pairs, x.First.Operation+", "+x.Second.Operation)
	}
	slices.Sort(pairs)
	return slices.Compact(pairs)
}
