package limits

import (
	"testing"
	"time"
)

// TestTexts: numbers, sizes and times as people and flags write them.
func TestTexts(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{count(7), "7"},
		{count(1234), "1,234"},
		{count(123456), "123,456"},
		{count(1 << 30), "1,073,741,824"},
		{bytesText(512), "512"},
		{bytesText(1 << 10), "1K"},
		{bytesText(227 << 10), "227K"},
		{bytesText(64 << 20), "64M"},
		{bytesText(4 << 30), "4G"},
		{bytesText(1025), "1,025"},
		{TimeText(10 * time.Minute), "10m"},
		{TimeText(time.Hour), "1h"},
		{TimeText(90 * time.Second), "1m30s"},
		{TimeText(100 * time.Millisecond), "100ms"},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
	}
}

// TestNamesDiffer tests that the limited quantities have different names, by which tests and documents refer to limits.
func TestNamesDiffer(t *testing.T) {
	seen := make(map[string]bool)
	for _, l := range All {
		if seen[l.Of] {
			t.Errorf("%s: two limits", l.Of)
		}
		seen[l.Of] = true
	}
}
