// Replacing the process by ptxsan-full.

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
)

// fullName is the name of the program that was not built with the tag slim.
const fullName = "ptxsan-full"

// needsDriver reports whether a command uses a GPU.
func needsDriver(c *cli.Context) bool {
	device := c.String("device")
	return c.Command.Name == devicesName || device != "" && device != "emu"
}

// becomeFull replaces this process by ptxsan-full with the same command line. It returns only on error.
func becomeFull() error {
	path, err := findFull()
	if err == nil {
		err = syscall.Exec(path, append([]string{path}, os.Args[1:]...), os.Environ())
	}
	return command.Usagef("GPUs, campaigns, serve, completion and the manual page need %s, which releases have beside ptxsan: %w", fullName, err)
}

// findFull returns the path of ptxsan-full: in the folder of this program, or in the search path.
func findFull() (string, error) {
	if own, err := os.Executable(); err == nil {
		if path, err := exec.LookPath(filepath.Join(filepath.Dir(own), fullName)); err == nil {
			return path, nil
		}
	}
	return exec.LookPath(fullName)
}
