package hostmemory

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestField: what is not understood counts as 0.
func TestField(t *testing.T) {
	for text, want := range map[string]uint64{
		"MemTotal:       24684092 kB\nMemFree:        1 kB\n": 24684092,
		"MemFree: 1 kB\nMemTotal: 2 kB\n":                     2,
		"":                                                    0, "MemTotal:": 0, "MemTotal: many kB": 0, "XMemTotal: 7": 0,
	} {
		if got := field([]byte(text), "MemTotal:"); got != want {
			t.Errorf("%q: %d, expected %d", text, got, want)
		}
	}
}

// TestMemory: what is available and what the process uses is less than what there is.
func TestMemory(t *testing.T) {
	if _, err := os.Stat("/proc/meminfo"); err != nil {
		t.Skip("needs /proc: ", err)
	}
	total, free, used := Total(), Available(), Used()
	if total < 1<<24 || free == 0 || free > total || used < 1<<20 || used > total {
		t.Errorf("%d bytes in all, %d available, %d used", total, free, used)
	}
	grown := make([]byte, 64<<20)
	for i := range grown {
		grown[i] = 1
	}
	if now := Used(); now < used+48<<20 {
		t.Errorf("%d bytes used after 64 MiB, %d before", now, used)
	}
}

// TestGroup: what a control group leaves, without its cache of files.
func TestGroup(t *testing.T) {
	g := group{t.TempDir(), "memory.max", "memory.current", "inactive_file"}
	if g.limit() != 1<<64-1 || g.free() != 1<<64-1 {
		t.Error("a group without files has a limit")
	}
	for name, text := range map[string]string{"max": "1000000\n", "current": "700000\n", "stat": "anon 1\ninactive_file 50000\n"} {
		if err := os.WriteFile(filepath.Join(g.dir, "memory."+name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if g.limit() != 1_000_000 || g.free() != 350_000 {
		t.Errorf("limit %d, free %d, expected 1000000 and 350000", g.limit(), g.free())
	}
}

// TestWatch: a limit below what is used is exceeded, in words that name both; a higher one is not.
func TestWatch(t *testing.T) {
	if Used() == 0 {
		t.Skip("needs /proc/self/statm")
	}
	var got *Exceeded
	NewLimit(1<<20).Watch(nil, func(e *Exceeded) { got = e })
	if got == nil {
		t.Fatal("a limit of 1 MiB is not exceeded")
	}
	for _, want := range []string{gibibytes(got.Used), "the limit of 0.00 GiB"} {
		if !strings.Contains(got.Error(), want) {
			t.Errorf("%q does not contain %q", got, want)
		}
	}
	done := make(chan struct{})
	close(done)
	NewLimit(Total()).Watch(done, func(e *Exceeded) { t.Error(e) })
	if l := NewLimit(0); l.Bytes == 0 || l.Bytes > Total()/4*3 {
		t.Errorf("a limit of %d bytes by default, of %d in all", l.Bytes, Total())
	}
}

// TestExceeds: the process gives up beyond its limit, and when it uses much and nobody has left anything.
func TestExceeds(t *testing.T) {
	for _, c := range []struct {
		used, free uint64
		want       bool
	}{{1599, 1 << 40, false}, {1601, 1 << 40, true}, {1000, 101, false}, {1000, 99, true}} {
		if e := (Exceeded{Limit: Limit{Bytes: 1600}, Used: c.used, Free: c.free}); e.exceeds() != c.want {
			t.Errorf("%d of 1600 bytes used, %d free: %v", c.used, c.free, e.exceeds())
		}
	}
}
