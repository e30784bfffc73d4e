package undo

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// TestLog: memory is restored, whatever its size was in the calls before.
func TestLog(t *testing.T) {
	var l Log
	random := rand.NewChaCha8([32]byte{})
	for i, sizes := range [][]int{{1, 100}, {3 << 20, 5, 1 << 20}, {}, {7, 0, 9}, {6<<20 + 1}, {10}} {
		var memory, want [][]byte
		for _, n := range sizes {
			m := make([]byte, n)
			_, _ = random.Read(m)
			memory, want = append(memory, m), append(want, bytes.Clone(m))
		}
		if err := l.Save(memory, 1+i%3); err != nil {
			t.Fatal(err)
		}
		for _, m := range memory {
			clear(m)
		}
		l.Restore()
		for k := range memory {
			if !bytes.Equal(memory[k], want[k]) {
				t.Errorf("round %d: piece %d is not as before", i, k)
			}
		}
	}
	room := len(l.room)
	if l.Empty(room); len(l.room) != room {
		t.Error("the room is gone")
	}
	if l.Empty(room - 1); l.room != nil || l.block != nil {
		t.Error("the room is left")
	}
	l.Restore() // nothing
}
