// On systems other than Linux, the command does not find out how much memory there is.

//go:build !linux

package gc

// systemMemory returns the memory in bytes that processes may use; 0 if unknown.
func systemMemory() uint64 { return 0 }
