//go:build !linux || asan

// Memory from Go's heap, where there is no mmap.

package pages

func reserve(size uint64) ([]byte, error) { return make([]byte, size), nil }

func release([]byte) {}

func drop(b []byte) { clear(b) }

func wipe(b []byte) { clear(b) }
