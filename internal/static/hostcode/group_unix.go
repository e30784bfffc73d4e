// Processes that a compiler starts, which end with it.

//go:build unix

package hostcode

import (
	"os/exec"
	"syscall"
)

// endTogether has the end of a command's context end all processes that the command has started: nvcc starts others.
func endTogether(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
