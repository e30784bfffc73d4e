package diff

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestUnified(t *testing.T) {
	tests := []struct {
		a, b string
		n    int
		want string
	}{
		{"x\n", "x\n", 3, ""},
		{"", "x\n", 3, "--- a\n+++ b\n@@ -0,0 +1 @@\n+x\n"},
		{"x\n", "", 3, "--- a\n+++ b\n@@ -1 +0,0 @@\n-x\n"},
		{"x", "x\n", 3, "--- a\n+++ b\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+x\n"},
		{"1\n2\n3\n4\n", "1\n2\nX\n4\n", 1, "--- a\n+++ b\n@@ -2,3 +2,3 @@\n 2\n-3\n+X\n 4\n"},
		{"1\n2\n3\n4\n5\n", "X\n2\n3\n4\nY\n", 1, "--- a\n+++ b\n@@ -1,2 +1,2 @@\n-1\n+X\n 2\n@@ -4,2 +4,2 @@\n 4\n-5\n+Y\n"},
		{"1\n2\n3\n", "X\n2\nY\n", 1, "--- a\n+++ b\n@@ -1,3 +1,3 @@\n-1\n+X\n 2\n-3\n+Y\n"},
		{"1\n2\n", "1\n", 0, "--- a\n+++ b\n@@ -2 +1,0 @@\n-2\n"},
	}
	for _, tt := range tests {
		if got := Unified("a", tt.a, "b", tt.b, tt.n); got != tt.want {
			t.Errorf("%q to %q with %d: got\n%swant\n%s", tt.a, tt.b, tt.n, got, tt.want)
		}
	}
}

// A patch applied to the first text, as patch(1) does it, gives the second.
func TestUnifiedApplies(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for range 500 {
		var a, b strings.Builder
		for range rnd.IntN(60) {
			line := fmt.Sprintf("line %d\n", rnd.IntN(12))
			a.WriteString(line)
			if rnd.IntN(6) > 0 {
				b.WriteString(line)
			}
			if rnd.IntN(6) == 0 {
				fmt.Fprintf(&b, "new %d\n", rnd.IntN(5))
			}
		}
		from, to := a.String(), b.String()
		if rnd.IntN(4) == 0 {
			from = strings.TrimSuffix(from, "\n")
		}
		if rnd.IntN(4) == 0 {
			to = strings.TrimSuffix(to, "\n")
		}
		diff := Unified("a", from, "b", to, rnd.IntN(5))
		got, err := applyPatch(from, diff)
		if err != nil || got != to {
			t.Fatalf("%v: from %q to %q, got %q with\n%s", err, from, to, got, diff)
		}
	}
}

var hunkHeader = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(?: .*)?$`)

// applyPatch applies a unified diff and checks every context line, count and position.
func applyPatch(text, diff string) (string, error) {
	if diff == "" {
		return text, nil
	}
	lines, at := strings.SplitAfter(text, "\n"), 0
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	var out []string
	var left, added int // lines that the hunk still promises
	all := strings.SplitAfter(diff, "\n")
	for i, d := range all[2:] {
		if m := hunkHeader.FindStringSubmatch(strings.TrimSuffix(d, "\n")); m != nil && left == 0 && added == 0 {
			start, n := atoi(m[1], 0), atoi(m[2], 1)
			if n == 0 {
				start++
			}
			out = append(out, lines[at:start-1]...)
			at, left, added = start-1, n, atoi(m[4], 1)
			if newStart := atoi(m[3], 0); added > 0 && newStart != len(out)+1 {
				return "", fmt.Errorf("line %d: hunk at %d, expected %d", i, newStart, len(out)+1)
			}
			continue
		}
		switch {
		case d == "":
		case d[0] == '\\':
			if !strings.HasPrefix(all[i+1], "-") { // else it is about the old text
				out[len(out)-1] = strings.TrimSuffix(out[len(out)-1], "\n")
			}
		case d[0] == '+':
			out = append(out, d[1:])
			added--
		default:
			if at >= len(lines) || strings.TrimSuffix(lines[at], "\n") != strings.TrimSuffix(d[1:], "\n") {
				return "", fmt.Errorf("line %d: %q does not match", i, d)
			}
			if d[0] == ' ' {
				out = append(out, lines[at])
				added--
			}
			at++
			left--
		}
	}
	if left != 0 || added != 0 {
		return "", fmt.Errorf("a hunk is %d and %d lines short", left, added)
	}
	return strings.Join(append(out, lines[at:]...), ""), nil
}

func atoi(s string, missing int) int {
	if s == "" {
		return missing
	}
	n, _ := strconv.Atoi(s)
	return n
}

// Texts that share their beginning and end cost only what lies between.
func TestUnifiedLarge(t *testing.T) {
	same := strings.Repeat("add.u32 %r1, %r2, %r3;\n", 200000)
	start := time.Now()
	got := Unified("a", same+"old\n"+same, "b", same+"new\n"+same, 0)
	if want := "--- a\n+++ b\n@@ -200001 +200001 @@\n-old\n+new\n"; got != want {
		t.Errorf("got %q", got)
	}
	if d := time.Since(start); d > time.Minute {
		t.Errorf("took %v", d)
	}
}
