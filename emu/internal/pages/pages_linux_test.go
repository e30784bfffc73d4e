//go:build !asan

package pages

import (
	"testing"
	"unsafe"
)

// TestAligned: blocks begin at a huge page, and are as long as was asked.
func TestAligned(t *testing.T) {
	for _, size := range []uint64{1, 4096, 5 << 20, huge, 3*huge + 4097} {
		b, err := New(size)
		if err != nil {
			t.Fatal(err)
		}
		data := b.Bytes()
		if at := uintptr(unsafe.Pointer(unsafe.SliceData(data))); at%huge != 0 || uint64(len(data)) < size || uint64(len(data)) >= size+uint64(pageSize) {
			t.Errorf("%d bytes at %#x for %d", len(data), at, size)
		}
		data[0], data[len(data)-1] = 1, 2
	}
}
