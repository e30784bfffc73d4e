//go:build !linux || asan

// No guard pages: on other systems, or with the address sanitizer, which has its own.

package guard

func beforeGuard(uint64, uint64) (all, bytes []byte) { return nil, nil }

func unmap([]byte) {}
