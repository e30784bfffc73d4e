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
