package terminal

import (
	"bytes"
	"testing"
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
