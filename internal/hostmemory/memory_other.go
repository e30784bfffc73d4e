// On systems other than Linux, the process does not find out how much memory there is.

//go:build !linux

package hostmemory

// Total returns the memory in bytes that processes may use; 0 if unknown.
func Total() uint64 { return 0 }

// Available returns the memory in bytes that processes may use besides what is in use; 0 if unknown.
func Available() uint64 { return 0 }

// Used returns the memory in bytes that this process occupies; 0 if unknown.
func Used() uint64 { return 0 }
