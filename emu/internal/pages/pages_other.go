//go:build !linux || asan

// Memory from Go's heap, on systems where mmap is not used.

package pages

func reserve(size uint64) (whole, bytes []byte, err error) {
	bytes = make([]byte, size)
	return bytes, bytes, nil
}

func release([]byte) {}

func drop(b []byte) { clear(b) }

func wipe(b []byte) { clear(b) }
