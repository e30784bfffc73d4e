package main

import "testing"

func TestApart(t *testing.T) {
	for _, c := range []struct {
		what  string
		spans []span
		want  bool
	}{
		{"nothing", nil, true},
		{"neighbours in any order", []span{{512, 600}, {0, 512}, {600, 1 << 32}}, true},
		{"one byte in common", []span{{512, 600}, {0, 513}}, false},
		{"two that begin together", []span{{512, 600}, {512, 520}}, false},
		{"one in two slots", []span{{0, 4}, {512, 1<<32 + 1}}, false},
	} {
		if got := apart(c.spans); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
	}
}
