package main

import (
	"strings"
	"testing"
)

// TestDetector checks that the detector finds a missing barrier, with the lines of the source, and no race when the
// barrier is there.
func TestDetector(t *testing.T) {
	for name, want := range map[string]string{
		"racy":  "./racy.cu:7 and ./racy.cu:9: intra-block\n",
		"fixed": "",
	} {
		rep, err := check("../block-exchange/" + name)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := print(&b, rep); err != nil || b.String() != want {
			t.Errorf("%s: %q, %v, want %q", name, b.String(), err, want)
		}
	}
}
