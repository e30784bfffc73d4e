package fix_test

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain delays garbage collections, which would take half of the time of small heaps.
func TestMain(m *testing.M) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	m.Run()
}

// long skips a test that takes more than a second of a processor in short runs.
func long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
}
