//go:build linux

// Memory of the host that programs register.

package wire_test

import "testing"

// TestRegistered runs a program that registers ranges which share pages, and memory of the heap, of stacks, and of files.
func TestRegistered(t *testing.T) {
	dir := libraries(t)
	out, code, _, _ := run(t, dir, compile(t, "testdata/registered.c", dir, ":libcudart.so.12", "-pthread"))
	allRight(t, out, code, 29)
}
