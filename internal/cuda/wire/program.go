//go:build linux

// The programs of an application's processes, as reports name them.

package wire

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// programs names the programs of processes. The zero value is ready for use.
type programs struct {
	mu    sync.Mutex
	tests map[int][]test // by the process id of ctest
}

// test is a test of ctest (cmake.org, ctest(1), "Show as JSON Object Model").
type test struct {
	Name    string   `json:"name"`
	Command []string `json:"command"`
}

// of returns the command line of a process that the application has started, after the name of the test if ctest runs
// it; "" for the application itself.
func (p *programs) of(pid int) string {
	parent := parentOf(pid)
	if parent == os.Getpid() {
		return ""
	}
	text := strings.Join(commandLine(pid), " ")
	for child := pid; parent > 1 && parent != os.Getpid(); child, parent = parent, parentOf(parent) {
		command := commandLine(child)
		for _, t := range p.testsOf(parent) {
			if slices.Equal(t.Command, command) {
				return "test " + t.Name + ": " + text
			}
		}
	}
	return text
}

// commandLine returns a process's program and arguments, nil if unknown.
func commandLine(pid int) []string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00")
}

// testsOf returns the tests that a process runs if it is ctest, in the configuration that it was given.
func (p *programs) testsOf(pid int) []test {
	program, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid))
	if err != nil || filepath.Base(program) != "ctest" {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if list, known := p.tests[pid]; known {
		return list
	}
	args := []string{"--show-only=json-v1"}
	given := commandLine(pid)
	if i := slices.IndexFunc(given, func(a string) bool { return a == "-C" || a == "--build-config" }); i >= 0 &&
		i+1 < len(given) {
		args = append(args, given[i:i+2]...)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, _ = os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid))
	var shown struct{ Tests []test }
	if out, err := cmd.Output(); err == nil {
		_ = json.Unmarshal(out, &shown) // no names then
	}
	if p.tests == nil {
		p.tests = make(map[int][]test)
	}
	p.tests[pid] = shown.Tests
	return shown.Tests
}
