package gc

import (
	"math"
	"os"
	"runtime/debug"
	"testing"
)

// TestTotalOf: what is not understood counts as unknown.
func TestTotalOf(t *testing.T) {
	for text, want := range map[string]uint64{
		"MemTotal:       24684092 kB\nMemFree:        1 kB\n": 24684092 << 10,
		"MemFree: 1 kB\nMemTotal: 2 kB\n":                     2 << 10,
		"":                                                    0, "MemTotal:": 0, "MemTotal: many kB": 0,
	} {
		if got := totalOf([]byte(text)); got != want {
			t.Errorf("%q: %d bytes, want %d", text, got, want)
		}
	}
}

// TestMemoryLimit: the collector knows how much memory the system has, unless the user has set a limit.
func TestMemoryLimit(t *testing.T) {
	if _, err := os.Stat("/proc/meminfo"); err != nil {
		t.Skip("needs /proc, from which the command reads how much memory there is: ", err)
	}
	if systemMemory() < 1<<24 {
		t.Fatalf("the system has %d bytes of memory", systemMemory())
	}
	before := debug.SetMemoryLimit(math.MaxInt64)
	defer debug.SetMemoryLimit(before)
	t.Setenv("GOGC", "100")
	for limit, want := range map[string]int64{"1GiB": math.MaxInt64, "": int64(systemMemory() / 100 * heapShare)} {
		t.Setenv("GOMEMLIMIT", limit)
		debug.SetMemoryLimit(math.MaxInt64)
		CollectLate()
		if got := debug.SetMemoryLimit(-1); got != want {
			t.Errorf("GOMEMLIMIT %q: limit %d, want %d", limit, got, want)
		}
	}
}
