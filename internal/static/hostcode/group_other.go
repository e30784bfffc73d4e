// Processes that a compiler starts, on systems without groups of processes.

//go:build !unix

package hostcode

import "os/exec"

// endTogether does nothing: the compiler alone is ended.
func endTogether(*exec.Cmd) {}
