package pages_test

import (
	"bytes"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/ptxsan/ptxsan/emu/internal/pages"
)

// size is larger than the part of the page map that is read at once.
const size = 100<<20 + 5

// TestBlock: bytes are zeros at first, and again after Clear and Drop, wherever somebody
// has written.
func TestBlock(t *testing.T) {
	b := newBlock(t, size)
	data := b.Bytes()
	if len(data) < size {
		t.Fatalf("%d bytes, want %d", len(data), size)
	}
	for name, again := range map[string]func(){"clear": b.Clear, "drop": b.Drop} {
		for round := range 3 {
			if n := nonzero(data); n != 0 {
				t.Fatalf("%s, round %d: %d bytes are not zero", name, round, n)
			}
			for at := round; at < len(data); at += 1<<20 - 1 {
				data[at] = 1
			}
			data[0], data[len(data)-1] = 2, 3
			again()
		}
	}
	runtime.KeepAlive(b)
}

// TestClearRange: the bytes of a range are zeros, and those around it stay, wherever it begins and ends.
func TestClearRange(t *testing.T) {
	const size = 1 << 20
	b := newBlock(t, size)
	data := b.Bytes()
	for _, r := range [][2]int{{0, size}, {0, 0}, {0, 3}, {5, 10}, {4096, 8192}, {4095, 4097}, {100_000, 700_001}, {size - 1, size}} {
		for i := range data {
			data[i] = 1
		}
		b.ClearRange(uint64(r[0]), uint64(r[1]-r[0]))
		for i, v := range data[:size] {
			if in := i >= r[0] && i < r[1]; in != (v == 0) {
				t.Fatalf("%d: byte %d is %d", r, i, v)
			}
		}
	}
	runtime.KeepAlive(b)
}

// TestUnneeded: unused blocks are freed without an explicit request, although the garbage collector does not account
// for their size.
func TestUnneeded(t *testing.T) {
	const blocks, enough = 40, 20
	var ended atomic.Int64
	for range blocks {
		b := newBlock(t, 1<<30)
		b.Bytes()[1<<29] = 1
		runtime.AddCleanup(b, func(int) { ended.Add(1) }, 0)
	}
	for ended.Load() < enough { // they end in a goroutine of the runtime's
		runtime.Gosched()
	}
}

func newBlock(t *testing.T, size uint64) *pages.Block {
	t.Helper()
	b, err := pages.New(size)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// nonzero is how many of the bytes are not zero.
func nonzero(data []byte) int {
	n, zeros := 0, make([]byte, 1<<20)
	for len(data) > 0 {
		part := data[:min(len(data), len(zeros))]
		if !bytes.Equal(part, zeros[:len(part)]) {
			n += len(part) - bytes.Count(part, []byte{0})
		}
		data = data[len(part):]
	}
	return n
}
