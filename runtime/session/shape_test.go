package session

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

func TestSlotStep(t *testing.T) {
	for _, c := range []struct {
		what  string
		slots []uint64
		last  uint64 // where the objects end in their slots
		want  uint64
	}{
		{"nothing", nil, 0, 1 << maxSlotStep},
		{"far apart", []uint64{16, 48, 32}, 512, 16},
		{"side by side", []uint64{16, 17, 18}, 512, 1},
		{"objects that reach into the next slot", []uint64{16, 48, 32}, 1<<32 + 1, 1},
	} {
		var spans []span
		for range c.slots {
			spans = append(spans, span{0, c.last})
		}
		if got := slotStep(c.slots, spans); got != c.want {
			t.Errorf("%s: %d, want %d", c.what, got, c.want)
		}
	}
}
