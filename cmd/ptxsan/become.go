// Handing a command line over to ptxsan-full.

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
)

// fullName is the ptxsan that was not built with the tag slim.
const fullName = "ptxsan-full"

// needsDriver says whether a command asks for a GPU.
func needsDriver(c *cli.Context) bool {
	device := c.String("device")
	return c.Command.Name == devicesName || device != "" && device != "emu"
}

// becomeFull runs the command line of this process as that of ptxsan-full, in its place. It returns only with what is wrong.
func becomeFull() error {
	path, err := findFull()
	if err == nil {
		err = syscall.Exec(path, append([]string{path}, os.Args[1:]...), os.Environ())
	}
	return command.Usagef("GPUs, campaigns, completion and the manual page need %s, which releases have beside ptxsan: %w", fullName, err)
}

// findFull is the path of ptxsan-full: beside this program, or where the shell finds it.
func findFull() (string, error) {
	if own, err := os.Executable(); err == nil {
		if path, err := exec.LookPath(filepath.Join(filepath.Dir(own), fullName)); err == nil {
			return path, nil
		}
	}
	return exec.LookPath(fullName)
}
