// The commands that ptxsan lacks, since they link large libraries or the C library. ptxsan runs ptxsan-full for them.

package app

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
)

// extra returns the commands that only ptxsan-full has. It is nil in ptxsan.
var extra func(command.Reports) []*cli.Command

// extraCommands returns those commands, and in ptxsan commands of their names that run ptxsan-full.
func extraCommands() []*cli.Command {
	if extra != nil {
		return extra(command.Reports{Check: checkKnown, Known: settle, Write: writeReport, Code: findingCode})
	}
	return []*cli.Command{
		elsewhere("campaign", "Execution", "explore many kernels under many schedules, on one machine or many"),
		elsewhere("worker", "Execution", "run tasks of campaigns"),
		elsewhere("serve", "Execution", "serve checks to programs that write kernels"),
		elsewhere("man", "Support", "print the manual page"),
	}
}

// elsewhere returns a command that runs ptxsan-full with the same command line. It parses no flags and arguments.
func elsewhere(name, category, usage string) *cli.Command {
	return &cli.Command{
		Name: name, Category: category, Usage: usage, SkipFlagParsing: true, HideHelp: true,
		Action:       func(*cli.Context) error { return becomeFull() },
		BashComplete: func(*cli.Context) { _ = becomeFull() }, // without ptxsan-full nothing is completed
	}
}

// checkKnown returns an error for invalid files of --suppressions and --baseline.
func checkKnown(c *cli.Context) error {
	_, _, err := knownOf(c)
	return err
}

// fullName is the name of the program with all commands.
const fullName = "ptxsan-full"

// needsDriver reports whether a command uses a GPU.
func needsDriver(c *cli.Context) bool {
	device := c.String("device")
	return c.Command.Name == devicesName || device != "" && device != "emu"
}

// becomeFull runs ptxsan-full with the same command line in place of this process.
func becomeFull() error {
	path, err := findFull()
	if err == nil {
		err = become(path, os.Args[1:])
	}
	if ended := (*command.Error)(nil); err == nil || errors.As(err, &ended) {
		return err
	}
	return command.Usagef("GPUs, campaigns, serve and the manual page need %[1]s, which is neither beside ptxsan nor in the search path: "+
		"go install github.com/ptxsan/ptxsan/cmd/%[1]s@latest; in a clone: go run ./cmd/%[1]s %[2]s (%[3]w)",
		fullName, strings.Join(os.Args[1:], " "), err)
}

// become replaces this process by a program. On Windows, which cannot do that, it runs the program and returns its exit
// code as an error.
func become(path string, args []string) error {
	if runtime.GOOS != "windows" {
		return syscall.Exec(path, append([]string{path}, args...), os.Environ())
	}
	program := exec.Command(path, args...)
	program.Stdin, program.Stdout, program.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := program.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return command.Exit(exit.ExitCode())
	}
	return err
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
