// Systems whose memory is not looked up.

//go:build !linux

package gc

// systemMemory returns the memory in bytes that processes may use; 0 if unknown.
func systemMemory() uint64 { return 0 }
