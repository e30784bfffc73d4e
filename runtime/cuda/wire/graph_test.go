//go:build linux

// Graphs that applications put together.

package wire_test

import "testing"

// TestDriverGraphs runs a program of the driver API that launches graphs.
func TestDriverGraphs(t *testing.T) {
	dir := libraries(t)
	runApp(t, dir, 16, compile(t, "testdata/graph.c", dir, "cuda"), "testdata/driver.ptx")
}
