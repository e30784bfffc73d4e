package terminal

import (
	"bytes"
	"testing"
	"time"
)

func TestColor(t *testing.T) {
	for _, c := range []struct {
		mode string
		env  map[string]string
		want bool
	}{
		{"always", map[string]string{"NO_COLOR": "1"}, true},
		{"never", map[string]string{"FORCE_COLOR": "1"}, false},
		{"auto", nil, false}, // a buffer is no terminal
		{"auto", map[string]string{"FORCE_COLOR": "1"}, true},
		{"auto", map[string]string{"CLICOLOR_FORCE": "1"}, true},
		{"auto", map[string]string{"FORCE_COLOR": "0"}, false},
		{"auto", map[string]string{"FORCE_COLOR": "1", "NO_COLOR": "1"}, false},
	} {
		if got := Color(c.mode, new(bytes.Buffer), func(name string) string { return c.env[name] }); got != c.want {
			t.Errorf("%s with %v: %t", c.mode, c.env, got)
		}
	}
}

func TestNoTerminal(t *testing.T) {
	var b bytes.Buffer
	if Is(&b) || Width(&b, 130) != 130 {
		t.Error("a buffer is taken for a terminal")
	}
	p := NewProgress(&b)
	p.Step("checking")
	p.Done()
	if b.Len() > 0 {
		t.Errorf("progress in a buffer: %q", b.String())
	}
}

// TestFollow: the line has the blocks that are done, and the time that is left at that rate, cut at the width of the
// terminal.
func TestFollow(t *testing.T) {
	for _, c := range []struct {
		done, of uint64
		width    int
		want     string
	}{
		{0, 0, 80, "ptxsan: launch 3: k ..."},
		{0, 8, 80, "ptxsan: launch 3: k, 0 of 8 blocks ..."},
		{2, 8, 80, "ptxsan: launch 3: k, 2 of 8 blocks, 30s left ..."},
		{9, 8, 80, "ptxsan: launch 3: k, 8 of 8 blocks, 0s left ..."},
		{2, 8, 24, "ptxsan: launch 3: k, 2 "},
	} {
		var b bytes.Buffer
		begun := time.Unix(100, 0)
		p := &Progress{w: &b, width: c.width, what: "launch 3: k", begun: begun, count: func() (uint64, uint64) { return c.done, c.of }}
		p.show(begun.Add(10 * time.Second))
		p.show(begun.Add(10 * time.Second)) // the same: nothing is written
		if got := b.String(); got != "\r\x1b[K"+c.want+"\r" {
			t.Errorf("%d of %d: %q, want %q", c.done, c.of, got, c.want)
		}
	}
}
